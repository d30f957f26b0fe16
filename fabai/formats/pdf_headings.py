"""Which paragraphs of a PDF are headings, and their levels: by bookmarks, the printed table of contents, or looks.

Knows titles as people number them. Does not know files and does not build Markdown."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from fabai.formats.headings import LONGEST
from fabai.formats.pdf_contents import CAPTION, Entry
from fabai.formats.pdf_levels import (
    CHAPTER_LINE,
    KEYWORD,
    LETTERED,
    NUMBER,
    Heading,
    Style,
    depth,
    settled,
    usual_levels,
)
from fabai.formats.pdf_page import Bookmark, Row
from fabai.formats.pdf_paragraphs import Item, Measures, Paragraph

_RUN_IN = re.compile(r":\s.*\.$|:\s[a-zà-ú].{30}")
_LEAST = 4
"""Bookmarks, or entries of a table of contents found in the text, that make it the document's outline."""

_DEEPEST = 9
_LABELS = 4
"""Times that one unnumbered title may not occur: the labels of a form do."""


def headings(
    items: Sequence[Item], measures: Measures, bookmarks: Sequence[Bookmark], entries: Sequence[Entry], first_page: int
) -> list[Heading]:
    """The headings of a document in order. first_page: paragraphs on earlier pages (a cover) are no headings by
    looks."""
    found = _by_bookmarks(items, bookmarks) if len(bookmarks) >= _LEAST else []
    if len(found) >= _LEAST and len(found) >= 0.5 * len(bookmarks):
        return settled(found, {one.start for one in found})
    listed = _by_contents(items, entries)
    listed = listed if len(listed) >= _LEAST and len(listed) >= 0.4 * len(entries) else []
    return settled(_by_looks(items, measures, listed, first_page), {one.start for one in listed})


