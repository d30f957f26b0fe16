"""The package that is handed in, and the record of how the AI was used, for whoever is asked for one.

Knows what goes where. Does not know what a package holds (fabai.submission) or what was recorded (fabai.evidence).
"""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

from fabai.dossier.annexes import annexes
from fabai.evidence import paper
from fabai.evidence.record import annex
from fabai.formats.libreoffice import to_archival_pdf
from fabai.submission.annexes import AnnexFile
from fabai.submission.document import with_cover, word_file
from fabai.submission.package import make_package

from .call import Answer, Call
from .submission import put


def package(call: Call) -> Answer:
    """All that is handed in, as one zip. Where something is missing it is a draft, says so, and nothing is frozen."""
    with call.project() as project:
        project.workbench.settle()
        notices: list[str] = []
        document = word_file(project, with_cover(project, {}), None, notices)
        items = project.items()
        files = [
            AnnexFile(one.title, Path(one.file).suffix.lower().lstrip("."), items.attachment(one.sha256).data)
            for one in annexes(project)
        ]
        made = make_package(project, document, files, to_archival_pdf, today=date.today())
        if made.ready:
            project.presented.add(made.files[0].name, made.document, made.manifest)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in made.files:
            archive.writestr(file.name, file.data)
    done = {"missing": list(made.missing), "ready": made.ready, "notices": notices}
    return {**put(call, packed.getvalue(), "zip"), **done}


def record(call: Call) -> Answer:
    """What the AI wrote, with which model, and who reviewed it; only made when somebody asks."""
    with call.project() as project:
        project.workbench.settle()
        data = paper.word_file(annex(project), landscape=False)
    return {**put(call, data, "docx", f"{call.name}-ia"), "notices": []}
