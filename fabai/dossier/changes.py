"""The tracked changes that came with partners' files, and a person's decision on each one.

Knows that a file was taken in with its changes accepted and is kept as it came, so that it can be read again without
those that are refused. Does not know WordprocessingML.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from fabai.dossier.kept import as_json
from fabai.dossier.partner import Contribution, Piece
from fabai.dossier.partners import contributions, find_partner, joined, pieces, sharing, text_hash
from fabai.dossier.returned import Returned, read_returned, with_names
from fabai.errors import UnknownName
from fabai.store.project import Project
from fabai.store.record import Made

_KIND = "partner-change"


@dataclass(frozen=True, slots=True)
class PartnerChange:
    """number: by which a person names it, from 1 over all files. position: in its file, from 0. section "": it stands
    in none that the partner was asked for.
    """

    number: int
    key: str
    partner: str
    file: str
    section: str
    author: str
    date: str
    kind: str
    text: str
    paragraph: str
    position: int = 0
    refused: bool = False

    @property
    def sha256(self) -> str:
        """Of the file, its first characters."""
        return self.key.split("/")[1]


def keep_changes(
    project: Project, partner: str, returned: Returned, refuse: Collection[str], single: Collection[int] = ()
) -> None:
    """Note the changes of a file that is taken in. refuse: authors whose changes were taken back, '*' for all; single:
    positions of single ones that were.
    """
    rows = [
        (
            f"{partner}/{returned.sha256[:12]}/{position}",
            {
                "partner": partner, "file": returned.file, "section": where, "author": one.author, "date": one.date,
                "kind": one.kind, "text": one.text, "paragraph": one.paragraph, "position": position,
                "refused": "*" in refuse or one.author in refuse or position in single,
            },
        )
        for position, (where, one) in enumerate(returned.changes)
    ]  # fmt: skip
    project.items().save(_KIND, rows, event="partner")


def changes(project: Project, partner: str | None = None) -> tuple[PartnerChange, ...]:
    """Every change in the order in which the files came."""
    items = enumerate(project.items().all(_KIND), start=1)
    found = [PartnerChange(number, item.key, **item.data) for number, item in items if item.data is not None]
    return tuple(one for one in found if partner in (None, one.partner))


def decide(project: Project, numbers: Collection[int], refused: bool) -> tuple[Piece, ...]:
    """Take these changes back, or accept them again. Returns the sections that changed; one whose text somebody wrote
    over meanwhile becomes a conflict: both texts are kept.
    """
    known = {one.number: one for one in changes(project)}
    for number in numbers:
        if number not in known:
            raise UnknownName(f"no tracked change has the number {number}: fabai partners PROJECT changes lists them")
    chosen = [replace(known[number], refused=refused) for number in numbers if known[number].refused != refused]
    new = {one.key: one for one in chosen}
    changed: list[Piece] = []
    for file in contributions(project):
        mine = [one for one in known.values() if one.key.startswith(f"{file.partner}/{file.sha256[:12]}/")]
        if any(one.key in new for one in mine):
            back = {one.position for one in (new.get(one.key, one) for one in mine) if one.refused}
            changed += _again(project, file, back)
    project.items().save(_KIND, [(one.key, _data(one)) for one in chosen], event="partner")
    return tuple(changed)


def _data(one: PartnerChange) -> dict[str, object]:
    return {name: value for name, value in as_json(one).items() if name not in ("number", "key")}


def _again(project: Project, file: Contribution, back: Collection[int]) -> list[Piece]:
    """A file's sections as they read without the changes at these positions."""
    partner = find_partner(project, file.partner)
    asked = [one for one in project.report() if one.id in partner.sections]
    kept = project.items().attachment(file.sha256)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file.file
        path.write_bytes(kept.data)
        returned = read_returned(path, asked, numbers=back)
    names = {name: project.workbench.add_media(name, data) for name, data in returned.media.items()}
    texts = {part.section: with_names(part.text, names) for part in returned.parts}
    made = Made("import", settings={"partner": file.partner, "filename": file.file, "refused": sorted(back)})
    out: list[Piece] = []
    changed: list[Piece] = []
    for piece in file.pieces:
        text = texts.get(piece.section, piece.text)
        if text_hash(text) != text_hash(piece.text):
            piece = _put(project, file.partner, piece, text, made)
            changed.append(piece)
        out.append(piece)
    again = replace(file, pieces=tuple(out))
    project.items().save("contribution", [(f"{file.partner}/{file.sha256}", as_json(again))], event="partner")
    return changed


def _put(project: Project, partner: str, piece: Piece, text: str, made: Made) -> Piece:
    """Show the new text where the old one still stands; else offer it beside what stands there."""
    section = next(one for one in project.report() if one.id == piece.section)
    before, after = piece.text, text
    if sharing(project, find_partner(project, partner), section.id):
        texts = pieces(project, section.id)
        before, after = joined(project, texts), joined(project, {**texts, partner: text})
    if section.status == "accepted" or text_hash(section.text) != text_hash(before):
        version = project.workbench.offer(section.id, after, made).id
        return replace(piece, status="conflict", text=text, version=version)
    project.workbench.write(section.id, after, made, project.workbench.standing(section.id).token)
    return replace(piece, text=text, version=project.versions(section.id)[-1].id)
