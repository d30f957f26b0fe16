"""The lock as one text, for a server's process that has this code but neither the project nor its facts.

Knows both ends of it: what is sent and what is made of it there. Does not know servers. One text, for a server looks at
each item of a list, and ten thousand facts have forty thousand forms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabai.lock.automaton import DEAD, Automaton, State, byte_table
from fabai.lock.canary import WORD
from fabai.report import LANGUAGES

if TYPE_CHECKING:
    from fabai.lock.constraint import Constraint

FIELD = "fabai_lock"
"""The name of the request's field that has it."""
_ONLY, _PART = "", "\x1f"
CANARY_ORDER = _PART.join((_ONLY, "", WORD))
"""Without a language there is no free text: the forms, and nothing else, may be written."""


def order(constraint: Constraint, begun: str = "") -> str:
    """The language, the state of the free text behind what the answer goes on from, and the forms."""
    language = constraint.language
    return _PART.join((language, byte_table(language).names[constraint.state(begun)[0]], *constraint.forms))


def check(told: Any) -> None:
    """ValueError where `order` has not said this; makes no automaton, which takes seconds for ten thousand facts."""
    _parts(told)


def read(told: Any) -> tuple[Automaton, State]:
    """What `order` said, and where it begins; ValueError where it has not said this."""
    language, behind, forms = _parts(told)
    if language == _ONLY:
        lock = Automaton("en", forms)
        lock.ends.clear()
        return lock, (DEAD, (0,))
    return Automaton(language, forms), (byte_table(language).names.index(behind), ())


def _parts(told: Any) -> tuple[Any, str, list[str]]:
    """The language, the name of the state and the forms."""
    if not (isinstance(told, str) and _PART in told):
        raise ValueError(f"{FIELD} is no lock")
    language, behind, *forms = told.split(_PART)
    known = language == _ONLY or (language in LANGUAGES and behind in byte_table(language).names)
    if not (known and all(forms)):
        raise ValueError(f"{FIELD} is of another version of fabai")
    return language, behind, forms
