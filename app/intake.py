"""Taking documents in: what was read is shown first, corrected by the person, and only then saved.

Knows the plan by which sections are relevelled, merged, split and dropped, and the choice on tracked changes. Does not
know formats or HTTP. Uploads lie outside everything that is served.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from fabai.dossier import documents
from fabai.errors import BadSetting, UsageError
from fabai.formats.document import Block, Document, DocumentSection
from fabai.formats.docx_in import read_docx
from fabai.formats.package import Package
from fabai.formats.read import read
from fabai.formats.tracked import Comment, TrackedChange, comments, take_back, tracked_changes
from fabai.store.project import Project
from fabai.store.unicode import composed

from .call import Answer, Call
from .returning import taken_back
from .waiting import Waiting

KINDS = ("report", "word", *documents.KINDS, "contribution", "source")
"""What a document is. word: the report itself, back from Word. outcome: a report that says how commitments went.
contribution: a partner's text.
"""
_SHOWN = 160  # characters of a block in the tree
_CHANGES = 400  # that are shown one by one; what lies beyond goes with its author
_SILENT = 8


@dataclass(frozen=True, slots=True)
class Read:
    """A document that was read with its tracked changes accepted; what others did to it."""

    path: Path
    kind: str
    accepted: Document
    changes: tuple[TrackedChange, ...]
    comments: tuple[Comment, ...]

    @property
    def filename(self) -> str:
        return self.path.name

    def without(self, refused: Collection[str], single: Collection[int]) -> Document:
        """The document with these authors' changes taken back, and these single ones, counted from 0."""
        if not refused and not single:
            return self.accepted
        package = Package(self.path.read_bytes(), name=self.filename)
        take_back(package, lambda author: author in refused, single)
        return read_docx(package.save())


DESK = Waiting[Read]()


def look(call: Call, path: Path) -> Answer:
    """Read an upload and show what was found; nothing is saved yet."""
    document = read(path)
    changes: tuple[TrackedChange, ...] = ()
    remarks: tuple[Comment, ...] = ()
    if path.suffix.lower() in (".docx", ".docm"):
        package = Package(path.read_bytes(), name=path.name)
        changes, remarks = tracked_changes(package), comments(package)
    one = Read(path, call.text("kind"), document, changes, remarks)
    return {"token": DESK.put(one), "filename": one.filename, "kind": one.kind, **_shown(one)}


def again(call: Call) -> Answer:
    """What was read, with the tracked changes of some authors, or single ones, taken back."""
    return {"sections": _tree(DESK.get(call.text("token")).without(*refused(call)))}


def save(call: Call) -> Answer:
    """Save the document as the person left it. plan: the sections to make, in order; a kind that is no report is
    kept as a source, and what it binds to is proposed.
    """
    one = DESK.get(call.text("token"))
    document = apply(one.without(*refused(call)), call.several("plan"))
    answer: Answer = {"added": 0, "matched": 0, "kept": 0, "taken": 0, "proposed": 0, "silent": []}
    with call.project() as project:
        if one.kind == "word":
            answer |= taken_back(call, project, document, one.filename)
        elif one.kind == "report":
            project.workbench.settle()
            result = project.import_document(document, one.filename)
            for name in ("added", "matched", "kept"):
                answer[name] = len(getattr(result, name))
            answer["notices"] = list(result.notices)
        else:
            digest = sha256(one.path.read_bytes()).hexdigest()
            answer["proposed"], answer["silent"] = _proposed(project, one, document, digest)
            project.add_source(one.filename, document.text, digest, one.kind)
            answer["notices"] = list(document.notices)
        _notes(project, one)
    call.tell("frame")
    call.tell("commitments")
    call.house.watch.look(call.space, call.name, call.place)
    return answer


def refused(call: Call) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Authors whose tracked changes are taken back, and the numbers of single ones that are."""
    return tuple(str(one) for one in call.several("refused")), tuple(call.numbers("single"))


def _proposed(project: Project, one: Read, document: Document, digest: str) -> tuple[int, list[str]]:
    """How many commitments the document proposes, and which it should have told of and does not."""
    kind = next((each for each in documents.KINDS if each == one.kind), None)
    if kind is None:
        return 0, []
    new, unnamed = documents.propose_from(project, kind, document, one.filename, digest)
    return len(new), [each.label or each.text[:60] for each in unnamed][:_SILENT]


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
    counts = Counter((each.author, each.kind) for each in one.changes)
    authors = dict.fromkeys(each.author for each in one.changes)
    return {
        "title": one.accepted.title,
        "language": one.accepted.language,
        "sections": _tree(one.accepted),
        "notices": list(one.accepted.notices),
        "authors": [
            {"author": author, "insertion": counts[author, "insertion"], "deletion": counts[author, "deletion"]}
            for author in authors
        ],
        "changes": [{"author": each.author, "kind": each.kind, "text": each.text} for each in one.changes[:_CHANGES]],
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
