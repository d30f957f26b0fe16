"""A Form proposed from a funder's own document, with the words that each part of it was read from.

Knows which reader looks for what. Does not decide anything: a person confirms each part before the form is used.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field, replace

from fabai.call.deadlines import StatedDeadline, deadlines_in
from fabai.call.limits import Stated, limits_in
from fabai.call.lines import Line, lines
from fabai.call.looks import Looks
from fabai.call.outline import Asked, Part, parts
from fabai.demands import Column, Deadline, File, Page, Table
from fabai.form import BESIDE, Font, Form, Limit, SectionSpec
from fabai.formats.document import Document
from fabai.report import Language, fold

_GUIDANCE_LONGEST = 1_200
_IDS_LONGEST = 32


@dataclass(frozen=True, slots=True)
class Proof:
    """What was read (as 'pages <= 60'), and the words of the document that say so."""

    what: str
    quote: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A form to confirm. proofs: in the order of the form; doubts: sentences about what could not be settled."""

    form: Form
    proofs: tuple[Proof, ...]
    doubts: tuple[str, ...]
    part: str


@dataclass(slots=True)
class _Gathered:
    limits: list[Limit] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


def propose(
    document: Document, name: str, *, template: bool, part: str | None = None, today: datetime.date
) -> list[Proposal]:
    """One Proposal for each template in the document; one without sections where it holds none.

    name: of the file, the proposal's source. template: the document is itself the file to be filled in. part: only the
    template whose title has these words.
    """
    row = list(lines(document))
    found = parts(document, template=template)
    if part is not None:
        found = [one for one in found if fold(part) in fold(one.title)]
    language: Language = document.language or "es"
    deadlines = _deadlines(row)
    if not found:
        found = [Part(document.title, 0, len(document.sections) - 1, ())]
    return [_proposal(one, row, deadlines, language, name, today) for one in found]


def _proposal(
    part: Part, row: list[Line], deadlines: list[StatedDeadline], language: Language, name: str, today: datetime.date
) -> Proposal:
    own = [line for line in row if part.first <= line.part <= part.last]
    gathered = _Gathered()
    specs = _specs(part.sections, language, name, gathered)
    looks = Looks()
    inside = {fold(line) for asked in part.sections for line in (*asked.guidance, asked.own_words)}
    for line in own:
        looks.learn(line.text)
        if fold(line.text) not in inside:
            _whole(line, specs, name, gathered)
    for key, quote in looks.quotes.items():
        gathered.proofs.append(Proof(f"{key} {getattr(looks, key)}", quote))
    for one in deadlines:
        gathered.proofs.append(Proof(_deadline_words(one), one.quote))
    if not specs:
        gathered.doubts.append(
            "no list of sections was found: add them, or take the headings from the funder's template"
        )
    form = Form(
        id=_identifier(part.title or name, set(), 40),
        name={language: part.title or name},
        languages=(language,),
        source=name,
        date=today.isoformat(),
        own_sections=bool(specs),
        sections=tuple(specs),
        limits=tuple(gathered.limits),
        notice={language: _CHECK[language]},
        font=Font(looks.names, looks.size) if looks.names or looks.size is not None else None,
        page=_page(looks, name),
        file=File(("pdf",), looks.megabytes, source=name) if looks.megabytes is not None else None,
        deadlines=tuple(_deadline(one, name, today) for one in deadlines),
    )
    return Proposal(form, tuple(gathered.proofs), tuple(gathered.doubts), part.title)


_CHECK: dict[Language, str] = {
    "es": "Compruebe su convocatoria: este modelo se ha leído de un documento y nadie lo ha confirmado.",
    "ca": "Comproveu la vostra convocatòria: aquest model s'ha llegit d'un document i ningú l'ha confirmat.",
    "en": "Check your call: this template was read from a document and nobody has confirmed it.",
}


def _specs(asked: tuple[Asked, ...], language: Language, name: str, gathered: _Gathered) -> list[SectionSpec]:
    taken: set[str] = set()
    out: list[SectionSpec] = []
    for number, one in enumerate(asked):
        identifier = _identifier(one.heading, taken, _IDS_LONGEST)
        gathered.proofs.append(Proof(f"section {one.heading}", one.own_words))
        limits: list[Limit] = []
        kept: list[str] = []
        for text in (one.own_words, *one.guidance):
            stated = [limit for limit in limits_in(text) if not limit.about]
            if stated:
                limits += [_limit(limit, [], name) for limit in stated]
                gathered.proofs += [Proof(f"{identifier}: {_limit_words(limit)}", text) for limit in stated]
            if text is not one.own_words:
                kept.append(text)
        guidance = "\n".join(kept)[:_GUIDANCE_LONGEST].strip()
        grouping = number + 1 < len(asked) and asked[number + 1].level > one.level and not guidance
        tables = tuple(Table(tuple(Column({language: words}) for words in columns)) for columns in one.tables)
        out.append(
            SectionSpec(
                id=identifier,
                heading={language: one.heading},
                level=one.level,
                guidance={language: guidance} if guidance else None,
                limits=tuple(dict.fromkeys(limits)),
                tables=tables,
                required=not grouping,
                source=name,
            )
        )
    return out


