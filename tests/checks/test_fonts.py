"""Fonts: which a document asks for, which came, and whether lines move."""

from __future__ import annotations

import pytest

from fabai.checks.fonts import SUBSTITUTES, asked, embedded, package_for, replaced
from fabai.formats.package import Package
from tests.conftest import DATA


def test_the_fonts_of_defaults_and_runs_are_asked_for() -> None:
    data = (DATA / "cases" / "064-pages-depend-on-fonts" / "diez-paginas.docx").read_bytes()
    assert asked(Package(data)) == ("Arial",)


def test_the_families_in_a_pdf_are_read_without_subset_mark_and_style() -> None:
    pdf = b"/BaseFont/BAAAAA+LiberationSans-Bold"
    pdf += b"/BaseFont /CAAAAA+LiberationSans/BaseFont/ArialMT /BaseFont/Carlito,Italic "
    assert embedded(pdf) == ("LiberationSans", "Arial", "Carlito")


@pytest.mark.parametrize(
    ("wanted", "got", "found"),
    [
        (["Arial"], ["LiberationSans"], []),
        (["Arial"], ["Arial"], []),
        (["Arial"], ["DejaVuSans"], [("Arial", "DejaVuSans")]),
        (["Arial"], ["LiberationSans", "OpenSymbol"], []),
        (["Arial", "Symbol"], ["OpenSymbol"], []),
        (["Calibri", "Cambria"], ["Carlito", "Caladea"], []),
        (["Times New Roman", "Arial"], ["LiberationSerif"], []),
        (["Times New Roman", "Calibri"], ["LiberationSerif", "DejaVuSans"], [("Calibri", "DejaVuSans")]),
        (["Garamond"], ["DejaVuSerif"], [("Garamond", "DejaVuSerif")]),
        ([], ["DejaVuSans"], []),
    ],
)
def test_only_a_font_of_other_widths_is_reported(
    wanted: list[str], got: list[str], found: list[tuple[str, str]]
) -> None:
    assert list(replaced(wanted, got)) == found


def test_the_package_of_each_known_font_is_named() -> None:
    assert package_for("arial") == "fonts-liberation"
    assert package_for("Calibri") == "fonts-crosextra-carlito"
    assert package_for("Garamond") is None
    assert all(one.package for one in SUBSTITUTES.values())
