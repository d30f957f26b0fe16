"""A document becomes the report of a project: its sections find theirs, and no text that was there is lost.

Knows how headings are matched and what happens to sections without a match. Does not know file formats.

Sections match by the folded headings from the outermost down; of equal paths, the second matches the second.
A form without sections of its own (`generic`) takes the document's tree:
- a match keeps its id; the new text is a new version, shown unless a drafted or accepted text stands there;
- an unmatched section with drafted or accepted text stays where it stood, with the headings above it;
- an unmatched section with imported text only leaves the report; its versions can still be read and restored, and it
  comes back with its id when a later document has it again.
A form with sections of its own keeps its tree: a document section whose path, else whose heading alone, is one of the
form's gives it its text; the others become the text of one source named after the file.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from fabai.form import Form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.report import Language, Section, Status, fold
from fabai.store import brief, media, versions
from fabai.store.record import Imported, ImportResult, Made, Source, now
from fabai.store.unicode import composed, line

Key = tuple[tuple[str, ...], int]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the sections of a document go: ids of the report's order, and which document section each id takes."""

    order: tuple[str, ...]
    takes: dict[str, int]
    kept: tuple[str, ...]
    rest: tuple[int, ...] = ()


def keys(headings: Iterable[tuple[str, int]]) -> Iterator[Key]:
    """The folded heading path of each (heading, level) and how many equal paths came before it."""
    path: list[tuple[int, str]] = []
    seen: Counter[tuple[str, ...]] = Counter()
    for heading, level in headings:
        # the text in front of the first heading (level 0) stands above nothing
        while path and (path[-1][0] >= level or path[-1][0] == 0):
            path.pop()
        path.append((level, fold(heading)))
        names = tuple(name for _, name in path)
        yield names, seen[names]
        seen[names] += 1


def import_document(db: sqlite3.Connection, form: Form, document: Document, filename: str) -> ImportResult:
    """Write the document into the open transaction."""
    filename = composed(filename)
    document = media.rename_in(_composed(document), media.add(db, document.media))
    present, absent = versions.sections(db, True), versions.sections(db, False)
    before = {one.id: one for one in (*present, *absent)}
    place = _into_form(form, present, document) if form.own_sections else _into_tree(present, absent, document)
    if not form.own_sections:
        _write_tree(db, place, before, document)
    kept = list(place.kept)
    for section_id, index in place.takes.items():
        status = before[section_id].status if section_id in before else "empty"
        if not _write_text(db, section_id, document.sections[index].text, status, filename):
            kept.append(section_id)
    rest = _rest_as_source(document, place.rest, filename)
    if rest is not None:
        brief.add_source(db, rest)
    blocks = {section_id: _as_json(document.sections[index]) for section_id, index in place.takes.items()}
    db.execute(
        "INSERT INTO import (created, filename, package, blocks) VALUES (?, ?, ?, ?)",
        (now(), filename, document.original, json.dumps(blocks, ensure_ascii=False)),
    )
    remaining = set(place.order)
    result = ImportResult(
        added=tuple(one for one in place.takes if one not in before),
        matched=tuple(one for one in place.takes if one in before),
        kept=tuple(kept),
        removed=tuple(one.id for one in present if one.id not in remaining),
        source=None if rest is None else rest.name,
    )
    return replace(result, notices=(*document.notices, *_notices(result, len(place.rest))))


def last_import(db: sqlite3.Connection) -> Imported | None:
    """The newest import as a report, None where there was none."""
    row = db.execute("SELECT filename, package, blocks FROM import ORDER BY id DESC LIMIT 1").fetchone()
    if row is None:
        return None
    filename, package, blocks = row
    return Imported(filename, package, {key: _from_json(value) for key, value in json.loads(blocks).items()})


def _into_tree(present: Sequence[Section], absent: Sequence[Section], document: Document) -> _Place:
    known = dict(zip(keys((s.heading, s.level) for s in absent), absent, strict=True))
    known |= dict(zip(keys((s.heading, s.level) for s in present), present, strict=True))
    taken = {one.id for one in (*present, *absent)}
    fresh = (f"s{number}" for number in itertools.count(1) if f"s{number}" not in taken)
    takes = {
        (known[key].id if key in known else next(fresh)): index
        for index, key in enumerate(keys((s.heading, s.level) for s in document.sections))
    }
    own_text = {s.id for s in present if s.id not in takes and s.status in ("drafted", "accepted")}
    staying = _with_ancestors(present, own_text)
    order = list(takes)
    for position, section in enumerate(present):
        if section.id in staying and section.id not in takes:
            earlier = next((one.id for one in reversed(present[:position]) if one.id in order), None)
            order.insert(0 if earlier is None else order.index(earlier) + 1, section.id)
    return _Place(tuple(order), takes, tuple(one for one in order if one in staying and one not in takes))


