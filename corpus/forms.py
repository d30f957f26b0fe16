"""The form that a past report was written for: the built-in one whose headings it has, else none of its own.

Knows headings. Does not know limits' meaning beyond whether the text kept them, nor anything of the text itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from fabai.checks.limits import measure
from fabai.form import Form, SectionSpec, built_in, in_language
from fabai.report import Language, Section, fold
from fabai.window.words import stems

_LEAST = 3
"""Sections of a form that a report must have for the form to be its own."""
_ALIKE = 0.6


def form_of(sections: Sequence[Section], language: Language) -> Form:
    """The form in whose order these sections stand: each with a heading is one of its specs, by section id, and has the
    guidance and limits of the built-in form where that asks for it. `generic` where no built-in form fits.
    """
    best: tuple[Form, dict[int, str]] | None = None
    headings = [_Heading.of(section.heading, language) for section in sections]
    for form in _forms():
        if not form.own_sections or language not in form.languages:
            continue
        found = _matches(form, sections, headings, language)
        wanted = sum(spec.required for spec in form.sections)
        if len(found) >= max(_LEAST, wanted // 3) and (best is None or len(found) > len(best[1])):
            best = form, found
    if best is not None:
        return _filled(best[0], best[1], sections, language)
    return next(form for form in _forms() if not form.own_sections)


def _filled(form: Form, found: dict[int, str], sections: Sequence[Section], language: Language) -> Form:
    """The form with the report's own headings in their order, as a person would put it who has one more to fill."""
    ids = {spec: sections[position].id for position, spec in found.items()}
    specs: list[SectionSpec] = []
    for position, section in enumerate(sections):
        if not section.level or not section.heading.strip():
            continue
        heading: dict[str, str] = dict.fromkeys(form.languages, section.heading)
        asked = form.spec(found.get(position))
        if asked is None:
            specs.append(SectionSpec(section.id, heading, section.level, required=False))
        else:
            needs = tuple(ids[need] for need in asked.needs if need in ids)
            limits = tuple(
                replace(limit, excludes=tuple(ids[one] for one in limit.excludes if one in ids))
                for limit in asked.limits
            )
            specs.append(
                replace(asked, id=section.id, heading=heading, level=section.level, needs=needs, limits=limits)
            )
    return replace(form, languages=(language,), sections=tuple(specs), limits=())


@dataclass(frozen=True, slots=True)
class _Heading:
    folded: str
    stems: frozenset[str]

    @classmethod
    def of(cls, heading: str, language: Language) -> _Heading:
        folded = fold(heading)
        return cls(folded, frozenset(stems(folded, language)))

    def is_like(self, other: _Heading) -> bool:
        both = len(self.stems & other.stems)
        return self.folded == other.folded or (both > 1 and both >= _ALIKE * len(self.stems | other.stems))


def _matches(
    form: Form, sections: Sequence[Section], headings: Sequence[_Heading], language: Language
) -> dict[int, str]:
    found: dict[int, str] = {}
    for spec in form.sections:
        wanted = _Heading.of(in_language(spec.heading, language), language)
        for position, heading in enumerate(headings):
            fits = heading.folded and position not in found and heading.is_like(wanted)
            if fits and _kept(spec, sections[position], language):
                found[position] = spec.id
                break
    return found


def _kept(spec: SectionSpec, section: Section, language: Language) -> bool:
    """Whether the text is within the limits: one that is not would teach a model to overrun them."""
    for limit in spec.limits:
        if limit.unit == "pages" or limit.maximum is None or (limit.languages and language not in limit.languages):
            continue
        if measure(section.text, limit.unit, limit.line_break) > limit.maximum:
            return False
    return True


@cache
def _forms() -> tuple[Form, ...]:
    return built_in()
