"""Partners as the pages show them: who writes what, the files that go out to them and come back, clashes to settle.

Knows what a person decides before a returned file is taken in. Does not know Word files or how texts are merged
(fabai.dossier).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.dossier import partners as kept
from fabai.dossier.changes import changes
from fabai.dossier.changes import decide as decide_changes
from fabai.dossier.merging import merge, partner_of
from fabai.dossier.packs import make_pack
from fabai.dossier.partner import Contribution, Partner
from fabai.dossier.partners import add_partner, contributions, find_partner, status_of
from fabai.dossier.returned import Part, read_returned
from fabai.errors import BadSetting, UnknownName
from fabai.report import count_words
from fabai.store.project import Project
from fabai.store.record import Made

from .call import Answer, Call
from .intake import refused
from .material import changed
from .submission import put
from .waiting import Waiting
from .workspace import slug

_CHANGES = 400  # that are shown one by one; what lies beyond goes with its author


@dataclass(frozen=True, slots=True)
class Back:
    """A returned file that waits."""

    path: Path


DESK = Waiting[Back]()


def listed(call: Call) -> Answer:
    """Every partner with the sections asked for and how each stands, the files that came, what clashes."""
    with call.project() as project:
        headings = {one.id: one.heading for one in project.report()}
        status = status_of(project)
        files = contributions(project)
        return {
            "partners": [
                {
                    "id": one.id,
                    "name": one.name,
                    "sections": [
                        {"id": section, "heading": headings.get(section, ""), "status": state}
                        for section, state in status.get(one.id, {}).items()
                    ],
                }
                for one in kept.partners(project)
            ],
            "files": [_file(one) for one in files],
            "clashes": [one for file in files for one in _clashes(file, status, headings)],
        }


def add(call: Call) -> Answer:
    """Add a partner or change what they write. id: a short name; where there is none it is made of the name."""
    name = call.text("name").strip()
    if not name:
        raise BadSetting("give the partner a name")
    with call.project() as project:
        known = {one.id for one in kept.partners(project)}
        short = call.text("id", "").strip() or _short(name, known)
        add_partner(project, short, name, [str(one) for one in call.several("sections")])
    changed(call, "partners")
    return listed(call)


def pack(call: Call) -> Answer:
    """The Word file in which a partner writes."""
    with call.project() as project:
        project.workbench.settle()
        partner = find_partner(project, call.text("partner"))
        if not partner.sections:
            raise BadSetting("this partner is asked for no section yet: choose at least one")
        data = make_pack(project, partner.id)
    changed(call, "partners")
    return {**put(call, data, "docx", f"{call.name}-{slug(partner.id)}"), "notices": []}


def look(call: Call, path: Path) -> Answer:
    """What a returned file holds and whose it seems to be; nothing is taken in yet."""
    with call.project() as project:
        known = kept.partners(project)
        if not known:
            raise BadSetting("there are no partners yet: add them first, with the sections that each writes")
        try:
            partner: Partner | None = partner_of(project, path)
        except UnknownName:
            partner = None
        wanted = call.text("partner", "")
        if wanted:
            partner = find_partner(project, wanted)
        answer = {"token": DESK.put(Back(path)), "filename": path.name, "partner": partner.id if partner else ""}
        return {**answer, **_shown(project, path, partner), "partners": [_name(one) for one in known]}


def again(call: Call) -> Answer:
    """The same file as another partner's."""
    return look(call, DESK.get(call.text("token")).path)


def take(call: Call) -> Answer:
    """Take a returned file in, without the tracked changes that the person refused."""
    one = DESK.get(call.text("token"))
    with call.project() as project:
        project.workbench.settle()
        partner = find_partner(project, call.text("partner"))
        if not partner.sections:
            raise BadSetting("this partner is asked for no section yet: choose at least one")
        authors, single = refused(call)
        merged = merge(project, partner, one.path, authors, call.flag("anyway"), single)
    call.tell("frame")
    changed(call, "partners")
    return {**listed(call), "taken": _file(merged.contribution)}


