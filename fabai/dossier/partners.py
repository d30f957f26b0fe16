"""The partners of a project: who is asked for which sections, what came back, and how each section stands.

Knows the records in the project. Does not know Word files, nor how a file is made (fabai.dossier.packs) or taken in
(fabai.dossier.merging).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from fabai.dossier.kept import as_json, build
from fabai.dossier.partner import Contribution, Partner, Piece, SlotStatus
from fabai.errors import BadSetting, UnknownName
from fabai.store.project import Project


def partners(project: Project) -> tuple[Partner, ...]:
    """In the order in which they were added."""
    return tuple(build(Partner, item.data) for item in project.items().all("partner") if item.data is not None)


def add_partner(project: Project, partner_id: str, name: str, sections: Sequence[str]) -> Partner:
    """Add a partner or change what they are asked for; sections by id, number or heading."""
    if not partner_id.strip() or not partner_id.replace("-", "").replace("_", "").isalnum():
        raise BadSetting(f"'{partner_id}' is no short name of a partner: take letters and digits, such as FAC")
    report = project.report()
    found = tuple(dict.fromkeys(report.find(one).id for one in sections))
    partner = Partner(partner_id, name.strip() or partner_id, found)
    project.items().save("partner", [(partner_id, as_json(partner))], event="partner")
    return partner


def find_partner(project: Project, partner_id: str) -> Partner:
    known = {one.id: one for one in partners(project)}
    if partner_id not in known:
        raise UnknownName.nearest("partner", partner_id, known)
    return known[partner_id]


def contributions(project: Project) -> tuple[Contribution, ...]:
    """Every returned file, in the order in which they came."""
    found = project.items().all("contribution")
    return tuple(build(Contribution, item.data) for item in found if item.data is not None)


def status_of(project: Project) -> dict[str, dict[str, SlotStatus]]:
    """Partner id -> section id -> how it stands; the newest file of a partner counts, a conflict until "
    "it is settled."""
    out: dict[str, dict[str, SlotStatus]] = {one.id: dict.fromkeys(one.sections, "asked") for one in partners(project)}
    sections = {one.id: one for one in project.report()}
    for one in contributions(project):
        for piece in one.pieces:
            status = piece.status
            shown = sections.get(piece.section)
            if status in ("returned", "conflict") and shown is not None and shown.status == "accepted":
                status = "accepted"
            out.setdefault(one.partner, {})[piece.section] = status
    return out


def settle(project: Project, partner_id: str, section_id: str) -> None:
    """A person has chosen between the texts of a section: the partner's files clash there no longer."""
    settled = []
    for one in contributions(project):
        if one.partner == partner_id and any(_clashes(piece, section_id) for piece in one.pieces):
            chosen = tuple(
                replace(piece, status="returned") if _clashes(piece, section_id) else piece for piece in one.pieces
            )
            settled.append((f"{partner_id}/{one.sha256}", as_json(replace(one, pieces=chosen))))
    project.items().save("contribution", settled, event="partner")


def _clashes(piece: Piece, section_id: str) -> bool:
    return piece.section == section_id and piece.status == "conflict"


def text_hash(text: str) -> str:
    """Of the words alone: spaces and line ends do not count."""
    return sha256(" ".join(text.split()).encode()).hexdigest()


def sharing(project: Project, partner: Partner, section_id: str) -> bool:
    """Whether others write the section too."""
    return any(section_id in one.sections and one.id != partner.id for one in partners(project))


def pieces(project: Project, section_id: str) -> dict[str, str]:
    """What each partner last sent for a section."""
    texts: dict[str, str] = {}
    for one in contributions(project):
        for piece in one.pieces:
            if piece.section == section_id and piece.text.strip():
                texts[one.partner] = piece.text
    return texts


def joined(project: Project, texts: Mapping[str, str]) -> str:
    """The texts of several partners for one section, one after the other in the order of the partners."""
    return "\n\n".join(texts[one.id].strip() for one in partners(project) if texts.get(one.id, "").strip())
