"""The Constraint that a Writer is given: what figures its text may hold.

Knows facts, their written forms and the way (values or slots). Does not know models; what a Writer needs (automaton,
grammar) is made when it is asked for, and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from fabai.ledger import Fact
from fabai.lock.automaton import Automaton, State
from fabai.lock.checker import Checker, Slip
from fabai.lock.gbnf import gbnf
from fabai.lock.regex import regex
from fabai.lock.written import slot, written
from fabai.report import Language

Way = Literal["values", "slots", "both"]
_SLOTTED = re.compile(r"([^\W\d_]+ )?(\{\{[^{}\n]+\}\})([ \u00a0][^\W\d_]+)?")


class Constraint:
    """Opaque to callers; two of them are never equal, for each keeps what was made from it.

    way: "values" are written out; "slots" are asked for as `{{key}}`, and no digit may be written at all; "both" is
    values, and slots where those leave facts out (`ways`).
    """

    def __init__(self, facts: Iterable[Fact], language: Language, way: Way = "values") -> None:
        self.facts = tuple(facts)
        self.language = language
        self.way = way

    def ways(self, facts: Iterable[Fact]) -> tuple[Constraint, ...]:
        """The locks of one section on its own facts, in the order in which they are tried."""
        ways: tuple[Way, ...] = ("values", "slots") if self.way == "both" else (self.way,)
        own = tuple(facts)
        return tuple(Constraint(own, self.language, way) for way in ways)

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The whole values that may be written, each once."""
        if self.way == "slots":
            return tuple(dict.fromkeys(one for fact in self.facts if (one := slot(fact))))
        return tuple(dict.fromkeys(one for fact in self.facts for one in written(fact, self.language)))

    @cached_property
    def automaton(self) -> Automaton:
        return Automaton(self.language, self.forms)

    @cached_property
    def checker(self) -> Checker:
        """Of finished text, in which slots have become values."""
        return Checker(self.facts, self.language)

    def gbnf(self, begun: str = "") -> str:
        """For llama.cpp. begun: the text that the answer goes on from."""
        return gbnf(self.forms, self.language, self.state(begun)[0])

    def regex(self, begun: str = "") -> str:
        """One expression, for engines that need no backtracking. No Writer of ours sends it: vLLM's guidance backend
        reads that of 300 facts (0.4 MB) and gives up after some tokens (docs/decisions.md). begun: as for gbnf.
        """
        return regex(self.forms, self.language, self.state(begun)[0])

    def state(self, begun: str = "") -> State:
        """Where the automaton stands behind a text; at a line's beginning where the text does not keep to the lock."""
        found = self.automaton.run(begun.encode("utf-8", "surrogatepass"))
        return self.automaton.start if found is None or found[0] < 0 else (found[0], ())

    def filled(self, text: str) -> str:
        """The text with each slot of a fact written out, its noun and a year's word once. Slots of no fact stay."""
        forms = {slot(fact): found for fact in self.facts if (found := written(fact, self.language))}

        def value(found: re.Match[str]) -> str:
            ways, before, behind = forms.get(found[2], ()), found[1] or "", found[3] or ""
            if not ways:
                return found[0]
            led = next((form for form in ways if before and form.startswith(before)), None)
            said = {word.lower() for form in ways for word in form.split()}
            return f"{f'{before}{ways[0]}' if led is None else led}{'' if behind.strip().lower() in said else behind}"

        return _SLOTTED.sub(value, text)

    def covered(self, text: str) -> int:
        """How many of the facts a text has."""
        return sum(any(form in text for form in written(fact, self.language)) for fact in self.facts)

    def slips(self, text: str) -> tuple[Slip, ...]:
        """What of a finished text does not keep to the lock."""
        return self.checker.slips(text)
