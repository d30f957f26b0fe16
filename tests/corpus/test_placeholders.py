"""References stand in for values, the same for the same value."""

from __future__ import annotations

from fabai.corpus.document import REFERENCE
from fabai.corpus.found import Found
from fabai.corpus.placeholders import Placeholders
from hypothesis import given
from hypothesis import strategies as st


def test_the_same_value_has_the_same_reference_and_another_has_another() -> None:
    holders = Placeholders(b"k")
    assert holders.reference("dni", "1") == holders.reference("dni", "1") == "{{dni_1}}"
    assert holders.reference("dni", "2") == "{{dni_2}}"
    assert holders.reference("nie", "1") == "{{nie_1}}"


def test_values_are_kept_by_a_hash_that_another_key_gives_otherwise() -> None:
    one, other = Placeholders(b"k"), Placeholders(b"l")
    one.reference("dni", "00000012N")
    other.reference("dni", "00000012N")
    assert "00000012N" not in str(one.values)
    assert one.values != other.values


def test_a_reference_that_the_text_held_before_cannot_be_taken_for_a_new_one() -> None:
    text = Placeholders(b"k").replace("{{dni_1}} y 00000012N", [Found(12, 21, "dni", "00000012N")])
    assert REFERENCE.findall(text) == [("dni", "1"), ("dni", "2")]


def test_the_columns_of_a_table_stay_where_they_are() -> None:
    row = "| 00000012N    | Barcelona |"
    made = Placeholders(b"k").replace(row, [Found(2, 11, "dni", "00000012N")])
    assert made == "| {{dni_1}}    | Barcelona |"
    longer = "| 612 345 678  | x |"
    assert len(Placeholders(b"k").replace(longer, [Found(2, 13, "telefono", "612345678")])) == len(longer) + 2


@given(st.text(alphabet="ab1{}_ ", max_size=40), st.integers(0, 40), st.integers(1, 5))
def test_what_lies_around_a_value_stays(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    made = Placeholders(b"k").replace(text, [Found(start, end, "dni", "x")])
    assert made.startswith(text[:start])
    assert made.endswith(text[end:])
