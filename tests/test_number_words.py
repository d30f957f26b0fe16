"""Numbers in words are read in the three languages; articles and small words are none."""

from __future__ import annotations

import pytest

from fabai.number_words import number_words, value_of
from fabai.report import Language


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("es", "dieciocho mil quinientos", 18_500), ("es", "ciento veintiséis", 126), ("es", "veintiún mil", 21_000),
        ("es", "veintiuno", 21), ("es", "mil veintiún millones", 1_021_000_000),
        ("es", "cuarenta y cinco mil doscientas treinta y una", 45_231), ("ca", "divuit mil cinc-cents", 18_500),
        ("ca", "cent vint-i-sis", 126), ("ca", "vint-i-un mil", 21_000), ("ca", "dues-centes trenta-dues", 232),
        ("ca", "un milió dos-cents mil", 1_200_000), ("en", "three hundred and twelve", 312),
        ("en", "one million two hundred thousand", 1_200_000), ("es", "uno", None),
        ("es", "uno de los objetivos", None),
        ("ca", "un", None), ("en", "one", None), ("es", "talleres", None),
    ],
)  # fmt: skip
def test_a_number_in_words_has_its_value(language: Language, text: str, value: int | None) -> None:
    assert value_of(text, language) == value


def test_what_follows_says_of_what_kind_it_is() -> None:
    text = "Fueron dieciocho mil euros, el veinticinco por ciento, para ciento veintiséis personas."
    found = [(one.kind, one.value, one.noun, text[one.start : one.end]) for one in number_words(text, "es")]
    assert found == [
        ("amount", "18000", "EUR", "dieciocho mil euros"),
        ("percent", "25", "", "veinticinco por ciento"),
        ("count", "126", "person", "ciento veintiséis"),
    ]


def test_articles_and_small_numbers_are_left_to_the_text() -> None:
    assert number_words("Uno de los dos proyectos y una de las tres fases.", "es") == ()
    assert number_words("Un dels dos projectes.", "ca") == ()
