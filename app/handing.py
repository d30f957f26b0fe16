"""Handing in: what still stands in the way, the package, what was handed in before, and what a funder may ask for
beside it: how the AI was used, what each figure rests on.

Knows what goes where. Does not know what a package holds (fabai.submission) or what was recorded (fabai.evidence).
"""

from __future__ import annotations

import io
import json
import zipfile
from datetime import date
from pathlib import PurePath

from fabai.checks.violation import Violation
from fabai.checks.wording import sentence
from fabai.errors import UsageError
from fabai.evidence import paper
from fabai.evidence.record import annex
from fabai.evidence.sheet import workbook
from fabai.evidence.table import document, rows
from fabai.evidence.trace import trace
from fabai.evidence.wording import evidence_words
from fabai.formats.libreoffice import to_archival_pdf
from fabai.report import Language
from fabai.submission.annexes import files_of
from fabai.submission.document import with_cover, word_file
from fabai.submission.merge import remember
from fabai.submission.package import make_package

from .call import Answer, Call
from .said import known
from .submission import put

_EVIDENCE: dict[Language, str] = {"es": "evidencias", "ca": "evidencies", "en": "evidence"}


def missing(call: Call) -> Answer:
    """What must be mended before the report is presented, in the page's language; what two rules say of one place is
    said once.
    """
    with call.project() as project:
        found = call.house.watch.in_the_way(project)
    places: dict[object, Violation] = {}
    for number, one in enumerate(found.violations):
        places.setdefault((one.section, one.quote) if one.quote else number, one)
    rows = [{"section": one.section, "sentence": sentence(one, call.language)} for one in places.values()]
    return {"missing": rows, "notices": list(found.notices)}


def package(call: Call) -> Answer:
    """All that is handed in, as one zip. Where something is missing it is a draft, says so, and nothing is frozen."""
    with call.project() as project:
        project.workbench.settle()
        notices: list[str] = []
        word = word_file(project, with_cover(project, {}), None, notices)
        found = call.house.watch.in_the_way(project)
        made = make_package(project, word, files_of(project), to_archival_pdf, today=date.today(), found=found)
        if made.ready:
            project.presented.add(made.files[0].name, made.document, made.manifest)
        remember(project)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in made.files:
            archive.writestr(file.name, file.data)
    files_in = [{"name": file.name, "bytes": len(file.data)} for file in made.files]
    # what stops an annex is said in English, the rest in the report's own language
    lacking = [known(one, call.language) or one for one in made.missing]
    done = {"missing": lacking, "ready": made.ready, "files": files_in, "notices": notices}
    return {**put(call, packed.getvalue(), "zip"), **done}


def presented(call: Call) -> Answer:
    """The reports that were handed in, the newest first; each stays as it was."""
    with call.project() as project:
        ones = [
            {
                "id": one.id,
                "created": one.created,
                "name": one.name,
                "sha256": one.sha256,
                "files": _names(one.manifest),
            }
            for one in project.presented.all()
        ]
    return {"presented": ones[::-1]}


def presented_file(call: Call) -> Answer:
    """The Word file of a report that was handed in, byte for byte."""
    with call.project() as project:
        found = {one.id: one for one in project.presented.all()}
    one = found.get(call.number("id"))
    if one is None:
        raise UsageError("this version was never presented: reload the page")
    return {**put(call, one.document, "docx", PurePath(one.name).stem), "notices": []}


def record(call: Call) -> Answer:
    """What the AI wrote, with which model, and who reviewed it; only made when somebody asks."""
    with call.project() as project:
        project.workbench.settle()
        data = paper.word_file(annex(project), landscape=False)
    return {**put(call, data, "docx", f"{call.name}-ia"), "notices": []}


def evidence(call: Call) -> Answer:
    """Every figure with its sentence, file, place and reviewer, as a spreadsheet or a Word file."""
    kind = call.text("kind")
    if kind not in ("xlsx", "docx"):
        raise UsageError("the page asked for something unknown: reload it")
    with call.project() as project:
        project.workbench.settle()
        lines, language = trace(project), project.language
        without = sum(one.kind == "none" for one in lines)
        if kind == "xlsx":
            data = workbook(rows(lines, language), evidence_words(language).evidence, range(without))
        else:
            data = paper.word_file(document(lines, project.title, language), landscape=True)
    told = {"figures": len(lines), "without": without, "notices": []}
    return {**put(call, data, kind, f"{call.name}-{_EVIDENCE[language]}"), **told}


def _names(manifest: str) -> list[str]:
    return [str(one["name"]) for one in json.loads(manifest).get("files", ())]
