"""What people reported in public of other programs: each case is flagged as it should be and nothing more."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.formats.read import read
from fabai.report import Language
from tests.checks.desk import desk, quotes
from tests.conftest import DATA

FIGURES = ("figure-unknown", "figure-varies", "figure-swapped")
DATES = ("date-impossible", "date-outside", "date-order")
SUMS = ("table-total", "table-row", "table-percent", "table-deviation", "list-total")
EVERY = (*FIGURES, *DATES, *SUMS, "name-varies")


def _flagged(path: Path, language: Language, facts: tuple[tuple[str, str], ...]) -> list[str]:
    made = desk(*(section.text for section in read(path).sections), facts=facts, language=language)
    return quotes(made, *EVERY)


@pytest.mark.parametrize(
    ("file", "language", "facts", "flagged"),
    [
        (
            "029-spaces-as-separators/espacios.md",
            "es",
            (("ayuda", "18.500,00 €"), ("población", "1.200.000 habitantes"), ("participantes", "500 personas")),
            ["18 050 euros"],
        ),
        (
            "031-ranges-are-two-figures/rangos.md",
            "es",
            (
                *(("edad mínima", "16 años"), ("edad máxima", "24 años"), ("tasa 2023", "11,4 %")),
                *(("tasa 2024", "12,6 %"), ("éxito", "25 %")),
            ),
            ["27"],
        ),
        (
            "032-dates-by-language/fechas.md",
            "es",
            (("inicio", "1 de octubre de 2024"), ("fin", "31 de diciembre de 2024")),
            ["12/01/2025", "30/02/2024"],
        ),
        (
            "034-numbers-in-words/letras-es.md",
            "es",
            (("ayuda", "18.500 €"), ("participantes", "126 personas"), ("aportación propia", "21.000 €")),
            ["diecinueve mil euros"],
        ),
        (
            "034-numbers-in-words/lletres-ca.md",
            "ca",
            (("ayuda", "18.500 €"), ("participantes", "126 personas"), ("aportación propia", "21.000 €")),
            ["dinou mil euros"],
        ),
        (
            "035-decomposed-accents/descompuesto.md",
            "ca",
            (("entitat", "Fundació Far de Ponent"), ("sigles", "FFP")),
            ["Fundació Far de Ponente"],
        ),
        ("039-invented-total-and-negative/tabla.md", "es", (), ["7.400,00"]),
    ],
)
def test_a_case_is_flagged_as_it_should_be(
    file: str, language: Language, facts: tuple[tuple[str, str], ...], flagged: list[str]
) -> None:
    assert _flagged(DATA / "cases" / file, language, facts) == flagged


def test_the_bridge_has_one_wrong_sum_in_dollars_and_none_in_pounds(shared: Path) -> None:
    (path,) = (shared / "data" / "grants-en").glob("w3fopen__NFT_Bridge*.md")
    assert _flagged(path, "en", ()) == ["26862.66 USD"]


def test_dotmog_counts_three_thousand_dollars_right(shared: Path) -> None:
    assert _flagged(shared / "data" / "grants-en" / "w3fopen__dotmog.md", "en", ()) == []
