"""What an evaluation says is there in three languages, with the same values and each language's own numbers."""

from __future__ import annotations

import re

from fabai.training.evaluate import blind, words
from fabai.training.evaluate.words import Said

from fabai.report import LANGUAGES


def test_every_sentence_stands_in_every_language_with_the_same_values() -> None:
    tables = words.tables()
    assert set(tables) == set(LANGUAGES)
    for key, english in tables["en"].items():
        for language in LANGUAGES:
            told = tables[language][key]
            assert set(re.findall(r"{(\w+)}", told)) == set(re.findall(r"{(\w+)}", english)), key
    assert all(set(table) == set(tables["en"]) for table in tables.values())
    pages = blind.words()
    for name in ("count", "sum"):
        wanted = set(re.findall(r"{(\w+)}", getattr(pages["en"], name)))
        assert all(set(re.findall(r"{(\w+)}", getattr(one, name))) == wanted for one in pages.values())


def test_numbers_are_written_as_each_language_does_and_a_recipe_as_recipes_are() -> None:
    fell = Said("forgetting", {"before": "71.2%", "after": "70.9%", "items": "2,700", "detectable": "1.5%"})
    assert "71.2% right before" in fell.told("en")
    assert "71,2\N{NO-BREAK SPACE}% de aciertos antes" in fell.told("es")
    assert "2.700 preguntes" in fell.told("ca")
    rate = Said("advise_rate", {"before": "0.002", "after": "0.0007"})
    assert all("0.002" in rate.told(language) for language in LANGUAGES)


def test_a_value_can_be_a_word_of_the_language_and_a_name_is_left_as_it_is() -> None:
    values = {"kl": "0.60", "name": "@ca", "before": "3.0", "after": "2.5"}
    assert "en catalán" in Said("learnt", values).told("es")
    assert words.say("es", "sample", heading="facts") == "Muestra: facts"
    assert words.called("ca", "facts") == "fets"
    assert words.called("ca", "fr") == "fr"
