"""Retrieval by meaning: two rankings become one, vectors are made once, and no model is needed to hold that."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from fabai.window.meaning import MeaningRetriever, Role
from fabai.window.passages import Retriever
from fabai.window.retrieval import retriever


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    text: str


BRIEF = (
    Document("convocatoria.pdf", "# Gastos\n\nEl informe del auditor se admite hasta 2.000 euros."),
    Document("bases.pdf", "# Personal\n\nEl salario de quien coordina se admite hasta el 40 % de la ayuda."),
    Document("acta.pdf", "# Plazos\n\nLa justificación se presenta antes del 31 de marzo de 2025."),
)
TOPICS = ("auditor revisor", "salario sueldo nómina", "justificación plazo fecha")


class FakeEmbedder:
    """A fake: one axis for each topic, which a text points along when it names one of its words."""

    name = "fake"

    def __init__(self) -> None:
        self.asked: list[tuple[str, Role]] = []

    def embed(self, texts: Sequence[str], role: Role) -> list[array[float]]:
        self.asked += [(text, role) for text in texts]
        return [array("f", [float(any(word in text for word in one.split())) for one in TOPICS]) for text in texts]


class Kept:
    """Vectors in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, bytes]] = {}

    def vectors(self, embedder: str) -> Mapping[str, bytes]:
        return self.kept.get(embedder, {})

    def save_vectors(self, embedder: str, vectors: Mapping[str, bytes]) -> None:
        self.kept.setdefault(embedder, {}).update(vectors)


def test_a_passage_is_found_by_a_word_that_it_does_not_hold() -> None:
    found: Retriever = MeaningRetriever(BRIEF, "es", FakeEmbedder(), Kept())
    assert not retriever(BRIEF, "es").find("sueldo", 3)
    assert "salario" in found.find("sueldo", 3)[0].text


def test_a_passage_that_both_rankings_put_first_stands_before_one_that_only_meaning_finds() -> None:
    found = MeaningRetriever(BRIEF, "es", FakeEmbedder(), Kept()).find("revisor, 31 de marzo y fecha", 3)
    assert [passage.source for passage in found[:2]] == ["acta.pdf — Plazos", "convocatoria.pdf — Gastos"]


def test_each_passage_is_embedded_once_and_a_changed_one_again() -> None:
    store, first, later = Kept(), FakeEmbedder(), FakeEmbedder()
    MeaningRetriever(BRIEF, "es", first, store)
    assert len(first.asked) == 3
    changed = (Document("convocatoria.pdf", BRIEF[0].text.replace("2.000", "3.000")), *BRIEF[1:])
    found = MeaningRetriever(changed, "es", later, store).find("auditor", 1)
    assert [role for _, role in later.asked] == ["passage", "query"]
    assert "3.000" in found[0].text


def test_vectors_of_another_model_are_not_taken() -> None:
    store, other = Kept(), FakeEmbedder()
    MeaningRetriever(BRIEF, "es", FakeEmbedder(), store)
    other.name = "other"
    MeaningRetriever(BRIEF, "es", other, store)
    assert len(other.asked) == 3


def test_nothing_is_asked_of_the_model_for_an_empty_query_or_no_sources() -> None:
    embedder = FakeEmbedder()
    assert list(MeaningRetriever((), "es", embedder, Kept()).find("auditor", 3)) == []
    found = MeaningRetriever(BRIEF, "es", embedder, Kept())
    asked = len(embedder.asked)
    assert list(found.find("  ", 3)) == list(found.find("auditor", 0)) == []
    assert len(embedder.asked) == asked


@given(st.lists(st.sampled_from(" ".join(TOPICS).split()), min_size=1, max_size=6), st.integers(1, 5))
def test_the_same_query_gives_the_same_passages(words: list[str], most: int) -> None:
    one, other = (MeaningRetriever(BRIEF, "es", FakeEmbedder(), Kept()).find(" ".join(words), most) for _ in range(2))
    assert one == other
    assert len(one) == min(most, 3)
