"""What the bench measures, in one line of text.

A case is "ENGINE TOKENS key=value ...": the keys are the engine's settings (for a peer: attention), `steps` (2; the
first warms up), `labelled` (0.1), `model` (a folder) and, for a peer, `profile` (true: say which attention ran).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.errors import BadSetting

SUITES: dict[str, tuple[str, ...]] = {
    "smoke": ("fabai 512", "fabai 512 stream=true groups=2 tile=256 keep=attention spacing=2"),
    "speed": (
        "fabai 20480 keep=projections tile=10240 embedding=device steps=3",
        "fabai 20480 keep=projections tile=10240 embedding=device attention=flash",
        "fabai 32768 keep=residual tile=8192 embedding=device",
        "fabai 32768 keep=residual tile=8192 embedding=device attention=flash",
        "fabai 8192 keep=attention groups=4 tile=8192 spacing=2",
        "fabai 143360 keep=attention groups=4 tile=8192 spacing=2 steps=1",
        "unsloth 20480",
        "unsloth 20480 attention=flash",
        "unsloth 32768",
        "unsloth 32768 attention=flash",
        "liger 20480",
        "peft 20480",
    ),
    "memory": (
        "fabai 20480 keep=attention stream=true groups=4 tile=2048 head=host head_rows=16384",
        "fabai 20480 keep=attention stream=true groups=2 tile=4096 head=host head_rows=16384",
        "fabai 143360 stream=true groups=8 tile=4096 spacing=3 scratch_on=host head=host head_rows=16384 "
        "prefetch=false steps=1",
        "fabai 262144 stream=true groups=8 tile=8192 spacing=2 scratch_on=host head=host head_rows=16384 steps=1",
    ),
}


@dataclass(frozen=True, slots=True)
class Case:
    """One measurement."""

    engine: str
    tokens: int
    model: Path
    steps: int
    labelled: float
    profile: bool
    options: dict[str, Any]

    @classmethod
    def read(cls, text: str, model: Path) -> Case:
        """From "ENGINE TOKENS key=value ..."."""
        words = text.split()
        if len(words) < 2 or not words[1].isdecimal():
            raise BadSetting(f"the case '{text}' must begin with an engine and a number of tokens")
        options = pairs(words[2:])
        model = Path(options.pop("model", model))
        steps, labelled, profile = options.pop("steps", 2), options.pop("labelled", 0.1), options.pop("profile", True)
        return cls(words[0], int(words[1]), model, steps, labelled, profile, options)

    def text(self) -> str:
        """What `read` makes the same case of; the model is told beside it."""
        table = {**self.options, "steps": self.steps, "labelled": self.labelled, "profile": self.profile}
        return " ".join([self.engine, str(self.tokens), *(f"{key}={_word(value)}" for key, value in table.items())])


def pairs(words: Sequence[str]) -> dict[str, Any]:
    """ "key=value" words as a table: true, false, numbers, else text."""
    found = dict(word.partition("=")[::2] for word in words)
    return {key: _value(value) for key, value in found.items()}


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