def settle(call: Call) -> Answer:
    """Choose between two texts of a section: the partner's, or the one that stands."""
    section, version = call.text("section"), call.number("version")
    with call.project() as project:
        if call.flag("theirs"):
            project.workbench.settle(section)
            found = next((one for one in project.versions(section) if one.id == version), None)
            if found is None:
                raise UnknownName("this text is not among the section's versions any more: reload the page")
            made = Made(found.made.writer, settings={**found.made.settings, "chosen_by": call.shown})
            project.workbench.reopen(section)
            project.workbench.write(section, found.text, made, project.workbench.standing(section).token)
        kept.settle(project, call.text("partner"), section)
    call.tell("section", section=section)
    changed(call, "partners")
    return listed(call)


def tracked(call: Call) -> Answer:
    """The tracked changes of a partner's file, each accepted or refused."""
    with call.project() as project:
        headings = {one.id: one.heading for one in project.report()}
        found = [one for one in changes(project, call.text("partner")) if one.sha256 == call.text("sha256")]
    return {
        "changes": [
            {
                "number": one.number,
                "author": one.author,
                "kind": one.kind,
                "text": one.text,
                "paragraph": one.paragraph,
                "heading": headings.get(one.section, ""),
                "refused": one.refused,
            }
            for one in found
        ]
    }


def decide(call: Call) -> Answer:
    """Refuse single tracked changes of a file that was taken in, or accept them again."""
    with call.project() as project:
        project.workbench.settle()
        moved = decide_changes(project, call.numbers("numbers"), call.flag("refused"))
    for piece in moved:
        call.tell("section", section=piece.section)
    changed(call, "partners")
    return tracked(call)


def _shown(project: Project, path: Path, partner: Partner | None) -> dict[str, Any]:
    report = project.report()
    asked = [one for one in report if partner is None or one.id in partner.sections]
    returned = read_returned(path, asked)
    headings = {one.id: one.heading for one in report}
    before = [one for one in contributions(project) if partner is not None and one.partner == partner.id]
    counts = Counter((one.author, one.kind) for _, one in returned.changes)
    packs = {item.key for item in project.items().all("pack")}
    return {
        "sections": [
            {"heading": headings[one.section], "renamed": one.renamed, "words": _words(one)} for one in returned.parts
        ],
        "absent": [one.heading for one in asked if partner and one.id not in {each.section for each in returned.parts}],
        "rest": [one.heading for one in returned.rest],
        "authors": [
            {"author": author, "insertion": counts[author, "insertion"], "deletion": counts[author, "deletion"]}
            for author in dict.fromkeys(one.author for _, one in returned.changes)
        ],
        "changes": [
            {"author": one.author, "kind": one.kind, "text": one.text} for _, one in returned.changes[:_CHANGES]
        ],
        "comments": [{"author": one.author, "text": one.text, "quote": one.quote} for _, one in returned.comments],
        "foreign": bool(returned.pack) and returned.pack not in packs,
        "same": any(one.sha256 == returned.sha256 for one in before),
        "earlier": next((one.file for one in reversed(before) if one.sha256 != returned.sha256), ""),
        "notices": list(returned.notices),
    }


def _words(part: Part) -> int:
    return count_words(part.text) + sum(count_words(text) for _, _, text in part.below)


def _file(one: Contribution) -> dict[str, Any]:
    return {
        "partner": one.partner,
        "file": one.file,
        "sha256": one.sha256[:12],
        "received": one.received,
        "changes": one.changes,
        "notes": one.notes,
        "unplaced": [heading for heading in one.unplaced if heading],
        "statuses": dict(Counter(piece.status for piece in one.pieces)),
    }


def _clashes(file: Contribution, status: dict[str, dict[str, Any]], headings: dict[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "partner": file.partner,
            "file": file.file,
            "section": piece.section,
            "heading": headings.get(piece.section, ""),
            "version": piece.version,
        }
        for piece in file.pieces
        if piece.status == "conflict" and status[file.partner].get(piece.section) == "conflict"
    ]


def _name(one: Partner) -> dict[str, str]:
    return {"id": one.id, "name": one.name}


def _short(name: str, known: set[str]) -> str:
    """A short name of a partner: the initials, else the beginning, with a number where it is taken."""
    words = re.findall(r"[A-Za-z0-9]+", slug(name))
    initials = "".join(word[0] for word in words if len(word) > 2 or word.isdigit()).upper()
    base = initials if len(initials) > 1 else ("".join(words)[:4].upper() or "S")
    return next(one for one in (base, *(f"{base}{n}" for n in range(2, 1000))) if one not in known)
