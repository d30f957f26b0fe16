"""Paragraphs: who wrote each first, however it was moved, and whose review its very words have."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import BadSetting, UnknownName
from fabai.store.project import Made, Project
from fabai.store.provenance import Provenance, paragraph_hash, split
from fabai.store.record import Version

from .conftest import build_document

AI = "La sala de lectura abrió cinco tardes por semana durante todo el curso escolar pasado."
AI2 = "Las familias del barrio pidieron que el horario se ampliara también a los sábados por la mañana."
OWN = "Nuestra entidad agradece al Ayuntamiento de Valdeluz la cesión gratuita del local municipal."


def save(project: Project, text: str, writer: str = "llamacpp", section: str = "s1") -> Version:
    made = Made(writer, "llamacpp:qwen3-4b+memorias:mark" if writer == "llamacpp" else None, "w" * 64)
    version = project.save_version(section, text, made)
    return project.accept(version.id)


@pytest.fixture
def two(project: Project) -> Project:
    project.import_document(build_document(("Uno", 1, ""), ("Dos", 1, "")), "d.md")
    return project


def origins(project: Project, section: str = "s1") -> list[str]:
    return [one.origin for one in project.paragraphs(section)]


def test_each_paragraph_tells_who_wrote_it_first(two: Project) -> None:
    first = save(two, f"{AI}\n\n{AI2}")
    save(two, f"{AI2}\n\n{OWN}\n\n{AI}", "person")
    found = two.paragraphs("s1")
    assert [one.origin for one in found] == ["ai", "person", "ai"]
    assert [one.version for one in found if one.origin == "ai"] == [first.id, first.id]
    assert found[0].model == "llamacpp:qwen3-4b+memorias:mark"
    assert [two.report().sections[0].text[one.start : one.end] for one in found] == [one.text for one in found]


@pytest.mark.parametrize(
    ("writer", "origin"), [("import", "imported"), ("inherited", "inherited"), ("person", "person"), ("openai", "ai")]
)
def test_the_writer_of_a_version_says_where_its_paragraphs_come_from(two: Project, writer: str, origin: str) -> None:
    save(two, AI, writer)
    assert origins(two) == [origin]


def test_a_small_change_by_a_person_leaves_it_the_models(two: Project) -> None:
    save(two, AI)
    save(two, AI.replace("cinco", "cuatro"), "person")
    (one,) = two.paragraphs("s1")
    assert (one.origin, one.edited) == ("ai", True)


def test_splitting_and_joining_changes_nothing(two: Project) -> None:
    save(two, f"{AI}\n\n{AI2}")
    save(two, f"{AI} {AI2}", "person")
    assert origins(two) == ["ai"]
    half = len(AI) // 2 + AI[len(AI) // 2 :].index(" ")
    save(two, f"{AI[:half]}.\n\n{AI[half:]}", "person")
    assert origins(two) == ["ai", "ai"]


def test_what_a_person_joins_to_a_models_text_is_still_to_be_reviewed(two: Project) -> None:
    save(two, AI)
    save(two, f"{AI} {OWN}", "person")
    assert origins(two) == ["ai"]


def test_a_paragraph_moved_to_another_section_keeps_its_origin(two: Project) -> None:
    first = save(two, f"{AI}\n\n{AI2}")
    save(two, AI2, "person")
    save(two, f"{OWN}\n\n{AI}", "person", "s2")
    assert origins(two, "s2") == ["person", "ai"]
    assert two.paragraphs("s2")[1].version == first.id


def test_a_model_that_repeats_a_person_leaves_it_the_persons(two: Project) -> None:
    save(two, OWN, "person")
    save(two, f"{OWN}\n\n{AI}")
    assert origins(two) == ["person", "ai"]


def test_a_review_is_for_the_very_words_and_follows_them(two: Project) -> None:
    save(two, f"{AI}\n\n{AI2}")
    first = two.paragraphs("s1")[0]
    two.review("s1", first.hash[:12], "Marta Soler")
    save(two, f"{AI2}\n\n{AI}", "person")
    assert [one.reviewed_by for one in two.paragraphs("s1")] == [None, "Marta Soler"]
    save(two, f"{AI2}\n\n{AI} Y más.", "person")
    assert [one.reviewed_by for one in two.paragraphs("s1")] == [None, None]


def test_a_section_is_reviewed_as_a_whole(two: Project) -> None:
    save(two, f"{AI}\n\n{AI2}")
    two.review("s1", "", "Marta Soler")
    assert {one.reviewed_by for one in two.paragraphs("s1")} == {"Marta Soler"}
    assert all(one.reviewed for one in two.paragraphs("s1"))


def test_a_short_paragraph_is_reviewed_for_its_own_section(two: Project) -> None:
    save(two, "No procede.")
    save(two, "No procede.", section="s2")
    two.review("s1", "", "M")
    assert [one.reviewed_by for one in (*two.paragraphs("s1"), *two.paragraphs("s2"))] == ["M", None]


def test_a_review_of_what_is_not_there_is_refused(two: Project) -> None:
    save(two, AI)
    with pytest.raises(UnknownName, match="changed since"):
        two.review("s1", "0" * 64, "M")
    with pytest.raises(BadSetting, match="say who"):
        two.review("s1", "", " ")


def test_two_who_have_the_project_open_see_the_same(two: Project) -> None:
    with Project.open(two.path) as other:
        assert other.paragraphs("s1") == ()
        save(two, AI)
        assert other.paragraphs("s1") == two.paragraphs("s1")


WORDS = st.lists(st.sampled_from([f"palabra{n}" for n in range(40)]), min_size=6, max_size=30).map(" ".join)


@given(st.lists(WORDS, min_size=1, max_size=6, unique=True), st.randoms(use_true_random=False))
def test_any_order_of_a_models_paragraphs_is_the_models(paragraphs: list[str], chance: random.Random) -> None:
    known = Provenance()
    known.learn([_version(1, "\n\n".join(paragraphs), "llamacpp")])
    chance.shuffle(paragraphs)
    text = "\n\n".join(paragraphs)
    known.learn([_version(2, text, "person")])
    found = [known.of("s", text[start:end]) for start, end in split(text)]
    assert [(one.origin, one.version, one.edited) for one in found if one is not None] == [("ai", 1, False)] * len(
        paragraphs
    )


@given(st.lists(st.integers(0, 10_000), min_size=16, max_size=40, unique=True), st.integers(0, 15))
def test_one_word_that_a_person_changes_leaves_a_paragraph_the_models(numbers: list[int], place: int) -> None:
    words = [f"palabra{number}" for number in numbers]
    known = Provenance()
    known.learn([_version(1, " ".join(words), "llamacpp")])
    words[place] = "otra"
    known.learn([_version(2, " ".join(words), "person")])
    birth = known.of("s", " ".join(words))
    assert birth is not None
    assert (birth.origin, birth.edited) == ("ai", True)


@given(WORDS, st.lists(st.integers(0, 10_000), min_size=4, max_size=30, unique=True))
def test_what_shares_no_passage_is_the_persons_own(model: str, numbers: list[int]) -> None:
    own = " ".join(f"propio{number}" for number in numbers)
    known = Provenance()
    known.learn([_version(1, model, "llamacpp"), _version(2, f"{own}\n\n{model}", "person")])
    birth = known.of("s", own)
    assert birth is not None
    assert birth.origin == "person"


@given(st.text(max_size=60))
def test_spaces_and_line_ends_do_not_make_another_paragraph(text: str) -> None:
    assert paragraph_hash(text) == paragraph_hash(f"  {text} \n")
    ranges = split(text)
    assert ranges == sorted(ranges)
    assert all(text[start:end].strip() for start, end in ranges)


def _version(number: int, text: str, writer: str) -> Version:
    return Version(number, "s", number, text, "draft", False, Made(writer, created="2026-01-01"))
