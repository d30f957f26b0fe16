"""The words of a prompt, in three languages."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from fabai import prompt
from fabai.demands import Column, Table
from fabai.form import Form, Limit, SectionSpec
from fabai.ledger import Fact, Ledger
from fabai.prompt.wording import wording
from fabai.report import LANGUAGES, Language, Report, Section
from fabai.settings import WindowSettings
from fabai.window.plan import plan
from tests.window.made import COUNTER

GOLDEN = Path(__file__).parent.parent / "data" / "prompt"

SPEC = SectionSpec(
    "resultados",
    {"es": "Resultados", "ca": "Resultats", "en": "Results"},
    level=2,
    guidance={"es": "Resultados por objetivo.", "ca": "Resultats per objectiu.", "en": "Results for each objective."},
    criteria={"es": "Coherencia.", "ca": "Coherència.", "en": "Coherence."},
    limits=(Limit("words", maximum=300, minimum=100),),
    needs=("objetivos",),
    tables=(Table((Column({"es": "indicadores", "ca": "indicadors", "en": "indicators"}),)),),
)
FORM = Form(
    "prueba",
    {"es": "Memoria de prueba", "ca": "Memòria de prova", "en": "Test report"},
    LANGUAGES,
    "la convocatoria",
    "2026-01-31",
    sections=(SectionSpec("objetivos", {"es": "Objetivos", "ca": "Objectius", "en": "Objectives"}), SPEC),
)
TEXTS = {
    "es": "El programa abrió la sala cinco tardes por semana. Las familias pidieron ampliarlo.",
    "ca": "El programa va obrir la sala cinc tardes per setmana. Les famílies van demanar ampliar-lo.",
    "en": "The programme opened the room on five afternoons a week. Families asked for more.",
}


def report(language: Language) -> Report:
    first, second = (spec.heading[language] for spec in FORM.sections)
    sections = (Section("s1", first, 1, TEXTS[language], spec="objetivos"), Section("s2", second, 2, spec="resultados"))
    return Report("Orillas", language, sections)


def shown(language: Language) -> str:
    """The prompt of the second section as it is sent."""
    of = report(language)
    ledger = Ledger((Fact("AEI", "18.500,00 €", "Resolución"),))
    parts = prompt.parts(of, "s2", form=FORM, ledger=ledger, instructions="Tono sobrio.")
    window, _ = plan(of, "s2", parts, COUNTER, WindowSettings(cap=4_000), form=FORM)
    return "".join(f"== {one.role}\n{one.content}\n" for one in prompt.messages(window, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prompt_of_a_small_report_is_the_one_on_record(language: Language) -> None:
    assert shown(language) == (GOLDEN / f"{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_date_or_hour_stands_in_a_prompt(language: Language) -> None:
    assert not re.search(r"\b(20\d\d-\d\d-\d\d|\d\d:\d\d)\b", shown(language))


def test_the_wording_of_every_language_fills_in_the_same_names() -> None:
    names = [
        {field.name: set(re.findall(r"\{\w+\}", getattr(wording(one).labels, field.name))) for field in fields(labels)}
        for one in LANGUAGES
        for labels in (wording(one).labels,)
    ]
    assert names[0] == names[1] == names[2]


def test_a_limit_for_another_language_is_not_told() -> None:
    limits = (Limit("words", maximum=300), Limit("characters", maximum=9, languages=("en",)))
    assert prompt.limit_text(limits, "es", FORM) == "como máximo 300 palabras"


def test_what_a_limit_leaves_out_is_named_by_its_heading() -> None:
    limits = (Limit("pages", minimum=2, excludes=("objetivos",)),)
    assert prompt.limit_text(limits, "ca", FORM) == "com a mínim 2 pàgines (no compten: Objectius)"


def test_braces_in_a_text_are_only_braces() -> None:
    parts = prompt.parts(report("es"), "s2", form=FORM, instructions="Usa {llaves} y {0}.")
    assert "Usa {llaves} y {0}." in parts.form


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_section_that_goes_on_is_asked_for_behind_the_end_of_what_stands(language: Language) -> None:
    asked = prompt.parts(report(language), "s2", form=FORM, written="Lo dicho.\n~~~~\nHasta aquí.").instruction
    plain = prompt.parts(report(language), "s2", form=FORM).instruction
    assert "\n~~~~~\nLo dicho.\n~~~~\nHasta aquí.\n~~~~~\n" in asked
    heading = SPEC.heading[language]
    assert heading in asked.split("\n")[-2]
    assert heading in plain
    assert "Lo dicho" not in plain
