"""Which column of a list holds what: proposed from the heads, remembered per layout, changed by a person.

Knows names of columns in three languages (columns.toml). Does not know cells below the head, nor what a row means.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from typing import Literal, get_args

from fabai.errors import UnknownName, UsageError
from fabai.formats.sheet import column_name, column_number
from fabai.report import fold

ListKind = Literal["expenses", "hours", "people", "indicators", "attendance"]
LIST_KINDS: tuple[ListKind, ...] = get_args(ListKind)

_SYMBOLS = (("%", " percent "), ("nº", "num "), ("n°", "num "), ("núm.", "num "), ("#", " num "))


@dataclass(frozen=True, slots=True)
class Columns:
    """Field -> column, counted from 0. layout: hash of the heads, the same for every file made from one template.
    sheet: the one in which they were found.
    """

    kind: ListKind
    fields: Mapping[str, int]
    layout: str
    sheet: str = ""

    @property
    def shown(self) -> dict[str, str]:
        """Field -> letter."""
        return {field: column_name(column) for field, column in self.fields.items()}


@functools.cache
def _words() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = tomllib.loads(
        resources.files("fabai.dossier").joinpath("columns.toml").read_text(encoding="utf-8")
    )
    return found


def fields_of(kind: ListKind) -> tuple[str, ...]:
    """What a list of that kind may hold."""
    return tuple(field for field in _words()[kind] if field != "needed")


@functools.lru_cache(maxsize=4_096)
def head_words(text: str) -> str:
    """A head without accents, marks and case; '%' and 'nº' are words."""
    plain = text.lower()
    for symbol, word in _SYMBOLS:
        plain = plain.replace(symbol, word)
    return fold(re.sub(r"\bn\.?\s*(?=factura|document)", "num ", plain))


@functools.lru_cache(maxsize=4_096)
def _worth(kind: ListKind, field: str, head: str) -> float:
    """How well a head names a field: the letters of the longest name in it as a share of the head; 0 where none is."""
    best = 0.0
    for name in _words()[kind][field]:
        if name == head:
            return 2.0 + len(name) / 1_000
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", head):
            # a head opens with what it is: 'total amount charged to …'
            best = max(best, len(name) / max(len(head), 1) + len(name) / 100 + 0.1 * head.startswith(name))
    return best


def propose(kind: ListKind, heads: Sequence[str]) -> Columns | None:
    """The columns that the heads name, None where they are no head of such a list. Each field and column is used
    once; the surest pairs go first, the left one of equals.
    """
    words = [head_words(head) for head in heads]
    pairs = [
        (worth, -column, field, column)
        for column, head in enumerate(words)
        if head
        for field in fields_of(kind)
        if (worth := _worth(kind, field, head)) > 0
    ]
    found: dict[str, int] = {}
    used: set[int] = set()
    for _, _, field, column in sorted(pairs, key=lambda pair: (-pair[0], -pair[1])):
        if field not in found and column not in used:
            found[field] = column
            used.add(column)
    needed = _words()[kind]["needed"]
    if len(found) < 2 or not any(field in found for field in needed):
        return None
    ordered = {field: found[field] for field in fields_of(kind) if field in found}
    return Columns(kind, ordered, layout_of(heads))


def layout_of(heads: Sequence[str]) -> str:
    """A hash of the heads in order; empty ones at the end do not count."""
    words = [head_words(head) for head in heads]
    while words and not words[-1]:
        words.pop()
    return sha256("\x1f".join(words).encode()).hexdigest()


def read_wish(kind: ListKind, wish: str) -> dict[str, int]:
    """A person's columns, as in 'creditor=B, total=H'. UsageError or UnknownName with one sentence otherwise."""
    found: dict[str, int] = {}
    for part in filter(None, (one.strip() for one in wish.split(","))):
        field, _, letters = (one.strip() for one in part.partition("="))
        if field not in fields_of(kind):
            raise UnknownName.nearest(f"column of a list of {kind}", field, fields_of(kind))
        if not re.fullmatch(r"[A-Za-z]{1,3}", letters):
            raise UsageError(f"'{part}' names no column; write it like {field}=B")
        found[field] = column_number(letters.upper())
    return found
