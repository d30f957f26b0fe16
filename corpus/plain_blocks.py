"""Blocks of Markdown whose reading is plain: what the ordinary reader makes of them is known without pandoc.

A paragraph of words, emphasis, code and web links; a simple list; a fenced code block. Everything else (tables, HTML,
notes, nested lists, escapes) is left to the reader, and so is whatever stands where its neighbours could change it.
A test holds the results equal to those of `fabai.formats.read`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

_CHARACTER = r"[^\W_]|(?<=\w)_(?=\w)|[ .,;:?¿¡()«»“”‘’\"'—–…€%+=°ºª·-]|/(?!/)|!(?!\[)|&(?![\w#]*;)"
_PLAIN = rf"(?:{_CHARACTER})+?"
_EDGED = rf"(?! )(?:{_CHARACTER})+?(?<! )"
_ADDRESS = r"https?://[\w./~%?=+,;:#&-]*[\w/=]"
_INLINE = re.compile(
    rf"(?P<code>(?<![`\w])`[^`\n\\<>&]*[^`\s\\<>&]`(?![`\w]))"
    rf"|(?P<strong>(?<![\w*_])(?:\*\*(?P<s1>{_EDGED})\*\*|__(?P<s2>{_EDGED})__)(?![\w*_]))"
    rf"|(?P<emphasis>(?<![\w*_])(?:\*(?P<e1>{_EDGED})\*|_(?P<e2>{_EDGED})_)(?![\w*_]))"
    rf"|(?P<link>(?<![\w!\]])\[(?P<words>{_EDGED})\]\((?P<target>{_ADDRESS})\)(?![\w{{(\[:]))"
    rf"|(?P<address>(?<![\w/<(\[]){_ADDRESS}(?=[.,;:)]{{0,2}}(?: |$)))"
    rf"|(?P<plain>(?:(?!https?://)(?:{_CHARACTER}))+)"
)
_SCHEME = re.compile(r"(?<!http)(?<!https)[A-Za-z]:(?=[^\s\d*_)»”\"'])|[A-Za-z]:\d{2,}")
_START = re.compile(r"[^\W_]|[\"'«“‘¿¡(*_`\[]")
_MARKER = re.compile(r"(?:[-+*•]|\(?(?:\w{1,6}|#)[.)]|\(@\w*\))(?:\s|$)|(?i:table|figure|:|~)\s*:")
_BULLET = re.compile(r"[-*+] (?=\S)")
_NUMBER = re.compile(r"(\d{1,2})\. (?=\S)")
_FENCE = re.compile(r"(`{3,})([A-Za-z0-9_+#-]*)$")
_HEADING = re.compile(r"#{1,6} +(?=\S)")
_LONGEST_HEADING = 150

Kind = Literal["heading", "paragraph", "list", "code", "other"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch between blank lines. source: its lines. text: what the reader makes of it, None where it is to say.

    gap: the line ends and blank lines in front.
    """

    kind: Kind
    source: str
    text: str | None = None
    level: int = 0
    gap: str = ""


def pieces(text: str) -> list[Piece]:
    """The stretches of a settled Markdown text, in order."""
    lines = text.split("\n")
    found = [replace(piece, gap=gap) for piece, gap in _spaced(lines)]
    return [_safe(found, index) for index in range(len(found))]


def _spaced(lines: Sequence[str]) -> Iterator[tuple[Piece, str]]:
    """The pieces with what stands between each and the one before."""
    at = 0
    for piece in _scan(lines):
        begin = at
        while not lines[at].strip():
            at += 1
        yield piece, "\n".join(["", *lines[begin:at], ""]) if begin else ""
        at += piece.source.count("\n") + 1


def _scan(lines: Sequence[str]) -> Iterator[Piece]:
    number = 0
    while number < len(lines):
        if not lines[number].strip():
            number += 1
            continue
        end = _fence_end(lines, number)
        if end is not None:
            yield _code(lines[number:end], end < len(lines) and bool(lines[end].strip()))
            number = end
            continue
        if _HEADING.match(lines[number]):
            yield _heading(lines[number])
            number += 1
            continue
        end, joined = _stretch_end(lines, number)
        yield Piece("other", "\n".join(lines[number:end])) if joined else _stretch(lines[number:end])
        number = end


def _stretch_end(lines: Sequence[str], first: int) -> tuple[int, bool]:
    """Behind the lines that stand together from `first` on, and whether they hold more than one kind of block.

    A heading or a fence right under a plain paragraph begins a stretch of its own; under anything else it may be part
    of it.
    """
    end = first
    joined = False
    while end < len(lines) and lines[end].strip():
        if end > first and (_HEADING.match(lines[end].lstrip()) or lines[end].lstrip().startswith(("```", "~~~"))):
            if not joined and lines[end][0] in "#`~" and _paragraph(lines[first:end]) is not None:
                return end, False
            joined = True
        fence = _fence_end(lines, end) if joined else None
        end = end + 1 if fence is None else fence
    return end, joined


