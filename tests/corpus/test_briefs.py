"""The Brief of a past report, rebuilt."""

from __future__ import annotations

from fabai.corpus.briefs import past_brief, stated
from fabai.corpus.facts import facts
from fabai.corpus.forms import form_of
from fabai.corpus.support import Evidence, statements

from fabai.form import find_form
from fabai.ledger import Fact
from fabai.report import Section
from fabai.settings import ExampleSettings

from .conftest import document

SECTIONS = [
    ("Actividades", 1, "Se celebraron 24 talleres con 312 personas. La subvención concedida asciende a 18.500 €."),
    (
        "Resultados", 1,
        "Participó la empresa Textiles Murgadas. La coordinadora {{persona_1}} lo vio. Fue el 14 de marzo de 2025.",
    ),
]  # fmt: skip


def words(text: str) -> int:
    return len(text.split())


def test_a_fact_is_called_after_the_words_around_it() -> None:
    found = {one.value: one.name for _, _, text in SECTIONS for one in facts(text, "es")}
    assert found == {
        "24": "talleres", "312": "personas", "18.500 €": "subvención concedida asciende",
        "Textiles Murgadas": "participó la empresa", "{{persona_1}}": "coordinadora", "14 de marzo de 2025": "fecha",
    }  # fmt: skip


def test_with_room_enough_the_ledger_holds_every_statement_of_the_report() -> None:
    brief = past_brief(document("a", SECTIONS), "es", room=10_000, count=words)
    evidence = Evidence("es")
    known = evidence.sets(f"- {fact.name}: {fact.value}" for fact in brief.ledger)
    for _, _, text in SECTIONS:
        assert not [claim for one in statements(text, "es") for claim in evidence.missing(one, known)]


def test_the_ledger_keeps_to_its_room_and_names_are_told_once() -> None:
    sections = [(f"Sección {n}", 1, f"Se gastaron {n}.000 € en material.") for n in range(1, 60)]
    brief = past_brief(document("a", sections), "es", room=120, count=words)
    names = [fact.name for fact in brief.ledger]
    assert len(names) == len(set(names)) > 5
    assert sum(words(f"- {fact.name}: {fact.value}") for fact in brief.ledger) <= 120


def test_some_facts_of_other_reports_stand_among_its_own() -> None:
    others = [Fact(f"otro dato {n}", f"{n}77 €", "Brief") for n in range(9)]
    brief = past_brief(
        document("a", SECTIONS), "es", room=10_000, count=words, others=others,
        settings=ExampleSettings(distractors=0.5),
    )  # fmt: skip
    strange = [fact for fact in brief.ledger if fact in others]
    assert len(strange) == round(0.5 * (len(brief.ledger) - len(strange)))
    assert list(brief.ledger)[-len(strange) :] != strange


def test_the_same_report_gives_the_same_brief() -> None:
    one, other = (past_brief(document("a", SECTIONS), "es", room=30, count=words) for _ in range(2))
    assert one == other


def test_the_ledger_of_a_project_is_taken_as_it_is() -> None:
    given = document("a", SECTIONS, facts={"importe concedido": "18.500,00 €"}, kind="project")
    brief = past_brief(given, "es", room=1_000, count=words)
    assert brief.ledger.get("importe concedido") is not None
    assert [fact.value for fact in brief.ledger].count("18.500 €") == 0


def test_sections_without_text_or_in_another_language_or_left_out_are_no_targets() -> None:
    sections = [("Grupo", 1, ""), ("Uno", 2, "Texto."), ("Dos", 2, "Más texto."), ("Nada", 2, "| | |")]
    brief = past_brief(document("a", sections), "es", room=10, count=words, left_out=[2])
    assert brief.targets == ("s1",)
    assert past_brief(document("a", sections), "ca", room=10, count=words).targets == ()
    assert [one.heading for one in brief.report] == ["Grupo", "Uno", "Dos", "Nada"]


def test_the_form_is_the_one_whose_headings_the_report_has() -> None:
    sections = [
        ("Memoria de actuación", 1, "Texto."), ("Actividades realizadas", 2, "Texto."),
        ("Cosas nuestras", 2, "Texto."), ("Resultados obtenidos", 2, "Texto."),
        ("Desviaciones respecto del presupuesto", 2, "Texto."),
    ]  # fmt: skip
    brief = past_brief(document("a", sections), "es", room=10, count=words)
    assert brief.form.id == "memoria-justificativa"
    assert [spec.guidance is not None for spec in brief.form.sections] == [True, True, False, True, True]
    assert brief.form.sections[3].needs == (brief.form.sections[1].id,)
    assert past_brief(document("a", SECTIONS), "es", room=10, count=words).form.id == "generic"


def test_the_form_asks_nothing_of_a_text_that_overran_its_limit() -> None:
    form = find_form("nsf-annual-report")
    limited = [n for n, spec in enumerate(form.sections) if any(one.unit != "pages" for one in spec.limits)]
    assert limited
    for size, asked in ((3, True), (30_000, False)):
        sections = [
            Section(f"s{n}", spec.heading["en"], spec.level, "word " * size) for n, spec in enumerate(form.sections)
        ]
        found = form_of(sections, "en")
        assert found.id == form.id
        assert all(bool(found.sections[n].limits) == asked for n in limited)


def test_the_facts_that_serve_as_distractors_are_figures_with_a_name() -> None:
    found = stated(document("a", [*SECTIONS, ("Más", 1, "Quedaron 12 aulas abiertas.")]), "es", 5)
    assert [(fact.name, fact.value) for fact in found] == [
        ("subvención concedida asciende", "18.500 €"), ("aulas abiertas", "12"),
    ]  # fmt: skip