def _whole(line: Line, specs: list[SectionSpec], name: str, gathered: _Gathered) -> None:
    """A limit in a line of its own: of a section that the line names, else of the whole document."""
    for stated in limits_in(line.text):
        if stated.about:
            gathered.doubts.append(f"only a hint of length: '{line.text[:90]}'")
            continue
        limit = _limit(stated, specs, name)
        lost = [one for one in stated.excludes if not _as_spec(one, specs)]
        if lost:
            gathered.doubts.append(f"what does not count has no section here ({', '.join(lost)}): '{line.text[:90]}'")
        if limit not in gathered.limits:
            gathered.limits.append(limit)
            gathered.proofs.append(Proof(_limit_words(stated), line.text))


def _limit(stated: Stated, specs: list[SectionSpec], name: str) -> Limit:
    excludes = tuple(dict.fromkeys(found for one in stated.excludes for found in _as_spec(one, specs)))
    return Limit(stated.unit, stated.maximum, stated.minimum, excludes=excludes, source=name)


_SPEC_WORDS = {
    "summary": r"resumen|resum\b|summary|abstract",
    "annexes": r"^(?:anexo|annex)",
    "references": r"^(?:bibliograf|referenc)",
}


def _as_spec(excluded: str, specs: list[SectionSpec]) -> tuple[str, ...]:
    if excluded in BESIDE:
        return (excluded,)
    words = _SPEC_WORDS.get(excluded)
    if words is None:
        return ()
    return tuple(spec.id for spec in specs if any(re.search(f"(?i){words}", text) for text in spec.heading.values()))


def _page(looks: Looks, name: str) -> Page | None:
    if not looks.margins and looks.spacing is None and looks.paper is None:
        return None
    top, right, bottom, left = (looks.margins.get(side) for side in ("top", "right", "bottom", "left"))
    return Page("A4" if looks.paper == "A4" else None, top, right, bottom, left, looks.spacing, source=name)


def _deadlines(row: list[Line]) -> list[StatedDeadline]:
    """Each deadline once; of two that differ only in what they say of extension, the one that says it."""
    found: dict[tuple[object, ...], StatedDeadline] = {}
    for line in row:
        for one in deadlines_in(line.text, line.heading):
            key = (one.starts, one.months, one.days, one.working)
            known = found.get(key)
            if known is None:
                found[key] = one
            else:
                found[key] = replace(
                    known,
                    latest=known.latest or one.latest,
                    extendable=one.extendable if known.extendable is None else known.extendable,
                )
    return list(found.values())


def _deadline(one: StatedDeadline, name: str, today: datetime.date) -> Deadline:
    return Deadline(one.starts, name, today.isoformat(), one.months, one.days, one.working, one.latest, one.extendable)


def _deadline_words(one: StatedDeadline) -> str:
    span = f"{one.months} months" if one.months is not None else f"{one.days} days" if one.days is not None else ""
    cap = f", at the latest {one.latest}" if one.latest else ""
    return f"deadline {span} from {one.starts}{cap}" + (", not extendable" if one.extendable is False else "")


def _limit_words(stated: Stated) -> str:
    low = "" if stated.minimum is None else f"{stated.minimum} <= "
    high = "" if stated.maximum is None else f" <= {stated.maximum}"
    without = f" without {', '.join(stated.excludes)}" if stated.excludes else ""
    return f"{low}{stated.unit}{high}{without}"


def _identifier(heading: str, taken: set[str], longest: int) -> str:
    words = fold(heading).split()
    small = {
        "de",
        "la",
        "el",
        "los",
        "las",
        "y",
        "i",
        "del",
        "dels",
        "les",
        "en",
        "a",
        "of",
        "the",
        "and",
        "per",
        "por",
        "un",
        "una",
    }
    kept = [word for word in words if word not in small and word.isascii()] or ["apartado"]
    found = kept[0]
    for word in kept[1:]:
        if len(found) + len(word) + 1 > longest or found.count("-") >= 2:
            break
        found += f"-{word}"
    number = 1
    unique = found[:longest]
    while unique in taken or unique in BESIDE:
        number += 1
        unique = f"{found[: longest - 3]}-{number}"
    taken.add(unique)
    return unique