@functools.lru_cache(maxsize=50_000)
def key(text: str) -> str:
    """The letters and digits of a title, folded, by which it is recognised."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(one for one in folded if one.isalnum())


def bare_key(text: str) -> str:
    """`key` without the typed number in front."""
    return key(NUMBER.sub("", text, count=1))


def _run(items: Sequence[Item], start: int, wanted: str) -> int | None:
    """The end of the paragraphs from `start` that together are the wanted title, None where they are another."""
    collected = ""
    for end in range(start, min(start + 4, len(items))):
        item = items[end]
        if not isinstance(item, Paragraph) or len(item.text) > 400:
            return None
        collected += f" {item.text}"
        found = key(collected)
        if wanted in (found, bare_key(collected.strip())):
            return end + 1
        if not wanted.startswith(found) and not wanted.startswith(bare_key(collected.strip())):
            return None
    return None


def _text(item: Item) -> str:
    return item.text if isinstance(item, Paragraph) else ""


def _page(item: Item) -> int | None:
    return item.rows[0].page if isinstance(item, Paragraph) else None


def _by_bookmarks(items: Sequence[Item], bookmarks: Sequence[Bookmark]) -> list[Heading]:
    on_page: dict[int, list[int]] = {}
    for index, item in enumerate(items):
        page = _page(item)
        if page is not None:
            on_page.setdefault(page, []).append(index)
    found: list[Heading] = []
    position = 0
    for bookmark in bookmarks:
        if bookmark.page is None or not key(bookmark.title):
            continue
        places = [index for page in (bookmark.page, bookmark.page + 1) for index in on_page.get(page, ())]
        match = _find(items, [index for index in places if index >= position], bookmark.title)
        if match is None:
            continue
        start, end = match
        text = _joined(items[start:end])
        before = items[start - 1] if start > position else None
        if isinstance(before, Paragraph) and CHAPTER_LINE.match(before.text):
            start, text = start - 1, f"{before.text.rstrip('.')}. {text}"
        found.append(Heading(start, end, min(bookmark.level, _DEEPEST), text))
        position = end
    return found


def _find(items: Sequence[Item], places: Sequence[int], title: str) -> tuple[int, int] | None:
    """The paragraphs that are a title, among those at `places`; with or without its typed number."""
    wanted, bare = key(title), bare_key(title)
    for index in places:
        for one in dict.fromkeys((wanted, bare)):
            end = _run(items, index, one) if one else None
            if end is not None:
                return index, end
    return None


def _by_contents(items: Sequence[Item], entries: Sequence[Entry]) -> list[Heading]:
    """Entries found in the text, in order; a title that stands more than a page away from where the table says is
    another place."""
    exact = [_find(items, range(len(items)), entry.title) for entry in entries]
    offsets = Counter(
        page - entry.label
        for entry, match in zip(entries, exact, strict=True)
        if match is not None and entry.label is not None and (page := _page(items[match[0]])) is not None
    )
    offset = offsets.most_common(1)[0][0] if offsets else 0
    levels = _entry_levels(entries)
    found: list[Heading] = []
    position = 0
    for entry, level in zip(entries, levels, strict=True):
        places = [index for index in range(position, len(items)) if _near(items[index], entry, offset)]
        match = _find(items, places, entry.title)
        if match is not None:
            found.append(Heading(*match, level, _joined(items[match[0] : match[1]])))
            position = match[1]
    return found


def _near(item: Item, entry: Entry, offset: int) -> bool:
    page = _page(item)
    return page is not None and (entry.label is None or abs(page - entry.label - offset) <= 1)


def _entry_levels(entries: Sequence[Entry]) -> list[int]:
    """By the typed numbers; entries without one by their indent, as deep as the numbered ones that stand there."""
    depths = [depth(entry.title) for entry in entries]
    at: dict[int, Counter[int]] = {}
    for entry, deep in zip(entries, depths, strict=True):
        if deep is not None:
            at.setdefault(round(entry.x0 / 6), Counter())[deep] += 1
    indents = sorted({round(entry.x0 / 6) for entry in entries})
    levels = []
    for entry, deep in zip(entries, depths, strict=True):
        indent = round(entry.x0 / 6)
        if deep is not None:
            levels.append(deep)
        elif indent in at:
            levels.append(at[indent].most_common(1)[0][0])
        elif at:
            deeper = [min(counted) for place, counted in at.items() if place > indent]
            levels.append(max(min(deeper) - 1, 1) if deeper else max(max(one) for one in at.values()) + 1)
        else:
            levels.append(min(indents.index(indent) + 1, 4))
    return levels


def _joined(items: Sequence[Item]) -> str:
    """The text of a heading's paragraphs; a dot parts "Capítulo 2" from its title."""
    texts = [_text(item) for item in items]
    return " ".join(f"{one.rstrip('.')}." if CHAPTER_LINE.match(one) and one is not texts[-1] else one for one in texts)


def _by_looks(items: Sequence[Item], measures: Measures, listed: Sequence[Heading], first_page: int) -> list[Heading]:
    """Headings of the table of contents and, where they look like them or carry a deeper number, others."""
    taken = {index for one in listed for index in range(one.start, one.end)}
    first = listed[0].start if listed else 0
    bold_text = _bold_text(items)
    wanted = [
        index
        for index, item in enumerate(items)
        if index not in taken and index >= first and isinstance(item, Paragraph)
        and (item.rows[0].page >= first_page or bool(listed))
        and _looks(item, measures, bold_text)
    ]  # fmt: skip
    counted = Counter(key(_text(items[index])) for index in wanted)
    wanted = [index for index in wanted if counted[key(_text(items[index]))] < _LABELS]
    merged = _merged(items, _without_runs(items, wanted), measures)
    usual = usual_levels(items, listed, [start for start, _ in merged])
    out = list(listed)
    for start, end in merged:
        level = usual(start)
        if level is not None:
            out.append(Heading(start, end, level, _joined(items[start:end])))
    out.sort(key=lambda one: one.start)
    return out


