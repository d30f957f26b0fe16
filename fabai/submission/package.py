"""The package that is handed in: report as PDF/A-2b and Word, portal fields, annexes, hashes, and a list of what is
missing.

Knows the form's demands on files and names. Does not know how the Word file is made (fabai.formats.export) nor where
the files go; signing stays outside.
"""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from fabai import __version__
from fabai.checks.limits import applying, measure
from fabai.checks.pages import check_pages
from fabai.checks.plain import plain
from fabai.checks.violation import Findings, Violation
from fabai.checks.wording import words
from fabai.dossier.annexes import without_annex
from fabai.dossier.deadlines import deadlines
from fabai.dossier.references import worded
from fabai.dossier.wording import sentence
from fabai.errors import FabaiError
from fabai.form import Form, in_language
from fabai.formats.exif import clean_pictures
from fabai.formats.frame import set_properties
from fabai.formats.inert import make_inert
from fabai.formats.package import Package
from fabai.formats.revisions import accept, drop_comments
from fabai.report import Language, Report, fold
from fabai.store.project import Project
from fabai.submission.annexes import MEGABYTE, AnnexFile, merge
from fabai.submission.blocking import blockers
from fabai.submission.document import COVER
from fabai.submission.finished import check_document
from fabai.submission.names import ascii_name, by_pattern, unused

ToPdf = Callable[[bytes, str], bytes]
_WORDS: dict[Language, dict[str, str]] = {
    "es": {"report": "memoria", "annexes": "anexos", "fields": "campos", "missing": "falta", "draft": "borrador",
           "nothing": "No falta nada.", "list": "Lo que falta antes de presentar", "warnings": "Conviene mirar"},
    "ca": {"report": "memoria", "annexes": "annexos", "fields": "camps", "missing": "falta", "draft": "esborrany",
           "nothing": "No falta res.", "list": "El que falta abans de presentar", "warnings": "Convé mirar"},
    "en": {"report": "report", "annexes": "annexes", "fields": "fields", "missing": "missing", "draft": "draft",
           "nothing": "Nothing is missing.", "list": "What is missing before handing in", "warnings": "Worth a look"},
}  # fmt: skip
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Packed:
    """One file of the package, by its path inside it."""

    name: str
    data: bytes
    about: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Submission:
    """What `make_package` made. ready: nothing is missing; else its names say 'draft' and it is not frozen."""

    files: tuple[Packed, ...]
    findings: Findings
    missing: tuple[str, ...]
    document: bytes
    manifest: str

    @property
    def ready(self) -> bool:
        return not self.missing


def make_package(
    project: Project,
    document: bytes,
    annexes: Sequence[AnnexFile],
    to_pdf: ToPdf,
    *,
    today: datetime.date,
    found: Findings | None = None,
) -> Submission:
    """The package of a project whose Word file is `document`. to_pdf: bytes and their ending into a PDF/A-2b. found:
    what `blockers` says, where that was asked already.

    Whatever is missing is said in the package itself; nothing is left out in silence.
    """
    form, report = project.form, project.report()
    language = report.language
    facts = {fold(fact.name): fact.value for fact in project.ledger()}
    organisation = next((facts[name] for name in COVER["organisation"] if name in facts), "")
    document = _presentable(document, report, organisation)
    findings = blockers(project) if found is None else found
    findings += check_document(document, form, language, names=[organisation])
    late = [one for one in deadlines(project, today) if one.day is not None and one.day < today]
    findings += Findings(
        tuple(Violation("blocked-deadline", None, "warning", today.isoformat(), str(one.day)) for one in late)
    )
    taken: set[str] = set()
    files: list[Packed] = []
    faults: list[str] = []
    pdf = _archival(document, to_pdf, faults)
    if pdf is not None:
        findings += check_pages(report, form, lambda _: document, lambda _: pdf)
    chosen = _chosen(form, annexes, language)
    merged = merge(chosen, language, to_pdf, _most(form))
    faults += merged.faults
    faults += _too_large(form, pdf, annexes, language)
    answered = {one.id for one in form.annexes if any(_answers(file, one.id, one.name) for file in annexes)}
    findings += Findings(tuple(without_annex(form, answered, language, "error")))
    off = project.rules_off()
    findings = Findings(tuple(one for one in findings.violations if one.rule not in off), findings.notices)
    missing = (*(_said(one, report) for one in findings.violations if one.severity == "error"), *faults)
    label = _WORDS[language]
    stem = _stem(form, report, organisation, project.path.stem, today, label["report"])
    stem = stem if not missing else f"{label['draft']}_{stem}"
    if pdf is not None:
        files.append(Packed(unused(f"{stem}.pdf", taken), pdf, "report, PDF/A-2b"))
    files.append(Packed(unused(f"{stem}.docx", taken), document, "report, Word"))
    for number, part in enumerate(merged.parts, start=1):
        tail = f"_{number}" if len(merged.parts) > 1 else ""
        files.append(Packed(unused(f"{stem}_{label['annexes']}{tail}.pdf", taken), part, "annexes with index"))
    for number, (name, text) in enumerate(portal_fields(form, worded(project, report)), start=1):
        path = f"{label['fields']}/{number:02d}_{ascii_name(name, 40)}.txt"
        files.append(Packed(unused(path, taken), text.encode(), f"portal field: {name}"))
    warnings = [_said(one, report) for one in findings.violations if one.severity == "warning"]
    listed = _list(missing, (*warnings, *findings.notices), language)
    files.append(Packed(unused(f"{label['missing']}.txt", taken), listed.encode(), "what is missing"))
    manifest = _manifest(project, report, files, not missing, today)
    return Submission((*files, Packed(MANIFEST, manifest.encode(), "manifest")), findings, missing, document, manifest)


