"""`fabai check`: limits of the form against the text. Exit code 3 where something has to be mended."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from fabai.checks.limits import check_limits
from fabai.checks.pages import ToDocx, check_pages
from fabai.checks.violation import Findings, Violation
from fabai.checks.wording import sentence, words
from fabai.cli import show
from fabai.errors import UsageError
from fabai.form import Form, find_form
from fabai.formats.libreoffice import to_pdf
from fabai.report import Report
from fabai.store.project import Project

VIOLATIONS = 3
_DOCUMENTS = (".docx", ".docm", ".doc", ".rtf", ".odt", ".md", ".txt", ".html", ".htm", ".tex", ".pdf")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT|FILE", type=Path, help="a project, or a document such as a .docx")
    parser.add_argument("--form", help="for a document: the form it must meet (a project has its own)")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.project.suffix.lower() in _DOCUMENTS:
        if args.form is None:
            raise UsageError(f"give the form that {args.project.name} must meet: --form FORM (fabai forms lists them)")
        findings, report = _check_file(args.project, find_form(args.form))
    else:
        if args.form is not None:
            raise UsageError("--form goes with a document; a project has the form that it was made with")
        with Project.open(args.project) as project:
            report = project.report()
            findings = _check(report, project.form, lambda counted: _export(project, counted))
    _show(findings, report, args.json)
    return 0 if findings.ok else VIOLATIONS


def _check(report: Report, form: Form, to_docx: ToDocx) -> Findings:
    return check_limits(report, form) + check_pages(report, form, to_docx, to_pdf)


def _export(project: Project, report: Report) -> bytes:
    from fabai.formats.export import export_docx

    imported = project.imported()
    original = None if imported is None else imported.original
    sources = {} if imported is None else imported.sources
    return export_docx(report, sources=sources, original=original, media=project.media())


def _check_file(path: Path, form: Form) -> tuple[Findings, Report]:
    """A document is checked as the project that its import would make."""
    from fabai.formats.read import read

    document = read(path)
    language = document.language if document.language in form.languages else form.languages[0]
    with (
        tempfile.TemporaryDirectory(prefix="fabai-") as folder,
        Project.create(Path(folder) / "check.fabai", form, language, document.title) as project,
    ):
        project.import_document(document, path.name)
        report = project.report()
    if path.suffix.lower() in (".docx", ".docm"):
        data = path.read_bytes()
        return _check(report, form, lambda _: data), report
    return check_limits(report, form), report


def _show(findings: Findings, report: Report, as_json: bool) -> None:
    for text in findings.notices:
        show.notice(text)
    if as_json:
        show.as_json({"ok": findings.ok, "violations": [one.as_dict() for one in findings.violations]})
        return
    if not findings.violations:
        show.say("nothing to fix: the limits of the form are met")
        return
    places = {section.id: (number, section.heading) for section, number in zip(report, report.numbers(), strict=True)}
    for one in findings.violations:
        show.paragraph(_line(one, places))
    errors = sum(one.severity == "error" for one in findings.violations)
    show.say(f"{errors} to fix, {len(findings.violations) - errors} warnings")


def _line(one: Violation, places: dict[str, tuple[str, str]]) -> str:
    number, heading = places.get(one.section or "", ("", words("en")["whole"]))
    place = f"{number} {heading}".strip() or str(one.section)
    quote = f" From here on: '{one.quote}…'" if one.quote else ""
    mark = "" if one.severity == "error" else f"{words('en')['warning']}: "
    return f"{place}: {mark}{sentence(one, 'en')}{quote}"
