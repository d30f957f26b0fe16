"""The Form: a funder's template as a tree of section specs with guidance, limits and rules.

Knows the model and how it is read from TOML. Does not know the text of a report, nor how limits are counted
(fabai.checks) or a finished file is looked at (fabai.submission). docs/forms.md explains every key to who writes one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from fabai.demands import Annex, Deadline, File, Page, Table, Value
from fabai.errors import BadSetting, UnknownName
from fabai.report import LANGUAGES, Language, fold
from fabai.strict import build, read_toml

# what a person can name on a command line without quotes
_ID = re.compile(r"[\w.-]+")
_LARGEST = 10**9
_BEGINNING = 30
"""Letters of a question that its heading has too."""

Unit = Literal["characters", "characters_without_spaces", "words", "pages"]
FieldKind = Literal["section", "web", "response"]


@dataclass(frozen=True, slots=True)
class Limit:
    """At most, at least, or both, of one unit. line_break: how many characters a line break counts as.

    excludes: spec ids whose text does not count; 'cover' and 'index' name what no section is. languages, years: those
    that the limit holds for, all where empty. source: where the number comes from, if not from the form's own source.
    """

    unit: Unit
    maximum: int | None = None
    minimum: int | None = None
    line_break: Literal[1, 2] = 1
    excludes: tuple[str, ...] = ()
    languages: tuple[Language, ...] = ()
    source: str | None = None
    years: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.maximum is None and self.minimum is None:
            raise BadSetting("a limit needs a maximum, a minimum or both")
        for bound in (self.maximum, self.minimum):
            if bound is not None and not 0 <= bound <= _LARGEST:
                raise BadSetting(f"a limit is {bound}; it must lie between 0 and {_LARGEST}")
        if self.maximum is not None and self.minimum is not None and self.minimum > self.maximum:
            raise BadSetting(f"the minimum {self.minimum} is larger than the maximum {self.maximum}")


@dataclass(frozen=True, slots=True)
class Rule:
    """A demand, per language, and where it comes from, so that a person can check it: source, date it was read."""

    text: dict[str, str]
    source: str
    date: str
    years: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Font:
    """The typefaces that a form accepts, the preferred one first, all where empty, and the smallest size in points."""

    names: tuple[str, ...] = ()
    size: float | None = None


@dataclass(frozen=True, slots=True)
class SectionSpec:
    """One section that the form asks for. Texts are per language; `needs` names specs whose text this one builds on.

    required False: it may stay empty, because it only groups others or does not concern every report. kind: a `section`
    of the document; a `web` field of a portal, plain text that stands in no document; a `response` to the funder's
    question, which `guidance` holds. evidence: what must prove a response. repeats: one heading for each work package,
    partner or objective, so that several sections of the report may answer it.
    """

    id: str
    heading: dict[str, str]
    level: int = 1
    guidance: dict[str, str] | None = None
    criteria: dict[str, str] | None = None
    limits: tuple[Limit, ...] = ()
    needs: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    required: bool = True
    source: str | None = None
    kind: FieldKind = "section"
    evidence: dict[str, str] | None = None
    repeats: bool = False

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            raise BadSetting(f"'{self.id}' is no id of a section: take letters, digits, '-', '_' and '.'")
        if not 1 <= self.level <= 9:
            raise BadSetting(f"section '{self.id}' has level {self.level}; it must lie between 1 and 9")

    def question(self, language: Language) -> str:
        """The funder's question in full where the heading begins with its words, as in a request; "" for others."""
        asked = in_language(self.guidance, language) if self.kind == "response" else ""
        begins = fold(asked)[:_BEGINNING]
        return asked if begins and begins in fold(in_language(self.heading, language)) else ""


