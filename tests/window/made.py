"""Reports, parts and counters that the window's tests are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from fabai import prompt
from fabai.ledger import Fact, Ledger
from fabai.message import Message
from fabai.report import Report, Section
from fabai.settings import WindowSettings
from fabai.window.parts import Parts
from fabai.window.piece import Window
from fabai.window.plan import plan
from fabai.window.state import WindowState


class Quarters:
    """A quarter of the characters, begun ones included: as in a real tokenizer, a whole is not the sum of its parts."""

    name = "quarters"

    def count(self, text: str) -> int:
        return -(-len(text) // 4)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return self.count("".join(f"<|im_start|>{one.role}\n{one.content}<|im_end|>\n" for one in messages)) + 6


WORDS = tuple(
    "La sala abrió en octubre con la ayuda de las familias y el equipo revisó el plan cada mes sin coste".split()  # noqa: SIM905
)


def prose(words: int, start: int = 0) -> str:
    """Sentences of eight words, paragraphs of five sentences."""
    picked = [WORDS[(start + index * 7 + index // 8) % len(WORDS)] for index in range(words)]
    sentences = [" ".join(picked[at : at + 8]).capitalize() + "." for at in range(0, words, 8)]
    return "\n\n".join(" ".join(sentences[at : at + 5]) for at in range(0, len(sentences), 5))


def report(sizes: Sequence[int], *, language: str = "es") -> Report:
    """One section for each size in words, every fourth of them at level 1."""
    sections = [
        Section(f"s{index}", f"Apartado {index}", 1 if index % 4 == 0 else 2, prose(words, index))
        for index, words in enumerate(sizes)
    ]
    return Report("Memoria", language, tuple(sections))  # type: ignore[arg-type]


def as_drafted(whole: Report, index: int) -> Report:
    """The report when the section at `index` is about to be written: it and what follows have no text."""
    bare = (replace(section, text="") for section in whole.sections[index:])
    return replace(whole, sections=(*whole.sections[:index], *bare))


LEDGER = Ledger((Fact("importe concedido", "18.500,00 €", "Resolución"), Fact("talleres", "12", "Acta")))


def parts(whole: Report, section_id: str, ledger: Ledger = LEDGER) -> Parts:
    return prompt.parts(whole, section_id, ledger=ledger)


def window(
    whole: Report, section_id: str, settings: WindowSettings, state: WindowState | None = None, ledger: Ledger = LEDGER
) -> tuple[Window, WindowState]:
    return plan(whole, section_id, parts(whole, section_id, ledger), COUNTER, settings, state=state)


def text(shown: Window) -> str:
    """The whole prompt."""
    return "\n".join(message.content for message in prompt.messages(shown, "es"))


COUNTER = Quarters()

PIECES = st.one_of(
    st.integers(1, 400).map(prose),
    st.just(""),
    st.just("| a | b |\n|---|---|\n" + "".join(f"| {n} | fila número {n} |\n" for n in range(80))),
    st.just("x" * 3000),
    st.just("👩‍👧 " * 300),
    st.just("- uno\n- dos\n- tres\n\nFin de la lista. Otra frase más."),
    st.text(max_size=300),
)
REPORTS = st.lists(PIECES, min_size=1, max_size=14).map(
    lambda texts: Report(
        "Memoria",
        "es",
        tuple(Section(f"s{i}", f"Apartado {i}", 1 + i % 3, one) for i, one in enumerate(texts)),
    )
)
