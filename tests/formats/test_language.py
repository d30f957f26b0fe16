"""fabai.formats.language"""

from __future__ import annotations

import pytest

from fabai.formats.language import from_tag, guess

TEXTS = {
    "es": "El programa atendió a las familias del barrio y los talleres se hicieron con el apoyo de la entidad.",
    "ca": "El programa va atendre les famílies del barri i els tallers es van fer amb el suport d'una entitat.",
    "en": "The programme served the families of the district and the workshops were held with support.",
}


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_one_sentence_tells_the_language(language: str) -> None:
    assert guess(TEXTS[language]) == language


def test_accents_written_apart_tell_as_much() -> None:
    import unicodedata

    assert guess(unicodedata.normalize("NFD", TEXTS["ca"])) == "ca"


@pytest.mark.parametrize(
    "text", ["", "18.500,00 €", "Budget 2024", "Der Bericht wurde im Mai von der Stiftung vorgelegt."]
)
def test_too_little_or_another_language_gives_none(text: str) -> None:
    assert guess(text) is None


def test_tags_of_other_languages_give_none() -> None:
    assert [from_tag(tag) for tag in ("es-ES", "ca_ES", "EN", "fr-FR", "")] == ["es", "ca", "en", None, None]
