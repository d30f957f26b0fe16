"""The terms of a grant that expenses and hours are held against: period, headings, tolerance, quotes, hours, funding.

Knows the terms and how a person names one ("start", "heading:Personal"). Does not know who set them: confirmed
commitments (fabai.dossier.commitments), the form, or a person.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import Any

from fabai.dossier.written import typed_amount, typed_date
from fabai.errors import BadSetting, UnknownName
from fabai.holidays import PLACES, Place
from fabai.report import fold

_DATES = ("start", "end", "pay_by", "notified", "paid_out", "awarded")
_AMOUNTS = ("tolerance", "quotes_from", "works_from", "hours_year", "grant", "cost")
_NAMED = ("heading", "hours", "income")


@dataclass(frozen=True, slots=True)
class Terms:
    """None and empty mean that nobody said. tolerance: per cent by which a heading may be exceeded. quotes_from,
    works_from: invoice without VAT from which three quotes are asked (Ley 38/2003, art. 31.3, with the minor contracts
    of Ley 9/2017, art. 118: 15,000 for goods and services, 40,000 for works). hours_year: most hours of a person in a
    year. hours: most hours by person. grant: awarded. cost: of the whole project as granted. income: other funding by
    funder. place: whose public holidays are no working days ("ES", "CT", "AD"); closed: further days that are none.
    notified, paid_out, awarded: the events that deadlines run from. sources: where a term stands, by its name.
    """

    start: datetime.date | None = None
    end: datetime.date | None = None
    pay_by: datetime.date | None = None
    notified: datetime.date | None = None
    paid_out: datetime.date | None = None
    awarded: datetime.date | None = None
    tolerance: Decimal | None = None
    quotes_from: Decimal = Decimal(15_000)
    works_from: Decimal = Decimal(40_000)
    hours_year: Decimal | None = None
    place: Place | None = None
    closed: tuple[datetime.date, ...] = ()
    grant: Decimal | None = None
    cost: Decimal | None = None
    heading: Mapping[str, Decimal] = field(default_factory=dict)
    hours: Mapping[str, Decimal] = field(default_factory=dict)
    income: Mapping[str, Decimal] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)

    def with_term(self, name: str, value: str, source: str = "") -> Terms:
        """The terms with one of them set as a person wrote it; UnknownName or BadSetting with one sentence."""
        kind, _, inner = name.partition(":")
        inner = inner.strip()
        read: Any
        if kind == "place" and not inner:
            if value.upper() not in PLACES:
                raise UnknownName.nearest("place", value, PLACES)
            read = value.upper()
        elif kind in (*_DATES, "closed") and not inner:
            read = typed_date(value)
            read = tuple(sorted({*self.closed, read})) if kind == "closed" else read
        elif (kind in _AMOUNTS and not inner) or (kind in _NAMED and inner):
            read = typed_amount(value.replace("%", ""))
        else:
            known = (*_DATES, *_AMOUNTS, "place", "closed", *(f"{one}:NAME" for one in _NAMED))
            raise UnknownName.nearest("term", name, known)
        changed: dict[str, Any] = {kind: {**getattr(self, kind), inner: read} if inner else read}
        if source:
            changed["sources"] = {**self.sources, name: source}
        terms = replace(self, **changed)
        if terms.start is not None and terms.end is not None and terms.start > terms.end:
            raise BadSetting(f"the period would end ({terms.end}) before it starts ({terms.start})")
        return terms

    def without(self, name: str) -> Terms:
        """The terms as if nobody had set this one; UnknownName where it is not set."""
        kind, _, inner = name.partition(":")
        held = {key: one for key, one in self.as_json().items() if key != "sources"}
        if kind not in held or (kind in _NAMED) != bool(inner) or (inner and inner not in held[kind]):
            raise UnknownName.nearest("term", name, held)
        left = (
            {key: one for key, one in getattr(self, kind).items() if key != inner} if inner else getattr(Terms(), kind)
        )
        changed: dict[str, Any] = {kind: left}
        changed["sources"] = {key: one for key, one in self.sources.items() if key != name}
        return replace(self, **changed)

    def heading_of(self, written: str) -> str | None:
        """The granted heading that a row's heading means, None where it is none of them."""
        wanted = fold(written)
        if not wanted:
            return None
        folded = {fold(name): name for name in self.heading}
        if wanted in folded:
            return folded[wanted]
        words = set(wanted.split())
        best, share = None, 0.0
        for known, name in folded.items():
            parts = set(known.split())
            common = len(words & parts) / max(1, min(len(words), len(parts)))
            alike = len(words & parts) / len(words | parts)
            if common == 1.0 and alike > share:
                best, share = name, alike
        return best

    def as_json(self) -> dict[str, Any]:
        """What JSON can hold; `from_json` gives the same terms."""
        return {one.name: _plain(getattr(self, one.name)) for one in fields(self) if getattr(self, one.name)}

    @classmethod
    def from_json(cls, table: Mapping[str, Any]) -> Terms:
        values: dict[str, Any] = {}
        for name, value in table.items():
            if name in _DATES:
                values[name] = datetime.date.fromisoformat(value)
            elif name in _AMOUNTS:
                values[name] = Decimal(value)
            elif name == "place":
                values[name] = value
            elif name == "closed":
                values[name] = tuple(datetime.date.fromisoformat(one) for one in value)
            elif name in _NAMED:
                values[name] = {key: Decimal(one) for key, one in value.items()}
            else:
                values[name] = dict(value)
        return cls(**values)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, Decimal | datetime.date) else value
