"""The project's report as a file: a Word document in the look it should have, or one Markdown text.

Knows which road of `fabai.formats.export` a project takes and what its cover shows. Does not know where files go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fabai.errors import FabaiError
from fabai.report import Report, fold
from fabai.settings import ExportSettings
from fabai.store.project import Project
from fabai.submission.tables import with_tables

COVER = {
    "organisation": (
        "entidad",
        "entidad beneficiaria",
        "organizacion",
        "entitat",
        "organitzacio",
        "organisation",
        "organization",
    ),
    "call": ("convocatoria", "call"),
    "period": ("periodo", "periodo de ejecucion", "periode", "periode d execucio", "period"),
    "date": ("fecha", "fecha de entrega", "data", "data de lliurament", "date"),
}
"""Names that a fact of the ledger may have when it belongs on the cover, folded."""


def word_file(
    project: Project,
    report: Report | None = None,
    template: bytes | None = None,
    notices: list[str] | None = None,
    *,
    fresh: bool = False,
) -> bytes:
    """The project's report as a .docx: in the file it was imported from where the project's sections are that file's
    own, unless `fresh`.

    notices: sentences for the person are added to it.
    """
    from fabai.formats import libreoffice
    from fabai.formats.export import export_docx

    imported = project.imported()

    def to_pdf(data: bytes) -> bytes | None:
        if libreoffice.executable() is None:
            _say(
                notices, "page numbers in the contents are estimates: LibreOffice is not installed; Word corrects them"
            )
            return None
        try:
            return libreoffice.to_pdf(data)
        except FabaiError as error:
            _say(notices, f"page numbers in the contents are estimates ({error}); Word corrects them")
            return None

    return export_docx(
        with_tables(project, _without_web(project, report if report is not None else with_cover(project, {}))),
        sources={} if imported is None else imported.sources,
        original=None if imported is None else imported.original,
        media=project.media(),
        template=template,
        settings=ExportSettings(keep_original=not (fresh or project.form.own_sections)),
        to_pdf=to_pdf,
        notices=notices,
        values={fold(fact.name): fact.value for fact in project.ledger()},
    )


def _without_web(project: Project, report: Report) -> Report:
    """The fields of a portal stand in no document."""
    web = {spec.id for spec in project.form.sections if spec.kind == "web"}
    return replace(report, sections=tuple(section for section in report if section.spec not in web)) if web else report


def _say(notices: list[str] | None, sentence: str) -> None:
    if notices is not None:
        notices.append(sentence)


def with_cover(project: Project, given: Mapping[str, str | None]) -> Report:
    """The report with what its cover shows: as given, else the facts of those names."""
    report = project.report()
    facts = {fold(fact.name): fact.value for fact in project.ledger()}
    meta = dict(report.meta)
    for key, names in COVER.items():
        value = given.get(key) or next((facts[name] for name in names if name in facts), None)
        if value is not None:
            meta[key] = value
    return replace(report, meta=meta)


def markdown(report: Report) -> str:
    """The whole report as one Markdown text."""
    from fabai.formats.markdown import unique_notes

    pieces: list[str] = []
    for section in report:
        if section.heading:
            pieces.append(f"{'#' * min(section.level, 6)} {section.heading}")
        if section.text.strip():
            pieces.append(section.text.strip())
    return unique_notes("\n\n".join(pieces)) + "\n"
