"""`fabai check`: everything that the checks find in a project or document. Exit code 3 where something is to be mended.

Knows what a person asks for and how findings are shown. Does not know any rule.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from fabai.checks.pages import ToDocx, check_pages
from fabai.checks.report import check_report
from fabai.checks.rules import RULES, switchable
from fabai.checks.violation import Findings, Violation
from fabai.checks.wording import words
from fabai.cli import show
from fabai.dossier.check import check_dossier
from fabai.dossier.period import earlier_reports
from fabai.dossier.recorded import recorded
from fabai.dossier.references import worded
from fabai.dossier.wording import sentence
from fabai.errors import UsageError
from fabai.form import Form, find_form
from fabai.formats.libreoffice import to_pdf
from fabai.report import Report
from fabai.store.project import Project
from fabai.submission.document import word_file
from fabai.submission.finished import check_document

VIOLATIONS = 3
_DOCUMENTS = (".docx", ".docm", ".doc", ".rtf", ".odt", ".md", ".txt", ".html", ".htm", ".tex", ".pdf")
_SHOWN = 60  # characters of a quote


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "project", metavar="PROJECT|FILE", type=Path, nargs="?", help="a project, or a document such as a .docx"
    )
    parser.add_argument("--form", help="for a document: the form it must meet (a project has its own)")
    parser.add_argument("--rules", action="store_true", help="list the rules, and which of them the project has off")
    parser.add_argument("--off", metavar="RULE", help="switch a rule off for this project; say why with --reason")
    parser.add_argument("--on", metavar="RULE", help="switch a rule on again")
    parser.add_argument("--reason", help="why the rule is switched off; it is kept with the project")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.project is None:
        if args.rules and not (args.off or args.on):
            return _rules({}, args.json)
        raise UsageError("say which project or document to check (fabai check --rules lists the rules)")
    if args.project.suffix.lower() in _DOCUMENTS:
        if args.rules or args.off or args.on:
            raise UsageError("rules are switched off for a project; a document is checked by all of them")
        if args.form is None:
            raise UsageError(f"give the form that {args.project.name} must meet: --form FORM (fabai forms lists them)")
        findings, report = _check_file(args.project, find_form(args.form))
    else:
        if args.form is not None:
            raise UsageError("--form goes with a document; a project has the form that it was made with")
        with Project.open(args.project) as project:
            _switch(project, args)
            if args.rules or args.off or args.on:
                return _rules(project.rules_off(), args.json)
            report = project.report()
            findings = _check(project, lambda _: word_file(project, paged=False))
    _show(findings, report, args.json)
    return 0 if findings.ok else VIOLATIONS


def _switch(project: Project, args: argparse.Namespace) -> None:
    for rule in filter(None, (args.off, args.on)):
        switchable(rule)
    if args.off is not None:
        if not (args.reason or "").strip():
            raise UsageError(f"say why '{args.off}' is switched off: --reason TEXT")
        project.set_rule(args.off, args.reason)
    elif args.reason is not None:
        raise UsageError("--reason goes with --off RULE")
    if args.on is not None:
        project.set_rule(args.on, None)


def _rules(off: dict[str, str], as_json: bool) -> int:
    blank = {rule.id: sentence(Violation(rule.id, None, rule.severity, "…", "…", "…"), "en") for rule in RULES}
    if as_json:
        show.as_json(
            [
                {
                    "rule": one.id,
                    "severity": one.severity,
                    "group": one.group,
                    "says": blank[one.id],
                    "off": off.get(one.id),
                }
                for one in RULES
            ]
        )
        return 0
    rows = [
        (one.id, one.severity, blank[one.id] if one.id not in off else f"OFF ({off[one.id]}): {blank[one.id]}")
        for one in RULES
    ]
    show.table((("rule", "left"), ("weight", "left"), ("what it says", "left")), rows, wide=2, wrap=True)
    return 0


def _check(project: Project, to_docx: ToDocx) -> Findings:
    off = project.rules_off()
    found = check_report(
        project, recorded=recorded(project), earlier=earlier_reports(project), off=off,
        worded=worded(project, project.report()),
    )  # fmt: skip
    found += check_dossier(project, off)
    pages = check_pages(project.report(), project.form, to_docx, to_pdf)
    return found + Findings(tuple(one for one in pages.violations if one.rule not in off), pages.notices)


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
        word = path.read_bytes() if path.suffix.lower() in (".docx", ".docm") else None
        found = check_report(project) if word is None else _check(project, lambda _: word)
    if word is not None:
        data = word
        finished = check_document(data, form, language, name=path.name)
        absent = {one.section for one in finished.violations if one.rule == "document-section-missing"}
        # a section that is not there is one finding, not two
        left = tuple(one for one in found.violations if one.rule != "section-empty" or one.section not in absent)
        return Findings(left, found.notices) + finished, report
    return found, report


def _show(findings: Findings, report: Report, as_json: bool) -> None:
    for text in findings.notices:
        show.notice(text)
    if as_json:
        show.as_json({"ok": findings.ok, "violations": [one.as_dict() for one in findings.violations]})
        return
    if not findings.violations:
        show.say("nothing to fix: every check is content")
        return
    places = {section.id: (number, section.heading) for section, number in zip(report, report.numbers(), strict=True)}
    if sys.stdout.isatty():
        show.table(
            (("where", "left"), ("", "left"), ("what is wrong, and what to do", "left")),
            [_row(one, places) for one in findings.violations],
            wide=2,
            wrap=True,
        )
    else:
        for one in findings.violations:
            show.paragraph(_line(one, places))
    errors = sum(one.severity == "error" for one in findings.violations)
    show.say(f"{errors} to fix, {len(findings.violations) - errors} warnings")


def _row(one: Violation, places: dict[str, tuple[str, str]]) -> tuple[str, str, str]:
    """A line of the table: where, how grave, and the sentence with what it is about, known from where, mended how."""
    number, heading = places.get(one.section or "", ("", words("en")["whole"]))
    said = [sentence(one, "en")]
    if one.quote and one.quote != one.found:
        said.append(f"'{one.quote[:_SHOWN]}'")
    if one.evidence:
        said.append(f"Known from: {one.evidence[: 2 * _SHOWN]}.")
    if one.suggestion:
        said.append(f"Write: {one.suggestion}")
    place = f"{number} {heading}".strip() or str(one.section)
    return place[:24], "!" if one.severity == "error" else "", " ".join(said) + f" [{one.rule}]"


def _line(one: Violation, places: dict[str, tuple[str, str]]) -> str:
    number, heading = places.get(one.section or "", ("", words("en")["whole"]))
    place = f"{number} {heading}".strip() or str(one.section)
    quote = f" From here on: '{one.quote}…'" if one.quote and one.rule.startswith("limit-") else ""
    quote = quote or (f" ('{one.quote}')" if one.quote and one.quote != one.found else "")
    mark = "" if one.severity == "error" else f"{words('en')['warning']}: "
    return f"{place}: {mark}{sentence(one, 'en')}{quote}"
