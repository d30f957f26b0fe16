"""The letters of a Word document as they are set: font, size and line spacing of every run, through its styles.

Knows how Word inherits: run, character style, paragraph style and those it is based on, defaults of the document.
Does not know forms. Styles of tables are left out: they seldom set letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fabai.formats.package import Package
from fabai.formats.styles import Styles
from fabai.formats.wordbody import styles_of
from fabai.formats.wordml import MC, Element, W, child, text_of, value

_WORDS_SIZE = 10.0
"""Points where a document says nothing, which is Word's own default."""
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


@dataclass(frozen=True, slots=True)
class Letters:
    """One run: its text, font ("" where the document names none), size in points, and whether it stands in a table."""

    text: str
    font: str
    size: float
    in_table: bool
    child: int


@dataclass(frozen=True, slots=True)
class Spacing:
    """Line spacing of a paragraph in lines, None where it is set in points that fit its letters."""

    text: str
    lines: float
    child: int


class Type:
    """The letters of a package's body; `child` of what it yields is the position among the body's children."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._styles: Styles = styles_of(package)
        part = package.related("styles")
        self._defaults = None if part is None else child(package.xml(part), "docDefaults")
        self._theme = _theme(package)

    def letters(self) -> Iterator[Letters]:
        """Every run with text in the body, text boxes included, in order."""
        for index, paragraph, in_table in self._paragraphs():
            for run in paragraph.iter(W + "r"):
                text = "".join(one.text or "" for one in run.findall(W + "t"))
                # a paragraph inside this one is met by itself
                if text.strip() and next(run.iterancestors(W + "p")) is paragraph:
                    yield Letters(text, self._font(run, paragraph), self._size(run, paragraph), in_table, index)

    def spacings(self) -> Iterator[Spacing]:
        """Line spacing of every paragraph of running text outside tables."""
        for index, paragraph, in_table in self._paragraphs():
            if in_table or len(text_of(paragraph)) < 80:
                continue
            lines = self._lines(paragraph)
            if lines is not None:
                yield Spacing(text_of(paragraph), lines, index)

    def _paragraphs(self) -> Iterator[tuple[int, Element, bool]]:
        for index, top in enumerate(self._package.body):
            for paragraph in top.iter(W + "p"):
                above = [one.tag for one in paragraph.iterancestors()]
                if MC + "Fallback" not in above:
                    yield index, paragraph, W + "tbl" in above

    def _font(self, run: Element, paragraph: Element) -> str:
        for properties in self._properties(run, paragraph):
            fonts = child(properties, "rFonts")
            if fonts is None:
                continue
            theme = fonts.get(W + "asciiTheme") or fonts.get(W + "hAnsiTheme")
            name = self._theme.get(theme[:5], "") if theme else fonts.get(W + "ascii") or fonts.get(W + "hAnsi")
            if name:
                return name
        return ""

    def _size(self, run: Element, paragraph: Element) -> float:
        for properties in self._properties(run, paragraph):
            half = value(properties, "sz")
            if half is not None and half.replace(".", "", 1).isdigit():
                return float(half) / 2
        return _WORDS_SIZE

    def _properties(self, run: Element, paragraph: Element) -> Iterator[Element]:
        own = child(run, "rPr")
        if own is not None:
            yield own
            for style in self._styles.chain(value(own, "rStyle")):
                yield from style.findall(W + "rPr")
        for style in self._chain(paragraph):
            yield from style.findall(W + "rPr")
        default = child(self._defaults, "rPrDefault/rPr")
        if default is not None:
            yield default

    def _chain(self, paragraph: Element) -> Iterator[Element]:
        return self._styles.chain(value(paragraph, "pPr/pStyle") or self._styles.default("paragraph"))

    def _lines(self, paragraph: Element) -> float | None:
        holders = [child(paragraph, "pPr"), *(child(style, "pPr") for style in self._chain(paragraph))]
        for holder in (*holders, child(self._defaults, "pPrDefault/pPr")):
            spacing = child(holder, "spacing")
            line = None if spacing is None else spacing.get(W + "line")
            if spacing is None or line is None or not line.lstrip("-").isdigit():
                continue
            if spacing.get(W + "lineRule") in ("exact", "atLeast"):
                run = next((one for one in paragraph.iter(W + "r") if text_of(one).strip()), None)
                size = _WORDS_SIZE if run is None else self._size(run, paragraph)
                # twentieths of a point; letters of one size sit on lines of about 1.15 times it
                lines = int(line) / 20 / (size * 1.15)
                return lines if spacing.get(W + "lineRule") == "exact" else max(lines, 1.0)
            return int(line) / 240
        return 1.0


def _theme(package: Package) -> dict[str, str]:
    """The fonts that "major…" and "minor…" stand for."""
    part = package.related("theme")
    found: dict[str, str] = {}
    for kind in ("major", "minor"):
        latin = None if part is None else package.xml(part).find(f".//{_DRAWING}{kind}Font/{_DRAWING}latin")
        found[kind] = "" if latin is None else latin.get("typeface") or ""
    return found