def _presentable(document: bytes, report: Report, organisation: str) -> bytes:
    """The Word file without anybody's name in its properties, camera data, revisions, comments or macros."""
    package = Package(document)
    make_inert(package)
    accept(package)
    drop_comments(package)
    clean_pictures(package)
    set_properties(package, report.title, report.language, organisation)
    return package.save()


def _archival(document: bytes, to_pdf: ToPdf, faults: list[str]) -> bytes | None:
    try:
        return to_pdf(document, "docx")
    except FabaiError as error:
        faults.append(f"PDF: {error}")
        return None


def _stem(form: Form, report: Report, organisation: str, project: str, today: datetime.date, word: str) -> str:
    pattern = "{project}_" + word if form.file is None or form.file.name is None else form.file.name
    values: Mapping[str, str] = {
        "form": form.id,
        "title": report.title,
        "organisation": organisation,
        "call": report.meta.get("call", ""),
        "project": project,
        "date": today.isoformat(),
        "language": report.language,
    }
    return by_pattern(pattern, values)


def _chosen(form: Form, annexes: Sequence[AnnexFile], language: Language) -> list[AnnexFile]:
    """Annexes that the form names first, in its order and under its names; the others behind them as they came."""
    left = list(annexes)
    out: list[AnnexFile] = []
    for annex in form.annexes:
        found = next((file for file in left if _answers(file, annex.id, annex.name)), None)
        if found is not None:
            left.remove(found)
            out.append(replace(found, title=in_language(annex.name, language)))
    return [*out, *left]


def _answers(file: AnnexFile, identifier: str, names: Mapping[str, str]) -> bool:
    title = fold(file.title.replace("_", " ").replace("-", " "))
    wanted = [fold(identifier.replace("_", " ").replace("-", " ")), *(fold(name) for name in names.values())]
    return any(one and (title == one or title.startswith(f"{one} ") or title.endswith(f" {one}")) for one in wanted)


def _most(form: Form) -> float | None:
    return None if form.file is None else form.file.megabytes


def _too_large(form: Form, pdf: bytes | None, annexes: Sequence[AnnexFile], language: Language) -> list[str]:
    out = []
    most = _most(form)
    if most is not None and pdf is not None and len(pdf) > most * MEGABYTE:
        out.append(f"PDF: {len(pdf) / MEGABYTE:.1f} MB > {most:g} MB")
    for annex in form.annexes:
        file = next((one for one in annexes if _answers(one, annex.id, annex.name)), None)
        if annex.megabytes is not None and file is not None and len(file.data) > annex.megabytes * MEGABYTE:
            name = in_language(annex.name, language)
            out.append(f"{name}: {len(file.data) / MEGABYTE:.1f} MB > {annex.megabytes:g} MB")
    return out


def portal_fields(form: Form, report: Report) -> list[tuple[str, str]]:
    """Name and plain text of each portal field, as it is to be pasted."""
    out = []
    for section in report:
        spec = form.spec(section.spec)
        if spec is not None and spec.kind == "web" and section.text.strip():
            out.append((section.heading, plain(section.text)))
    return out


def field_counts(form: Form, report: Report) -> list[tuple[str, int, int | None, str]]:
    """For each portal field: section id, what it has, its maximum, and the unit, as the portal counts."""
    out: list[tuple[str, int, int | None, str]] = []
    for section in report:
        spec = form.spec(section.spec)
        if spec is None or spec.kind != "web":
            continue
        text = plain(section.text)
        for limit in applying(spec.limits, report):
            if limit.unit != "pages":
                out.append((section.id, measure(text, limit.unit, limit.line_break), limit.maximum, limit.unit))
    return out


def _said(violation: Violation, report: Report) -> str:
    places = {one.id: f"{number} {one.heading}".strip() for one, number in zip(report, report.numbers(), strict=True)}
    place = places.get(violation.section or "", violation.section or words(report.language)["whole"])
    return f"{place}: {sentence(violation, report.language)}"


def _list(missing: Sequence[str], others: Sequence[str], language: Language) -> str:
    label = _WORDS[language]
    lines = [label["list"], ""] + [f"- {one}" for one in missing] if missing else [label["nothing"]]
    if others:
        lines += ["", label["warnings"], "", *(f"- {one}" for one in dict.fromkeys(others))]
    return "\n".join(lines) + "\n"


def _manifest(project: Project, report: Report, files: Sequence[Packed], ready: bool, today: datetime.date) -> str:
    text = "\n\n".join(f"{one.heading}\n{one.text}" for one in report)
    versions = {}
    for section in report:
        kept = [version for version in project.versions(section.id) if version.text == section.text]
        if kept:
            versions[section.id] = kept[-1].number
    table = {
        "presented": ready,
        "date": today.isoformat(),
        "form": {"id": project.form.id, "source": project.form.source, "date": project.form.date},
        "title": report.title,
        "language": report.language,
        "text_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "versions": versions,
        "fields": [
            {"section": section, "count": count, "maximum": most, "unit": unit}
            for section, count, most, unit in field_counts(project.form, worded(project, report))
        ],
        "files": [
            {"name": one.name, "about": one.about, "bytes": len(one.data), "sha256": one.sha256} for one in files
        ],
        "fabai": __version__,
    }
    return json.dumps(table, ensure_ascii=False, indent=2) + "\n"
