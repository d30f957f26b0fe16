"""The page of a report born here as its form demands it: paper, margins, letters, spacing, header, footer.

Knows how a form's Page and Font are set in our own template. A funder's template has its own page, which stays. Does
not know how a finished page is checked (fabai.submission.frame).
"""

from __future__ import annotations

import re

from fabai.demands import PAGE_SIZES, Page
from fabai.form import BESIDE, Font, Form, in_language
from fabai.formats import frame
from fabai.formats.package import Package
from fabai.formats.wordml import Element, W, child, value
from fabai.report import Report

_TWIPS_PER_CM = 1440 / 2.54
_SIDES = ("top", "right", "bottom", "left")
_EDGE, _EDGE_ROOM = 709, 450
"""Twentieths of a point: from the paper's edge to header and footer, and what these need under or above them."""
_SINGLE = 240
"""Word's line spacing of one line."""
_BESIDE = ("header", "footer", "footnote text", "footnote block text")
"""Styles that are not the report's text: funders let them be smaller."""
_HOLE = re.compile(r"\{(?!pages?\})([^{}]*)\}")


def demand(package: Package, form: Form, report: Report) -> None:
    """Set the page of our own template, in place. A header or footer that names what the report does not know stays."""
    if form.font is not None:
        _letters(package, form.font)
    if form.page is None:
        return
    _paper(package, form.page)
    if form.page.spacing is not None:
        _spacing(package, form.page.spacing)
    values = {**report.meta, "title": report.title, "form": form.id, "language": report.language}
    header = _words(in_language(form.page.header, report.language), values)
    if header:
        frame.fill_header(package, header)
    footer = _words(in_language(form.page.footer, report.language), values)
    if footer:
        frame.fill_footer(package, report.language, footer)


def counting(form: Form | None) -> set[str]:
    """'cover' and 'index', each where a limit on the pages of the whole counts it: then it is better left out."""
    limits = () if form is None else [one for one in form.limits if one.unit == "pages" and one.maximum is not None]
    return {name for name in BESIDE for one in limits if name not in one.excludes}


def _words(pattern: str, values: dict[str, str]) -> str:
    """The pattern with its holes filled, the pages' left; "" where a value is not known."""
    if any(not values.get(name, "").strip() for name in _HOLE.findall(pattern)):
        return ""
    return _HOLE.sub(lambda hole: values[hole[1]].strip(), pattern)


def _paper(package: Package, page: Page) -> None:
    for section in package.edit(package.document).iter(W + "sectPr"):
        paper, margins = child(section, "pgSz"), child(section, "pgMar")
        if paper is None or margins is None:
            continue
        if page.size is not None:
            for name, length in zip("wh", PAGE_SIZES[page.size], strict=True):
                paper.set(W + name, str(round(length * _TWIPS_PER_CM)))
        for side in _SIDES:
            least = getattr(page, side)
            if least is not None:
                margins.set(W + side, str(round(least * _TWIPS_PER_CM)))
        for side, edge in (("top", "header"), ("bottom", "footer")):
            room = int(margins.get(W + side) or "0") - _EDGE_ROOM
            margins.set(W + edge, str(max(min(_EDGE, room), 0)))
        width = int(paper.get(W + "w") or "0") - sum(int(margins.get(W + side) or "0") for side in ("left", "right"))
        for tab in _styles(package).iter(W + "tab"):
            if tab.get(W + "leader") == "dot":
                tab.set(W + "pos", str(width))


def _spacing(package: Package, least: float) -> None:
    for spacing in _styles(package).iter(W + "spacing"):
        line = spacing.get(W + "line")
        if line is not None and int(line) < least * _SINGLE:
            spacing.set(W + "line", str(round(least * _SINGLE)))


def _letters(package: Package, font: Font) -> None:
    styles = _styles(package)
    default = child(styles, "docDefaults/rPrDefault/rPr/rFonts")
    if default is not None and font.names and default.get(W + "ascii") not in font.names:
        for name in default.attrib:
            default.set(name, font.names[0])
    if font.size is None:
        return
    for holder in (child(styles, "docDefaults"), *styles.findall(W + "style")):
        if holder is not None and value(holder, "name") not in _BESIDE:
            for size in holder.iter(W + "sz", W + "szCs"):
                if int(size.get(W + "val") or "0") < font.size * 2:
                    size.set(W + "val", str(round(font.size * 2)))


def _styles(package: Package) -> Element:
    return package.edit(package.ensure("styles", "styles"))
