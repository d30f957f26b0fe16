"""A file that a partner sent back, read against the sections that they were asked for.

Knows marks, renamed headings, tracked changes and comments; nothing of the file is dropped: what finds no section is
kept apart. Does not know projects.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from fabai.formats.document import Document, DocumentSection
from fabai.formats.docx_in import read_docx
from fabai.formats.package import Package
from fabai.formats.read import read
from fabai.formats.safety import load
from fabai.formats.slots import drop_boxes, read_slots, section_mark
from fabai.formats.tracked import Comment, TrackedChange, comments, take_back, tracked_changes
from fabai.report import Section, fold
from fabai.settings import ReadingLimits

_LIMITS = ReadingLimits()
_ALIKE = 0.6
"""Letters in common from which a renamed heading without its mark is still the section's."""


@dataclass(frozen=True, slots=True)
class Part:
    """What stands under one section: its own text, and headings below it with theirs (level, heading, text)."""

    section: str
    text: str
    below: tuple[tuple[int, str, str], ...] = ()
    renamed: str = ""


@dataclass(frozen=True, slots=True)
class Returned:
    """changes, comments: with the section that they stand in, "" for none. rest: sections of the file without a place.
    pack: id of the pack that the file was made as.
    """

    file: str
    sha256: str
    parts: tuple[Part, ...]
    changes: tuple[tuple[str, TrackedChange], ...] = ()
    comments: tuple[tuple[str, Comment], ...] = ()
    rest: tuple[DocumentSection, ...] = ()
    pack: str = ""
    media: dict[str, bytes] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


def read_returned(
    path: Path,
    asked: Sequence[Section],
    refuse: Collection[str] = (),
    limits: ReadingLimits = _LIMITS,
    *,
    numbers: Collection[int] = (),
) -> Returned:
    """The file read into the sections asked for. refuse: authors whose tracked changes are taken back ('*' for all).
    numbers: single changes that are, counted from 0.
    """
    loaded = load(path, limits)
    digest = sha256(loaded.data).hexdigest()
    if loaded.kind != "docx":
        document = read(path, limits)
        parts, rest, _ = _place(document, asked, {})
        return Returned(path.name, digest, parts, rest=rest, media=dict(document.media), notices=document.notices)
    package = Package(loaded.data, limits, path.name)
    slots = read_slots(package)
    changes, said = tracked_changes(package), comments(package)
    owners = _owners(len(package.body), slots.places, asked)
    changed = [(owners[one.place] if one.place is not None else "", one) for one in changes]
    commented = [(owners[one.place] if one.place is not None else "", one) for one in said]
    if refuse or numbers:
        take_back(package, lambda author: "*" in refuse or author in refuse, numbers)
    drop_boxes(package)
    document = read_docx(package.save(), limits)
    marks = read_slots(Package(document.original or loaded.data, limits, path.name)).places
    parts, rest, headings = _place(document, asked, marks)
    if not slots.places:
        # a file of other origin has no marks: its headings tell
        changed = [(_by_words(one.paragraph, document, headings), one) for one in changes]
        commented = [(_by_words(one.quote, document, headings), one) for one in said]
    # accepted and dropped are what this module has just listed, by author and place
    quiet = ("tracked changes were accepted", "comment")
    notices = tuple(one for one in document.notices if not any(word in one for word in quiet))
    return Returned(
        path.name, digest, parts, tuple(changed), tuple(commented), rest, slots.pack, dict(document.media), notices
    )


def _owners(children: int, places: Mapping[str, int], asked: Sequence[Section]) -> list[str]:
    """The section that each child of the body stands in, by the marks."""
    by_mark = {section_mark(one.id): one.id for one in asked}
    starts = sorted((place, by_mark[mark]) for mark, place in places.items() if mark in by_mark)
    owners = [""] * children
    for number, (place, section) in enumerate(starts):
        end = starts[number + 1][0] if number + 1 < len(starts) else children
        owners[place:end] = [section] * (end - place)
    return owners


def _place(
    document: Document, asked: Sequence[Section], marks: Mapping[str, int]
) -> tuple[tuple[Part, ...], tuple[DocumentSection, ...], dict[int, str]]:
    """Each section of the file to one asked for: by its mark, its heading, a heading that is nearly the same; what
    stands deeper below a placed heading goes with it.
    """
    by_mark = {section_mark(one.id): one for one in asked}
    at = {place: by_mark[mark] for mark, place in marks.items() if mark in by_mark}
    own: dict[int, Section] = {}
    for number, one in enumerate(document.sections):
        for child in one.heading_children:
            if child in at and at[child] not in own.values():
                own[number] = at[child]
    for exact in (True, False):
        for number, one in enumerate(document.sections):
            if number in own or not one.heading:
                continue
            free = [section for section in asked if section not in own.values()]
            found = _same_heading(one.heading, free, exact)
            if found is not None:
                own[number] = found
    if not own and len(asked) == 1:
        return _whole(document, asked[0])
    parts: dict[str, Part] = {}
    rest: list[DocumentSection] = []
    homes: dict[int, str] = {}
    current: tuple[Section, int] | None = None
    for number, one in enumerate(document.sections):
        if number in own:
            section = own[number]
            current = (section, one.level)
            renamed = one.heading if fold(one.heading) != fold(section.heading) else ""
            parts[section.id] = Part(section.id, one.text, (), renamed)
            homes[number] = section.id
        elif current is not None and one.level > current[1]:
            part = parts[current[0].id]
            below = (one.level - current[1], one.heading, one.text)
            parts[part.section] = Part(part.section, part.text, (*part.below, below), part.renamed)
            homes[number] = part.section
        else:
            current = None
            if one.headed:
                rest.append(one)
    return tuple(parts.values()), tuple(rest), homes


def _whole(
    document: Document, section: Section
) -> tuple[tuple[Part, ...], tuple[DocumentSection, ...], dict[int, str]]:
    """A file with headings of its own, all of it for the one section that its partner writes."""
    text, renamed = "", ""
    below: list[tuple[int, str, str]] = []
    levels = [one.level for one in document.sections if one.level]
    top = min(levels, default=1)
    single = sum(level == top for level in levels) == 1
    for one in document.sections:
        if one.level == 0:
            text = one.text
        elif single and one.level == top:
            # the file's title stands for the section's heading
            renamed = one.heading
            text = "\n\n".join(filter(None, (text, one.text)))
        else:
            below.append((one.level - top + (0 if single else 1), one.heading, one.text))
    homes = dict.fromkeys(range(len(document.sections)), section.id)
    return (Part(section.id, text, tuple(below), renamed),), (), homes


def _same_heading(heading: str, free: Sequence[Section], exact: bool) -> Section | None:
    wanted = fold(heading)
    if exact:
        return next((one for one in free if fold(one.heading) == wanted), None)
    worth = [(difflib.SequenceMatcher(None, wanted, fold(one.heading)).ratio(), one) for one in free]
    best = max(worth, key=lambda pair: pair[0], default=(0.0, None))
    return best[1] if best[0] >= _ALIKE else None


def _by_words(words: str, document: Document, homes: dict[int, str]) -> str:
    wanted = fold(words)
    if wanted:
        for number, one in enumerate(document.sections):
            if wanted in fold(f"{one.heading} {one.text}"):
                return homes.get(number, "")
    return ""


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A text whose pictures have the names that the project gave them."""
    for old, new in names.items():
        if old != new:
            text = text.replace(f"]({old}", f"]({new}")
    return text
