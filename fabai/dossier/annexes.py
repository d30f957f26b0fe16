"""Photos and proofs of a project: kept in its file, linked to rows of the lists, numbered, and what is missing.

Knows which file proves which row: as the row names it, by the invoice's number in the file's name, or as a person says.
Does not know how annexes become one PDF (fabai.submission.annexes).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fabai.checks.violation import Findings, Severity, Violation
from fabai.dossier.expense import Expense
from fabai.dossier.kept import as_json, build
from fabai.dossier.lists import expenses
from fabai.errors import BadSetting, UnknownName, UnreadableFile
from fabai.form import Form, in_language
from fabai.formats.exif import without_metadata
from fabai.formats.media import picture_type
from fabai.ordinary import contents
from fabai.report import Language, fold
from fabai.settings import ReadingLimits
from fabai.store.project import Project

_LIMITS = ReadingLimits()
_PICTURES = ("jpg", "jpeg", "png", "gif", "webp", "tif", "tiff", "bmp")
_PAYMENT = re.compile(r"pag|pay|transf|rebut|recib|bank|extract", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Photo:
    """name: what the text refers to ("media/placa.jpg"). file: as it came. lighter: bytes of metadata taken out."""

    name: str
    file: str
    sha256: str
    lighter: int = 0


@dataclass(frozen=True, slots=True)
class Proof:
    """rows: keys of the rows that it proves. annex: id of the form's annex that it is. payment: proves a payment."""

    file: str
    sha256: str
    rows: tuple[str, ...] = ()
    annex: str = ""
    payment: bool = False


@dataclass(frozen=True, slots=True)
class Annex:
    """A numbered annex. rows: the expenses that it proves, as numbers of the list from 1."""

    number: int
    title: str
    file: str
    sha256: str
    rows: tuple[int, ...] = ()


def row_key(expense: Expense) -> str:
    """What a proof is linked to: file, sheet and row."""
    return f"{expense.place.file}\x1f{expense.place.sheet}\x1f{expense.place.row}"


def add_photo(project: Project, path: Path) -> Photo:
    """Keep a photo without what the camera wrote into it. UnreadableFile where it is no picture."""
    data = contents(path, _LIMITS.file_bytes, path.name)
    if picture_type(data) not in _PICTURES:
        raise UnreadableFile(f"{path.name} is no picture that can be shown: save it as .jpg or .png")
    plain = without_metadata(data)
    stem = re.sub(r"[^\w.-]+", "-", path.name)
    name = project.workbench.add_media(f"media/{stem}", plain)
    photo = Photo(name, path.name, sha256(plain).hexdigest(), len(data) - len(plain))
    project.items().save("photo", [(name, as_json(photo))], event="photo")
    return photo


def photos(project: Project) -> tuple[Photo, ...]:
    return tuple(build(Photo, item.data) for item in project.items().all("photo") if item.data is not None)


def add_proof(project: Project, path: Path) -> Proof:
    """Keep a proof (PDF or picture) and link it to the rows that it proves, where its name tells."""
    data = contents(path, _LIMITS.file_bytes, path.name)
    if not data[:1024].lstrip().startswith(b"%PDF") and picture_type(data) not in _PICTURES:
        raise UnreadableFile(f"{path.name} is no PDF and no picture: print it to PDF and take that")
    attached = project.items().attach(path.name, data)
    rows = expenses(project)
    linked = tuple(row_key(one) for one in rows if _proves(path, one))
    known = next((one for one in proofs(project) if one.sha256 == attached.sha256), None)
    if known is not None:
        linked = tuple(dict.fromkeys((*known.rows, *linked)))
    proof = Proof(
        path.name, attached.sha256, linked, "" if known is None else known.annex, _PAYMENT.search(path.stem) is not None
    )
    project.items().save("proof", [(proof.sha256, as_json(proof))], event="proof")
    return proof


