"""Sections are written anew in projects of their own; one that cannot be written is left out and named."""

from __future__ import annotations

from dataclasses import dataclass, field

from fabai.training.evaluate import drafting
from fabai.training.evaluate.held import Held

from fabai.form import Form, find_form
from fabai.ledger import Fact, Ledger
from fabai.report import Report, Section
from fabai.settings import SamplingSettings, WindowSettings
from fabai.writers.scripted import Scripted

TEXTS = {"s1": "La asociación abrió el taller en marzo.", "s2": "Vinieron 46 personas."}


@dataclass(frozen=True)
class Past:
    """A Brief of two sections."""

    ledger: Ledger
    form: Form = field(default_factory=lambda: find_form("generic"))
    report: Report = field(
        default_factory=lambda: Report("Memoria", "es", (Section("s1", "Origen", 1), Section("s2", "Resultados", 1)))
    )
    sources: tuple[drafting.SourceText, ...] = ()
    texts: dict[str, str] = field(default_factory=lambda: dict(TEXTS))


def test_a_section_sees_what_a_person_wrote_before_it_and_a_contradiction_leaves_it_out_with_the_reason() -> None:
    sound = Past(Ledger((Fact("asistentes", "46", "Brief"),)))
    torn = Past(Ledger((Fact("curso", "2024/2025", "Brief"), Fact("curso", "2025/2026", "Brief"))))
    lost: list[str] = []
    found = drafting.write(
        [("a", "s2"), ("b", "s2")],
        {"a": sound, "b": torn},
        Scripted(["Asistieron 46 personas."]),
        WindowSettings(cap=2_000, reserve=200),
        SamplingSettings(),
        lambda: None,
        lost.append,
    )
    assert [one.text for one in found] == ["Asistieron 46 personas."]
    assert found[0].human == TEXTS["s2"]
    assert any(TEXTS["s1"] in text for text in found[0].shown)
    assert len(lost) == 1
    assert "b, section s2" in lost[0]
    assert "has two values" in lost[0]


def test_only_an_example_that_begins_its_section_has_a_place() -> None:
    def held(name: str) -> Held:
        return Held(name, "a", "a", "es", "report", "warm", (), "x", ())

    assert drafting.place_of(held("a:b:s3:0")) == ("a:b", "s3")
    assert drafting.place_of(held("a:s3:1")) is None
    assert drafting.place_of(held("plain")) is None
