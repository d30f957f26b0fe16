"""Levels of headings: by typed numbers, by the words that laws and annexes use, by looks.

Knows a heading's text and style. Does not know how a paragraph was found to be a heading."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fabai.formats.pdf_paragraphs import Item, Paragraph

NUMBER = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,5})[.)]?(?:-|º)?\s+(?=\S)")
"""A typed number in front of a title."""

LETTERED = re.compile(r"^(?:[A-Z]|[IVXL]{1,5})[.)]-?\s+(?=\S)|^[a-z]\)\s+(?=\S)")
_COUNT = r"(?:[IVXLC]{1,6}|\d{1,3}|[A-Z]|[uú]nic[oa]|primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa])"
KEYWORD = re.compile(
    rf"^(?P<word>cap[ií]tulo|cap[ií]tol|chapter|art[ií]culo|article|secci[oó]n?|section|t[ií]tulo|t[ií]tol|anexo|annexe?|"
    rf"ap[eé]ndice|ap[eè]ndix|appendix|parte|part|ficha|fitxa)\s+{_COUNT}(?![\w])"
    r"|^disposici(?:ón|o|ó)n?\s+(?:adicional|addicional|final|transit[oò]ria|derogat[oò]ria)\b",
    re.IGNORECASE,
)
"""Titles as laws and annexes have them."""

CHAPTER_LINE = re.compile(
    rf"^(?:cap[ií]tulo|cap[ií]tol|chapter|ap[eé]ndice|ap[eè]ndix|appendix|parte|part|t[ií]tulo|t[ií]tol|secci[oó]n?|anexo|"
    rf"annexe?)\s+{_COUNT}\.?$",
    re.IGNORECASE,
)
"""Such a title without its words, which stand in the next line."""

_LAW = (
    ("titulo", "titol"),
    ("capitulo", "capitol", "chapter"),
    ("seccion", "seccio", "section"),
    ("articulo", "article"),
)
_ANNEX = ("anexo", "annex", "annexe", "apendice", "apendix", "appendix")
_DEEPEST = 9


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and the paragraphs [start, end) that it is made of."""

    start: int
    end: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Style:
    """How a paragraph looks. size: points."""

    size: float
    bold: bool
    italic: bool
    capitals: bool

    @classmethod
    def of(cls, paragraph: Paragraph) -> Style:
        """The looks of a paragraph."""
        letters = [one for one in paragraph.text if one.isalpha()]
        capitals = len(letters) > 3 and sum(one.isupper() for one in letters) > 0.9 * len(letters)
        return cls(paragraph.size, paragraph.bold, paragraph.italic, capitals)

    @property
    def rank(self) -> tuple[float, bool, bool, bool]:
        """For sorting: the larger, the higher the heading."""
        return (self.size, self.bold, self.capitals, not self.italic)


def depth(text: str) -> int | None:
    """How deep the typed number of a title is ("2.3 Plan": 2), None where it has none."""
    match = NUMBER.match(text)
    return match[1].count(".") + 1 if match else None


def keyword(text: str) -> str:
    """The folded word of a title such as "Artículo 3", "" for any other; "disposicion" for all dispositions."""
    match = KEYWORD.match(text)
    if match is None:
        return ""
    folded = (match["word"] or "disposicion").casefold()
    return folded.translate(str.maketrans("áéíóúàèò", "aeiouaeo"))


def usual_levels(items: Sequence[Item], listed: Sequence[Heading], found: Sequence[int]) -> Callable[[int], int | None]:
    """From the place of a heading `found` by its looks to its level.

    A typed number's depth comes first; else what its style has among the headings `listed` in the table of contents
    (one deeper, where those carry numbers and this one does not), or among the numbered ones; else one below the larger
    styles. None for a style that is less than every listed one and occurs once.
    """
    style = {
        start: Style.of(item)
        for start in [*found, *(one.start for one in listed)]
        if isinstance(item := items[start], Paragraph)
    }
    known: dict[Style, Counter[int]] = {}
    typed: Counter[Style] = Counter()
    for one in listed:
        known.setdefault(style[one.start], Counter())[one.level] += 1
        typed[style[one.start]] += depth(one.text) is not None
    numbered: dict[Style, Counter[int]] = {}
    for start in found:
        deep = depth(_text(items[start]))
        if deep is not None:
            numbered.setdefault(style[start], Counter())[deep] += 1
    levels = {look: counted.most_common(1)[0][0] for look, counted in known.items()}
    for look in sorted({style[start] for start in found} - levels.keys(), key=lambda one: one.rank, reverse=True):
        if look in numbered:
            levels[look] = numbered[look].most_common(1)[0][0]
            continue
        above = [level for other, level in levels.items() if other.rank > look.rank]
        levels[look] = min(max(above, default=0) + 1, _DEEPEST)
    times = Counter(style[start] for start in found)
    least = min((look.rank for look in known), default=None)

    def level(start: int) -> int | None:
        look, text = style[start], _text(items[start])
        deep = depth(text)
        single = least is not None and look.rank < least and times[look] < 2
        if single and not keyword(text) and (deep is None or not typed.total()):
            return None
        if deep is not None:
            return deep
        below = look in known and typed[look] > 0.8 * sum(known[look].values()) and not keyword(text)
        return min(levels[look] + below, _DEEPEST)

    return level


