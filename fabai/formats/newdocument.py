"""A report as a new Word document of our own look, on the page that its form demands.

Knows cover, contents, header and footer and in what order they come. Does not know how text becomes Word's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import resources

from fabai.form import Form
from fabai.formats import frame, toc
from fabai.formats.captions import settle
from fabai.formats.changes import Change
from fabai.formats.demanded import counting, demand
from fabai.formats.filling import Filling, fillings, new_paragraphs
from fabai.formats.laid import lists
from fabai.formats.landscape import turn_pages
from fabai.formats.package import Package
from fabai.formats.pages import guessed_pages, heading_pages
from fabai.formats.template import last_paragraph
from fabai.formats.tidybody import mend_body
from fabai.formats.wordbody import styles_of
from fabai.formats.wordml import Element, W, text_of
from fabai.report import Report, fold
from fabai.settings import ExportSettings, ReadingLimits

_ENTRIES_PER_PAGE = 40

ToPdf = Callable[[bytes], bytes | None]
"""Lays a Word file out and gives the PDF; None where that cannot be done here."""


def new_document(
    report: Report,
    found: Sequence[Change],
    original: bytes | None,
    media: Mapping[str, bytes],
    settings: ExportSettings,
    limits: ReadingLimits,
    to_pdf: ToPdf | None,
    form: Form | None,
) -> bytes:
    """The .docx of a report with cover, contents, header and footer, each where settings and form have it."""
    package = Package(own_template(), limits, "fabai's template")
    filled = fillings(found, report.language, original, media, package, limits, own_styles=True)
    body = package.edit(package.document).find(W + "body")
    if body is None:
        return package.save()
    for one in list(body):
        if one.tag != W + "sectPr":
            body.remove(one)
    beside = counting(form)
    opening = frame.cover(report.title, {} if "cover" in beside else report.meta) if settings.cover else []
    text = [one for filling in filled for one in (*_shown_heading(report, filling), *filling.body)]
    body[:0] = [*opening, *text]
    mend_body(body)
    settle(body, new_paragraphs(filled))
    styles = styles_of(package)
    listed = toc.entries(body, styles, settings.toc_levels) if settings.toc and "index" not in beside else []
    made = toc.insert(package, styles, report.language, len(opening), listed, settings.toc_levels)
    covered = bool(opening) and "cover" not in beside and any(report.meta.get(key) for key in frame.COVER)
    if made or covered:
        frame.start_page(body, len(opening) + made)
    if made and covered:
        frame.start_page(body, len(opening))
    if not covered and not made:
        frame.every_page(body)
    # behind the contents, which stay upright
    turn_pages(body, [_turned(filling) for filling in filled], styles.is_heading)
    last_paragraph(body)
    frame.fill_header(package, report.title)
    frame.fill_footer(package, report.language)
    if form is not None:
        demand(package, form, report)
    frame.set_language(package, report.language)
    frame.set_properties(package, report.title, report.language, report.meta.get("organisation", ""))
    if made:
        pdf = to_pdf(package.save()) if to_pdf is not None else None
        if pdf is not None:
            toc.set_pages(package, heading_pages(pdf, [one.text for one in listed]))
        else:
            first = 2 + (1 if covered else 0) + made // _ENTRIES_PER_PAGE
            toc.set_pages(package, guessed_pages(_words_before(body, listed), first))
    return package.save()


def _words_before(body: Element, listed: Sequence[toc.Entry]) -> list[int]:
    counts: list[int] = []
    seen = 0
    wanted = iter(listed)
    following = next(wanted, None)
    started = False
    for one in body:
        if following is not None and one is following.paragraph:
            counts.append(seen)
            following = next(wanted, None)
            started = True
        if started:
            seen += len(text_of(one).split())
    return counts


def own_template() -> bytes:
    """The package of a report born here."""
    return resources.files("fabai").joinpath("templates/report.docx").read_bytes()


def _turned(filling: Filling) -> list[Element]:
    """What lay on its side in the imported document, and long wide lists."""
    wanted = {id(one) for group in (filling.lying, *lists(filling.fresh)) for one in group}
    return [one for one in (*filling.heading, *filling.body) if id(one) in wanted]


def _shown_heading(report: Report, filling: Filling) -> list[Element]:
    """No heading for an empty first section that repeats the title, nor for an empty one over contents that were."""
    section = filling.section
    if section.text.strip() or len(report) == 1:
        return filling.heading
    repeats = report.sections[0].id == section.id and fold(section.heading) == fold(report.title)
    return [] if repeats or fold(section.heading) in toc.HEADINGS else filling.heading
