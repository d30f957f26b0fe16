"""A report as a Word file: into the package it came from, into a funder's template, or as a new document of our own
look.

Knows which of the three roads to take and in what order the steps go. The steps know the rest: changes, render,
rebuild, template,
toc, frame. Nothing outside the project is opened.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from importlib import resources

from fabai.form import Form
from fabai.formats import frame, toc
from fabai.formats.bibliography import with_citations
from fabai.formats.captions import Captions, settle
from fabai.formats.changes import Change, Fresh, changes
from fabai.formats.citation import Literature
from fabai.formats.controls import fill_controls
from fabai.formats.demanded import counting, demand
from fabai.formats.document import DocumentSection
from fabai.formats.graft import Graft
from fabai.formats.inert import make_inert
from fabai.formats.laid import lists
from fabai.formats.landscape import lying, turn_pages
from fabai.formats.newstyles import make_style
from fabai.formats.package import Package
from fabai.formats.pages import guessed_pages, heading_pages
from fabai.formats.printed import shown_media
from fabai.formats.rebuild import Rebuild
from fabai.formats.render import Rendering, heading
from fabai.formats.revisions import accept, drop_comments
from fabai.formats.template import Filling, fill, last_paragraph
from fabai.formats.tidybody import mend_body
from fabai.formats.wordbody import styles_of
from fabai.formats.wordml import Element, W, child, element, holds_object, note_marks, text_of
from fabai.report import Language, Report, fold
from fabai.settings import ExportSettings, ReadingLimits

_ENTRIES_PER_PAGE = 40
_NAMED = 6
"""Unfilled fields of a template that a notice names."""

ToPdf = Callable[[bytes], bytes | None]
"""Lays a Word file out and gives the PDF; None where that cannot be done here."""


def export_docx(
    report: Report,
    *,
    sources: Mapping[str, DocumentSection],
    original: bytes | None,
    media: Mapping[str, bytes],
    template: bytes | None = None,
    settings: ExportSettings = ExportSettings(),  # noqa: B008 - frozen
    limits: ReadingLimits = ReadingLimits(),  # noqa: B008 - frozen
    to_pdf: ToPdf | None = None,
    notices: list[str] | None = None,
    values: Mapping[str, str] | None = None,
    literature: Literature | None = None,
    form: Form | None = None,
) -> bytes:
    """The report as a .docx.

    sources: section id -> the imported section, counting children of `original`; a section that is not among them is
    new.
    original: the package that was read; its untouched elements go out as they came in. template: a funder's package
    to fill.
    media: pictures by the name that the Markdown uses. to_pdf: how to find true page numbers for the table of contents.
    notices: a sentence for the person is added for whatever had to be left out. values: what the fields of a template
    are filled with, by folded name; title and cover of the report are among them by themselves. literature: what the
    citations of new text cite; None leaves them as they are written. form: whose page a new document gets.
    UnreadableFile where the template is no Word file; its sentence says so.
    """
    known = sources if original is not None else {}
    kept = original if template is None and known and settings.keep_original else None
    held = () if kept is None else Package(kept, limits, "the imported document").pictures()
    media = shown_media(media, "\n".join(one.text for one in report), [] if notices is None else notices, held)
    found = with_citations(changes(report, known, limits), literature, report.language, limits, notices)
    if kept is not None:
        return _into_original(report, found, known, kept, media, settings, limits)
    if template is not None:
        return _into_template(report, found, original, media, template, limits, notices, values or {})
    return _new_document(report, found, original, media, settings, limits, to_pdf, form)


def _into_original(
    report: Report,
    found: Sequence[Change],
    sources: Mapping[str, DocumentSection],
    original: bytes,
    media: Mapping[str, bytes],
    settings: ExportSettings,
    limits: ReadingLimits,
) -> bytes:
    untouched = [change.source for change in found if change.heading_kept or _is_front(change)]
    if untouched == list(sources.values()) and len(found) == len(untouched) and not any(_fresh(one) for one in found):
        return original
    package = Package(original, limits, "the imported document")
    styles = styles_of(package)
    rebuild = Rebuild(package, styles, found, sources)
    rendering = Rendering()
    rebuild.ask(rendering)
    rendered = rendering.run(package, media, report.language, limits, table_style=rebuild.table_style())
    if frame.default_language(package) not in ("", report.language):
        for elements in rendered:
            frame.tag_language(elements, report.language)
    rebuild.finish(rendered)
    last_paragraph(package.body)
    if rebuild.outline_changed and settings.toc:
        toc.refresh(package, styles)
    return package.save()


def _is_front(change: Change) -> bool:
    return change.source is not None and not change.source.heading_children and not change.section.heading


def _fresh(change: Change) -> bool:
    return bool(change.gone) or any(isinstance(item, Fresh) for item in change.items)


def _into_template(
    report: Report,
    found: Sequence[Change],
    original: bytes | None,
    media: Mapping[str, bytes],
    template: bytes,
    limits: ReadingLimits,
    notices: list[str] | None,
    values: Mapping[str, str],
) -> bytes:
    package = Package(template, limits, "the template")
    # a template may carry what a document may: it is made as harmless as an import
    said = make_inert(package) + accept(package) + drop_comments(package)
    if frame.unprotect(package):
        said.append("it was protected against changes; the file is not, so that it can be edited")
    if notices is not None:
        notices += [f"the template: {one}" for one in said]
    # before the text comes in: what the report itself says is never emptied
    _, left = fill_controls(package, {**_cover_values(report), **values})
    if left and notices is not None:
        named = ", ".join(dict.fromkeys(left[:_NAMED]))
        notices.append(f"fields of the template that nothing fills were emptied: {len(left)} ({named})")
    fillings = _fillings(found, report.language, original, media, package, limits, own_styles=False)
    styles = styles_of(package)
    fill(package, styles, fillings)
    turn_pages(package.body, [filling.lying for filling in fillings], styles.is_heading)
    mend_body(package.body)
    settle(package.body, _paragraphs(fillings))
    last_paragraph(package.body)
    frame.set_language(package, report.language)
    frame.set_properties(package, report.title, report.language, report.meta.get("organisation", ""))
    toc.refresh(package, styles)
    return package.save()


def _new_document(
    report: Report,
    found: Sequence[Change],
    original: bytes | None,
    media: Mapping[str, bytes],
    settings: ExportSettings,
    limits: ReadingLimits,
    to_pdf: ToPdf | None,
    form: Form | None,
) -> bytes:
    package = Package(own_template(), limits, "fabai's template")
    fillings = _fillings(found, report.language, original, media, package, limits, own_styles=True)
    body = package.edit(package.document).find(W + "body")
    if body is None:
        return package.save()
    for one in list(body):
        if one.tag != W + "sectPr":
            body.remove(one)
    beside = counting(form)
    opening = frame.cover(report.title, {} if "cover" in beside else report.meta) if settings.cover else []
    text = [one for filling in fillings for one in (*_shown_heading(report, filling), *filling.body)]
    body[:0] = [*opening, *text]
    mend_body(body)
    settle(body, _paragraphs(fillings))
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
    turn_pages(body, [_turned(filling) for filling in fillings], styles.is_heading)
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


def _cover_values(report: Report) -> dict[str, str]:
    """Title and cover by the folded names that templates use for them."""
    names = {
        "organisation": (
            "entidad",
            "entidad beneficiaria",
            "entitat",
            "organisation",
            "beneficiary",
            "nombre de la entidad",
        ),
        "call": ("convocatoria", "call"),
        "period": ("periodo", "periodo de ejecucion", "periode", "periode d execucio", "period"),
        "date": ("fecha", "data", "date"),
    }
    found = {fold(name): report.meta[key] for key, some in names.items() if report.meta.get(key) for name in some}
    titles = (
        "titulo",
        "titulo del proyecto",
        "titol",
        "titol del projecte",
        "title",
        "project title",
        "nombre del proyecto",
    )
    return {**found, **{fold(name): report.title for name in titles if report.title.strip()}}


def _paragraphs(fillings: Sequence[Filling]) -> list[Element]:
    """The paragraphs of new text."""
    return [one for filling in fillings for top in filling.fresh for one in top.iter(W + "p")]


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


def _fillings(
    found: Sequence[Change],
    language: Language,
    original: bytes | None,
    media: Mapping[str, bytes],
    target: Package,
    limits: ReadingLimits,
    *,
    own_styles: bool,
) -> list[Filling]:
    """Every section's elements at home in `target`: new text rendered, untouched imported blocks carried over."""
    rendering = Rendering()
    headings = [
        rendering.add(heading(change.section.level, change.section.heading)) if change.section.heading else None
        for change in found
    ]
    numbers = [
        [[rendering.add(tree) for tree in item.trees] if isinstance(item, Fresh) else [] for item in change.items]
        for change in found
    ]
    marks = sum((one.get(W + "name") or "").startswith("_fabai_") for one in target.body.iter(W + "bookmarkStart"))
    captions = Captions(language, marks)
    rendered = rendering.run(target, media, language, limits, own_styles=own_styles, captions=captions)
    source = None if original is None else Package(original, limits, "the imported document")
    children = [] if source is None else list(source.body)
    graft = None if source is None else Graft(target, source, make_style, renamed={}, after=rendering.graft)
    lying_children = set() if source is None else lying(source.body)
    out: list[Filling] = []
    for change, heading_number, item_numbers in zip(found, headings, numbers, strict=True):
        above = () if change.source is None else change.source.heading_children
        title = [] if heading_number is None else rendered[heading_number]
        if title and graft is not None and above:
            calls = element("p")
            calls.extend(copy.deepcopy(run) for one in above for run in note_marks(children[one]))
            title[-1].extend(graft.carry([calls])[0])
        lies = not lying_children.isdisjoint(above)
        body: list[Element] = []
        plain: list[Element] = []
        fresh: list[Element] = []
        turned = list(title) if lies else []
        for item, of_item in zip(change.items, item_numbers, strict=True):
            block = item.instead if isinstance(item, Fresh) else item.block
            if block is not None and block.children:
                # what is new lies as what it stands behind
                lies = not lying_children.isdisjoint(block.children)
            start = len(body)
            if isinstance(item, Fresh):
                for tree, number in zip(item.trees, of_item, strict=True):
                    body += rendered[number]
                    fresh += rendered[number]
                    if tree["t"] in ("Para", "Plain"):
                        plain += [
                            one for one in rendered[number] if one.tag == W + "p" and child(one, "pPr/pStyle") is None
                        ]
            elif graft is not None:
                kept = [children[one] for one in item.block.children]
                body += graft.carry(one for one in kept if item.block.markdown or holds_object(one))
            if lies:
                turned += body[start:]
        out.append(Filling(change.section, title, body, plain, fresh, turned))
    return out
