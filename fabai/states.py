"""The window's state between calls, kept in the project, so that sections drafted one by one stay as warm as in one go.

Knows what a state belongs to: mode, settings and tokenizer. Does not know how a state is used (fabai.window). Each mode
has one place; a state made with other settings, by another tokenizer, or by a version that wrote it otherwise, is
dropped.
"""

from __future__ import annotations

import dataclasses
import json

from fabai.errors import FabaiError
from fabai.message import TokenCounter
from fabai.settings import WindowSettings
from fabai.store.project import Project
from fabai.window.state import WindowState


def kept(project: Project, counter: TokenCounter, settings: WindowSettings) -> WindowState | None:
    """The state that `keep` left for just these settings and this tokenizer; None where there is none."""
    owner, _, state = (project.state(settings.mode) or "").partition("\n")
    if owner != _owner(counter, settings):
        return None
    try:
        return WindowState.from_json(state)
    except (FabaiError, ValueError):
        return None


def keep(project: Project, counter: TokenCounter, settings: WindowSettings, state: WindowState) -> None:
    """Store the state for the next call. Mode `fill` remembers nothing."""
    if settings.mode != "fill":
        project.save_state(settings.mode, f"{_owner(counter, settings)}\n{state.to_json()}")


def _owner(counter: TokenCounter, settings: WindowSettings) -> str:
    return json.dumps([counter.name, dataclasses.asdict(settings)], separators=(",", ":"))
