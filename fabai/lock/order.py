"""The lock as a list of texts, for a server's process that has this code but neither the project nor its facts.

Knows both ends of it: what is sent and what is made of it there. Does not know servers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fabai.lock.automaton import DEAD, Automaton, State, byte_table
from fabai.lock.canary import WORD
from fabai.report import LANGUAGES

if TYPE_CHECKING:
    from fabai.lock.constraint import Constraint

FIELD = "fabai_lock"
"""The name of the request's field that has it."""
_ONLY = ""
CANARY_ORDER = [_ONLY, "", WORD]
"""Without a language there is no free text: the forms, and nothing else, may be written."""


def order(constraint: Constraint, begun: str = "") -> list[str]:
    """The language, the state of the free text behind what the answer goes on from, and the forms."""
    language = constraint.language
    return [language, byte_table(language).names[constraint.state(begun)[0]], *constraint.forms]


def read(told: Any) -> tuple[Automaton, State]:
    """What `order` said, and where it begins; ValueError where it is no such list."""
    if not (isinstance(told, Sequence) and len(told) > 1 and all(isinstance(one, str) for one in told)):
        raise ValueError(f"{FIELD} is no list of texts")
    language, behind, *forms = told
    if language == _ONLY and all(forms):
        lock = Automaton("en", forms)
        lock.ends.clear()
        return lock, (DEAD, (0,))
    if language not in LANGUAGES or behind not in byte_table(language).names or not all(forms):
        raise ValueError(f"{FIELD} is of another version of fabai")
    return Automaton(language, forms), (byte_table(language).names.index(behind), ())