def _with_ancestors(sections: Sequence[Section], wanted: set[str]) -> set[str]:
    path: list[Section] = []
    found: set[str] = set()
    for section in sections:
        while path and (path[-1].level >= section.level or path[-1].level == 0):
            path.pop()
        path.append(section)
        if section.id in wanted:
            found |= {one.id for one in path}
    return found


def _into_form(form: Form, present: Sequence[Section], document: Document) -> _Place:
    by_path: dict[Key, str] = {}
    by_heading: dict[str, list[str]] = {}
    for language in form.languages:
        headings = [(_heading(form, section, language), section.level) for section in present]
        for key, (heading, _), section in zip(keys(headings), headings, present, strict=True):
            by_path.setdefault(key, section.id)
            ids = by_heading.setdefault(fold(heading), [])
            if section.id not in ids:
                ids.append(section.id)
    takes: dict[str, int] = {}
    document_keys = list(keys((one.heading, one.level) for one in document.sections))
    for index, key in enumerate(document_keys):
        if key in by_path:
            takes.setdefault(by_path[key], index)
    for index, one in enumerate(document.sections):
        ids = by_heading.get(fold(one.heading), [])
        if len(ids) == 1 and index not in takes.values():
            takes.setdefault(ids[0], index)
    used = set(takes.values())
    rest = tuple(index for index in range(len(document.sections)) if index not in used)
    return _Place(tuple(one.id for one in present), takes, (), rest)


def _heading(form: Form, section: Section, language: Language) -> str:
    spec = form.spec(section.spec)
    return section.heading if spec is None else spec.heading.get(language, section.heading)


def _write_tree(db: sqlite3.Connection, place: _Place, before: Mapping[str, Section], document: Document) -> None:
    db.execute("UPDATE section SET in_report = 0")
    for position, section_id in enumerate(place.order):
        index = place.takes.get(section_id)
        if index is None:
            db.execute("UPDATE section SET in_report = 1, position = ? WHERE id = ?", (position, section_id))
            continue
        one = document.sections[index]
        if section_id in before:
            db.execute(
                "UPDATE section SET in_report = 1, position = ?, heading = ?, level = ? WHERE id = ?",
                (position, one.heading, one.level, section_id),
            )
        else:
            versions.add_sections(db, [Section(section_id, one.heading, one.level)], position)


def _write_text(db: sqlite3.Connection, section_id: str, text: str, status: Status, filename: str) -> bool:
    """Keep the text as a version and show it; False where a drafted or accepted text stays in front of it."""
    row = db.execute(
        "SELECT id, text FROM version WHERE section = ? AND status = 'imported' ORDER BY number DESC LIMIT 1",
        (section_id,),
    ).fetchone()
    version_id = None if row is None or row[1] != text else int(row[0])
    if version_id is None and text.strip():
        made = Made("import", settings={"filename": filename})
        version_id = versions.append(db, section_id, text, made, "imported").id
    if status in ("drafted", "accepted"):
        return False
    versions.show(db, section_id, version_id, "imported" if text.strip() else "empty")
    return True


def _rest_as_source(document: Document, rest: Sequence[int], filename: str) -> Source | None:
    text = "\n\n".join(part for part in (document.sections[index].headed for index in rest) if part)
    if not text:
        return None
    return Source(filename, text, sha256(text.encode("utf-8", "replace")).hexdigest(), "report")


def _notices(result: ImportResult, rest: int) -> Iterator[str]:
    if result.kept:
        yield (
            f"{len(result.kept)} sections keep the text that was drafted or accepted in this project; "
            "what the document says there is kept among their versions"
        )
    if result.removed:
        yield f"{len(result.removed)} sections that the document lacks left the report; their versions are kept"
    if result.source is not None:
        yield f"{rest} sections have no place in the form; their text is kept as the source '{result.source}'"


def _composed(document: Document) -> Document:
    return replace(
        document,
        title=line(document.title),
        sections=tuple(
            replace(
                one,
                heading=line(one.heading),
                blocks=tuple(replace(block, markdown=composed(block.markdown)) for block in one.blocks),
            )
            for one in document.sections
        ),
    )


def _as_json(section: DocumentSection) -> dict[str, object]:
    return {
        "heading": section.heading,
        "level": section.level,
        "children": section.heading_children,
        "blocks": [[block.markdown, block.children] for block in section.blocks],
    }


def _from_json(value: dict[str, Any]) -> DocumentSection:
    blocks = tuple(Block(markdown, tuple(children)) for markdown, children in value["blocks"])
    return DocumentSection(value["heading"], value["level"], blocks, tuple(value["children"]))
