"""Taking documents in: what was read is shown first, corrected by the person, and only then saved.

Knows the plan by which sections are relevelled, merged, split and dropped, and the choice on tracked changes. Does not
know formats or HTTP. Uploads lie outside everything that is served.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any

from fabai.errors import BadSetting, UnreadableFile, UsageError
from fabai.formats import partners
from fabai.formats.document import Block, Document, DocumentSection
from fabai.formats.docx_in import read_docx
from fabai.formats.read import read
from fabai.store.project import Project
from fabai.store.record import ImportResult, Made
from fabai.store.unicode import composed

from .call import Answer, Call
from .workspace import slug

ENDINGS = frozenset({".docx", ".docm", ".doc", ".odt", ".rtf", ".pdf", ".md", ".txt", ".tex", ".html", ".htm"})
SHEETS = frozenset({".xlsx", ".xls", ".ods", ".csv"})
KINDS = ("report", "word", "proposal", "resolution", "amendment", "contribution", "source")
"""What a document is. word: the report itself, back from Word. contribution: a partner's text."""
_KEPT = 8  # documents read and not yet saved
_SHOWN = 160  # characters of a block in the tree


@dataclass(frozen=True, slots=True)
class Read:
    """A document that was read: with its tracked changes accepted and, where it has some, as it was without them."""

    path: Path
    filename: str
    kind: str
    accepted: Document
    refused: Document | None
    revisions: tuple[partners.Revision, ...]
    comments: tuple[partners.Comment, ...]