@dataclass(frozen=True, slots=True)
class Form:
    """A funder's form, in the languages it exists in.

    own_sections False: it takes the document's own sections (`generic`).
    """

    id: str
    name: dict[str, str]
    languages: tuple[Language, ...]
    source: str
    date: str
    own_sections: bool = True
    sections: tuple[SectionSpec, ...] = ()
    limits: tuple[Limit, ...] = ()
    rules: tuple[Rule, ...] = ()
    notice: dict[str, str] | None = None
    font: Font | None = None
    page: Page | None = None
    file: File | None = None
    annexes: tuple[Annex, ...] = ()
    deadlines: tuple[Deadline, ...] = ()
    values: tuple[Value, ...] = ()

    def __post_init__(self) -> None:
        if not self.languages:
            raise BadSetting(f"form '{self.id}' exists in no language: name one of {', '.join(LANGUAGES)} at least")
        for texts in _texts(self):
            unknown = next((one for one in texts if one not in LANGUAGES), None)
            if unknown is not None:
                raise UnknownName.nearest(f"language in form '{self.id}'", unknown, LANGUAGES)
        ids = [spec.id for spec in self.sections]
        known = set(ids)
        beside = {*known, *BESIDE}
        twice = next((one for one, count in Counter(ids).items() if count > 1), None)
        if twice is not None:
            raise BadSetting(f"form '{self.id}' has two sections with the id '{twice}'")
        for spec in self.sections:
            for need in spec.needs:
                if need not in known:
                    raise UnknownName.nearest(f"section needed by '{spec.id}' in form '{self.id}'", need, ids)
            for language in self.languages:
                if not spec.heading.get(language, "").strip():
                    raise BadSetting(f"section '{spec.id}' of form '{self.id}' has no heading in '{language}'")
        for limit in (*self.limits, *(limit for spec in self.sections for limit in spec.limits)):
            for excluded in limit.excludes:
                if excluded not in beside:
                    raise UnknownName.nearest(f"section excluded by a limit of form '{self.id}'", excluded, beside)

    def spec(self, spec_id: str | None) -> SectionSpec | None:
        """The section spec of that id, None where there is none."""
        return next((spec for spec in self.sections if spec.id == spec_id), None)


BESIDE = ("cover", "index")
"""What a page limit may leave out that is no section: the title page and the table of contents."""


def holding(limits: tuple[Limit, ...], language: Language, year: int | None = None) -> tuple[Limit, ...]:
    """The limits that hold in a language and for a year's call; where the year is not known, the newest year's."""
    newest = max((one for limit in limits for one in limit.years), default=None)
    wanted = newest if year is None else year
    return tuple(
        limit
        for limit in limits
        if (not limit.languages or language in limit.languages) and (not limit.years or wanted in limit.years)
    )


def _texts(form: Form) -> Iterator[dict[str, str]]:
    """Every text that a form has per language."""
    yield form.name
    yield form.notice or {}
    for rule in form.rules:
        yield rule.text
    for spec in form.sections:
        yield spec.heading
        yield spec.guidance or {}
        yield spec.criteria or {}
        yield spec.evidence or {}
        for table in spec.tables:
            yield table.title or {}
            yield from (column.heading for column in table.columns)
    for annex in form.annexes:
        yield annex.name
    if form.page is not None:
        yield form.page.header or {}
        yield form.page.footer or {}


def read_form(path: Path) -> Form:
    """A Form from its TOML file; errors name the file, the table and the key."""
    form = build(Form, read_toml(path), path.name)
    if form.own_sections and not form.sections:
        raise BadSetting(
            f"{path.name} has no sections: add them, or own_sections = false where the document brings its own"
        )
    return form


@cache
def built_in() -> tuple[Form, ...]:
    """The forms that ship with fabai, by id; read once, for that takes a fifth of a second."""
    found = []
    for file in sorted(resources.files("fabai.forms").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            with resources.as_file(file) as path:
                found.append(read_form(path))
    return tuple(found)


def find_form(name: str) -> Form:
    """A built-in form by id, or a form of one's own by the path of its TOML file."""
    if name.endswith(".toml"):
        return read_form(Path(name))
    forms = {form.id: form for form in built_in()}
    if name not in forms:
        raise UnknownName.nearest("form", name, forms)
    return forms[name]


def in_language(texts: dict[str, str] | None, language: Language) -> str:
    """The text in the language, else in the first of es, ca, en that has one, else ""."""
    if not texts:
        return ""
    return texts.get(language) or next((texts[one] for one in LANGUAGES if texts.get(one)), "")