def _fence_end(lines: Sequence[str], first: int) -> int | None:
    """Behind a fenced block that starts here."""
    opening = re.match(r" {0,3}(`{3,}|~{3,})", lines[first])
    if opening is None or (opening[1][0] == "`" and "`" in lines[first][opening.end() :]):
        return None
    for number in range(first + 1, len(lines)):
        closing = lines[number].strip()
        if closing and len(closing) >= len(opening[1]) and not closing.strip(opening[1][0]):
            return number + 1
    return len(lines)


def _code(lines: Sequence[str], followed: bool) -> Piece:
    source = "\n".join(lines)
    opening = _FENCE.match(lines[0].rstrip())
    inside = lines[1:-1]
    whole = opening is not None and len(lines) > 2 and lines[-1].rstrip() == opening[1] == "```"
    if not whole or opening is None or followed or "\t" in source or not inside[0].strip() or not inside[-1].strip():
        return Piece("other", source)
    language = f" {opening[2]}" if opening[2] else ""
    return Piece("code", source, f"```{language}\n" + "\n".join(inside) + "\n```")


def _heading(line: str) -> Piece:
    level = len(line) - len(line.lstrip("#"))
    words = " ".join(line[level:].split())
    plain = re.fullmatch(_PLAIN, words) is not None and not _SCHEME.search(words) and "://" not in words
    if not plain or len(words) > _LONGEST_HEADING:
        return Piece("other", line, None, level)
    return Piece("heading", line, words, level)


def _stretch(lines: Sequence[str]) -> Piece:
    source = "\n".join(lines)
    if "\t" in source or "\\" in source or any(line.endswith("  ") for line in lines):
        return Piece("other", source)
    made = _list(lines) or _paragraph(lines)
    return Piece("other", source) if made is None else made


def _list(lines: Sequence[str]) -> Piece | None:
    """A tight list of one level, each item on one line."""
    source = "\n".join(lines)
    if all(_BULLET.match(line) and line[0] == lines[0][0] for line in lines):
        items = [_inline(line[2:]) for line in lines]
        mark = ["- "] * len(lines)
    elif all(_NUMBER.match(line) for line in lines):
        numbers = [int(line.partition(".")[0]) for line in lines]
        if numbers != list(range(numbers[0], numbers[0] + len(lines))):
            return None
        items = [_inline(line.partition(". ")[2]) for line in lines]
        mark = [f"{number}. ".ljust(4) for number in numbers]
    else:
        return None
    texts = [one for one in items if one is not None and not _MARKER.match(one) and one[:1] not in ("#", ">", "|")]
    if len(texts) < len(items):
        return None
    return Piece("list", source, "\n".join(a + b for a, b in zip(mark, texts, strict=True)))


def _paragraph(lines: Sequence[str]) -> Piece | None:
    if not all(_START.match(line) and not _MARKER.match(line) for line in lines):
        return None
    text = _inline(" ".join(lines))
    return None if text is None else Piece("paragraph", "\n".join(lines), text)


def _inline(text: str) -> str | None:
    """The text as the reader writes it, None where it may hold more than plain words, emphasis, code and links."""
    text = " ".join(text.split())
    if _SCHEME.search(text):
        return None
    out: list[str] = []
    position = 0
    bold = True
    while position < len(text):
        match = _INLINE.match(text, position)
        if match is None:
            return None
        bold = bold and (match["strong"] is not None or match["plain"] == " ")
        out.append(_written(match))
        position = match.end()
    # a line that is bold from end to end may be a heading
    return None if bold else "".join(out)


def _written(match: re.Match[str]) -> str:
    if match["strong"] is not None:
        return f"**{match['s1'] or match['s2']}**"
    if match["emphasis"] is not None:
        return f"*{match['e1'] or match['e2']}*"
    if match["address"] is not None:
        return f"<{match[0]}>"
    if match["link"] is not None and match["words"] == match["target"]:
        return f"<{match['target']}>"
    return match[0]


def _safe(found: Sequence[Piece], index: int) -> Piece:
    """The piece, left to the reader where the one before or behind may belong to it."""
    piece = found[index]
    if piece.text is None or piece.kind in ("heading", "code"):
        return piece
    before = found[index - 1] if index else None
    behind = found[index + 1] if index + 1 < len(found) else None
    touches = [one for one in (before, behind) if one is not None and one.level == 0]
    if piece.kind == "list" and any(one.kind == "list" or _item(one) for one in touches):
        return replace(piece, kind="other", text=None)
    if behind is not None and behind.source.startswith((":", "~", " ", "\t")):
        return replace(piece, kind="other", text=None)
    return piece


def _item(piece: Piece) -> bool:
    return _MARKER.match(piece.source.lstrip()) is not None
