"""Sections and tables of a finished document against the form's: missing, in another order, tables empty or badly
summed.

Knows how a required table is found among those that stand under its section: by its column headings. Does not know how
one is made (fabai.submission.tables).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from fabai.checks.violation import Violation
from fabai.demands import Column, Table
from fabai.form import Form, in_language
from fabai.formats.package import Package
from fabai.formats.wordml import Element, W, squeezed, text_of
from fabai.report import Language, fold
from fabai.submission.amounts import amount
from fabai.submission.places import Place, Places

_ENOUGH = 0.5
"""Share of a required table's column headings that a table must have to be it."""
_TOTAL = ("total", "totals", "suma", "sum")


def check_structure(package: Package, form: Form, language: Language, places: Places) -> Iterator[Violation]:
    """Sections missing or out of order, and required tables missing, empty or whose sums are wrong."""
    if not form.own_sections:
        return
    yield from _sections(form, language, places.headings)
    body = list(package.body)
    for spec in form.sections:
        if not spec.tables or spec.kind == "web":
            continue
        tables = [table for child in _children(spec.id, places, len(body)) for table in body[child].iter(W + "tbl")]
        starts = any(place.spec is not None and place.spec.id == spec.id for place in places.headings)
        for wanted in spec.tables if starts else ():
            yield from _table(wanted, tables, spec.id, spec.required, language)


def _sections(form: Form, language: Language, headings: Sequence[Place]) -> Iterator[Violation]:
    in_document = [one for one in form.sections if one.kind != "web"]
    present = [place.spec.id for place in headings if place.spec is not None]
    for spec in in_document:
        if spec.required and spec.id not in present:
            yield Violation("document-section-missing", spec.id, "error", "", in_language(spec.heading, language))
    order = {spec.id: place for place, spec in enumerate(in_document)}
    last = -1
    before = ""
    seen: set[str] = set()
    for place in headings:
        if place.spec is None or place.spec.id not in order or place.spec.id in seen:
            continue
        seen.add(place.spec.id)
        if order[place.spec.id] < last:
            yield Violation("document-section-order", place.spec.id, "error", place.heading, before)
        else:
            last, before = order[place.spec.id], place.heading


def _children(spec: str, places: Places, count: int) -> Iterator[int]:
    for child in range(count):
        if child not in places.contents and places.spec_of(child) == spec:
            yield child


def _table(
    wanted: Table, tables: Sequence[Element], section: str, required: bool, language: Language
) -> Iterator[Violation]:
    name = in_language(wanted.title, language) or in_language(wanted.described(), language)
    found = max(tables, key=lambda table: _alike(wanted, table), default=None)
    if found is None or _alike(wanted, found) < _ENOUGH:
        if wanted.required and required:
            yield Violation("document-table-missing", section, "error", "", name)
        return
    rows = [[squeezed(text_of(cell)) for cell in row.findall(W + "tc")] for row in found.findall(W + "tr")]
    head, rest = rows[0], rows[1:]
    filled = [row for row in rest if any(cell.strip() for cell in row) and not _is_total(row)]
    if len(filled) < wanted.rows:
        yield Violation("document-table-empty", section, "error", len(filled), max(wanted.rows, 1), name)
    yield from _sums(wanted.columns, head, rest, section)


def _alike(wanted: Table, table: Element) -> float:
    """Share of the wanted column headings that the first row, or the first column, shows."""
    rows = table.findall(W + "tr")
    if not rows:
        return 0.0
    shown = [fold(text_of(cell)) for cell in rows[0].findall(W + "tc")]
    shown += [fold(text_of(row.findall(W + "tc")[0])) for row in rows if row.findall(W + "tc")]
    hits = sum(
        any(_names(one, heading) for heading in column.heading.values()) for column in wanted.columns for one in [shown]
    )
    return hits / len(wanted.columns)


def _names(shown: Sequence[str], heading: str) -> bool:
    wanted = fold(heading)
    return any(one == wanted or (len(one) > 3 and (one in wanted or wanted in one)) for one in shown)


def _is_total(row: Sequence[str]) -> bool:
    first = next((cell for cell in row if cell), "")
    return fold(first).split(" ")[0] in _TOTAL


def _sums(
    columns: Sequence[Column], head: Sequence[str], rows: Sequence[Sequence[str]], section: str
) -> Iterator[Violation]:
    total = next((row for row in reversed(rows) if _is_total(row)), None)
    for column in columns:
        if not column.total:
            continue
        place = next(
            (
                index
                for index, one in enumerate(head)
                if any(fold(one) == fold(name) for name in column.heading.values())
            ),
            None,
        )
        filled = [row for row in rows if not _is_total(row) and any(row)]
        if place is None or not filled:
            continue
        if total is None:
            yield Violation("document-table-total-missing", section, "error", "", head[place])
            continue
        # a merged "Total" cell moves the sum to the left: count from the right end
        cell = total[place - len(head)] if len(total) >= len(head) - place else ""
        stated = amount(cell)
        values = [amount(row[place]) for row in filled if place < len(row)]
        if stated is None or any(one is None for one in values):
            continue
        added = sum((one for one in values if one is not None), Decimal(0))
        if added != stated:
            yield Violation("document-table-sum", section, "error", cell, _as_written(added, cell), head[place])


def _as_written(number: Decimal, like: str) -> str:
    """The number with the marks of another one: '1.234,50 €' after '1.200,00 €'."""
    digits = f"{number:,.2f}"
    comma = "," in like and (like.rfind(",") > like.rfind("."))
    if comma or "€" in like:
        digits = digits.replace(",", "\u00a0").replace(".", ",").replace("\u00a0", ".")
    return f"{digits} €" if "€" in like else digits
