"""The project's report as a file: a Word document in the look it should have, or one Markdown text.

Knows which road of `fabai.formats.export` a project takes and what its cover shows. Does not know where files go.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from fabai.dossier.granted import terms_of
from fabai.dossier.references import literature
from fabai.errors import FabaiError
from fabai.report import Language, Report, fold
from fabai.settings import ExportSettings
from fabai.store.project import Project
from fabai.submission.outgoing import outgoing, shown

COVER = {
    "organisation": (
        "entidad", "entidad beneficiaria", "nombre de la entidad", "organizacion", "beneficiario", "empresa",
        "universidad", "entitat", "entitat beneficiaria", "nom de l entitat", "organitzacio", "beneficiari",
        "universitat", "organisation", "organization", "beneficiary", "company", "university", "institution",
        "awardee", "coordinator",
    ),
    "call": ("convocatoria", "call"),
    "period": ("periodo", "periodo de ejecucion", "periode", "periode d execucio", "period"),
    "date": ("fecha", "fecha de entrega", "data", "data de lliurament", "date"),
}  # fmt: skip
"""Names that a fact of the ledger may have when it belongs on the cover, folded."""


def word_file(
    project: Project,
    report: Report | None = None,
    template: bytes | None = None,
    notices: list[str] | None = None,
    *,
    fresh: bool = False,
    paged: bool = True,
) -> bytes:
    """The project's report as a .docx: in the file it was imported from where the project's sections are that file's
    own, unless `fresh`.

    notices: sentences for the person are added to it. paged: whether the contents show true pages, for which a new
    document is laid out once; without, they are guesses, which is enough where pages are only counted.
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
        shown(project, outgoing(project, report if report is not None else with_cover(project, {}))),
        sources={} if imported is None else imported.sources,
        original=None if imported is None else imported.original,
        media=project.media(),
        template=template,
        settings=ExportSettings(keep_original=not (fresh or project.form.own_sections)),
        to_pdf=to_pdf if paged else None,
        notices=notices,
        values={fold(fact.name): fact.value for fact in project.ledger()},
        literature=literature(project),
        form=project.form,
    )


def _say(notices: list[str] | None, sentence: str) -> None:
    if notices is not None:
        notices.append(sentence)


def with_cover(project: Project, given: Mapping[str, str | None]) -> Report:
    """The report with what its cover shows: as given, else the facts of those names, else the terms of the grant."""
    report = project.report()
    facts = {fold(fact.name): fact.value for fact in project.ledger()}
    meta = dict(report.meta)
    for key, names in COVER.items():
        value = given.get(key) or next((facts[name] for name in names if name in facts), None)
        if value is not None:
            meta[key] = value
    terms = terms_of(project)
    if terms.start is not None and terms.end is not None:
        meta.setdefault("period", f"{_day(terms.start, report.language)} – {_day(terms.end, report.language)}")
    return replace(report, meta=meta)


def _day(day: date, language: Language) -> str:
    return f"{day.day} {day:%B %Y}" if language == "en" else f"{day:%d/%m/%Y}"


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
