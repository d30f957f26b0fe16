"""Running headers and footers, page numbers, signature margins: rows that stand at one place on many pages.

Knows rows and their places. Does not know headings or paragraphs."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from fabai.formats.pdf_page import Page, Row

_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_DIGITS = re.compile(r"\d{1,6}")
_MARGIN = 0.2
"""Of the page's height, at its top and at its foot: where running lines are looked for on a few pages."""

_EVERYWHERE = 0.6
"""Of all pages: a line at one place on so many is no text, wherever it stands."""

_BAND = 0.3
"""Of all pages: where so many have a running line, another line at its height runs too (the section's name, say)."""

_MOST = 0.6
"""Of all rows: furniture takes less than this."""

_TOLERANCE = 4.0
_Place = tuple[int, int]


def running(pages: Sequence[Sequence[Row]], heights: Sequence[float]) -> list[set[int]]:
    """For each page, the indices of its rows (from top to bottom) that are furniture. heights: of the pages, in
    points.

    A row counts by its words with the numbers masked. Near the edge it must stand at one place on three pages (on both,
    in a document of two) with nothing but other such rows outside it; elsewhere on most pages.
    """
    count = len(pages)
    if count < 2:
        return [set() for _ in pages]
    repeated = _repeated(pages, heights)
    enough = 2 if count == 2 else 3
    often = max(4, _EVERYWHERE * count)
    if sum(on >= often for on in repeated.values()) > _MOST * len(repeated):
        # pages that are alike as a whole, as those of a form are: only their edges run
        often = math.inf
    found: list[set[int]] = []
    for number, rows in enumerate(pages):
        mine = {index for index in range(len(rows)) if repeated[number, index] >= often}
        for indices in (range(len(rows)), reversed(range(len(rows)))):
            for index in indices:
                near = rows[index].y < _MARGIN * heights[number] or rows[index].y > (1 - _MARGIN) * heights[number]
                if index not in mine and not (near and repeated[number, index] >= enough):
                    break
                mine.add(index)
        found.append(mine)
    _by_band(pages, heights, found)
    return found


def without_furniture(pages: Sequence[Page]) -> list[list[Row]]:
    """The rows of each page that are text."""
    found = running([page.rows for page in pages], [page.height for page in pages])
    return [
        [row for index, row in enumerate(page.rows) if index not in gone]
        for page, gone in zip(pages, found, strict=True)
    ]


def masked(text: str) -> str:
    """The words of a row as they are compared: numbers, arabic and roman, are all the same."""
    return _NUMBER.sub("#", " ".join(text.casefold().split()))


def _repeated(pages: Sequence[Sequence[Row]], heights: Sequence[float]) -> dict[_Place, int]:
    """On how many pages the words of each row stand at its height, measured from the nearer edge."""
    groups: dict[tuple[str, bool], list[tuple[float, _Place]]] = defaultdict(list)
    for number, rows in enumerate(pages):
        for index, row in enumerate(rows):
            low = row.y > heights[number] / 2
            distance = heights[number] - row.y if low else row.y
            groups[masked(row.text), low].append((distance, (number, index)))
    counts: dict[_Place, int] = {}
    for group in groups.values():
        for cluster in _clusters(group):
            texts = [pages[number][index].text for number, index in cluster]
            on = len({number for number, _ in cluster})
            if not _counts_pages([number for number, _ in cluster], texts):
                # "Ficha 3" at the top of many pages is a title: only what stands there word for word runs
                for place, text in zip(cluster, texts, strict=True):
                    counts[place] = texts.count(text)
                continue
            counts.update(dict.fromkeys(cluster, on))
    return counts


def _counts_pages(numbers: Sequence[int], texts: Sequence[str]) -> bool:
    """Whether the rows are alike, nothing but a number, or hold a number that rises as the pages do."""
    if len(set(texts)) == 1 or all(_NUMBER.sub("", text.casefold()).strip(" -–—.·|/()") == "" for text in texts):
        return True
    found = [[int(one) for one in _DIGITS.findall(text)] for text in texts]
    for end in (0, -1):
        offsets = Counter(one[end] - number for one, number in zip(found, numbers, strict=True) if one)
        if offsets and offsets.most_common(1)[0][1] > 0.5 * len(texts):
            return True
    return False


def _clusters(group: list[tuple[float, _Place]]) -> Iterable[list[_Place]]:
    group.sort()
    cluster: list[_Place] = []
    last = 0.0
    for distance, place in group:
        if cluster and distance - last > _TOLERANCE:
            yield cluster
            cluster = []
        cluster.append(place)
        last = distance
    yield cluster


def _by_band(pages: Sequence[Sequence[Row]], heights: Sequence[float], found: list[set[int]]) -> None:
    """Adds outermost rows at the height of running lines that most other pages have, apart from the text."""
    for top in (True, False):
        bands: Counter[int] = Counter()
        for rows, gone, height in zip(pages, found, heights, strict=True):
            bands.update({_band(rows[index], height, top) for index in gone})
        usual = {band for band, on in bands.items() if on >= max(3, _BAND * len(pages))}
        for rows, gone, height in zip(pages, found, heights, strict=True):
            if len(rows) < 2:
                continue
            outer, inner = (0, 1) if top else (len(rows) - 1, len(rows) - 2)
            row = rows[outer]
            apart = abs(rows[inner].y - row.y) > 1.6 * max(row.size, rows[inner].size)
            near = (row.y if top else height - row.y) < 0.12 * height
            if outer not in gone and apart and near and _band(row, height, top) in usual:
                gone.add(outer)


def _band(row: Row, height: float, top: bool) -> int:
    return round((row.y if top else height - row.y) / 3)
