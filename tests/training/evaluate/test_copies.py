"""Runs of words that a text shares with training texts."""

from __future__ import annotations

from fabai.training.evaluate.copies import SEED, Grams, folded, repeated, rouge_l
from hypothesis import given
from hypothesis import strategies as st

WORDS = st.lists(st.sampled_from(["agua", "mesa", "río", "pan", "sol", "tren"]), max_size=30)
TEXT = "La sala abrió cinco tardes por semana y las familias valoraron mucho la actividad que allí se hacía"


def test_a_copied_run_is_found_whatever_its_case_and_accents_and_what_the_prompt_holds_is_no_copy() -> None:
    known = Grams([("otro", "Nada que ver con esto de aquí"), ("memoria", f"Antes. {TEXT}. Después.")])
    found = known.longest(f"Se dice que {TEXT.upper()} siempre")
    assert (found.words, found.text) == (len(TEXT.split()), "memoria")
    assert found.quote == TEXT.upper()
    assert 0.8 < found.share < 1.0
    assert known.longest(f"Se dice que {TEXT}", [f"El prompt: {TEXT}"]).words == 0
    assert known.longest("Un texto propio sin nada de lo que otros dijeron nunca antes en ninguna parte").words == 0


def test_a_run_that_the_prompt_holds_in_part_counts_for_the_rest() -> None:
    words = TEXT.split()
    known = Grams([("memoria", TEXT)])
    found = known.longest(TEXT, [" ".join(words[:9])])
    assert found.words == len(words) - 9


def test_a_text_that_is_mostly_a_training_text_is_named() -> None:
    long = f"{TEXT} {' '.join(f'palabra{number}' for number in range(20))}"
    known = Grams([("a", long)])
    assert known.mostly(long.replace("palabra3", "otra")) == "a"
    assert known.mostly(" ".join(f"nada{number}" for number in range(40))) is None


@given(WORDS, WORDS)
def test_rouge_l_is_the_longest_common_subsequence(one: list[str], other: list[str]) -> None:
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for row, left in enumerate(one):
        for column, right in enumerate(other):
            lengths[row + 1][column + 1] = (
                lengths[row][column] + 1
                if folded(left) == folded(right)
                else max(lengths[row][column + 1], lengths[row + 1][column])
            )
    longest = lengths[-1][-1]
    wanted = 2 * longest / (len(one) + len(other)) if longest else 0.0
    assert abs(rouge_l(" ".join(one), " ".join(other)) - wanted) < 1e-12


@given(WORDS, WORDS)
def test_the_longest_run_is_what_a_plain_search_finds(one: list[str], other: list[str]) -> None:
    ours, theirs = folded(" ".join(one)), folded(" ".join(other))
    best = 0
    for start in range(len(ours)):
        for place in range(len(theirs)):
            length = 0
            while (
                start + length < len(ours)
                and place + length < len(theirs)
                and ours[start + length] == theirs[place + length]
            ):
                length += 1
            best = max(best, length)
    assert Grams([("t", " ".join(other))]).longest(" ".join(one)).words == (best if best >= SEED else 0)


def test_repetition_is_the_share_of_runs_that_stood_before() -> None:
    assert repeated("uno dos tres cuatro cinco seis") == 0.0
    assert round(repeated("uno dos tres cuatro uno dos tres cuatro"), 9) == 0.2
    assert repeated("") == 0.0
