"""`fabai export --evidence` and `--ai-record`: what auditors and funders ask for beside the report.

Knows which file each suffix means. Does not know how figures are traced or AI use is told (fabai.evidence).
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from fabai.cli import show
from fabai.cli.outfile import write
from fabai.errors import UsageError
from fabai.report import Report
from fabai.store.project import Project
from fabai.submission.document import markdown


def write_evidence(args: argparse.Namespace) -> int:
    given = args.template is not None or args.fresh or args.output is not None
    option, path = ("--evidence", args.evidence) if args.evidence is not None else ("--ai-record", args.ai_record)
    if given:
        raise UsageError(f"{option} writes a file of its own: leave out -o, --template and --fresh")
    with Project.open(args.project) as project:
        data, told = _evidence(project, path) if option == "--evidence" else _record(project, path)
    backup = write(path, data)
    if args.json:
        show.as_json({"file": str(path), "bytes": len(data), "backup": None if backup is None else str(backup), **told})
        return 0
    if backup is not None:
        show.notice(f"{path.name} held something else; that file is kept as {backup.name}")
    show.say(f"{show.one_line(str(path))}: {', '.join(f'{name} {value}' for name, value in told.items())}")
    return 0


def _evidence(project: Project, path: Path) -> tuple[bytes, dict[str, int]]:
    from fabai.evidence.table import document, rows
    from fabai.evidence.trace import trace
    from fabai.evidence.wording import evidence_words

    kind = _kind(path, ".xlsx", ".docx", ".md", ".pdf")
    lines = trace(project)
    missing = sum(one.kind == "none" for one in lines)
    told = {"figures": len(lines), "without evidence": missing}
    if kind == ".xlsx":
        from fabai.evidence.sheet import workbook

        title = evidence_words(project.language).evidence
        return workbook(rows(lines, project.language), title, range(missing)), told
    return _document(document(lines, project.report().title, project.language), kind, landscape=True), told


def _record(project: Project, path: Path) -> tuple[bytes, dict[str, int | str]]:
    from fabai.evidence.record import annex, by_paragraph, disclosure

    kind = _kind(path, ".docx", ".xlsx", ".md", ".pdf", ".txt")
    verdict = project.verify_record()
    told: dict[str, int | str] = {"rows": verdict.rows, "head": verdict.head or "none"}
    for fault in verdict.faults:
        show.notice(fault)
    if kind == ".txt":
        return f"{disclosure(project)}\n".encode(), told
    if kind == ".xlsx":
        from fabai.evidence.sheet import workbook
        from fabai.evidence.wording import evidence_words

        return workbook(by_paragraph(project), evidence_words(project.language).record), told
    return _document(annex(project), kind, landscape=True), told


def _kind(path: Path, *known: str) -> str:
    if path.is_dir() or path.suffix.lower() not in known:
        raise UsageError(f"'{path}' does not say what to write: end its name in one of {', '.join(known)}")
    return path.suffix.lower()


def _document(report: Report, kind: str, landscape: bool) -> bytes:
    if kind == ".md":
        under = replace(report, sections=tuple(replace(one, level=one.level + 1) for one in report if one.level))
        front = "".join(f"{one.text}\n\n" for one in report if not one.level)
        return f"# {report.title}\n\n{front}{markdown(under)}".encode()
    from fabai.evidence.paper import word_file

    data = word_file(report, landscape=landscape)
    if kind == ".docx":
        return data
    from fabai.formats.libreoffice import to_pdf

    return to_pdf(data)
