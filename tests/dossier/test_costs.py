"""The sums by heading, as material for a section on costs."""

from __future__ import annotations

from decimal import Decimal

import pytest

from fabai.dossier.costs import SOURCE, keep_costs, material
from fabai.dossier.lists import set_term
from fabai.report import Language

from .conftest import Opened, spent, take

SUMS = {"Personal": (Decimal(5_400), Decimal("5380.50")), "Otros": (None, Decimal(10))}


@pytest.mark.parametrize(
    ("language", "line", "total"),
    [
        (
            "es",
            "| Personal | 5.400,00 | 5.380,50 | -19,50 | -0,4 % |",
            "| Total | 5.400,00 | 5.390,50 | -9,50 | -0,2 % |",
        ),
        (
            "en",
            "| Personal | 5,400.00 | 5,380.50 | -19.50 | -0.4% |",
            "| Total | 5,400.00 | 5,390.50 | -9.50 | -0.2% |",
        ),
    ],
)
def test_each_heading_has_its_difference_and_the_total_comes_last(language: Language, line: str, total: str) -> None:
    lines = material(SUMS, 7, language).splitlines()
    assert lines[2:5] == [line, f"| Otros |  | {'10,00' if language == 'es' else '10.00'} |  |  |", total]
    assert "7" in lines[-1]


def test_the_sums_are_a_source_that_follows_lists_and_terms(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        keep_costs(project)
        assert SOURCE["ca"] not in [one.name for one in project.sources()]
        take(project, spent("ca-hort"), "expenses")
        keep_costs(project)
        set_term(project, "heading:Materials", "2.500,00")
        keep_costs(project)
        (kept,) = [one for one in project.sources() if one.name == SOURCE["ca"]]
        assert "| Materials | 2.500,00 | 2.400,00 | -100,00 | -4,0 % |" in kept.text