class Desk:
    """Documents on the way in, by token; the oldest give way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Read] = OrderedDict()

    def put(self, read_one: Read) -> str:
        token = secrets.token_urlsafe(12)
        with self._lock:
            self._open[token] = read_one
            while len(self._open) > _KEPT:
                self._open.popitem(last=False)
        return token

    def get(self, token: str) -> Read:
        with self._lock:
            if token not in self._open:
                raise UsageError("the document waited too long: choose it again")
            return self._open[token]


DESK = Desk()


def kept_name(folder: Path, filename: str, data_sha: str) -> Path:
    """Where an upload is put: never by the name that the browser gave."""
    ending = PurePath(filename).suffix.lower()
    return folder / f"{data_sha[:16]}-{slug(PurePath(filename).stem) or 'documento'}{ending}"


def check_name(filename: str) -> str:
    """The plain name of an upload; BadSetting where its kind is none that is read."""
    name = PurePath(filename.replace("\\", "/")).name
    if PurePath(name).suffix.lower() not in ENDINGS | SHEETS:
        raise BadSetting(f"'{name[:80]}' is of a kind that is not read: give Word, ODT, PDF, text or a spreadsheet")
    return composed(name)


def look(call: Call, path: Path, filename: str) -> Answer:
    """Read an upload and show what was found; nothing is saved yet."""
    kind = call.text("kind")
    if kind not in KINDS:
        raise UsageError("say what the document is: choose its kind again")
    document = read(path)
    revisions: tuple[partners.Revision, ...] = ()
    remarks: tuple[partners.Comment, ...] = ()
    refused: Document | None = None
    if path.suffix.lower() in (".docx", ".docm"):
        data = path.read_bytes()
        revisions, remarks = partners.revisions(data), partners.comments(data)
        if revisions:
            refused = read_docx(partners.refuse(data))
    one = Read(path, filename, kind, document, refused, revisions, remarks)
    return {"token": DESK.put(one), "filename": filename, "kind": kind, **_shown(one)}


def save(call: Call) -> Answer:
    """Save the document as the person left it. plan: the sections to make, in order; a kind that is no report is
    kept as a source.
    """
    one = DESK.get(call.text("token"))
    document = one.accepted if call.flag("changes", True) or one.refused is None else one.refused
    with call.project() as project:
        if one.kind in ("report", "word"):
            planned = apply(document, call.several("plan"))
            project.workbench.settle()
            before = {section.id: section.text for section in project.report()}
            result = project.import_document(planned, one.filename)
            taken = _take_back(project, result, before, call.shown) if one.kind == "word" else 0
            _notes(project, one)
            answer = {
                "added": len(result.added),
                "matched": len(result.matched),
                "kept": len(result.kept),
                "taken": taken,
                "notices": list(result.notices),
            }
        else:
            text = apply(document, call.several("plan")).text if call.args.get("plan") else document.text
            digest = sha256(one.path.read_bytes()).hexdigest()
            project.add_source(one.filename, text, digest, one.kind)
            _notes(project, one)
            answer = {"added": 0, "matched": 0, "kept": 0, "taken": 0, "notices": list(document.notices)}
    call.tell("frame")
    call.house.watch.look(call.space, call.name, call.place)
    return answer


def apply(document: Document, plan: Sequence[Any]) -> Document:
    """The document with the sections of a plan: each {"heading", "level", "parts": [[section, first, last], ...]},
    blocks from `first` up to before `last`. A part that begins a section and is no first part keeps its heading as a
    line of text. "from" names the block that a new heading was made of: [section, block].
    """
    sections = []
    for item in plan:
        heading, level = str(item.get("heading", "")), item.get("level")
        if not isinstance(level, int) or not 0 <= level <= 9:
            raise UsageError("a section has no level: choose the document again")
        blocks: list[Block] = []
        heading_children: tuple[int, ...] = ()
        for place, part in enumerate(item.get("parts", ())):
            index, first, last = _part(part, document)
            section = document.sections[index]
            if first == 0 and section.heading:
                if place == 0 and item.get("from") is None:
                    heading_children = section.heading_children
                else:
                    blocks.append(Block(f"**{section.heading}**", section.heading_children))
            blocks.extend(section.blocks[first:last])
        if item.get("from") is not None:
            index, block, _ = _part([*item["from"], item["from"][1]], document)
            heading_children = document.sections[index].blocks[block].children
        sections.append(DocumentSection(composed(heading).strip(), level, tuple(blocks), heading_children))
    if not sections:
        raise BadSetting("every section was dropped: keep one at least")
    return replace(document, sections=tuple(sections))


def _part(part: Any, document: Document) -> tuple[int, int, int]:
    if (
        not isinstance(part, list)
        or len(part) != 3
        or not all(isinstance(one, int) for one in part)
        or not 0 <= part[0] < len(document.sections)
    ):
        raise UsageError("the page and the document do not match any more: choose the document again")
    return part[0], max(0, part[1]), max(0, part[2])


def _shown(one: Read) -> Answer:
    authors: dict[str, dict[str, int]] = {}
    for revision in one.revisions:
        counts = authors.setdefault(revision.author, {"insertion": 0, "deletion": 0, "move": 0, "format": 0})
        counts[revision.kind] += 1
    samples = [
        {"author": each.author, "kind": each.kind, "text": each.text}
        for each in one.revisions
        if each.text.strip() and each.kind != "format"
    ]
    return {
        "title": one.accepted.title,
        "language": one.accepted.language,
        "sections": _tree(one.accepted),
        "refused": None if one.refused is None else _tree(one.refused),
        "notices": list(one.accepted.notices),
        "authors": [{"author": author, **counts} for author, counts in authors.items()],
        "changes": samples[:40],
        "comments": [{"author": each.author, "text": each.text, "quote": each.quote} for each in one.comments],
        "media": len(one.accepted.media),
    }


def _tree(document: Document) -> list[dict[str, Any]]:
    return [
        {
            "heading": section.heading,
            "level": section.level,
            "blocks": [block.markdown[:_SHOWN] for block in section.blocks],
            "words": len(section.text.split()),
        }
        for section in document.sections
    ]


def _take_back(project: Project, result: ImportResult, before: Mapping[str, str], who: str) -> int:
    """What was changed in Word becomes the text of sections that a person or a model had written here."""
    taken = 0
    for section_id in result.kept:
        newest = [one for one in project.versions(section_id) if one.status == "imported"]
        if newest and newest[-1].text.strip() != before.get(section_id, "").strip():
            standing = project.workbench.standing(section_id)
            made = Made("person", settings={"by": who, "word": True})
            project.workbench.write(section_id, newest[-1].text, made, standing.token)
            taken += 1
    return taken


def _notes(project: Project, one: Read) -> None:
    """Comments become notes beside the section that has the words they are about; no document ever shows them."""
    sections = list(project.report())
    if not sections:
        return
    for comment in one.comments:
        words = " ".join(comment.quote.split())
        place = next((each for each in sections if words and words in " ".join(each.text.split())), sections[0])
        if comment.text.strip():
            project.workbench.add_note(place.id, f"{comment.author} ({one.filename})", comment.text, comment.quote)


def unreadable(error: UnreadableFile, filename: str) -> str:
    """The sentence of a reader with the person's own file name instead of ours."""
    return str(error) if filename in str(error) else f"{filename}: {error}"
