"""Arithmetic of tables and of lists of costs: totals, rows, shares, deviations.

Knows which rows and columns are meant to sum, and accepts each way in which people sum them (with subtotals, with
groups); what fits no way is a finding. Does not know the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

from fabai.checks.lists import fold_phrase, folded, lists
from fabai.checks.money import Amount
from fabai.checks.reading import Reading, remembered
from fabai.checks.sheet import Sheet, column_called, has_word, heads, is_sum, is_unsummed, sheet_of, written_like
from fabai.checks.violation import Violation

_NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A cell that breaks a rule, and what it should hold."""

    rule: str
    row: int
    column: int
    right: Amount


@remembered
def check_arithmetic(section: str, reading: Reading) -> tuple[Violation, ...]:
    """Sums that do not add up in a section's tables. The last sections are remembered."""
    return tuple(
        _violation(section, sheet, one)
        for table in reading.tables
        for sheet in (sheet_of(table, reading.language),)
        for one in _causes(sheet)
    )


def _causes(sheet: Sheet) -> list[Wrong]:
    """The cells that are wrong, without those that only follow from another: a total of right rows and one wrong one, a
    share of a wrong total.
    """
    across = _across(sheet)
    inner = {(one.row, one.column): one.right for one in across if not sheet.totals[one.row]}
    still = {(one.row, one.column) for one in _columns(_mended(sheet, inner))} if inner else None
    down = [one for one in _columns(sheet) if still is None or (one.row, one.column) in still]
    outer = {(one.row, one.column): one.right for one in down}
    if outer:
        left = {(one.row, one.column) for one in _across(_mended(sheet, outer))}
        across = [one for one in across if (one.row, one.column) in left and (one.row, one.column) not in outer]
    found: dict[tuple[int, int], Wrong] = {}
    for one in (*down, *across):
        found.setdefault((one.row, one.column), one)
    return list(found.values())


def _across(sheet: Sheet) -> list[Wrong]:
    return [*_rows(sheet), *_related(sheet), *_shares(sheet)]


def _mended(sheet: Sheet, right: Mapping[tuple[int, int], Amount]) -> Sheet:
    numbers = tuple(
        tuple(right.get((row, column), one) for column, one in enumerate(cells))
        for row, cells in enumerate(sheet.numbers)
    )
    return replace(sheet, numbers=numbers)


def _columns(sheet: Sheet) -> Iterator[Wrong]:
    """Each column's total against the rows above it."""
    for column in range(sheet.table.columns):
        if is_unsummed(sheet.table.head(column), sheet.language):
            continue
        checked = list(_sums(sheet, column))
        for row, ways in checked:
            stated = sheet.at(row, column)
            if stated is None or any(_equal(way, stated) for way in ways):
                continue
            if not _meant_to_sum(sheet, column, ways, stated):
                continue
            yield Wrong("table-total", row, column, ways[0])


def _sums(sheet: Sheet, column: int) -> Iterator[tuple[int, list[Amount]]]:
    """For each total of a column: the sums that it may be. The likeliest comes first."""
    for row, is_total in enumerate(sheet.totals):
        if not is_total or sheet.at(row, column) is None:
            continue
        above = [number for number in range(row) if sheet.at(number, column) is not None]
        last = max((number for number in above if sheet.totals[number]), default=-1)
        plain = [number for number in above if not sheet.totals[number]]
        since = [number for number in plain if number > last]
        below = []
        if not above:
            # a total in front of its rows
            below = [
                n for n in range(row + 1, len(sheet.numbers)) if sheet.at(n, column) is not None and not sheet.totals[n]
            ]
        ways = [
            _sum(sheet, column, rows)
            for rows in (since, plain, [number for number in above if sheet.totals[number]], below)
            if len([number for number in rows if not _dash(sheet.at(number, column))]) >= 2
        ]
        ways += [_sum(sheet, column, rows) for rows in (since, plain) if len(rows) >= 1 and last >= 0]
        if last >= 0:
            ways.append(_sum(sheet, column, [last, *since]))
        if 1 < len(headed := heads(sheet, column, since)) < len(since):
            ways.append(_sum(sheet, column, headed))
        if ways:
            yield row, ways


def _dash(one: Amount | None) -> bool:
    return one is None or one.dash


def _sum(sheet: Sheet, column: int, rows: Sequence[int]) -> Amount:
    numbers = [one for row in rows if (one := sheet.at(row, column)) is not None]
    units = {one.unit for one in numbers if one.unit}
    return Amount(
        sum((one.value for one in numbers), _NOTHING),
        max((one.places for one in numbers), default=0),
        units.pop() if len(units) == 1 else "",
    )


