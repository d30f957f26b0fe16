"""What of a Word file is left in another: shares of words, headings, list labels, cells, notes and pictures.

Knows texts and shapes. Does not know how either was made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benches.docx_text import list_labels

EDIT = "EDITADO"
"""The word that a road puts into a paragraph; it does not count."""
ENOUGH = 0.995
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Looks:
    """A file as it is measured: LibreOffice's text with and without list labels, and its shape."""

    bare: str
    labelled: str
    shape: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Measure:
    """Shares kept on one road for one file, from 0 to 1; None where the original has none of the kind.

    words: of the original's that are left; extra: of the new file's that the original had. faults: structural ones
    that the original did not have.
    """

    words: float
    extra: float
    headings: float | None
    labels: float | None
    lists: float | None
    tables: float | None
    cells: float | None
    notes: float | None
    images: float | None
    landscape: float | None
    sections: float | None
    faults: int

    @property
    def whole(self) -> bool:
        """Whether nothing that counts is lost, by the rules of the table in the design notes."""
        return not self.lost

    @property
    def lost(self) -> str:
        """Each kind of which too little is left, with its share: "words 0.981, notes 0.5"; "" where all is whole."""
        least = {"headings": 1.0, "notes": 1.0, "images": 1.0, "landscape": 1.0}
        least |= dict.fromkeys(("labels", "cells", "words", "extra"), ENOUGH)
        shares = {kind: getattr(self, kind) for kind in least}
        told = [f"{kind} {share:.4g}" for kind, share in shares.items() if share is not None and share < least[kind]]
        return ", ".join([*told, *([f"faults {self.faults}"] if self.faults else [])])


KINDS = ("words", "headings", "labels", "lists", "tables", "cells", "notes", "images", "landscape", "sections")


def kept(before: Iterable[str], after: Iterable[str]) -> float:
    """Share of `before` that `after` has, counting repeats."""
    one, other = Counter(before), Counter(after)
    return sum((one & other).values()) / sum(one.values()) if one else 1.0


def measure(before: Looks, after: Looks, faults: int) -> Measure:
    """One file against what became of it."""

    def share(kind: str) -> float | None:
        now = [one.replace(f"{EDIT} ", "").replace(f" {EDIT}", "") for one in after.shape[kind]]
        return kept(before.shape[kind], now) if before.shape[kind] else None

    words = _WORD.findall(before.bare)
    now = [one for one in _WORD.findall(after.bare) if one != EDIT]
    # without the edit, which would push words out of what a label is known by
    bare, labelled = (text.replace(f" {EDIT}", "").replace(f"{EDIT} ", "") for text in (after.bare, after.labelled))
    labels, now_labels = list_labels(before.labelled, before.bare), list_labels(labelled, bare)
    pages, now_pages = before.shape["sections"], after.shape["sections"]
    return Measure(
        words=kept(words, now),
        extra=kept(now, words),
        headings=share("headings"),
        labels=kept(labels, now_labels or []) if labels else None,
        lists=share("lists"),
        tables=share("tables"),
        cells=share("cells"),
        notes=share("notes"),
        images=share("images"),
        landscape=float(pages.count("L") == now_pages.count("L")) if "L" in pages else None,
        sections=float(pages == now_pages) if len(pages) > 1 else None,
        faults=faults,
    )


def summary(measures: Mapping[str, Measure], files: int) -> dict[str, Any]:
    """How many of the files keep each kind, of those that have it; `files` counts also those without a measure."""

    def counted(kind: str) -> str:
        there = [share for one in measures.values() if (share := getattr(one, kind)) is not None]
        enough = ENOUGH if kind in ("words", "labels", "cells", "lists") else 1
        return f"{sum(share >= enough for share in there)}/{len(there)}"

    out: dict[str, Any] = {"whole": f"{sum(one.whole for one in measures.values())}/{files}"}
    out |= {kind: counted(kind) for kind in KINDS}
    out["new_faults"] = sum(one.faults for one in measures.values())
    return out
