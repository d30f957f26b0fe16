"""Spanish, Catalan and English are told apart, in short lines too."""

from __future__ import annotations

from pathlib import Path

from fabai import languages

CASE = Path(__file__).parents[0] / "data" / "cases" / "056-catalan-spanish-short-lines"


def test_eleven_of_twelve_short_lines_are_told() -> None:
    lines = [line.split("\t") for line in (CASE / "lines.tsv").read_text(encoding="utf-8").splitlines() if line]
    assert sum(languages.of_line(text) == language for language, text in lines) >= 11


def test_figures_code_and_addresses_tell_nothing() -> None:
    assert languages.identify("12.345,00 € https://ejemplo.org/una/pagina 2024") is None
    assert languages.words("`let a` y https://ejemplo.org {{dni_1}} 12") == "y"


def test_a_text_in_none_of_the_three_has_no_language() -> None:
    french = "Le groupe de travail a organisé plusieurs réunions pendant l'année avec les habitants du quartier. "
    assert languages.tell(french * 3) == (None, True)


def test_a_documents_language_is_that_of_most_of_its_text() -> None:
    assert languages.most([("es", 10), ("ca", 25), (None, 900), ("es", 5)]) == "ca"
    assert languages.most([(None, 3)]) is None


def test_a_long_text_is_told_by_its_middle_and_not_by_the_licence_at_its_ends() -> None:
    licence = "This book may be copied and given away under the terms of the licence that comes with it. " * 200
    text = "En un lugar de la Mancha vivía un hidalgo que leía libros de caballerías todo el día. " * 2_000
    assert languages.identify(licence + text + licence) == "es"
