"""Names of people are recognised; what bears a person's name is not a person."""

from __future__ import annotations

import pytest
from fabai.corpus.people import People


def names(*texts: str) -> list[str]:
    people = People(texts)
    return [text[one.start : one.end] for text in texts for one in people.find(text)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("La memoria la firma Marta Soler Puig.", "Marta Soler Puig"),
        ("Va parlar en Jordi Casadevall i Torrents.", "Jordi Casadevall i Torrents"),
        ("Tutor: Xoán Bértolo Pazos", "Xoán Bértolo Pazos"),
        ("**Autora:** Eider Goikoetxea", "Eider Goikoetxea"),
        ("La Dra. Quintanilla lo revisó.", "Quintanilla"),
        ("Firma D. Juan de la Fuente, gerente.", "Juan de la Fuente"),
        ("García López, María (2010)", "García López, María"),
        ("The team: John Smith and others.", "John Smith"),
        ("lo dijo G. Fernández en la reunión", "G. Fernández"),
    ],
)
def test_a_name_is_found(text: str, name: str) -> None:
    assert names(text) == [name]


@pytest.mark.parametrize(
    "text",
    [
        "La Universidad Rey Juan Carlos y la calle Antonio Machado.",
        "La Fundación Juan March convoca el Premio Carmen Laforet.",
        "Grant Agreement 101058765 was signed; the grant agreement says so.",
        "Santiago de Compostela y San Sebastián.",
        "contiene el dataset D. Ya se han visto",
        "en tiempos de Carlos III",
        "D. VALORACIÓN DEL IMPACTO",
    ],
)
def test_what_bears_a_name_or_looks_like_one_stays(text: str) -> None:
    assert names(text) == []


def test_a_shorter_form_is_the_same_person() -> None:
    texts = ("Marta Soler Puig coordina.", "Marta Soler firma.")
    people = People(texts)
    assert {one.value for text in texts for one in people.find(text)} == {"marta soler puig"}


def test_two_people_joined_by_and_are_two() -> None:
    assert names("Antonio Fernández y Pascual González firman") == ["Antonio Fernández", "Pascual González"]
