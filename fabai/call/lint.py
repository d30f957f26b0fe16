"""A form looked over before anyone relies on it: what a report could not follow, and what nobody could check.

Knows what `fabai.form` accepts and a person would still stumble on. Does not know reports or calls.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fabai.form import Form, in_language
from fabai.report import fold

_OLD = 730
"""Days after which a rule is worth another look: most funders change their forms every year or two."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One sentence about a place of the form; grave: a report cannot follow the form as it stands."""

    where: str
    sentence: str
    grave: bool


def lint(form: Form, today: datetime.date) -> list[Fault]:
    """The faults of a form, grave ones first."""
    found = [*_tree(form), *_limits(form), *_words(form), *_sources(form, today), *_tables(form)]
    return sorted(found, key=lambda one: not one.grave)


def _tree(form: Form) -> Iterator[Fault]:
    if form.own_sections and not form.sections:
        yield Fault("sections", "there are none: add them, or own_sections = false", True)
    level = 0
    for spec in form.sections:
        if spec.level > level + 1:
            yield Fault(spec.id, f"it has level {spec.level} under level {level}: a level is skipped", True)
        level = spec.level
    for language in form.languages:
        names = Counter((spec.level, fold(in_language(spec.heading, language))) for spec in form.sections)
        for spec in form.sections:
            if names[spec.level, fold(in_language(spec.heading, language))] > 1 and not spec.repeats:
                sentence = (
                    f"another section of its level has its heading in '{language}': an import cannot tell them apart"
                )
                yield Fault(spec.id, sentence, True)
    order = {spec.id: place for place, spec in enumerate(form.sections)}
    for spec in form.sections:
        for need in spec.needs:
            if order.get(need, -1) >= order[spec.id]:
                yield Fault(spec.id, f"it needs '{need}', which stands behind it and is written later", False)
        if spec.kind == "response" and spec.guidance is None:
            yield Fault(spec.id, "it answers a question of the funder's that `guidance` does not give", False)
        if spec.kind == "web" and spec.tables:
            yield Fault(spec.id, "a portal's field is plain text and cannot hold a table", True)


def _limits(form: Form) -> Iterator[Fault]:
    every = [("the whole document", limit) for limit in form.limits]
    every += [(spec.id, limit) for spec in form.sections for limit in spec.limits]
    for where, limit in every:
        if limit.maximum == 0:
            yield Fault(
                where, f"its maximum is 0 {limit.unit}: nothing may be written; leave the section out instead", True
            )
        if limit.minimum == 0:
            yield Fault(where, "its minimum is 0 and demands nothing: take it out", False)
        if limit.unit not in ("characters",) and limit.line_break == 2:
            yield Fault(where, f"a line break counts as two characters, and the limit counts {limit.unit}", False)
    for spec in form.sections:
        for limit in spec.limits:
            if limit.unit == "pages" and spec.kind == "web":
                yield Fault(spec.id, "a portal's field has no pages: count characters or words", True)
    for whole in form.limits:
        least = sum(one.minimum or 0 for spec in form.sections for one in spec.limits if one.unit == whole.unit)
        if whole.maximum is not None and least > whole.maximum:
            yield Fault(
                "the whole document",
                f"its sections ask for {least} {whole.unit} at least and {whole.maximum} is the most",
                True,
            )


def _words(form: Form) -> Iterator[Fault]:
    for spec in form.sections:
        for name, texts in (("guidance", spec.guidance), ("criteria", spec.criteria), ("evidence", spec.evidence)):
            lacking = [one for one in form.languages if texts is not None and not texts.get(one, "").strip()]
            if lacking:
                yield Fault(
                    spec.id, f"its {name} lacks {', '.join(lacking)}: the person reads another language's", False
                )
    for rule in form.rules:
        lacking = [one for one in form.languages if not rule.text.get(one, "").strip()]
        if lacking:
            yield Fault(
                "rules", f"'{in_language(rule.text, form.languages[0])[:50]}' lacks {', '.join(lacking)}", False
            )
    if form.notice is None:
        yield Fault("notice", "there is none: say that the call must be looked at", False)


def _sources(form: Form, today: datetime.date) -> Iterator[Fault]:
    dated = [("the form", form.source, form.date), *(("a rule", one.source, one.date) for one in form.rules)]
    dated += [("a deadline", one.source, one.date) for one in form.deadlines]
    dated += [(f"the value '{one.id}'", one.source, one.date) for one in form.values]
    for where, source, date in dated:
        if not source.strip():
            yield Fault(where, "it has no source, so nobody can check it", True)
        try:
            read = datetime.date.fromisoformat(date)
        except ValueError:
            yield Fault(where, f"its date '{date}' is no date: write it as 2026-03-31", True)
            continue
        if read > today:
            yield Fault(where, f"it was read on {date}, which is still to come", True)
        elif (today - read).days > _OLD:
            yield Fault(where, f"it was read on {date}: look whether the funder has a newer one", False)
    for spec in form.sections:
        if not spec.source:
            yield Fault(spec.id, "it has no source, so nobody can check it", False)
        for limit in spec.limits:
            if not limit.source:
                yield Fault(spec.id, "its limit has no source, so nobody can check it", False)


def _tables(form: Form) -> Iterator[Fault]:
    for spec in form.sections:
        for table in spec.tables:
            for language in form.languages:
                names = [fold(column.heading.get(language, "")) for column in table.columns]
                if not all(names):
                    yield Fault(spec.id, f"a column of its table has no heading in '{language}'", True)
                elif len(set(names)) < len(names):
                    yield Fault(spec.id, f"two columns of its table have the same heading in '{language}'", True)
