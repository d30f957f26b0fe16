"""Proofs, photos and publications as the pages show them: numbered annexes, what each proves, what is missing.

Knows what may be linked and downloaded. Does not know how proofs are recognised or made into one PDF (fabai).
"""

from __future__ import annotations

from pathlib import Path, PurePath

from fabai.dossier.annexes import add_photo, add_proof, annexes, missing, photos, proofs
from fabai.dossier.annexes import link as link_proof
from fabai.dossier.expenses import expenses
from fabai.dossier.publications import add_publications, read_publications
from fabai.dossier.rules import money
from fabai.dossier.wording import sentence
from fabai.errors import UnknownName
from fabai.form import in_language
from fabai.submission.annexes import together as merged

from .call import Answer, Call
from .material import changed
from .submission import put


def listed(call: Call) -> Answer:
    """The annexes in their order, what the form asks for, what nothing proves, the photos."""
    language = call.language
    with call.project() as project:
        found, rows = annexes(project), expenses(project)
        payments = {one.file for one in proofs(project) if one.payment}
        asked = {one.file: one.annex for one in proofs(project)}
        have = {one for one in asked.values() if one}
        lacking = missing(project).violations if rows or project.form.annexes else ()
        pictures = photos(project)
        forms = [
            {
                "id": one.id,
                "name": in_language(one.name, language),
                "required": one.required,
                "there": one.id in have,
            }
            for one in project.form.annexes
        ]
    return {
        "annexes": [
            {
                "number": one.number,
                "title": one.title,
                "file": one.file,
                "sha256": one.sha256,
                "rows": list(one.rows),
                "annex": asked.get(one.file, ""),
                "payment": one.file in payments,
            }
            for one in found
        ],
        "form": forms,
        # what the form asks for stands in its own list
        "missing": [
            {"severity": one.severity, "sentence": sentence(one, language)}
            for one in lacking
            if one.rule != "annex-missing"
        ],
        "photos": [{"name": one.name, "file": one.file, "lighter": one.lighter} for one in pictures],
        "rows": [
            {
                "number": number,
                "label": " · ".join(
                    part
                    for part in (one.creditor, one.number, "" if one.amount is None else money(one.amount, language))
                    if part
                ),
            }
            for number, one in enumerate(rows, start=1)
        ],
    }


def link(call: Call) -> Answer:
    """Say which expenses, by number, or which annex of the form a proof is."""
    rows = call.numbers("rows")
    with call.project() as project:
        link_proof(project, call.text("file"), rows, call.text("annex", ""))
    changed(call, "annexes")
    return listed(call)


def opened(call: Call) -> Answer:
    """A proof as it came, to be downloaded."""
    with call.project() as project:
        known = {one.sha256: one.file for one in proofs(project)}
        digest = call.text("sha256")
        if digest not in known:
            raise UnknownName("this proof is not here any more: reload the page")
        data = project.items().attachment(digest).data
    pure = PurePath(known[digest])
    return {**put(call, data, pure.suffix.lower().lstrip("."), pure.stem), "notices": []}


def together(call: Call) -> Answer:
    """Every annex in one PDF with an index."""
    with call.project() as project:
        made = merged(project)
    return {**put(call, made.parts[0], "pdf", f"{call.name}-anexos"), "notices": list(made.faults)}


def add_proof_file(call: Call, path: Path) -> Answer:
    """Keep a proof; rows: the expenses that its name tells, by number."""
    with call.project() as project:
        proof = add_proof(project, path)
        rows = next(one.rows for one in annexes(project) if one.sha256 == proof.sha256)
    changed(call, "annexes")
    return {"filename": path.name, "rows": list(rows)}


def add_photo_file(call: Call, path: Path) -> Answer:
    """Keep a photo without what the camera wrote into it."""
    with call.project() as project:
        photo = add_photo(project, path)
    changed(call, "annexes")
    return {"filename": path.name, "name": photo.name, "lighter": photo.lighter}


def add_publication_file(call: Call, path: Path) -> Answer:
    """Take a bibliography in; publications that are known are completed."""
    found = read_publications(path)
    with call.project() as project:
        new = add_publications(project, found)
    changed(call, "lists")
    return {"filename": path.name, "count": len(found.publications), "new": new, "notices": list(found.notices)}
