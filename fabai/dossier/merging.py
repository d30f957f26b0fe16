"""Returned files put back into their places.

Knows what clashes: a section that somebody changed meanwhile, an accepted text, two files of one partner, a file of
another period. Nothing is dropped: what is not shown is kept among the versions, what finds no place becomes a source.
Does not know WordprocessingML.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fabai.dossier.changes import keep_changes
from fabai.dossier.kept import as_json, build
from fabai.dossier.partner import Contribution, Pack, Partner, Piece
from fabai.dossier.partners import contributions, find_partner, joined, partners, pieces, sharing, text_hash
from fabai.dossier.returned import Part, Returned, read_returned, with_names
from fabai.errors import BadSetting, UnknownName, UnreadableFile
from fabai.formats.package import Package
from fabai.formats.slots import read_slots
from fabai.report import Section
from fabai.store.project import Project
from fabai.store.record import Made, now


@dataclass(frozen=True, slots=True)
class Merged:
    """How one returned file was taken in. notices: sentences for the person."""

    contribution: Contribution
    notices: tuple[str, ...] = ()


def partner_of(project: Project, path: Path, named: str = "") -> Partner:
    """Whose file it is: as named, by the pack's mark, by a partner's short name in the file's name."""
    if named:
        return find_partner(project, named)
    known = partners(project)
    pack = _pack_of(project, path)
    if pack is not None:
        return find_partner(project, pack.partner)
    stem = path.stem.lower()
    fitting = [one for one in known if one.id.lower() in stem]
    if len(fitting) == 1:
        return fitting[0]
    raise UnknownName(
        f"nothing tells whose file {path.name} is: write it as PARTNER={path.name} (known: "
        f"{', '.join(one.id for one in known) or 'no partners yet'})"
    )


def _pack_of(project: Project, path: Path) -> Pack | None:
    if path.suffix.lower() not in (".docx", ".docm"):
        return None
    try:
        mark = read_slots(Package(path.read_bytes(), name=path.name)).pack
    except OSError as error:
        raise UnreadableFile(f"{path.name} cannot be read: {error.strerror or error}") from None
    item = next((item for item in project.items().all("pack") if item.key == mark), None)
    return None if item is None or item.data is None else build(Pack, item.data)


def merge(
    project: Project,
    partner: Partner,
    path: Path,
    refuse: Collection[str] = (),
    anyway: bool = False,
    single: Collection[int] = (),
) -> Merged:
    """Take a returned file in. refuse: authors whose tracked changes are taken back ('*': everybody's). single: numbers
    of single ones that are, from 0. anyway: also a file that was made for another project or period.
    """
    report = project.report()
    asked = [one for one in report if one.id in partner.sections]
    if not asked:
        raise BadSetting(
            f"{partner.id} is asked for nothing: fabai partners PROJECT add {partner.id} NAME --sections IDS"
        )
    returned = read_returned(path, asked, refuse, numbers=single)
    same = next((one for one in contributions(project) if one.sha256 == returned.sha256), None)
    if same is not None and same.partner == partner.id and not refuse and not single:
        return Merged(same, (f"{path.name} was taken in before, on {same.received[:10]}; nothing was changed",))
    packs = {item.key: build(Pack, item.data) for item in project.items().all("pack") if item.data is not None}
    if returned.pack and returned.pack not in packs and not anyway:
        raise BadSetting(
            f"{path.name} was made for another project or an earlier period, not for this one: ask {partner.name} for "
            "the new file, or take it in with --anyway"
        )
    base = packs.get(returned.pack) or _last_pack(packs.values(), partner)
    notices = list(returned.notices)
    earlier = [one for one in contributions(project) if one.partner == partner.id]
    if earlier:
        notices.append(
            f"{partner.name} sent another file before ({earlier[-1].file}): what differs is shown as a conflict"
        )
    names = {name: project.workbench.add_media(name, data) for name, data in returned.media.items()}
    made = Made("import", settings={"partner": partner.id, "filename": path.name, "refused": sorted(refuse)})
    taken = []
    for part in returned.parts:
        piece, said = _take(project, partner, part, base, made, names, returned)
        taken.append(piece)
        notices += said
    missing = [one for one in asked if one.id not in {part.section for part in returned.parts}]
    for section in missing:
        notices.append(f"{path.name} has nothing under '{section.heading}'")
        taken.append(Piece(section.id, "empty", ""))
    _keep_rest(project, partner, returned, notices)
    notes = _keep_notes(project, partner, returned, asked)
    keep_changes(project, partner.id, returned, refuse, single)
    project.items().attach(path.name, path.read_bytes())
    contribution = Contribution(
        partner.id,
        path.name,
        returned.sha256,
        now(),
        tuple(taken),
        notes,
        len(returned.changes),
        tuple(one.heading for one in returned.rest),
        "reject" if "*" in refuse else "accept",
    )
    project.items().save("contribution", [(f"{partner.id}/{returned.sha256}", as_json(contribution))], event="partner")
    return Merged(contribution, tuple(dict.fromkeys(notices)))


