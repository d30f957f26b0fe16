"""The rules that expenses must keep, each a function from rows and terms to violations.

Knows periods, payments, duplicates, headings, tolerance, quotes, arithmetic, tax numbers and co-funding. A rule whose
term nobody set finds nothing, and `unset` says so. Does not know spreadsheets or projects; sentences are in
fabai.dossier.wording.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal

from fabai.checks.violation import Findings, Severity, Violation
from fabai.dossier.expense import Expense
from fabai.dossier.listing import SumCheck
from fabai.dossier.nif import bare_nif, is_nif
from fabai.dossier.terms import Terms
from fabai.report import Language, fold

_CENT = Decimal("0.01")
_ROUNDING = Decimal("0.02")
"""Base, VAT and total are each rounded."""
_WORKS = re.compile(r"\b(?:obra|obras|obres|works|construction|reforma)\b")
_QUOTES = 3


def check_expenses(
    expenses: Sequence[Expense], terms: Terms, sums: Sequence[SumCheck] = (), *, off: Iterable[str] = ()
) -> Findings:
    """Every rule on every row, in the order of the rows; what concerns the whole list comes last."""
    left_out = frozenset(off)
    found: list[Violation] = []
    repeated = _duplicates(expenses)
    for expense in expenses:
        for rule in _ROW_RULES:
            found += rule(expense, terms)
        found += repeated.get(expense.place.file + expense.place.sheet + str(expense.place.row), ())
    for rule_of_all in _LIST_RULES:
        found += rule_of_all(expenses, terms)
    found += _sums(sums)
    return Findings(tuple(one for one in found if one.rule not in left_out), tuple(_unset(expenses, terms)))


def _violation(rule: str, expense: Expense, found: object, expected: object, severity: Severity = "error") -> Violation:
    return Violation(
        rule, None, severity, _shown(found), _shown(expected), quote=_named(expense), evidence=str(expense.place)
    )


def _shown(value: object) -> str | int:
    if isinstance(value, Decimal):
        return money(value)
    return value if isinstance(value, int) else str(value)


def money(value: Decimal, language: Language = "es") -> str:
    """Two decimals and a mark for thousands: 12 345,60; in English 12,345.60."""
    whole = f"{value.quantize(_CENT):,.2f}"
    return whole if language == "en" else whole.replace(",", "\u00a0").replace(".", ",")


def _named(expense: Expense) -> str:
    parts = (expense.creditor, expense.number, "" if expense.amount is None else money(expense.amount))
    return " · ".join(part for part in parts if part)


def _outside_period(expense: Expense, terms: Terms) -> Iterator[Violation]:
    if expense.issued is None or (terms.start is None and terms.end is None):
        return
    early = terms.start is not None and expense.issued < terms.start
    late = terms.end is not None and expense.issued > terms.end
    if early or late:
        yield _violation(
            "expense-outside-period", expense, expense.issued, f"{terms.start or '…'} – {terms.end or '…'}"
        )


def _paid_late(expense: Expense, terms: Terms) -> Iterator[Violation]:
    if expense.paid is None:
        if expense.issued is not None and terms.pay_by is not None:
            yield _violation("expense-unpaid", expense, "", terms.pay_by, "warning")
        return
    if terms.pay_by is not None and expense.paid > terms.pay_by:
        yield _violation("expense-paid-late", expense, expense.paid, terms.pay_by)


def _heading_not_granted(expense: Expense, terms: Terms) -> Iterator[Violation]:
    if terms.heading and terms.heading_of(expense.heading) is None:
        yield _violation("expense-heading", expense, expense.heading or "—", ", ".join(terms.heading))


def _quotes(expense: Expense, terms: Terms) -> Iterator[Violation]:
    works = _WORKS.search(fold(f"{expense.concept} {expense.heading}")) is not None
    least = terms.works_from if works else terms.quotes_from
    net = expense.base if expense.base is not None else expense.cost
    if net is not None and net >= least and (expense.quotes or 0) < _QUOTES:
        severity: Severity = "warning" if expense.quotes is None else "error"
        yield _violation("expense-quotes", expense, expense.quotes or 0, least, severity)


def _nif(expense: Expense, terms: Terms) -> Iterator[Violation]:  # noqa: ARG001 - called like the others
    if expense.nif and not is_nif(expense.nif):
        yield _violation("expense-nif", expense, expense.nif, "")


def _incomplete(expense: Expense, terms: Terms) -> Iterator[Violation]:  # noqa: ARG001
    missing = [name for name in ("creditor", "number", "issued", "amount") if getattr(expense, name) in ("", None)]
    if missing:
        yield _violation("expense-incomplete", expense, ", ".join(missing), "", "warning")


def _arithmetic(expense: Expense, terms: Terms) -> Iterator[Violation]:  # noqa: ARG001
    if expense.base is not None and expense.vat is not None and expense.total is not None:
        summed = expense.base + expense.vat
        # a withholding (IRPF) makes the total smaller by a share of the base
        withheld = summed - expense.total
        if abs(withheld) > _ROUNDING and not _is_withholding(withheld, expense.base):
            yield _violation("expense-sum", expense, expense.total, summed)
    if expense.charged is not None and expense.cost is not None and abs(expense.charged) > abs(expense.cost) + _CENT:
        yield _violation("expense-overcharged", expense, expense.charged, expense.cost)
    elif expense.charged is not None and expense.percent is not None and expense.cost is not None:
        shares = [whole * expense.percent / 100 for whole in (expense.cost, expense.base) if whole is not None]
        if expense.percent and all(abs(share - expense.charged) > _ROUNDING for share in shares):
            yield _violation("expense-share", expense, expense.charged, shares[0])


def _is_withholding(withheld: Decimal, base: Decimal) -> bool:
    return any(abs(base * rate / 100 - withheld) <= _ROUNDING for rate in (7, 15, 19, 24))


def _duplicates(expenses: Sequence[Expense]) -> dict[str, list[Violation]]:
    """The second of two rows with one invoice: the same supplier and number, else the same supplier, day and amount.

    Rows that share one invoice out over headings (different headings, or shares that make 100 % at most) are none.
    """
    found: dict[str, list[Violation]] = {}
    by_number: dict[tuple[str, str], list[Expense]] = defaultdict(list)
    by_amount: dict[tuple[object, ...], list[Expense]] = defaultdict(list)
    for expense in expenses:
        who = bare_nif(expense.nif) or fold(expense.creditor)
        number = re.sub(r"[^a-z0-9]", "", fold(expense.number))
        key = expense.place.file + expense.place.sheet + str(expense.place.row)
        if who and number:
            before = by_number[(who, number)]
            if (first := next((one for one in before if not _shared_out(one, expense)), None)) is not None:
                found.setdefault(key, []).append(_violation("expense-duplicate", expense, _named(expense), first.place))
            before.append(expense)
        if who and expense.issued is not None and expense.cost is not None and key not in found:
            same = by_amount[(who, expense.issued, expense.cost)]
            alike = [one for one in same if one.number and number and one.number != expense.number]
            if same and not alike and not number:
                found[key] = [_violation("expense-duplicate", expense, _named(expense), same[0].place, "warning")]
            elif alike and len(alike) == len(same):
                found[key] = [_violation("expense-alike", expense, _named(expense), same[0].place, "warning")]
            same.append(expense)
    return found


def _shared_out(one: Expense, other: Expense) -> bool:
    if one.percent is not None and other.percent is not None and one.percent + other.percent <= 100:
        return True
    if fold(one.heading) == fold(other.heading) or one.charged is None or other.charged is None or one.cost is None:
        return False
    return one.charged + other.charged <= one.cost + _CENT


def by_heading(expenses: Iterable[Expense], terms: Terms) -> dict[str, Decimal]:
    """What is charged under each granted heading; rows without one under the heading as written."""
    out: dict[str, Decimal] = {name: Decimal(0) for name in terms.heading}
    for expense in expenses:
        name = terms.heading_of(expense.heading) or expense.heading or "—"
        out[name] = out.get(name, Decimal(0)) + (expense.amount or Decimal(0))
    return out


def _over_heading(expenses: Sequence[Expense], terms: Terms) -> Iterator[Violation]:
    if not terms.heading or terms.tolerance is None:
        return
    spent = by_heading(expenses, terms)
    for name, granted in terms.heading.items():
        most = granted * (100 + terms.tolerance) / 100
        if spent[name] > most + _CENT:
            yield Violation("heading-over", None, "error", money(spent[name]), money(most), quote=name)


def _over_funded(expenses: Sequence[Expense], terms: Terms) -> Iterator[Violation]:
    funded = sum(terms.income.values(), terms.grant or Decimal(0))
    spent = sum((one.cost or Decimal(0) for one in expenses), Decimal(0))
    if terms.grant is not None and terms.income and expenses and funded > spent + _CENT:
        yield Violation("funding-over-cost", None, "error", money(funded), money(spent))


def _sums(sums: Iterable[SumCheck]) -> Iterator[Violation]:
    for one in sums:
        if not one.ok:
            yield Violation(
                "sheet-total", None, "error", money(one.stated), money(one.summed), one.field, evidence=str(one.place)
            )


def _unset(expenses: Sequence[Expense], terms: Terms) -> Iterator[str]:
    if not expenses:
        return
    for missing, what in (
        (terms.start is None and terms.end is None, "the period (start, end)"),
        (terms.pay_by is None, "the last day for payments (pay_by)"),
        (not terms.heading, "the granted headings (heading:NAME)"),
        (bool(terms.heading) and terms.tolerance is None, "the tolerance of a heading (tolerance)"),
        (terms.grant is None, "the grant (grant)"),
    ):
        if missing:
            yield f"not checked, because nobody said {what}: fabai terms PROJECT set NAME VALUE"


_ROW_RULES: tuple[Callable[[Expense, Terms], Iterator[Violation]], ...] = (
    _incomplete,
    _nif,
    _outside_period,
    _paid_late,
    _heading_not_granted,
    _quotes,
    _arithmetic,
)
_LIST_RULES: tuple[Callable[[Sequence[Expense], Terms], Iterator[Violation]], ...] = (_over_heading, _over_funded)
