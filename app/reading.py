"""'What the AI read': the window of a section, drawn, and the pins by which a person changes it.

Knows which window a draft would have now. Does not know how windows are planned or drawn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from fabai.draft import prepare
from fabai.errors import UsageError
from fabai.states import kept
from fabai.store.record import Pin
from fabai.window.drawing import html

from .call import Answer, Call
from .said import said


def drawn(call: Call) -> Answer:
    """A self-contained page without scripts, which the page shows in a frame of its own."""
    with call.project() as project:
        writer, settings = call.house.jobs.writer(), call.house.jobs.window
        section = call.text("section")
        prepared = prepare(project, section, writer, settings, kept(project, writer, settings))
        # the drawing stands alone, with its notices in it
        window = replace(prepared.window, notices=tuple(said(one, call.language) for one in prepared.window.notices))
        return {
            "html": html(window, project.report(), call.language),
            "tokens": prepared.window.tokens,
            "notices": list(prepared.window.notices),
            "model": writer.name,
        }


def pin(call: Call) -> Answer:
    """A section is always shown, never shown, or as it comes."""
    state = call.text("state")
    if state not in ("", "pin", "exclude"):
        raise UsageError("the page asked for something unknown: reload it")
    with call.project() as project:
        project.set_pin(call.text("section"), cast(Pin, state) if state else None)
        return {"pins": project.pins()}
