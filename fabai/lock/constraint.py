"""The Constraint that a Writer is given: what figures its text may hold.

Knows facts, their written forms and the way (values or slots). Does not know models; what a Writer needs (automaton,
grammar) is made when it is asked for, and kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Literal

from fabai.ledger import Fact
from fabai.lock.automaton import Automaton, State
from fabai.lock.checker import Checker, Slip
from fabai.lock.gbnf import gbnf
from fabai.lock.written import slot, written
from fabai.report import Language

Way = Literal["values", "slots"]


class Constraint:
    """Opaque to callers; two of them are never equal, for each keeps what was made from it.

    way: "values" are written out; "slots" are asked for as `{{key}}`, and no digit may be written at all.
    """

    def __init__(self, facts: Iterable[Fact], language: Language, way: Way = "values") -> None:
        self.facts = tuple(facts)
        self.language = language
        self.way = way

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

    def state(self, begun: str = "") -> State:
        """Where the automaton stands behind a text; at a line's beginning where the text does not keep to the lock."""
        found = self.automaton.run(begun.encode("utf-8", "surrogatepass"))
        return self.automaton.start if found is None or found[0] < 0 else (found[0], ())

    def slips(self, text: str) -> tuple[Slip, ...]:
        """What of a finished text does not keep to the lock."""
        return self.checker.slips(text)
