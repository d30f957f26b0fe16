"""Identity documents, accounts and cards are recognised by their check digits; codes that look like them are not."""

from __future__ import annotations

import random

import pytest
from fabai.corpus.addresses import addresses
from fabai.corpus.contacts import contacts
from fabai.corpus.found import Found, apart
from fabai.corpus.identifiers import identifiers

from benches.planted import IDENTIFIERS, lookalike


def found(text: str) -> list[tuple[str, str]]:
    """(kind, text) of everything that is recognised."""
    return [(one.kind, text[one.start : one.end]) for one in everything(text)]


def everything(text: str) -> list[Found]:
    return apart([*identifiers(text), *contacts(text), *addresses(text)])


@pytest.mark.parametrize("kind", sorted(IDENTIFIERS))
def test_planted_identifiers_are_found_in_all_their_forms(kind: str) -> None:
    rng = random.Random(kind)  # noqa: S311 - made-up data
    missed = []
    for _ in range(60):
        planted = IDENTIFIERS[kind](rng)
        text = f"Consta ({planted.text}) en el expediente."
        left = text
        for one in reversed(everything(text)):
            left = left[: one.start] + left[one.end :]
        if planted.secret in left:
            missed.append(planted.text)
    assert not missed


def test_codes_amounts_dates_and_references_stay() -> None:
    rng = random.Random(7)  # noqa: S311 - made-up data
    harmed = [code for code in (lookalike(rng) for _ in range(600)) if found(f"Consta {code} en el texto.")]
    assert not harmed


def test_one_number_written_in_two_ways_has_one_value() -> None:
    plain, dotted = everything("00000012N"), everything("00.000.012-N")
    assert plain[0].value == dotted[0].value
    assert everything("ES47 9999 0001 4700 0000 0012")[0].value == everything("ES4799990001470000000012")[0].value


@pytest.mark.parametrize(
    "text",
    [
        "El CIF G00000125",
        "00000013A",
        "presupuesto de 56.400.674 M€",
        "612 345 678 €",
        "612.345.678",
        "75 932 697 768 962 149 711",
    ],
)
def test_public_numbers_and_wrong_letters_are_no_identifiers(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("DNI 12.345.678", "dni"),
        ("tel. 934567890", "telefono"),
        ("m.puig [at] exemple [dot] cat", "correo"),
        ("linkedin.com/in/someone-1", "perfil"),
        ("con domicilio en calle Mayor, 12, 08001 Barcelona", "direccion"),
        ("carrer de la Pau, 3, 2n 1a", "direccion"),
    ],
)
def test_a_label_or_a_form_tells_what_has_no_check_digit(text: str, kind: str) -> None:
    assert [one for one, _ in found(text)] == [kind]


@pytest.mark.parametrize(
    "text", ["El taller se hizo en la calle Mayor, 12.", "L'acte va ser al carrer Gran, 5, de Gràcia."]
)
def test_the_street_where_something_took_place_stays(text: str) -> None:
    assert found(text) == []


def test_what_was_given_first_wins_where_two_overlap() -> None:
    first, second = Found(0, 10, "iban", "a"), Found(5, 12, "telefono", "b")
    assert apart([first, second]) == [first]
    assert apart([second, first]) == [second]
