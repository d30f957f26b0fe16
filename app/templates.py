"""New grants that begin with a document: a template read from the funder's own file, a request for clarification.

Knows what a person confirms before the grant is made. Does not know how documents are read (fabai.call,
fabai.dossier.request).
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

from fabai.call.proposal import Proposal
from fabai.call.proposal import propose as propose_form
from fabai.demands import Table
from fabai.dossier.lists import set_term
from fabai.dossier.request import response_form
from fabai.errors import BadSetting, UsageError
from fabai.form import Form, Limit, SectionSpec, Unit, in_language
from fabai.formats.document import Document
from fabai.formats.read import read
from fabai.report import Language
from fabai.store.project import Project
from fabai.store.record import Source

from .call import Answer, Call
from .terms import take_deadline
from .waiting import Waiting

TEMPLATES = frozenset({".docx", ".docm", ".doc", ".odt", ".rtf"})
"""Files that may themselves be the template to fill in; a PDF is a call that describes one."""
UNITS: tuple[Unit, ...] = get_args(Unit)


@dataclass(frozen=True, slots=True)
class Waits:
    """What was read of a funder's document. proposals: one for each template in it; a request has one form."""

    path: Path
    document: Document
    forms: tuple[Form, ...]
    language: Language


DESK = Waiting[Waits]()


def look_template(call: Call, path: Path) -> Answer:
    """The sections and limits that a funder's document seems to ask for, each with the words that say so."""
    document = read(path)
    template = path.suffix.lower() in TEMPLATES and call.text("call", "") != "1"
    found = propose_form(document, path.name, template=template, today=datetime.date.today())
    forms = tuple(one.form for one in found)
    language = document.language or call.language
    token = DESK.put(Waits(path, document, forms, forms[0].languages[0]))
    return {
        "token": token,
        "filename": path.name,
        "language": language,
        "units": list(UNITS),
        "parts": [_part(one) for one in found],
    }


def look_request(call: Call, path: Path) -> Answer:
    """The questions of a request for clarification, each a section of the answer."""
    document = read(path)
    language = document.language or call.language
    form = response_form(document, path.name, language, datetime.date.today())
    token = DESK.put(Waits(path, document, (form,), language))
    days = next((one.days for one in form.deadlines if one.days is not None), None)
    return {
        "token": token,
        "filename": path.name,
        "language": language,
        "days": days,
        "working": any(one.working for one in form.deadlines),
        "questions": [in_language(spec.guidance, language) for spec in form.sections],
    }


def create_from_template(call: Call) -> Answer:
    """A grant by the template as the person confirmed it: {"heading", "level", "limits", "id"} for each section."""
    one = DESK.get(call.text("token"))
    part = call.number("part")
    if not 0 <= part < len(one.forms):
        raise UsageError("the page and the document do not match any more: choose the document again")
    form = one.forms[part]
    language = call.report_language(form.languages[0])
    sections = _confirmed(form, call.several("sections"), language)
    if not sections:
        raise BadSetting("every section was dropped: keep one at least")
    name = call.text("name").strip() or in_language(form.name, one.language)
    limits = _limits(call.several("limits"), form.limits, one.path.name)
    # the document's own words stand, in whichever language the report is written
    confirmed = replace(
        form,
        languages=(language,),
        name={language: name},
        own_sections=True,
        sections=sections,
        limits=limits,
        notice=None,
    )
    return _create(call, one, confirmed, language)


def create_answer(call: Call) -> Answer:
    """A grant that answers a request: a section for each question, the deadline from the day of notification."""
    one = DESK.get(call.text("token"))
    return _create(call, one, one.forms[0], one.language)


def _create(call: Call, one: Waits, form: Form, language: Language) -> Answer:
    title = call.text("title").strip()
    if not title:
        raise BadSetting("give the grant a title: it is how you find it again")
    name = call.space.free_name(title)
    digest = sha256(one.path.read_bytes()).hexdigest()
    source = Source(one.path.name, one.document.text, digest, "source")
    notified = call.text("notified", "").strip()
    with Project.create(call.space.path(name), form, language, title, sources=[source]) as project:
        if notified:
            set_term(project, "notified", notified, one.path.name)
        take_deadline(project)
    return {"project": name}


def _part(one: Proposal) -> dict[str, Any]:
    language = one.form.languages[0]
    quotes = {proof.what: proof.quote for proof in one.proofs}
    return {
        "title": one.part or in_language(one.form.name, language),
        "sections": [
            {
                "id": spec.id,
                "heading": in_language(spec.heading, language),
                "level": spec.level,
                "guidance": in_language(spec.guidance, language),
                "quote": quotes.get(f"section {in_language(spec.heading, language)}", ""),
                "limits": [_shown(limit) for limit in spec.limits],
                "tables": len(spec.tables),
            }
            for spec in one.form.sections
        ],
        "limits": [_shown(limit) for limit in one.form.limits],
        "read": [proof.quote for proof in one.proofs if not proof.what.startswith("section ")],
    }


def _shown(limit: Limit) -> dict[str, Any]:
    return {"unit": limit.unit, "maximum": limit.maximum, "minimum": limit.minimum}


def _confirmed(form: Form, chosen: Sequence[Any], language: Language) -> tuple[SectionSpec, ...]:
    """The sections that a person kept, with the headings, levels and limits that they left; new ones without an id."""
    known = {spec.id: spec for spec in form.sections}
    out: list[SectionSpec] = []
    for number, item in enumerate(chosen, start=1):
        heading, level = str(item.get("heading", "")).strip(), item.get("level")
        if not heading:
            raise BadSetting("a section has no heading: write one, or drop it")
        if not isinstance(level, int) or not 1 <= level <= 9:
            raise UsageError("a section has no level: choose the document again")
        spec = known.pop(str(item.get("id", "")), None)
        spec = spec or SectionSpec(_free(f"apartado-{number}", form, out), {language: heading}, source=form.source)
        limits = _limits(item.get("limits", []), spec.limits, form.source)
        out.append(
            replace(
                spec,
                heading={language: heading},
                level=level,
                limits=limits,
                guidance=None if spec.guidance is None else _said(spec.guidance, language),
                tables=tuple(_table(one, language) for one in spec.tables),
            )
        )
    return tuple(out)


def _said(texts: Mapping[str, str], language: Language) -> dict[str, str]:
    return {language: next(iter(texts.values()))}


def _table(one: Table, language: Language) -> Table:
    columns = tuple(replace(column, heading=_said(column.heading, language)) for column in one.columns)
    return replace(one, columns=columns)


def _free(wanted: str, form: Form, out: Sequence[SectionSpec]) -> str:
    taken = {spec.id for spec in (*form.sections, *out)}
    return next(one for one in (wanted, *(f"{wanted}-{n}" for n in range(2, 1000))) if one not in taken)


def _limits(given: Sequence[Any], before: Sequence[Limit], source: str) -> tuple[Limit, ...]:
    """Limits as a page gives them; what one that was read says of excluded parts stays with its unit."""
    out = []
    for item in given:
        unit = next((one for one in UNITS if one == item.get("unit")), None)
        maximum, minimum = (_whole(item, key) for key in ("maximum", "minimum"))
        if unit is None or (maximum is None and minimum is None):
            continue
        same = next((one for one in before if one.unit == unit), None)
        fresh = Limit(unit, maximum, minimum, source=source)
        out.append(fresh if same is None else replace(same, maximum=maximum, minimum=minimum))
    return tuple(out)


def _whole(item: Mapping[str, Any], key: str) -> int | None:
    value = item.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
