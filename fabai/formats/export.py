"""A report as a Word file: into the package it came from, into a funder's template, or as a new document of our own
look.

Knows which of the three roads to take and in what order the steps go. The steps know the rest: changes, render,
rebuild, filling, template, newdocument. Nothing outside the project is opened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fabai.form import Form
from fabai.formats import frame, toc
from fabai.formats.bibliography import with_citations
from fabai.formats.captions import settle
from fabai.formats.changes import Change, Fresh, changes
from fabai.formats.citation import Literature
from fabai.formats.controls import fill_controls
from fabai.formats.document import DocumentSection
from fabai.formats.filling import fillings, new_paragraphs
from fabai.formats.inert import make_inert
from fabai.formats.landscape import turn_pages
from fabai.formats.newdocument import ToPdf, new_document
from fabai.formats.package import Package
from fabai.formats.printed import shown_media
from fabai.formats.rebuild import Rebuild
from fabai.formats.render import Rendering
from fabai.formats.revisions import accept, drop_comments
from fabai.formats.template import fill, last_paragraph
from fabai.formats.tidybody import mend_body
from fabai.formats.wordbody import open_controls, styles_of
from fabai.report import Report, fold
from fabai.settings import ExportSettings, ReadingLimits

_NAMED = 6
"""Unfilled fields of a template that a notice names."""


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
    return new_document(report, found, original, media, settings, limits, to_pdf, form)


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
    open_controls(package, styles_of(package))
    filled = fillings(found, report.language, original, media, package, limits, own_styles=False)
    styles = styles_of(package)
    fill(package, styles, filled)
    turn_pages(package.body, [filling.lying for filling in filled], styles.is_heading)
    mend_body(package.body)
    settle(package.body, new_paragraphs(filled))
    last_paragraph(package.body)
    frame.set_language(package, report.language)
    frame.set_properties(package, report.title, report.language, report.meta.get("organisation", ""))
    toc.refresh(package, styles)
    return package.save()


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
