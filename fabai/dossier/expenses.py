"""The list of expenses of a project, as tables of a report show it: rows in order, sums by heading, rules kept.

Knows what to ask of fabai.dossier's other modules. Does not know spreadsheets or documents.
"""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from fabai.checks.violation import Findings
from fabai.dossier.expense import Expense as Expense
from fabai.dossier.hours_rules import check_hours
from fabai.dossier.lists import expenses, hours, list_files
from fabai.dossier.rules import by_heading, check_expenses
from fabai.dossier.terms import Terms
from fabai.store.project import Project

__all__ = ["Expense", "check_lists", "expenses", "sums_by_heading"]


def check_lists(project: Project, terms: Terms, off: Collection[str] = ()) -> Findings:
    """Every rule on expenses and hours, and every total of the sheets."""
    sums = [one for file in list_files(project) for one in file.sums]
    return check_expenses(expenses(project), terms, sums, off=off) + check_hours(hours(project), terms)


def sums_by_heading(project: Project, terms: Terms) -> dict[str, tuple[Decimal | None, Decimal]]:
    """(granted, charged) by heading; granted None where a heading of the rows was not granted."""
    spent = by_heading(expenses(project), terms)
    return {name: (terms.heading.get(name), amount) for name, amount in spent.items()}
