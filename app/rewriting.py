"""A text written anew beside the paragraphs that a person locked: they stay, word for word.

Knows paragraphs. Does not know what a model is asked (fabai.rewriting) nor where the text goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fabai.store.provenance import split


def with_locked(old: str, new: str, locked: Iterable[str]) -> str:
    """The new text with every locked paragraph of the old one in it, word for word, at about its place."""
    kept = {one.strip() for one in locked}
    before = [old[start:end] for start, end in split(old)]
    after = [new[start:end] for start, end in split(new)]
    present = {one.strip() for one in after}
    missing = [(place, one) for place, one in enumerate(before) if one.strip() in kept and one.strip() not in present]
    for place, one in missing:
        after.insert(min(len(after), round(place * (len(after) + 1) / max(1, len(before)))), one)
    return new if not missing else "\n\n".join(after) + "\n"


def paragraphs(text: str) -> Sequence[str]:
    """The blocks of a text, as reviews count them."""
    return [text[start:end] for start, end in split(text)]