def _last_pack(packs: Collection[Pack], partner: Partner) -> Pack | None:
    own = [one for one in packs if one.partner == partner.id]
    return max(own, key=lambda one: one.sent, default=None)


def _take(
    project: Project,
    partner: Partner,
    part: Part,
    base: Pack | None,
    made: Made,
    names: dict[str, str],
    returned: Returned,
) -> tuple[Piece, list[str]]:
    """Put one part into its section."""
    section = next(one for one in project.report() if one.id == part.section)
    text = with_names(part.text, names)
    authors = tuple(dict.fromkeys(one.author for where, one in returned.changes if where == section.id))
    said = [f"'{section.heading}' came back under '{part.renamed}'"] if part.renamed else []
    below = [(deeper, heading, with_names(inner, names)) for deeper, heading, inner in part.below]
    if below:
        project.add_below(section.id, below, made)
    if not text.strip():
        return Piece(section.id, "returned" if below else "empty", "", authors), said
    asked = next((one for one in base.asked if one.section == section.id), None) if base is not None else None
    if asked is not None and text_hash(text) == asked.text_hash:
        return Piece(section.id, "unchanged", text, authors), said
    if sharing(project, partner, section.id):
        return _share(project, partner, section, text, made, authors), said
    moved = asked is not None and text_hash(section.text) not in (asked.text_hash, text_hash(text))
    other = asked is None and section.text.strip() and text_hash(section.text) != text_hash(text)
    if section.text.strip() and (moved or other):
        version = project.workbench.offer(section.id, text, made)
        said.append(f"'{section.heading}' was changed meanwhile: both texts are kept, choose one")
        return Piece(section.id, "conflict", text, authors, version.id), said
    number, shown = _put(project, section, text, made)
    if not shown:
        said.append(f"'{section.heading}' has a text that somebody accepted: both are kept, choose one")
        return Piece(section.id, "conflict", text, authors, number), said
    return Piece(section.id, "returned", text, authors, number), said


def _put(project: Project, section: Section, text: str, made: Made) -> tuple[int, bool]:
    """Make the text the section's, unless that one was accepted; the version's id, and whether it is shown now.

    Also over a text that somebody typed: it is the one that the partner was sent, and stays among the versions.
    """
    if section.status == "accepted":
        return project.workbench.offer(section.id, text, made).id, False
    project.workbench.write(section.id, text, made, project.workbench.standing(section.id).token)
    return project.versions(section.id)[-1].id, True


def _share(
    project: Project, partner: Partner, section: Section, text: str, made: Made, authors: tuple[str, ...]
) -> Piece:
    """A section that several write: their texts one after the other, in the order of the partners."""
    texts = pieces(project, section.id)
    before = joined(project, texts)
    clash = (
        partner.id in texts
        and text_hash(texts[partner.id]) != text_hash(text)
        and not _sent(project, partner, section.id)
    )
    inherited = any(
        one.made.writer == "inherited" and text_hash(one.text) == text_hash(section.text)
        for one in project.versions(section.id)
    )
    typed = bool(section.text.strip()) and not inherited and text_hash(section.text) != text_hash(before)
    texts[partner.id] = text
    whole = joined(project, texts)
    if clash or typed:
        version = project.workbench.offer(section.id, whole, made)
        return Piece(section.id, "conflict", text, authors, version.id)
    version_id, shown = _put(project, section, whole, made)
    return Piece(section.id, "returned" if shown else "conflict", text, authors, version_id)


def _sent(project: Project, partner: Partner, section_id: str) -> bool:
    """Whether the partner's newest pack went out after their last file: what comes back is an edit of that file."""
    packs = [build(Pack, item.data) for item in project.items().all("pack") if item.data is not None]
    pack = _last_pack(packs, partner)
    texts = pieces(project, section_id)
    asked = None if pack is None else next((one for one in pack.asked if one.section == section_id), None)
    return asked is not None and asked.text_hash == text_hash(texts.get(partner.id, ""))


def _keep_rest(project: Project, partner: Partner, returned: Returned, notices: list[str]) -> None:
    text = "\n\n".join(one.headed for one in returned.rest)
    if text:
        name = f"{returned.file} ({partner.id})"
        project.add_source(name, text, sha256(text.encode("utf-8", "replace")).hexdigest(), "partner")
        headings = ", ".join(f"'{one.heading}'" for one in returned.rest[:4] if one.heading) or "text without a heading"
        notices.append(f"what has no place in the report is kept as the source '{name}': {headings}")


def _keep_notes(project: Project, partner: Partner, returned: Returned, asked: Sequence[Section]) -> int:
    """Comments as notes on their paragraphs; those that stand nowhere go to the partner's first section."""
    count = 0
    for where, comment in returned.comments:
        if comment.text.strip():
            section = where or asked[0].id
            project.workbench.add_note(section, f"{comment.author} ({partner.id})", comment.text, comment.quote)
            count += 1
    return count
