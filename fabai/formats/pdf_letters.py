"""Letters of a PDF page to rows of words.

Knows baselines, gaps, letters drawn twice, accents drawn apart from their letter, raised figures. Does not import
pdfplumber: a letter is a mapping with its keys text, x0, x1, top, y1, size, fontname and matrix."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabai.formats.pdf_page import Row, Word

Letter = Mapping[str, Any]

_BOLD = re.compile(r"bold|black|heavy|semib|demi|[-,]bd|cmbx|sfbx|[-_](?:B|BI|Bd)$|NimbusRomNo9L-Medi", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obliq|[-,]it\b|cmti|sfti", re.IGNORECASE)
_UNMAPPED = re.compile(r"\(cid:\d+\)")
_GAP = 0.2
"""Of the size: a wider gap parts two words."""

_TIGHT = 0.12
"""The same on lines without a space among their letters, as TeX sets them: there it can be this narrow."""

_ACCENTS = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "˚": "\u030a",
}  # fmt: skip
_LIGATURES = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st"}
_INVISIBLE: dict[int, str | None] = {
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff")),
    # fonts name the hyphen at a line's end a soft one
    **dict.fromkeys(map(ord, "\u00ad\u2010\u2011"), "-"),
}
BULLET = "•"
_BULLETS = "\uf0b7\uf0a7\uf0d8\uf0fc\uf076\uf0e8\uf02d\uf0a8\uf06f\uf0b0\uf09f\uf0be"


@dataclass(slots=True)
class _Glyph:
    text: str
    x0: float
    x1: float
    size: float
    y: float
    bold: bool
    italic: bool
    raised: bool = False


def rows_of(letters: Sequence[Letter], page: int) -> tuple[tuple[Row, ...], int]:
    """The rows of upright letters from top to bottom, and the number of letters whose font does not say which they
    are."""
    glyphs, unmapped = _glyphs(letters)
    lines = _lines(glyphs)
    rows = [Row(words, y, page) for y, line in lines if (words := _words(line))]
    return tuple(rows), unmapped


def _glyphs(letters: Iterable[Letter]) -> tuple[list[_Glyph], int]:
    """Letters drawn twice at one place, which some programs do for bold, count once."""
    found: dict[tuple[str, int, int], _Glyph] = {}
    unmapped = 0
    for letter in letters:
        text: str = letter["text"]
        if _UNMAPPED.fullmatch(text):
            unmapped += 1
            continue
        text = _plain(text)
        if not text:
            continue
        size = float(letter["size"])
        y = float(letter["top"]) + float(letter["y1"]) - float(letter["matrix"][5])
        font = str(letter["fontname"])
        key = (text, round(letter["x0"] * 1.5), round(y * 1.5))
        if key in found:
            found[key].bold = found[key].bold or not text.isspace()
            continue
        found[key] = _Glyph(
            text, letter["x0"], letter["x1"], size, y, bool(_BOLD.search(font)), bool(_ITALIC.search(font))
        )
    return list(found.values()), unmapped


def _plain(text: str) -> str:
    text = "".join(_LIGATURES.get(one, BULLET if one in _BULLETS else one) for one in text).translate(_INVISIBLE)
    return "".join(
        " " if one.isspace() else one for one in text if one.isspace() or unicodedata.category(one) not in ("Cc", "Co")
    )


def _lines(glyphs: list[_Glyph]) -> list[tuple[float, list[_Glyph]]]:
    """Glyphs by baseline; small ones a little above or below a larger line that they touch belong to it."""
    lines: list[tuple[float, list[_Glyph]]] = []
    for glyph in sorted(glyphs, key=lambda one: one.y):
        if lines and abs(glyph.y - lines[-1][0]) <= 0.18 * min(glyph.size, 14):
            lines[-1][1].append(glyph)
        else:
            lines.append((glyph.y, [glyph]))
    shown = [(y, line) for y, line in lines if any(not one.text.isspace() for one in line)]
    return _with_raised(shown)


def _with_raised(lines: list[tuple[float, list[_Glyph]]]) -> list[tuple[float, list[_Glyph]]]:
    sizes = [_largest(line) for _, line in lines]
    taken: set[int] = set()
    for index, (y, line) in enumerate(lines):
        for other in (index + 1, index - 1):
            if not 0 <= other < len(lines) or other in taken or sizes[index] > 0.85 * sizes[other]:
                continue
            below = lines[other][0] - y
            near = -0.35 * sizes[other] <= below <= 0.65 * sizes[other]
            if near and _touches(line, lines[other][1], sizes[other]):
                for glyph in line:
                    glyph.raised = below > 0
                lines[other][1].extend(line)
                taken.add(index)
                break
    return [one for index, one in enumerate(lines) if index not in taken]


def _largest(line: Sequence[_Glyph]) -> float:
    return max(one.size for one in line if not one.text.isspace())


def _touches(small: Sequence[_Glyph], line: Sequence[_Glyph], size: float) -> bool:
    """Whether each stretch of the small glyphs stands right beside or above a glyph of the line, and is short."""
    visible = [one for one in small if not one.text.isspace()]
    if len(visible) > max(12, len(line) // 3):
        return False
    left = min(one.x0 for one in line) - size
    right = max(one.x1 for one in line) + size
    return all(left <= one.x0 and one.x1 <= right for one in visible)


def _words(line: list[_Glyph]) -> tuple[Word, ...]:
    line.sort(key=lambda one: (one.x0, one.x1))
    words: list[list[_Glyph]] = []
    end: float | None = None
    line = _accented(line)
    wide = _GAP if any(one.text.isspace() for one in line) else _TIGHT
    gaps = sorted(right.x0 - left.x1 for left, right in itertools.pairwise(line))
    spaced = max(gaps[len(gaps) // 2], 0.0) if len(gaps) > 3 else 0.0
    for glyph in line:
        if glyph.text.isspace():
            end = None
            continue
        gap = None if end is None else glyph.x0 - end
        if (
            gap is None
            or gap > wide * glyph.size + spaced
            or gap < -2.5 * glyph.size
            or words[-1][-1].raised != glyph.raised
        ):
            words.append([])
        words[-1].append(glyph)
        end = glyph.x1
    return tuple(_word(word) for word in words)


def _accented(line: list[_Glyph]) -> list[_Glyph]:
    """The line with accents that are drawn over their letter (TeX's old fonts) put onto it."""
    out: list[_Glyph] = []
    for glyph in line:
        before = out[-1] if out else None
        if before is not None and before.text in _ACCENTS and _over(before, glyph) and glyph.text.isalpha():
            out[-1] = _compose(glyph, before)
        elif before is not None and glyph.text in _ACCENTS and _over(glyph, before) and before.text.isalpha():
            out[-1] = _compose(before, glyph)
        else:
            out.append(glyph)
    return out


def _over(accent: _Glyph, letter: _Glyph) -> bool:
    middle = (accent.x0 + accent.x1) / 2
    return letter.x0 - 0.15 * letter.size <= middle <= letter.x1 + 0.05 * letter.size


def _compose(letter: _Glyph, accent: _Glyph) -> _Glyph:
    base = {"ı": "i", "ȷ": "j"}.get(letter.text, letter.text)
    letter.text = unicodedata.normalize("NFC", base + _ACCENTS[accent.text])
    letter.x0, letter.x1 = min(letter.x0, accent.x0), max(letter.x1, accent.x1)
    return letter


def _word(glyphs: Sequence[_Glyph]) -> Word:
    return Word(
        unicodedata.normalize("NFC", "".join(one.text for one in glyphs)),
        round(glyphs[0].x0, 1),
        round(max(one.x1 for one in glyphs), 1),
        round(max(one.size for one in glyphs), 1),
        sum(one.bold for one in glyphs) * 2 > len(glyphs),
        sum(one.italic for one in glyphs) * 2 > len(glyphs),
        all(one.raised for one in glyphs),
    )
