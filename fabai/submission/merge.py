"""Hand edits of an exported Word file taken back into the project: three-way, section by section, nothing overwritten.

Knows three states of a section: as it was exported, as the project has it now, as the file has it. Does not know Word;
the file comes as a Document. What was not touched in Word keeps the project's own Markdown and pictures. Where both
sides changed the same passage, or the file changed a locked paragraph, the project's text stays, and the file's is kept
as a version that a person can accept.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from fabai.dossier.references import literature
from fabai.formats.bibliography import wordings
from fabai.formats.document import Document
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.report import Report, fold
from fabai.store.media import rename_in
from fabai.store.project import Made, Project
from fabai.submission.outgoing import outgoing, shown

_KIND = "exported"
_YEAR = re.compile(r"\W*\d{4}\w?\W*")
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)")


@dataclass(frozen=True, slots=True)
class Merged:
    """Ids of sections by what became of them. unknown: headings of the file that no section of the project has;
    absent: sections of the project that the file no longer has, which stay as they are.
    """

    taken: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def remember(project: Project) -> None:
    """Keep the text that is being exported, so that edits made to the file can be told from those made here since."""
    report = project.report()
    out = outgoing(project, report)
    rows = [
        (section.id, {"text": section.text, "out": exported.text})
        for section, exported in zip(report, out, strict=True)
    ]
    project.items().save(_KIND, rows, event="exported")


def take_back(project: Project, document: Document, name: str, who: str = "") -> Merged:
    """Merge an edited file into the project; every change is a new version made by a person, so it can be undone.
    who: that person, "" where nobody knows.
    """
    base = {item.key: item.data for item in project.items().all(_KIND) if item.data is not None}
    report = project.report()
    before = replace(
        report,
        sections=tuple(replace(one, text=str(base[one.id]["out"]) if one.id in base else one.text) for one in report),
    )
    # Markdown that went through Word comes back in other words of Markdown: both sides take the same road
    known_literature = literature(project)
    exported = read_docx(
        export_docx(before, sources={}, original=None, media=project.media(), literature=known_literature)
    )
    cited = wordings([one.text for one in before], known_literature, report.language)
    names = _known_pictures(exported, before)
    read, theirs = _texts(_named(exported, names)), _texts(edited := _named(document, names))
    groups: dict[str, list[str]] = {one: [] for one in ("taken", "merged", "conflicts", "same", "unknown", "absent")}
    known: set[str] = set()
    went = {one.id for one in shown(project, report)}
    for section in report:
        heading = fold(section.heading)
        if not heading or heading in known:
            continue
        known.add(heading)
        if heading not in theirs:
            groups["absent"] += [section.id] if section.id in went else []
            continue
        kept = base.get(section.id)
        old_read = read.get(heading, section.text)
        old_text = section.text if kept is None else str(kept["text"])
        new = theirs[heading]
        if _keys(new) in (_keys(old_read), _keys(section.text)):
            groups["same"].append(section.id)
            continue
        own = _blocks(old_text)
        restated = [
            one if one in own else _cited(one, cited) for one in _restated(_blocks(old_read), own, _blocks(new))
        ]
        found = merge(own, _blocks(section.text), restated)
        held = [one for one in project.workbench.locked(section.id) if one in section.text]
        text = "\n\n".join(restated if found is None else found)
        clash = found is None or any(one not in text for one in held)
        _save(project, section.id, text, Made("person", settings={"file": name, "by": who}), edited, accepted=not clash)
        kind = "conflicts" if clash else "taken" if _keys(section.text) == _keys(old_text) else "merged"
        groups[kind].append(section.id)
    # the bibliography is made at the export and is no section of the project
    known |= read.keys()
    groups["unknown"] = [one.heading for one in document.sections if one.heading and fold(one.heading) not in known]
    return Merged(**{key: tuple(found) for key, found in groups.items()})


def merge(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """The blocks with both sides' changes, None where both changed the same place otherwise. Blocks are the same when
    their words are.
    """
    ours, other = _changes(base, mine), _changes(base, theirs)
    out: list[str] = []
    position = 0
    here = there = 0
    while here < len(ours) or there < len(other):
        left = ours[here] if here < len(ours) else None
        right = other[there] if there < len(other) else None
        if left is not None and right is not None and _overlap(left, right):
            if (left[0], left[1], _words(left[2])) != (right[0], right[1], _words(right[2])):
                return None
            chosen, here, there = left, here + 1, there + 1
        elif right is None or (left is not None and (left[0], left[1]) <= (right[0], right[1])):
            assert left is not None
            chosen, here = left, here + 1
        else:
            chosen, there = right, there + 1
        # what neither side changed keeps the project's own words
        out += _unchanged(base, mine, position, chosen[0])
        out += chosen[2]
        position = chosen[1]
    return out + _unchanged(base, mine, position, len(base))


Change = tuple[int, int, list[str]]


def _changes(base: Sequence[str], new: Sequence[str]) -> list[Change]:
    matcher = difflib.SequenceMatcher(None, [_key(one) for one in base], [_key(one) for one in new], autojunk=False)
    return [(i1, i2, list(new[j1:j2])) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"]


def _overlap(one: Change, other: Change) -> bool:
    """Touching counts: two insertions at one place have no order."""
    return one[0] <= other[1] and other[0] <= one[1]


def _unchanged(base: Sequence[str], mine: Sequence[str], start: int, end: int) -> list[str]:
    own = {_key(one): one for one in mine}
    return [own.get(_key(one), one) for one in base[start:end]]


def _cited(block: str, cited: Mapping[str, str]) -> str:
    """An edited block with its citations by their keys again; a year alone may be any year."""
    for words, written in sorted(cited.items(), key=lambda one: -len(one[0])):
        if _YEAR.fullmatch(words) is None:
            for shown in (words, re.sub(r"([\[\]])", r"\\\1", words)):
                block = block.replace(shown, written)
    return block


def _words(blocks: Sequence[str]) -> list[str]:
    return [_key(one) for one in blocks]


def _restated(read: Sequence[str], old: Sequence[str], new: Sequence[str]) -> list[str]:
    """The file's blocks, each that nobody touched in the project's own Markdown. old: the exported text, read: the same
    as it comes back from Word, new: the edited one from there.
    """
    matcher = difflib.SequenceMatcher(None, _words(read), _words(new), autojunk=False)
    place = {i + k: j + k for i, j, size in matcher.get_matching_blocks() for k in range(size)}
    out: list[str] = []
    at = 0
    for first, last, own in _segments(read, old):
        there = [place.get(one, -1) for one in range(first, last)]
        begin = there[0] if there else at
        if begin >= 0 and there == list(range(begin, begin + len(there))):
            out += [*new[at:begin], *own]
            at = begin + len(there)
    return [*out, *new[at:]]


def _segments(read: Sequence[str], old: Sequence[str]) -> Iterator[tuple[int, int, Sequence[str]]]:
    """Blocks that came back, from first up to before last, with the blocks of the exported text that they were."""
    matcher = difflib.SequenceMatcher(None, _words(read), _words(old), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            yield from ((i1 + one, i1 + one + 1, old[j1 + one : j1 + one + 1]) for one in range(i2 - i1))
        else:
            yield i1, i2, old[j1:j2]


def _known_pictures(exported: Document, report: Report) -> dict[str, str]:
    """The project's name of each picture that went out, by the hash of its data; a section keeps their order."""
    ours = {fold(one.heading): _PICTURE.findall(one.text) for one in report}
    found: dict[str, str] = {}
    for section in exported.sections:
        names = _PICTURE.findall(section.text)
        mine = ours.get(fold(section.heading), [])
        if len(names) == len(mine):
            found |= {
                _hash(exported.media[name]): own
                for name, own in zip(names, mine, strict=True)
                if name in exported.media
            }
    return found


def _named(document: Document, known: Mapping[str, str]) -> Document:
    """The document with the project's names of its pictures; a new one is named by its data."""
    renamed = {}
    for name, data in document.media.items():
        digest = _hash(data)
        renamed[name] = known.get(digest, f"media/{digest[:12]}{PurePosixPath(name).suffix}")
    return rename_in(document, renamed)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _save(project: Project, section: str, text: str, made: Made, document: Document, *, accepted: bool) -> None:
    own = project.media().keys()
    for name in set(_PICTURE.findall(text)) & (document.media.keys() - own):
        project.workbench.add_media(name, document.media[name])
    version = project.save_version(section, text, made)
    if accepted:
        project.accept(version.id)


def _texts(document: Document) -> dict[str, str]:
    out: dict[str, str] = {}
    for section in document.sections:
        if fold(section.heading):
            out.setdefault(fold(section.heading), section.text)
    return out


def _blocks(text: str) -> list[str]:
    return [one.strip("\n") for one in re.split(r"\n[ \t]*\n", text.strip()) if one.strip()]


def _keys(text: str) -> list[str]:
    return [_key(one) for one in _blocks(text)]


def _key(block: str) -> str:
    return " ".join(re.findall(r"\w+|[€%$]", block))
