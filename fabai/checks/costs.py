"""Costs in lists: "Total costs: 3.000 USD" against the "Costs: 750 USD" of its parts, wherever they stand.

Knows labelled amounts ("**Label:** amount (other currency)") and which label is another's total. Does not know tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from fabai.checks.claimed import stems_of
from fabai.checks.lists import fold_phrase, folded, lists
from fabai.checks.money import Amount
from fabai.checks.reading import Reading, remembered
from fabai.checks.sheet import written_like
from fabai.checks.violation import Violation
from fabai.figures import figures
from fabai.report import Language

_LINE = re.compile(
    r"(?m)^[ \t>]*(?:[-*+•]\s+)?(?P<bold>\*{2,3}|__)?(?P<label>[^\W\d_][^\n:|*]{1,60}?)"
    r"(?::\s*(?P=bold)|(?P=bold)\s*:|:)"
    r"(?(bold)|(?=\s))[ \t]*(?P<value>[^\n]*?\d[^\n]*)$"
)


_RATE = re.compile(
    r"[ \u00a0]*(?:/|per|por|a la|al|a|an)[ \u00a0]*(?:person[- ])?"
    r"(?:h|hora|hour|hr|d[ií]a|day|mes|month|week|setmana|semana|any|año|year|u)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """One amount behind a label. total: it is the total of the lines that are called `stems`."""

    section: str
    start: int
    end: int
    quote: str
    stems: frozenset[str]
    total: bool
    currency: str
    value: Decimal


def check_costs(readings: Sequence[tuple[str, Reading]]) -> Iterator[Violation]:
    """Totals of labelled amounts that are not the sum of their parts; readings: by section, in order."""
    lines = [one for section, reading in readings for one in labelled(section, reading)]
    language: Language = readings[0][1].language if readings else "es"
    for total in (one for one in lines if one.total):
        parts = [one for one in lines if not one.total and one.currency == total.currency and one.stems == total.stems]
        others = [one for one in lines if one.total and one.stems == total.stems and one.currency == total.currency]
        if len(parts) < 2 or len(others) > 1:
            continue
        right = sum((one.value for one in parts), Decimal(0))
        if right == total.value or not right / 2 < total.value < right * 2:
            continue
        places = max(-int(one.value.as_tuple().exponent) for one in (*parts, total))
        expected = written_like(total.quote, Amount(right, max(0, places), ""), language)
        yield Violation(
            *("list-total", total.section, "error", total.quote, expected, total.quote, total.start, total.end),
            evidence=" + ".join(one.quote for one in parts),
            suggestion=expected,
        )


@remembered
def labelled(section: str, reading: Reading) -> tuple[Labelled, ...]:
    """The labelled amounts of a section. The last sections are remembered."""
    language = reading.language
    totals = folded(lists(language).total) | folded(lists("en").total)
    found = []
    for match in _LINE.finditer(reading.text):
        label = fold_phrase(match["label"])
        stems = frozenset(stems_of(label, language))
        first = label.split(" ")[0]
        total = label in totals or first in ("total", "totals", "totales", "suma", "sum")
        bare = frozenset(stems_of(re.sub(r"^(?:total(?:s|es)?|suma|sum)\b(?: de| of)?", "", label), language))
        offset = match.start("value")
        for figure in figures(match["value"], language):
            if figure.kind != "amount" or _RATE.match(match["value"], figure.end):
                continue
            start, end = offset + figure.start, offset + figure.end
            quote = reading.text[start:end].strip()
            # one stem is enough to tell "Total costs" from "Total hours"
            found.append(
                Labelled(
                    *(section, start, start + len(quote), quote, bare if total else stems, total),
                    *(figure.noun, Decimal(figure.value)),
                )
            )
    return tuple(found)