def _bold_text(items: Sequence[Item]) -> bool:
    """Whether most of the text is bold, so that bold says nothing."""
    letters = [(item.bold, len(item.text)) for item in items if isinstance(item, Paragraph)]
    return sum(count for bold, count in letters if bold) > 0.4 * sum(count for _, count in letters)


def _looks(paragraph: Paragraph, measures: Measures, bold_text: bool) -> bool:
    text = paragraph.text
    letters = sum(one.isalpha() for one in text)
    if len(text) > LONGEST or letters < 3 or letters < 0.5 * len(text.replace(" ", "")) or len(paragraph.rows) > 4:
        return False
    numbered = bool(NUMBER.match(text) or LETTERED.match(text))
    keyed = bool(KEYWORD.match(text))
    if paragraph.bullet or CAPTION.match(text) or text.endswith((",", ";", ":", "…")):
        return False
    if any(_gaps(row) for row in paragraph.rows) or (_RUN_IN.search(text) and not (numbered or keyed)):
        return False
    words = LETTERED.sub("", NUMBER.sub("", text, count=1), count=1)
    if not words[:1].isupper() and words[:1] not in "¿¡«\"“'" and not words[:1].isdigit():
        return False
    larger = paragraph.size >= measures.size + 0.9
    bold = paragraph.bold and not bold_text
    if text.endswith(".") and not (numbered or keyed) and not (larger and len(text) < 60):
        return False
    if larger or (bold and paragraph.size > measures.size - 0.9):
        return True
    style = Style.of(paragraph)
    short = (
        paragraph.rows[-1].x1 < paragraph.right - 0.08 * (paragraph.right - paragraph.left) or len(paragraph.rows) > 1
    )
    centred = paragraph.rows[0].x0 > paragraph.left + 0.15 * (paragraph.right - paragraph.left) and short
    if paragraph.size < measures.size - 0.9 or not short:
        return False
    return keyed or (style.capitals and (numbered or centred))


def _gaps(row: Row) -> bool:
    """Whether words stand apart as the cells of a table do; a typed number may."""
    pairs = itertools.pairwise(row.words[1:] if NUMBER.match(row.text) else row.words)
    return any(right.x0 - left.x1 > 2.5 * row.size for left, right in pairs)


def _without_runs(items: Sequence[Item], wanted: Sequence[int]) -> list[int]:
    """The candidates without stretches of four and more in a row that carry no number: an address, a form, a cover."""
    out: list[int] = []
    run: list[int] = []
    for index in [*wanted, -2]:
        if run and index != run[-1] + 1:
            plain = [one for one in run if not depth(_text(items[one])) and not KEYWORD.match(_text(items[one]))]
            if len(plain) < 4:
                out += run
            run = []
        run.append(index)
    return out


def _merged(items: Sequence[Item], wanted: Sequence[int], measures: Measures) -> list[tuple[int, int]]:
    """Candidates as (start, end): lines of one style, close together, are one heading."""
    out: list[tuple[int, int]] = []
    for index in wanted:
        item = items[index]
        if out and out[-1][1] == index and isinstance(item, Paragraph):
            last = items[index - 1]
            if isinstance(last, Paragraph) and _one_heading(last, item, measures):
                out[-1] = (out[-1][0], index + 1)
                continue
        out.append((index, index + 1))
    return [(start, end) for start, end in out if len(_joined(items[start:end])) <= LONGEST]


def _one_heading(last: Paragraph, following: Paragraph, measures: Measures) -> bool:
    end, start = last.rows[-1], following.rows[0]
    numbered = NUMBER.match(following.text) or LETTERED.match(following.text) or KEYWORD.match(following.text)
    if CHAPTER_LINE.match(last.text):
        return end.page == start.page and not numbered
    if numbered:
        return False
    if end.page != start.page or Style.of(last) != Style.of(following) or last.text.endswith("."):
        return False
    return start.y - end.y < 1.25 * max(measures.usual(start.size), 1.2 * start.size)
