"""The Report: an ordered tree of Sections with Markdown text.

Knows headings, levels, numbers and words. Does not know files, forms, windows or models.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from operator import attrgetter, indexOf
from typing import Literal, get_args

from fabai.errors import UnknownName, UsageError

Status = Literal["empty", "imported", "drafted", "accepted"]
Language = Literal["es", "ca", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

_WORD = re.compile(r"\w+(?:[·'’\-.,]\w+)*")
_ID = attrgetter("id")
TYPED_NUMBER = re.compile(r"^\s*(\d+(?:\.\d+)*)[.)]?\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Section:
    """One heading and the text under it, up to the next heading.

    level: 1-9, or 0 for the text before the first heading. text: Markdown without the heading.
    spec: id of the Form's section spec that this section answers, if any.
    """

    id: str
    heading: str
    level: int
    text: str = ""
    status: Status = "empty"
    spec: str | None = None

    @property
    def words(self) -> int:
        return count_words(self.text)


@dataclass(frozen=True, slots=True)
class Report:
    """Title, language and the sections in reading order; the tree is in the levels."""

    title: str
    language: Language
    sections: tuple[Section, ...] = ()
    meta: dict[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Section]:
        return iter(self.sections)

    def __len__(self) -> int:
        return len(self.sections)

    def index(self, section_id: str) -> int:
        """Position of a section id; UnknownName where there is none."""
        try:
            return indexOf(map(_ID, self.sections), section_id)
        except ValueError:
            raise UnknownName.nearest("section", section_id, map(_ID, self.sections)) from None

    def numbers(self) -> tuple[str, ...]:
        """The outline number of every section ("2.3.1"), "" at level 0. A skipped level counts as 1."""
        counters: list[int] = []
        numbers: list[str] = []
        for section in self.sections:
            if section.level == 0:
                numbers.append("")
                continue
            del counters[section.level :]
            while len(counters) < section.level - 1:
                counters.append(1)
            if len(counters) < section.level:
                counters.append(1)
            else:
                counters[-1] += 1
            numbers.append(".".join(map(str, counters)))
        return tuple(numbers)

    def ancestors(self, section_id: str) -> tuple[Section, ...]:
        """The headings above a section, outermost first."""
        position = self.index(section_id)
        level = self.sections[position].level
        found: list[Section] = []
        for section in reversed(self.sections[:position]):
            if 0 < section.level < level:
                found.append(section)
                level = section.level
        return tuple(reversed(found))

    def find(self, name: str) -> Section:
        """A section by id, number ("2.3") or heading (whole, else a unique beginning; accents and case ignored)."""
        for section, number in zip(self.sections, self.numbers(), strict=True):
            if name in (section.id, number) and name:
                return section
        wanted = fold(name)
        exact = [section for section in self.sections if fold(section.heading) == wanted]
        begun = [section for section in self.sections if wanted and fold(section.heading).startswith(wanted)]
        for matches in (exact, begun):
            if len(matches) == 1:
                return matches[0]
            if matches:
                ids = ", ".join(section.id for section in matches[:6])
                raise UsageError(f"'{name}' fits {len(matches)} sections ({ids}); give the id or the number")
        raise UnknownName.nearest("section", name, (section.heading or section.id for section in self.sections))

    def with_section(self, section: Section) -> Report:
        """The same report with the section of that id replaced."""
        position = self.index(section.id)
        return replace(self, sections=(*self.sections[:position], section, *self.sections[position + 1 :]))


def count_words(text: str) -> int:
    """Words as a word processor counts them: '1.234,56', 'col·legi' and 'd'Olot' are one word each."""
    return len(_WORD.findall(text))


def fold(text: str) -> str:
    """Lower case, no accents, single spaces, no typed number in front: for comparing headings."""
    text = TYPED_NUMBER.sub("", text)
    plain = unicodedata.normalize("NFKD", text)
    if not plain.isascii():
        # a text has many letters and few kinds of them
        for mark in filter(unicodedata.combining, set(plain)):
            plain = plain.replace(mark, "")
    return re.sub(r"\W+", " ", plain).strip().lower()
