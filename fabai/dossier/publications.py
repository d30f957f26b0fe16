"""The publications of a project: read from .bib, .ris, CSL JSON or a list of DOIs, without asking
any network; table and checks.

Knows what a report wants to be sure of: inside the period, DOI present, grant acknowledged, no record twice. Does not
know how a bibliography file is parsed (fabai.dossier.references).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fabai.checks.violation import Findings, Violation
from fabai.dossier.commitments import standing
from fabai.dossier.kept import as_json, build
from fabai.dossier.publication import Publication, doi_in
from fabai.dossier.references import Entry, add_references, entries
from fabai.dossier.terms import Terms
from fabai.errors import UnreadableFile
from fabai.formats import ast
from fabai.formats.citation import Literature
from fabai.formats.encoding import decode
from fabai.ordinary import contents
from fabai.report import Language, fold
from fabai.settings import ReadingLimits
from fabai.store.project import Project

_LIMITS = ReadingLimits()
_REFERENCE = re.compile(r"\b(?:referenc|expedient|grant agreement|grant no|codigo|codi|num)", re.IGNORECASE)
_CODE = re.compile(r"\b(?=[A-Z0-9/-]*\d)[A-Z]{2,}[A-Z0-9]*(?:[-/][A-Z0-9]+)+\b|\b\d{6,9}\b")
_HEADS: dict[Language, tuple[str, ...]] = {
    "es": ("Nº", "Autores", "Título", "Publicado en", "Año", "DOI"),
    "ca": ("Núm.", "Autors", "Títol", "Publicat a", "Any", "DOI"),
    "en": ("No.", "Authors", "Title", "Published in", "Year", "DOI"),
}


@dataclass(frozen=True, slots=True)
class Bibliography:
    """What a file holds. notices: lines that are none. entries: the records as they can be cited."""

    publications: tuple[Publication, ...]
    notices: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()


def read_publications(path: Path) -> Bibliography:
    """The records of a .bib, .ris, CSL JSON or text file; UnreadableFile where there are none."""
    text = decode(contents(path, _LIMITS.table_bytes, path.name)).replace("\r\n", "\n")
    found = entries(text, path.name)
    if found is None:
        return _dois(path, text)
    if not found.entries:
        raise UnreadableFile(f"{path.name} holds no publications that can be read; save it as .bib or .ris again")
    return Bibliography(
        tuple(replace(publication_of(one), file=path.name) for one in found.entries), found.notices, found.entries
    )


def works_of(literature: Literature) -> dict[str, Publication]:
    """What a report may cite, by key."""
    return {key: publication_of(Entry(key, dict(record))) for key, record in literature.records.items()}


def publication_of(entry: Entry) -> Publication:
    """What a record says of a publication."""
    reference = entry.record
    # an acknowledgement may stand in a field of its own
    note = entry.own or ast.text(reference.get("note"))

    def field(*names: str) -> str:
        return next((text for name in names if (text := ast.text(reference.get(name)))), "")

    authors = []
    people = reference.get("author") or reference.get("editor") or {"c": []}
    for person in people["c"] if isinstance(people["c"], list) else []:
        parts = {name: ast.text(value) for name, value in person["c"].items()} if person["t"] == "MetaMap" else {}
        name = ", ".join(part for part in (parts.get("family", ""), parts.get("given", "")) if part)
        authors.append(name or parts.get("literal", "") or ast.text(person))
    year = re.search(r"\b(1[89]|20)\d\d\b", field("issued"))
    return Publication(
        title=field("title"),
        authors=tuple(one for one in authors if one),
        year=int(year[0]) if year is not None else 0,
        container=field("container-title", "collection-title", "publisher"),
        volume=field("volume"),
        issue=field("issue", "number"),
        pages=field("page").replace("-", "–"),
        doi=doi_in(field("doi", "DOI")) or doi_in(field("url", "URL")),
        url=field("url", "URL"),
        kind=field("type"),
        note=note[:2_000],
        id=entry.key,
    )


def _dois(path: Path, text: str) -> Bibliography:
    """One DOI a line; nothing is looked up, so that title and year wait for a .bib or .ris."""
    found, strange = [], []
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        doi = doi_in(line)
        if doi:
            rest = line.replace(doi, "").replace("https://doi.org/", "").strip(" \t-;,")
            found.append(Publication(rest if len(rest) > 8 else "", doi=doi, file=path.name, note=line.strip()))
        else:
            strange.append(line.strip()[:40])
    if not found:
        raise UnreadableFile(f"{path.name} holds no publications: give a .bib, a .ris, or one DOI a line")
    notices = [f"{path.name}: '{one}' is no DOI and was left out" for one in strange[:5]]
    if len(strange) > 5:
        notices.append(f"{path.name}: {len(strange) - 5} more lines are no DOIs")
    return Bibliography(tuple(found), tuple(notices))


def add_publications(project: Project, found: Bibliography) -> int:
    """Keep records; one that is known is completed by what it lacked. Returns how many are new. All can be cited."""
    known = {one.key: one for one in publications(project)}
    by_doi = {one.doi: one.key for one in known.values() if one.doi}
    by_title = {_letters(one.title): one.key for one in known.values() if one.title}
    new = 0
    changed: dict[str, Publication] = {}
    for one in found.publications:
        key = by_doi.get(one.doi) or by_title.get(_letters(one.title)) or one.key
        before = changed.get(key) or known.get(key)
        if before is None:
            new += 1
            changed[key] = one
        else:
            changed[key] = _completed(before, one)
        if one.doi:
            by_doi.setdefault(one.doi, key)
        if one.title:
            by_title.setdefault(_letters(one.title), key)
    project.items().save("publication", [(key, as_json(one)) for key, one in changed.items()], event="publication")
    add_references(project, found.entries)
    return new


def _letters(text: str) -> str:
    return re.sub(r"\W+", "", fold(text))


def _completed(one: Publication, other: Publication) -> Publication:
    names = ("id", "title", "authors", "year", "container", "volume", "issue", "pages", "doi", "url", "kind")
    values = {name: getattr(other, name) for name in names if not getattr(one, name) and getattr(other, name)}
    note = one.note if other.note in one.note else f"{one.note} {other.note}".strip()
    return replace(one, **values, note=note[:4_000])


def publications(project: Project) -> tuple[Publication, ...]:
    """In the order in which they came."""
    found = project.items().all("publication")
    return tuple(build(Publication, item.data) for item in found if item.data is not None)


def table(found: Iterable[Publication], language: Language) -> list[tuple[str, ...]]:
    """Heads and rows of the publications table, by year and then by authors."""
    ordered = sorted(found, key=lambda one: (one.year, one.authors, one.title))
    rows = [
        (str(number), "; ".join(one.authors), one.title, one.container, str(one.year or ""), one.doi)
        for number, one in enumerate(ordered, start=1)
    ]
    return [_HEADS[language], *rows]


def grant_references(project: Project) -> tuple[str, ...]:
    """How the grant may be named in an acknowledgement: reference facts, and codes in confirmed publicity duties."""
    found: list[str] = []
    for fact in project.ledger():
        if fact.kind == "reference" or _REFERENCE.search(fold(fact.name)):
            found.append(fact.value.strip())
    for one in standing(project):
        if one.kind == "publicity":
            found += _CODE.findall(one.text)
    return tuple(dict.fromkeys(one for one in found if len(one) > 3))


def check_publications(found: Sequence[Publication], terms: Terms, references: Sequence[str]) -> Findings:
    """Outside the period, without DOI, without the grant, twice."""
    out: list[Violation] = []
    seen: dict[str, Publication] = {}
    for one in found:
        name = one.citation()[:100]
        # a paper may appear in the year after the work
        if (
            terms.start is not None
            and terms.end is not None
            and one.year
            and not terms.start.year <= one.year <= terms.end.year + 1
        ):
            period = f"{terms.start} – {terms.end}"
            out.append(_of("publication-outside-period", one, str(one.year), period, "error", name))
        if not one.doi:
            out.append(_of("publication-no-doi", one, "", "", "warning", name))
        if references and not any(_letters(reference) in _letters(one.note) for reference in references):
            out.append(_of("publication-no-grant", one, "", ", ".join(references), "warning", name))
        title = _letters(one.title)
        if title and title in seen:
            out.append(_of("publication-duplicate", one, "", seen[title].citation()[:80], "warning", name))
        seen.setdefault(title, one)
    notices = (
        ()
        if references or not found
        else (
            "whether the grant is acknowledged was not checked: add its reference to the ledger "
            "(fabai facts PROJECT add)",
        )
    )
    return Findings(tuple(out), notices)


def _of(rule: str, one: Publication, found: str, expected: str, severity: Any, name: str) -> Violation:
    return Violation(rule, None, severity, found, expected, name, evidence=one.file)
