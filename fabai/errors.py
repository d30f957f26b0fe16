"""The errors a person may see. Each message is one sentence that says what is wrong and what to do.

    FabaiError
    ├── UsageError        the command line itself is wrong (exit 2)
    ├── UnreadableFile    a file that cannot be read as what it claims to be
    ├── UnknownName       a form, section, model, key ... that does not exist; names the nearest one
    ├── BadSetting        a value that a setting does not accept
    ├── MissingPart       a program or package that this step needs and the machine lacks
    ├── ProjectError      a project file that cannot be opened or written
    ├── WindowError       the fixed parts of a prompt do not fit under the cap
    ├── WriterError       a model that cannot be loaded, reached, or that stopped midway
    ├── ExportError       a document that cannot be written
    └── TrainingError     a training step that cannot be done: memory that ran out, an example without labels

It does not know how errors are shown: `fabai.cli.main` prints one line on stderr and exits with `exit_code`;
the app shows a notice.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class FabaiError(Exception):
    """Anything that is answered with one sentence and no traceback."""

    exit_code = 1


class UsageError(FabaiError):
    """The command was called with arguments that do not go together."""

    exit_code = 2


class UnreadableFile(FabaiError):
    """A file that cannot be read as what it claims to be."""


class UnknownName(FabaiError):
    """A name that does not exist. `nearest` builds the sentence and offers the closest known one."""

    @classmethod
    def nearest(cls, what: str, name: str, known: Iterable[str]) -> UnknownName:
        """`what` reads like "form" or "key in [limits] of f.toml"; offers the closest known name, else lists them."""
        names = sorted(set(known))
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        hint = f"; did you mean '{close[0]}'?" if close else (f"; known: {', '.join(names[:12])}" if names else "")
        return cls(f"unknown {what} '{name}'{hint}")


class BadSetting(FabaiError):
    """A value that a setting does not accept."""


class MissingPart(FabaiError):
    """A program or package that this step needs and the machine lacks; the message says how to get it."""


class ProjectError(FabaiError):
    """A project file that cannot be opened or written."""


class WindowError(FabaiError):
    """The fixed parts of a prompt do not fit under the cap."""


class WriterError(FabaiError):
    """A model that cannot be loaded or reached, or that stopped midway."""


class ExportError(FabaiError):
    """A document that cannot be written."""


class TrainingError(FabaiError):
    """A training step that cannot be done: memory that ran out, an example without labels."""
