"""Which facts a section may write under the lock: those of its window's evidence, then the ledger's by relevance.

Knows windows, the ledger and figures in running text. Does not know how a lock is kept. Few facts are better than all:
a model that wants a figure and may not write it takes one that begins alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fabai.figures import Figure, figures
from fabai.ledger import Fact
from fabai.lock.written import written
from fabai.report import Language
from fabai.window.piece import Window
from fabai.window.words import stems

MOST = 300
"""Facts of a section; more make every token slower."""
_USUAL = 30
"""Facts up to which those that nothing speaks for are given too."""
_EVIDENCE = ("retrieved",)
_ABOUT = ("guidance", "instruction")
_NOUN = re.compile(r"[ \u00a0]+((?:(?:de|d['’]|of) ?)?[^\W\d_]{3,}(?:[·'’-][^\W\d_]+)*)")
_CENTS = re.compile(r"\d[.,]\d\d")


def choose(window: Window, ledger: Iterable[Fact], language: Language) -> tuple[Fact, ...]:
    """The facts for the window's section, at most MOST; those without a figure are none."""
    facts = [fact for fact in ledger if written(fact, language)]
    evidence = [one for piece in window.pieces if piece.kind in _EVIDENCE for one in seen(piece.text, language)]
    about = _stems((piece.text for piece in window.pieces if piece.kind in _ABOUT), language)
    around = _stems((piece.text for piece in window.pieces if piece.kind in _EVIDENCE), language)

    def worth(fact: Fact) -> int:
        own = _stems((fact.name.replace("_", " "), fact.noun), language)
        return 2 * len(own & about) + len(own & around)

    ranked = sorted(facts, key=worth, reverse=True)
    found = dict.fromkeys(evidence)
    found |= dict.fromkeys(fact for place, fact in enumerate(ranked) if worth(fact) or place + len(evidence) < _USUAL)
    return tuple(found)[:MOST]


def seen(text: str, language: Language) -> Iterator[Fact]:
    """The figures of a passage, as facts; those that do not say what they are of are left out, but for sums with cents
    in a table, which are euros.
    """
    for figure in figures(text, language):
        if value := _value(text, figure):
            yield Fact(value, value, value)


def _value(text: str, figure: Figure) -> str:
    said = text[figure.start : figure.end]
    if figure.kind == "count":
        noun = _NOUN.match(text, figure.end)
        return f"{said} {noun[1]}" if noun is not None else ""
    if figure.kind == "number":
        line = text[text.rfind("\n", 0, figure.start) + 1 : figure.start]
        return f"{said} EUR" if "|" in line and _CENTS.search(said[-4:]) else ""
    return "" if figure.kind == "label" else said


def _stems(texts: Iterable[str], language: Language) -> frozenset[str]:
    return frozenset(one for text in texts for one in stems(text, language))
