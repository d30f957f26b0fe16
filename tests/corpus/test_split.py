"""Near-duplicates, and the split that keeps them apart."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from fabai.corpus.document import CorpusDocument
from fabai.corpus.duplicates import Pair, Place, pairs, shingles
from fabai.corpus.split import Card, Split, assign, leaks, read_split, split, write_split
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import UnreadableFile
from fabai.settings import SplitSettings

from .conftest import document, write_corpus

WORDS = [
    f"{a}{b}{c}" for a in ("ca", "me", "so", "ti", "lu") for b in ("ra", "ne", "do", "vi") for c in ("s", "n", "l", "")
]


def prose(seed: int, words: int = 80) -> str:
    chance = random.Random(seed)  # noqa: S311 - made-up prose
    return " ".join(chance.choice(WORDS) for _ in range(words))


def changed(text: str, words: int, seed: int = 0) -> str:
    found = text.split()
    for place in random.Random(seed).sample(range(len(found)), words):  # noqa: S311
        found[place] = "otra"
    return " ".join(found)


def corpus_of(count: int = 20) -> list[CorpusDocument]:
    return [
        document(f"d{n}", [(f"S{k}", 1, prose(100 * n + k)) for k in range(4)], project=f"p{n // 2}")
        for n in range(count)
    ]


def test_a_section_with_a_few_words_changed_is_found_and_another_one_is_not() -> None:
    text = prose(1, 120)
    found = list(pairs([document("a", [("A", 1, text), ("B", 1, prose(2)), ("C", 1, changed(text, 3))])]))
    assert [(one.first, one.second) for one in found] == [(Place("a", 0), Place("a", 2))]
    assert 0.7 <= found[0].alike < 1.0


def test_hardly_a_pair_is_missed_down_to_the_threshold() -> None:
    found = missed = 0
    for seed in range(120):
        text = prose(seed, 90)
        other = changed(text, 1 + seed % 5, seed)
        one, two = (set(shingles(each.split(), 4)) for each in (text, other))
        if len(one & two) >= 0.7 * len(one | two):
            found += 1
            missed += not list(pairs([document("a", [("A", 1, text), ("B", 1, other)])]))
    assert found > 80
    assert missed <= 1


def test_case_accents_and_marks_make_no_difference_and_short_sections_are_not_compared() -> None:
    text = prose(1)
    loud = text.upper().replace(" ", ", ")
    sections = [("A", 1, text), ("B", 1, loud), ("C", 1, "Sin texto propio."), ("D", 1, "Sin texto propio.")]
    assert [(one.first.section, one.second.section) for one in pairs([document("a", sections)])] == [(0, 1)]


def test_a_project_is_never_parted_and_every_split_has_its_share() -> None:
    documents = corpus_of(60)
    cards = [Card(one.id, one.path, one.project, "es", 320, (), 320) for one in documents]
    found = assign(cards, [], SplitSettings(validation=0.1, test=0.2))
    homes = {(one.project, found.documents[one.id]) for one in documents}
    assert len(homes) == 30
    words = {where: sum(320 for one in found.documents.values() if one == where) for where in ("test", "validation")}
    assert 0.15 <= words["test"] / (60 * 320) <= 0.3
    assert 0.05 <= words["validation"] / (60 * 320) <= 0.15


def test_the_split_depends_on_the_seed_and_on_nothing_else() -> None:
    cards = [Card(f"d{n}", f"d{n}.md", f"p{n}", "es", 100, (), 100) for n in range(50)]
    first, again, other = (assign(cards, [], SplitSettings(seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first.documents != other.documents


def test_each_language_has_its_own_share() -> None:
    cards = [Card(f"d{n}", f"d{n}.md", f"p{n}", "ca" if n % 10 == 0 else "es", 100, (), 100) for n in range(100)]
    found = assign(cards, [])
    assert {card.language for card in cards if found.documents[card.id] == "test"} == {"es", "ca"}


def test_what_was_decided_stays_when_the_corpus_grows() -> None:
    cards = [Card(f"d{n}", f"d{n}.md", f"p{n}", "es", 100, (), 100) for n in range(40)]
    before = assign(cards[:20], [])
    after = assign(cards, [], known=before)
    assert {key: after.documents[key] for key in before.documents} == before.documents
    assert after.moved == ()


def test_documents_that_repeat_one_another_or_are_derived_are_one_project() -> None:
    cards = [
        Card("a", "uno/a.md", "p1", "es", 100, (), 100), Card("b", "dos/b.md", "p2", "es", 100, (), 100),
        Card("c", "tres/c.md", "p3", "es", 900, ("uno", "dos/b.md"), 900), Card("d", "d.md", "p4", "es", 100, (), 100),
    ]  # fmt: skip
    found = assign(cards, [Pair(Place("c", 0), Place("d", 0), 0.9, 60)])
    assert len(set(found.groups.values())) == 1
    apart = assign(cards, [Pair(Place("c", 0), Place("d", 0), 0.9, 30)])
    assert apart.groups["d"] == "p4"


def test_a_new_link_between_two_splits_moves_the_kept_documents_to_the_teaching_ones() -> None:
    cards = [Card(name, f"{name}.md", name, "es", 100, (), 100) for name in "abc"]
    before = Split(SplitSettings(), {"a": "train", "b": "test", "c": "test"}, {})
    found = assign(cards, [Pair(Place("a", 0), Place("b", 0), 1.0, 90)], known=before)
    assert found.documents == {"a": "train", "b": "train", "c": "test"}
    assert found.moved == ("b",)


@given(
    st.lists(
        st.tuples(st.integers(0, 11), st.integers(0, 2), st.integers(0, 11), st.integers(0, 2)).filter(
            lambda one: one[:2] != one[2:]
        ),
        max_size=30,
    ),
    st.integers(0, 5),
)
def test_whatever_repeats_no_kept_section_is_taught_and_no_text_teaches_twice(
    links: list[tuple[int, int, int, int]], seed: int
) -> None:
    cards = [Card(f"d{n:02}", f"d{n}.md", f"p{n // 2}", "es", 300, (), 300) for n in range(12)]
    ordered = [sorted([Place(f"d{a:02}", b), Place(f"d{c:02}", d)]) for a, b, c, d in links]
    found = [Pair(first, second, 0.9, 50) for first, second in ordered]
    result = assign(cards, found, SplitSettings(seed=seed, test=0.3, validation=0.2))
    assert leaks(result, found) == []
    out = {Place(name, number) for name, numbers in result.left_out.items() for number in numbers}
    for pair in found:
        assert pair.first in out or pair.second in out


def test_a_corpus_on_disk_is_split_and_read_back(tmp_path: Path) -> None:
    documents = corpus_of(12)
    twin = document("zz", [("Otra", 1, changed(documents[0].sections[1].text, 2))], project="lejos")
    found = split(write_corpus(tmp_path, [*documents, twin]))
    assert sum(map(len, found.left_out.values())) == 1
    assert read_split(tmp_path) is None
    write_split(tmp_path, found)
    assert read_split(tmp_path) == found
    (tmp_path / "split.json").write_text("{")
    with pytest.raises(UnreadableFile, match="delete it"):
        read_split(tmp_path)
