"""fabai.shortening: over its limit, a text is asked for in rounds; it is never cut and loses no fact."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fabai.checks.limits import measure
from fabai.checks.pages import Laid
from fabai.dossier.references import add_references, read_references, worded
from fabai.form import Form, Limit, SectionSpec
from fabai.ledger import Fact, Ledger
from fabai.report import Report, Section
from fabai.shortening import Round, budgets, held, in_pages, page_budgets, shorten
from fabai.store.project import Made, Project
from fabai.writers.scripted import Scripted

FORM = Form(
    "f", {"es": "F"}, ("es",), "bases", "2026-01-02",
    sections=(
        SectionSpec("a", {"es": "Actividades"}, limits=(Limit("words", 8),)),
        SectionSpec("b", {"es": "Gastos"}),
    ),
)  # fmt: skip
LONG = "En total se hicieron 18 talleres con las familias del barrio, y el importe concedido fue de 18.500,00 €."


@pytest.fixture
def project(tmp_path: Path) -> Project:
    facts = (Fact("importe concedido", "18.500,00 €", "resolución"),)
    made = Project.create(tmp_path / "p.fabai", FORM, "es", "Memoria", facts=facts)
    for section, text in (("a", LONG), ("b", "Se gastó todo en pan.")):
        made.accept(made.save_version(section, text, Made("person")).id)
    return made


def test_a_round_that_lost_a_fact_is_asked_again_with_the_fact_named(project: Project) -> None:
    writer = Scripted(["Hubo 18 talleres.", "Hubo 18 talleres con 18.500 €."])
    seen: list[Round] = []
    answer = shorten(project, "a", writer, LONG, Limit("words", 8), on_round=seen.append)
    assert (answer.text, answer.partial) == ("Hubo 18 talleres con 18.500 €.", False)
    assert [(one.length, one.lost) for one in seen] == [(3, ("importe concedido",)), (5, ())]
    assert "18.500,00 €" in writer.asked[0][-1].content
    assert "8 palabras" in writer.asked[0][-1].content


def test_the_budget_shrinks_by_what_the_last_round_went_over(project: Project) -> None:
    over = "Hubo 18 talleres con las familias del barrio por 18.500 € en total."
    writer = Scripted([over, "Hubo 18 talleres por 18.500 €."])
    seen: list[Round] = []
    answer = shorten(project, "a", writer, LONG, Limit("words", 8), on_round=seen.append)
    assert not answer.partial
    assert seen[0].budget == 8
    assert seen[1].budget < 8


def test_where_every_round_loses_a_fact_the_text_stays_whole_and_that_is_said(project: Project) -> None:
    answer = shorten(project, "a", Scripted(["Hubo 18 talleres."] * 3), LONG, Limit("words", 8))
    assert (answer.text, answer.partial) == (LONG, True)
    assert "importe concedido" in answer.made.settings["note"]


def test_what_is_still_too_long_is_the_shortest_that_keeps_the_facts_and_is_partial(project: Project) -> None:
    texts = [f"Hubo 18 talleres con familias del barrio y amigos, {'y más ' * n}por 18.500 €." for n in (3, 1, 2)]
    answer = shorten(project, "a", Scripted(texts), LONG, Limit("words", 8))
    assert (answer.text, answer.partial) == (texts[1], True)
    assert "by hand" in answer.made.settings["note"]


def test_a_limit_of_zero_is_met_by_no_text_and_said(project: Project) -> None:
    answer = shorten(project, "b", Scripted(["Pan."] * 3), "Se gastó todo en pan.", Limit("words", 0))
    assert answer.partial
    assert "/ 0" in answer.made.settings["note"]


def test_a_citation_is_counted_in_the_words_that_documents_show(project: Project, tmp_path: Path) -> None:
    (tmp_path / "c.bib").write_text("@book{p, author={Pérez, Ana and Soler, Pau}, title={Uno}, year={2020}}")
    add_references(project, read_references(tmp_path / "c.bib").entries)
    text = "Se gastó todo en pan del barrio [@p]."
    report = replace(project.report(), sections=(Section("b", "Gastos", 1, text),))
    whole = Form("f", {"es": "F"}, ("es",), "bases", "2026-01-02", limits=(Limit("words", 9),))
    assert budgets(report, whole) == {}
    assert budgets(worded(project, report), whole)["b"].maximum == 9
    answer = shorten(project, "b", Scripted(["Todo en pan [@p].", "Pan [@p]."]), text, Limit("words", 6))
    assert (answer.text, answer.made.settings["rounds"]) == ("Pan [@p].", [[6, 7], [5, 5]])


def test_sections_over_their_own_limit_and_shares_of_the_whole_get_a_budget(project: Project) -> None:
    report = project.report()
    assert {name: one.maximum for name, one in budgets(report, FORM).items()} == {"a": 8}
    whole = Form(
        "f", {"es": "F"}, ("es",), "bases", "2026-01-02",
        sections=FORM.sections, limits=(Limit("words", 12, excludes=()), Limit("pages", 1)),
    )  # fmt: skip
    found = budgets(report, whole)
    assert set(found) == {"a", "b"}
    assert sum(one.maximum or 0 for one in found.values()) <= 12
    assert measure(LONG, "words") > (found["a"].maximum or 0)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Se concedieron 18.500 euros.", {"importe"}),
        ("Ana Ejemplo firmó el 3 de mayo de 2025.", {"firma", "responsable"}),
        ("Se concedieron 1.850 euros.", set()),
    ],
)
def test_a_fact_is_held_where_its_value_stands_in_any_writing(text: str, names: set[str]) -> None:
    ledger = Ledger(
        (Fact("importe", "18.500,00 €", "s"), Fact("firma", "03/05/2025", "s"), Fact("responsable", "Ana Ejemplo", "s"))
    )
    assert {one.name for one in held(text, ledger, "es")} == names


class Pages(Laid):
    """A report whose pages are told, by section in the order of the text, without a document."""

    def __init__(self, report: Report, *starts: float, pages: int) -> None:
        self._report, self._starts, self.pages, self._has_index = report, list(starts), pages, False


def paged(*limits: Limit, whole: tuple[Limit, ...] = ()) -> Form:
    sections = (SectionSpec("a", {"es": "A"}, limits=limits), SectionSpec("b", {"es": "B"}))
    return Form("f", {"es": "F"}, ("es",), "bases", "2026-01-02", sections=sections, limits=whole)


def texts() -> Report:
    words = "palabra " * 100
    return Report("T", "es", (
        Section("a", "A", 1, words, spec="a"), Section("c", "C", 2, words), Section("b", "B", 1, words, spec="b"),
    ))  # fmt: skip


def test_a_section_over_its_pages_gives_up_words_with_those_under_it() -> None:
    form = paged(Limit("pages", 2))
    laid = Pages(texts(), 0.0, 1.0, 3.0, pages=4)
    assert in_pages(texts(), form)
    found = page_budgets(texts(), form, laid)
    assert {name: (one.unit, one.maximum) for name, one in found.items()} == {"a": ("words", 65), "c": ("words", 65)}
    assert page_budgets(texts(), form, Pages(texts(), 0.0, 1.0, 2.0, pages=3)) == {}


def test_where_the_whole_is_over_its_pages_every_section_that_counts_gives_up_the_same_share() -> None:
    form = paged(whole=(Limit("pages", 2),))
    found = page_budgets(texts(), form, Pages(texts(), 0.0, 1.0, 3.0, pages=4))
    assert {name: one.maximum for name, one in found.items()} == {"a": 49, "c": 49, "b": 49}
    left_out = paged(whole=(Limit("pages", 2, excludes=("b",)),))
    found = page_budgets(texts(), left_out, Pages(texts(), 0.0, 1.0, 3.0, pages=4))
    assert found.keys() == {"a", "c"}


def test_limits_in_words_alone_ask_for_no_pages() -> None:
    assert not in_pages(texts(), paged(Limit("words", 2)))