def _equal(way: Amount, stated: Amount) -> bool:
    if way.places <= stated.places:
        return way.value == stated.value
    # a total may be rounded more coarsely than its rows
    step = Decimal(1).scaleb(-stated.places)
    return any(way.value.quantize(step, rounding) == stated.value for rounding in (ROUND_HALF_UP, ROUND_HALF_EVEN))


def _meant_to_sum(sheet: Sheet, column: int, ways: Sequence[Amount], stated: Amount) -> bool:
    """Whether a column that does not sum was meant to: it holds money or counts, and its total is of their size."""
    numbers = [
        one
        for number in range(len(sheet.numbers))
        if (one := sheet.at(number, column)) is not None and not sheet.totals[number]
    ]
    if any(one.unit == "%" for one in (*numbers, stated)) or len(numbers) < 2:
        return False
    largest = max(abs(one.value) for one in numbers)
    # money in every row is meant to be added up, however far off the total is
    if stated.places == 2 and sum(one.places == 2 or bool(one.unit) for one in numbers) * 2 > len(numbers):
        return True
    if any(way.value and abs(stated.value - way.value) <= abs(way.value) / 2 for way in ways):
        return stated.value == _NOTHING or abs(stated.value) >= largest / 2 or any(one.value < 0 for one in numbers)
    return False


def _violation(section: str, sheet: Sheet, wrong: Wrong) -> Violation:
    cell = sheet.cell(wrong.row, wrong.column)
    quote = cell.plain.strip("* ")
    expected = written_like(quote, wrong.right, sheet.language, sheet)
    # the marks of bold stay where they are
    marks = cell.raw.find(quote)
    whole = marks < 0
    start = cell.start if whole else cell.start + marks
    label, head = sheet.table.body[wrong.row][0].plain, sheet.table.head(wrong.column)
    return Violation(
        *(wrong.rule, section, "error", quote, expected, quote, start, cell.end if whole else start + len(quote)),
        evidence=", ".join(one for one in (label, head) if one),
        suggestion=expected,
    )


def _rows(sheet: Sheet) -> Iterator[Wrong]:
    """The column called total against the columns in front of it."""
    for column in range(2, sheet.table.columns):
        if not is_sum(fold_phrase(sheet.table.head(column)), sheet.language):
            continue
        parts = [
            other
            for other in range(column)
            if not is_unsummed(sheet.table.head(other), sheet.language)
            and not is_sum(fold_phrase(sheet.table.head(other)), sheet.language)
            and sum(sheet.at(row, other) is not None for row in range(len(sheet.numbers))) * 2 > len(sheet.numbers)
        ]
        if len(parts) < 2:
            continue
        results = []
        for row in range(len(sheet.numbers)):
            stated = sheet.at(row, column)
            numbers = [one for other in parts if (one := sheet.at(row, other)) is not None]
            if stated is None or stated.unit == "%" or len(numbers) < 2:
                continue
            right = Amount(sum((one.value for one in numbers), _NOTHING), max(one.places for one in numbers), "")
            results.append((row, stated, right))
        yield from _most_agree("table-row", column, results)


def _most_agree(
    rule: str, column: int, results: Sequence[tuple[int, Amount, Amount]], close: bool = False
) -> Iterator[Wrong]:
    """Rows that break a rule which the others keep."""
    wrong = [
        (row, stated, right)
        for row, stated, right in results
        if not _equal(right, stated) and not (close and _close(right, stated))
    ]
    kept = len(results) - len(wrong)
    if kept >= 1 and kept >= len(wrong):
        for row, _, right in wrong:
            yield Wrong(rule, row, column, right)


def _close(right: Amount, stated: Amount) -> bool:
    """Shares are rounded, some of them by cutting off."""
    return abs(right.value - stated.value) <= Decimal(1).scaleb(-stated.places)


