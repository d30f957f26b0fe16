"""Citations of the literature in a section's Markdown: `[@key]`, `[see @key, p. 3; @other]`, and `@key` in a sentence.

Knows how they are written, and what is known of those that can be cited. Does not know how a citation is worded
(fabai.formats.bibliography).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fabai.formats.dialect import blanked

# pandoc's own rule: a mark inside a key belongs to it only before another letter, so that a full stop ends a sentence
_KEY = r"@(?:\{([^{}\s]+)\}|(\w(?:\w|[:.#$%&\-+?<>~/](?=\w))*))"
_CITED = re.compile(rf"(?<![\w\\])-?{_KEY}")
_GROUP = re.compile(r"(?<![\\!])\[(?!\^)((?:(?!\n[ \t]*\n)[^\[\]])*@(?:(?!\n[ \t]*\n)[^\[\]])*)\](?![(\[])")


@dataclass(frozen=True, slots=True)
class Literature:
    """What can be cited. records: of each reference by its key, pandoc's metadata of CSL variables. style: a CSL file's
    text, "" for author and date as the Chicago manual has them.
    """

    records: Mapping[str, Any] = field(default_factory=dict)
    style: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """text[start:end] of a section. bracketed: in square brackets, where nothing else can be meant; a word such as
    @name in a sentence is a citation only where a reference has that key.
    """

    start: int
    end: int
    keys: tuple[str, ...]
    bracketed: bool


def citations(text: str) -> Iterator[Citation]:
    """What may cite in a Markdown text, in order; never in code, and never an e-mail address."""
    if "@" not in text:
        return
    prose = blanked(text)
    position = 0
    for group in _GROUP.finditer(prose):
        parts = [_keys(part) for part in group[1].split(";")]
        if not all(parts):
            continue
        yield from _bare(prose, position, group.start())
        yield Citation(group.start(), group.end(), tuple(key for part in parts for key in part), bracketed=True)
        position = group.end()
    yield from _bare(prose, position, len(prose))


def _bare(prose: str, start: int, end: int) -> Iterator[Citation]:
    for one in _CITED.finditer(prose, start, end):
        yield Citation(one.start(), one.end(), (one[1] or one[2],), bracketed=False)


def _keys(text: str) -> list[str]:
    return [one[1] or one[2] for one in _CITED.finditer(text)]
