"""Handing in: pages against their limits before anything is downloaded, portal fields to copy, the files.

Knows what a person must see last. Does not know how files are made. Only what was made here can be downloaded, by a
token that belongs to its workspace.
"""

from __future__ import annotations

import secrets
import subprocess
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fabai.checks.limits import applying, measure
from fabai.checks.pages import check_pages
from fabai.checks.wording import sentence
from fabai.dossier.references import worded
from fabai.errors import ExportError, MissingPart, UsageError
from fabai.form import SectionSpec
from fabai.formats import libreoffice
from fabai.report import Report
from fabai.store.project import Project
from fabai.submission.document import markdown, with_cover, word_file
from fabai.submission.merge import remember

from .call import Answer, Call

_KEPT = 64  # files ready to be downloaded
_SECONDS = 120.0
_TYPES = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
    "md": "text/markdown; charset=utf-8",
    "zip": "application/zip",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv; charset=utf-8",
}
_OTHER = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class Ready:
    """A file that may be downloaded. folder: the workspace that it belongs to."""

    folder: Path
    path: Path
    filename: str
    media_type: str


class Shelf:
    """Files ready to be downloaded and pages ready to be looked at; the oldest are deleted."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ready: OrderedDict[str, Ready] = OrderedDict()

    def put(self, ready: Ready) -> str:
        token = secrets.token_urlsafe(18)
        with self._lock:
            self._ready[token] = ready
            while len(self._ready) > _KEPT * 4:
                _, old = self._ready.popitem(last=False)
                old.path.unlink(missing_ok=True)
        return token

    def get(self, token: str, folder: Path) -> Ready | None:
        with self._lock:
            found = self._ready.get(token)
        return found if found is not None and found.folder == folder else None


SHELF = Shelf()


def fields(call: Call) -> Answer:
    """Every section that a portal's form asks for as plain text, with its count, and whether this text was pasted."""
    with call.project() as project:
        report = worded(project, project.report())
        ticks = project.workbench.ticks()
        specs = {one.id: project.form.spec(one.spec) for one in report}
        web = [one for one in report if (spec := specs[one.id]) is not None and spec.kind == "web"]
        shown = web or [one for one in report if _counted(project, report, one.spec)]
        plain = call.house.plain.of([one.text for one in shown])
        rows = []
        for section, text in zip(shown, plain, strict=True):
            digest = sha256(text.encode()).hexdigest()
            spec = specs[section.id]
            rows.append(
                {
                    "id": section.id,
                    "heading": section.heading,
                    "text": text,
                    # where a portal counts a line break as two characters, two are copied
                    "copy": text.replace("\n", "\r\n") if _two(spec, report) else text,
                    "digest": digest,
                    "pasted": ticks.get(section.id) == digest,
                    "stale": section.id in ticks and ticks[section.id] != digest,
                    "limits": [
                        {
                            "unit": limit.unit,
                            "break": limit.line_break,
                            "count": measure(text, limit.unit, limit.line_break),
                            "maximum": limit.maximum,
                            "minimum": limit.minimum,
                        }
                        for limit in ([] if spec is None else applying(spec.limits, report))
                        if limit.unit != "pages"
                    ],
                }
            )
        return {"fields": rows}


def tick(call: Call) -> Answer:
    """A text was pasted into the portal, or the mark is taken away."""
    with call.project() as project:
        project.workbench.tick(call.text("section"), call.text("digest") if call.flag("pasted") else None)
    return fields(call)


def pages(call: Call) -> Answer:
    """The document as it would be handed in, page by page, and what its limits say of them."""
    with call.project() as project:
        project.workbench.settle()
        notices: list[str] = []
        report = with_cover(project, {})
        docx = word_file(project, report, None, notices)
        pdf = libreoffice.to_pdf(docx)
        call.house.pages.keep(project, call.place, docx, pdf)
        found = check_pages(project.report(), project.form, lambda _: docx, lambda _: pdf)
        images = _images(call, pdf, call.house.settings.page_dpi)
        return {
            "pages": images,
            "count": libreoffice.pages(pdf),
            "limits": [
                {"maximum": one.maximum, "minimum": one.minimum}
                for one in applying(project.form.limits, report)
                if one.unit == "pages"
            ],
            "findings": [sentence(one, call.language) for one in found.violations],
            "notices": [*notices, *found.notices],
        }


def export(call: Call) -> Answer:
    """Make a file to download: Word, PDF or Markdown. fresh: in our own look, not the imported document changed."""
    kind = call.text("kind")
    if kind not in ("docx", "pdf", "md"):
        raise UsageError("choose Word, PDF or Markdown")
    with call.project() as project:
        project.workbench.settle()
        notices: list[str] = []
        report = with_cover(project, {})
        data = _made(project, report, kind, notices, fresh=call.flag("fresh"))
        if kind == "docx":
            # so that what is changed in the file can be told from what is changed here
            remember(project)
    return {**put(call, data, kind), "notices": notices}


def _made(project: Project, report: Report, kind: str, notices: list[str], *, fresh: bool) -> bytes:
    if kind == "md":
        return markdown(report).encode()
    data = word_file(project, report, None, notices, fresh=fresh)
    return libreoffice.to_pdf(data) if kind == "pdf" else data


def put(call: Call, data: bytes, kind: str, name: str = "") -> Answer:
    """Have a file wait for its download."""
    path = call.space.room("exports", call.name) / f"{secrets.token_hex(8)}.{kind}"
    path.write_bytes(data)
    ready = Ready(call.space.folder, path, f"{name or call.name}.{kind}", _TYPES.get(kind, _OTHER))
    return {"url": f"download/{SHELF.put(ready)}", "filename": ready.filename, "bytes": len(data)}


def _images(call: Call, pdf: bytes, dpi: int) -> list[str]:
    folder = call.space.room("exports", call.name)
    stem = secrets.token_hex(8)
    source = folder / f"{stem}.pdf"
    source.write_bytes(pdf)
    try:
        _run(["pdftoppm", "-r", str(dpi), "-png", str(source), str(folder / stem)])
    finally:
        source.unlink(missing_ok=True)
    found = sorted(folder.glob(f"{stem}-*.png"))
    return [
        f"download/{SHELF.put(Ready(call.space.folder, path, f'{number}.png', 'image/png'))}"
        for number, path in enumerate(found, 1)
    ]


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603 - fixed words
    except FileNotFoundError:
        raise MissingPart("pages are drawn by pdftoppm, which is missing: apt-get install poppler-utils") from None
    except subprocess.TimeoutExpired:
        raise ExportError("drawing the pages took too long: download the PDF and look at it there") from None
    if done.returncode != 0:
        raise ExportError("the pages cannot be drawn: download the PDF and look at it there")


def _two(spec: SectionSpec | None, report: Report) -> bool:
    return spec is not None and any(one.line_break == 2 for one in applying(spec.limits, report))


def _counted(project: Project, report: Report, spec_id: str | None) -> bool:
    spec = project.form.spec(spec_id)
    units = {one.unit for one in applying(spec.limits, report)} if spec is not None else set()
    return bool(units & {"characters", "characters_without_spaces"})