def _related(sheet: Sheet) -> Iterator[Wrong]:
    """Granted, spent and deviation; units, price and amount; what was done of what was planned."""
    words = lists(sheet.language)
    heads = [fold_phrase(sheet.table.head(column)) for column in range(sheet.table.columns)]
    granted = column_called(heads, words.granted)
    spent = column_called(heads, words.spent)
    for column, head in enumerate(heads):
        if granted is None or spent is None or column in (granted, spent):
            continue
        if has_word(head, words.done_share) or head in folded(words.share):
            yield from _ratio(sheet, column, spent, granted)
        elif has_word(head, words.deviation):
            yield from _difference(sheet, column, granted, spent, "%" in head)
    quantity, price = column_called(heads, words.quantity), column_called(heads, words.price)
    if quantity is not None and price is not None and quantity != price:
        for column in range(max(quantity, price) + 1, sheet.table.columns):
            results = [
                (row, stated, Amount(one.value * other.value, one.places + other.places, ""))
                for row in range(len(sheet.numbers))
                if not sheet.totals[row]
                and (one := sheet.at(row, quantity)) is not None
                and (other := sheet.at(row, price)) is not None
                and (stated := sheet.at(row, column)) is not None
                and stated.unit != "%"
            ]
            results = [(row, stated, _rounded(right, stated.places)) for row, stated, right in results]
            if len(results) >= 2:
                yield from _most_agree("table-row", column, results)
            break


def _rounded(right: Amount, places: int) -> Amount:
    if right.places <= places:
        return right
    return Amount(right.value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP), places, right.unit)


def _difference(sheet: Sheet, column: int, granted: int, spent: int, percent: bool) -> Iterator[Wrong]:
    found = []
    for row in range(len(sheet.numbers)):
        one, other, stated = (sheet.at(row, where) for where in (granted, spent, column))
        if one is None or other is None or stated is None:
            continue
        if percent or stated.unit == "%":
            if one.value == _NOTHING:
                continue
            right = (other.value - one.value) / one.value * 100
        else:
            right = other.value - one.value
        found.append((row, stated, right, max(one.places, other.places)))
    # either sign is a custom; the one that most rows keep counts
    signs = {sign: sum(_keeps(stated, sign * right, places) for _, stated, right, places in found) for sign in (1, -1)}
    sign = 1 if signs[1] >= signs[-1] else -1
    if signs[sign] < 1 or signs[sign] * 2 < len(found):
        return
    for row, stated, right, places in found:
        if not _keeps(stated, sign * right, places):
            is_share = percent or stated.unit == "%"
            value = Amount(
                (sign * right).quantize(Decimal(1).scaleb(-stated.places)) if is_share else sign * right,
                stated.places if is_share else places,
                "",
            )
            yield Wrong("table-deviation", row, column, value)


def _keeps(stated: Amount, right: Decimal, places: int) -> bool:
    if stated.unit == "%" or places < stated.places:
        return abs(stated.value - right) <= Decimal(1).scaleb(-stated.places)
    return _equal(Amount(right, places, ""), stated)


def _ratio(sheet: Sheet, column: int, part: int, whole: int) -> Iterator[Wrong]:
    results = []
    for row in range(len(sheet.numbers)):
        one, other, stated = (sheet.at(row, where) for where in (part, whole, column))
        if one is not None and other is not None and stated is not None and other.value != _NOTHING:
            right = (one.value / other.value * 100).quantize(Decimal(1).scaleb(-stated.places), ROUND_HALF_UP)
            results.append((row, stated, Amount(right, stated.places, "%")))
    yield from _most_agree("table-percent", column, results, close=True)


def _shares(sheet: Sheet) -> Iterator[Wrong]:
    """Each row's share of the total beside its amount."""
    words = lists(sheet.language)
    total = next((row for row in reversed(range(len(sheet.totals))) if sheet.totals[row]), None)
    if total is None:
        return
    for column in range(1, sheet.table.columns):
        head = fold_phrase(sheet.table.head(column))
        numbers = [one for row in range(len(sheet.numbers)) if (one := sheet.at(row, column)) is not None]
        if head not in folded(words.share) and not (numbers and all(one.unit == "%" or one.dash for one in numbers)):
            continue
        for other in (column - 1, column + 1):
            whole = sheet.at(total, other) if 0 < other < sheet.table.columns else None
            if whole is None or whole.value == _NOTHING or whole.unit == "%":
                continue
            results = []
            for row in range(len(sheet.numbers)):
                part, stated = sheet.at(row, other), sheet.at(row, column)
                if part is not None and stated is not None and not part.dash and not stated.dash:
                    right = (part.value / whole.value * 100).quantize(Decimal(1).scaleb(-stated.places), ROUND_HALF_UP)
                    results.append((row, stated, Amount(right, stated.places, "%")))
            close = sum(_close(right, stated) for _, stated, right in results)
            if len(results) >= 3 and close * 3 >= len(results) * 2:
                yield from _most_agree("table-percent", column, results, close=True)
                break