def _proves(path: Path, expense: Expense) -> bool:
    named = {fold(Path(one).stem) for one in (expense.proof, expense.payment_proof) if one}
    if fold(path.stem) in named:
        return True
    number = re.sub(r"[^a-z0-9]", "", fold(expense.number))
    plain = re.sub(r"[^a-z0-9]+", " ", fold(path.stem)).split()
    joined = "".join(plain)
    # a short number is in many names; it must stand alone, or the supplier with it
    creditor = [word for word in fold(expense.creditor).split() if len(word) > 3]
    alone = number in plain or joined == number
    return (
        bool(number)
        and not named
        and ((len(number) >= 4 and number in joined) or alone)
        and (len(number) >= 5 or alone or any(word in joined for word in creditor))
    )


def proofs(project: Project) -> tuple[Proof, ...]:
    return tuple(build(Proof, item.data) for item in project.items().all("proof") if item.data is not None)


def link(project: Project, file: str, rows: Sequence[int], annex: str = "") -> Proof:
    """Say which expenses (numbers of the list, from 1) or which of the form's annexes a proof is."""
    proof = next((one for one in proofs(project) if one.file == file), None)
    if proof is None:
        raise UnknownName.nearest("proof", file, (one.file for one in proofs(project)))
    every = expenses(project)
    wrong = next((number for number in rows if not 1 <= number <= len(every)), None)
    if wrong is not None:
        raise BadSetting(f"there is no expense {wrong}; the list has {len(every)}")
    ids = [one.id for one in project.form.annexes]
    if annex and annex not in ids:
        raise UnknownName.nearest(f"annex of the form '{project.form.id}'", annex, ids)
    keys = tuple(row_key(every[number - 1]) for number in rows) if rows else proof.rows
    new = Proof(proof.file, proof.sha256, keys, annex or proof.annex, proof.payment)
    project.items().save("proof", [(new.sha256, as_json(new))], event="proof")
    return new


def annexes(project: Project) -> tuple[Annex, ...]:
    """The form's annexes first, then the proofs in the order of the expense rows, then the others, numbered from 1."""
    every = expenses(project)
    position = {row_key(one): number for number, one in enumerate(every, start=1)}
    order = [one.id for one in project.form.annexes]
    names = {one.id: in_language(one.name, project.language) for one in project.form.annexes}
    last = len(position) + 1

    def place(proof: Proof) -> tuple[int, int, bool, str]:
        rows = [position[key] for key in proof.rows if key in position]
        if proof.annex in order:
            return 0, order.index(proof.annex), proof.payment, proof.file
        return 1, min(rows, default=last), proof.payment, proof.file

    out = []
    for number, proof in enumerate(sorted(proofs(project), key=place), start=1):
        rows = tuple(sorted(position[key] for key in proof.rows if key in position))
        first = every[rows[0] - 1] if rows else None
        title = names.get(proof.annex) or (
            proof.file if first is None else f"{first.creditor} · {first.number}".strip(" ·")
        )
        out.append(Annex(number, title or proof.file, proof.file, proof.sha256, rows))
    return tuple(out)


def missing(project: Project) -> Findings:
    """Expenses that nothing proves, and required annexes of the form that are not there."""
    linked = {key for proof in proofs(project) if not proof.payment for key in proof.rows}
    paid = {key for proof in proofs(project) if proof.payment for key in proof.rows}
    found = []
    for number, one in enumerate(expenses(project), start=1):
        name = f"{number}. {one.creditor} · {one.number}"
        if row_key(one) not in linked | paid:
            found.append(Violation("proof-missing", None, "error", "", name, one.proof, evidence=str(one.place)))
        elif one.payment_proof and row_key(one) not in paid:
            found.append(
                Violation("payment-proof-missing", None, "error", "", name, one.payment_proof, evidence=str(one.place))
            )
    have = {proof.annex for proof in proofs(project)}
    absent = without_annex(project.form, have, project.language, "warning")
    return Findings((*found, *absent))


def without_annex(form: Form, have: Collection[str], language: Language, severity: Severity) -> list[Violation]:
    """A finding for each annex that the form requires and whose id is not among those at hand."""
    return [
        Violation("annex-missing", None, severity, "", in_language(annex.name, language), annex.id)
        for annex in form.annexes
        if annex.required and annex.id not in have
    ]
