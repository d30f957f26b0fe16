"""The Parts of a prompt that do not depend on what fits: rules, form criteria, glossary, ledger, guidance, instruction.

Knows their places and the words that stand around pieces. Does not know how they are worded (fabai.prompt makes them)
or which sections are shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabai.ledger import Ledger
from fabai.report import Language


@dataclass(frozen=True, slots=True)
class Labels:
    """Lines that introduce pieces, in the language of the report. Names in braces are filled in."""

    headings: str
    ledger: str
    sections: str
    changes: str
    fact: str
    replaced: str
    gone: str
    summary: str
    passages: str
    retrieved: str
    pinned: str
    needed: str
    last: str


@dataclass(frozen=True, slots=True)
class Parts:
    """What every window of a section holds whatever the cap is. Texts are whole and ready to show; "" where there is
    none.

    ledger: the facts as they stand now; the window decides which stand in front and which at the end as changes.
    needs: ids of the specs whose sections this one builds on. reserve: tokens kept for the answer.
    """

    language: Language
    labels: Labels
    rules: str
    form: str
    glossary: str
    ledger: Ledger
    guidance: str
    instruction: str
    needs: tuple[str, ...] = ()
