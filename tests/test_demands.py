"""What a form demands beside text is explained to who writes one, and mistakes in it are named."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from fabai.demands import Annex, Column, Deadline, File, Page, Table, Value, values_of
from fabai.errors import BadSetting
from fabai.form import Font, Form, Limit, Rule, SectionSpec

DOCS = (Path(__file__).parents[1] / "docs" / "forms.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "record", [Form, SectionSpec, Limit, Rule, Font, Page, File, Annex, Deadline, Value, Table, Column]
)
def test_every_key_of_a_form_is_explained(record: type) -> None:
    for field in dataclasses.fields(record):
        assert f"`{field.name}`" in DOCS, field.name


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Table(()), "needs columns"),
        (lambda: Table((Column({"es": "x"}, total=True),)), "cannot be added up"),
        (lambda: Page(top=40.0), "between 0 and 10"),
        (lambda: Page(footer={"es": "{pagina}"}), "filled by nothing"),
        (lambda: File(megabytes=0.0), "above 0"),
        (lambda: Deadline("end", "s", "2026-01-01"), "months or days"),
        (lambda: Deadline("fixed", "s", "2026-01-01"), "fixed deadline"),
        (lambda: Deadline("end", "s", "1 de enero", months=1), "is no date"),
    ],
)
def test_a_demand_that_nobody_could_meet_is_named(make: type, words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        make()


def test_a_value_is_that_of_the_year_or_the_newest() -> None:
    old, new = Value("d", "10 %", (2022,), "s", "2026-01-01"), Value("d", "20 %", (2023,), "s", "2026-01-01")
    assert values_of((new, old), 2022)["d"] == old
    assert values_of((new, old), None)["d"] == new


def test_a_table_in_one_line_reads_as_the_first_release_wrote_it() -> None:
    table = Table((Column({"es": "nombre"}), Column({"es": "función"})), {"es": "Equipo"})
    assert table.described() == {"es": "Equipo: nombre; función"}