def _text(item: Item) -> str:
    return item.text if isinstance(item, Paragraph) else ""


def settled(headings: Sequence[Heading], sure: set[int]) -> list[Heading]:
    """The headings with levels that make a tree: articles under their chapter, what stands in an annex below it, no
    level left out. `sure`: starts of headings whose level an outline or a table of contents gave."""
    out = _below_listed(_alike(list(headings), sure), sure)
    out = _annexes(_laws(out, sure), sure)
    stack: list[int] = []
    for place, heading in enumerate(out):
        while stack and stack[-1] >= heading.level:
            stack.pop()
        stack.append(heading.level)
        out[place] = replace(heading, level=min(len(stack), _DEEPEST))
    return out


def _alike(headings: list[Heading], sure: set[int]) -> list[Heading]:
    """Titles of one word ("Ficha 3") have one level: that of the listed ones, else that of most."""
    levels: dict[str, Counter[int]] = {}
    for heading in headings:
        weight = 1_000 if heading.start in sure else 1
        levels.setdefault(keyword(heading.text), Counter())[heading.level] += weight
    return [
        replace(heading, level=levels[word].most_common(1)[0][0])
        if (word := keyword(heading.text)) and heading.start not in sure
        else heading
        for heading in headings
    ]


def _below_listed(headings: list[Heading], sure: set[int]) -> list[Heading]:
    """A title without a number that the table of contents leaves out belongs to the listed one above it."""
    above = 0
    known = {keyword(heading.text) for heading in headings if heading.start in sure} - {""}
    for place, heading in enumerate(headings):
        if heading.start in sure:
            above = heading.level
            continue
        free = depth(heading.text) is None and keyword(heading.text) not in known
        if above and free and heading.level <= above:
            headings[place] = replace(heading, level=min(above + 1, _DEEPEST))
    return headings


def _laws(headings: list[Heading], sure: set[int]) -> list[Heading]:
    words = [keyword(heading.text) for heading in headings]
    if sum(word in _LAW[-1] for word in words) < 3:
        return headings
    present = [names for names in _LAW if any(word in names for word in words)]
    free = [heading.level for heading, word in zip(headings, words, strict=True) if word]
    base = min(free)
    for place, (heading, word) in enumerate(zip(headings, words, strict=True)):
        if heading.start in sure or not word:
            continue
        step = next((index for index, names in enumerate(present) if word in names), 0)
        if word in (*_ANNEX, "disposicion") or any(word in names for names in present):
            headings[place] = replace(heading, level=min(base + step, _DEEPEST))
    return headings


def _annexes(headings: list[Heading], sure: set[int]) -> list[Heading]:
    """What follows an annex's title belongs to it, unless its level was given."""
    level: int | None = None
    shift = 0
    for place, heading in enumerate(headings):
        if keyword(heading.text) in _ANNEX:
            level = heading.level
            inner = []
            for other in headings[place + 1 :]:
                if keyword(other.text) in _ANNEX:
                    break
                inner.append(other)
            free = [other.level for other in inner if other.start not in sure]
            shift = max(level + 1 - min(free, default=level + 1), 0)
        elif heading.start in sure:
            # the table of contents goes on: the annex has ended
            level = None if level is not None and heading.level <= level else level
        elif level is not None and shift:
            headings[place] = replace(heading, level=min(heading.level + shift, _DEEPEST))
    return headings
