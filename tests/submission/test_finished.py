"""A finished Word file against its form: a clean one passes, and each fault is found by its own rule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from fabai.checks.wording import sentence
from fabai.demands import Page
from fabai.form import Font
from fabai.formats.frame import set_properties
from fabai.formats.package import Package
from fabai.formats.wordml import Element, W, add, add_text, element, text_of
from fabai.report import LANGUAGES, Section
from fabai.submission.finished import check_document
from tests.conftest import DATA
from tests.submission.conftest import FORM, GASTOS, REPORT, made

Change = Callable[[Callable[[Element], None]], bytes]


def rules(data: bytes, severity: str | None = "error") -> list[str]:
    found = check_document(data, FORM, "es").violations
    return [one.rule for one in found if severity is None or one.severity == severity]


def under(body: Element, new: Element) -> None:
    """Put a paragraph under the first heading of the text."""
    headings = [one for one in body if text_of(one) == "Actividades"]
    headings[-1].addnext(new)


def paragraph(text: str) -> Element:
    made = element("p")
    add_text(add(made, "r"), text)
    return made


def test_what_fabai_writes_passes_the_look_of_its_own_linter() -> None:
    assert rules(made(), None) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("El taller costó [falta: importe] al final.", "document-hole"),
        ("Importe: {{coste}}", "document-hole"),
        ("[Describa aquí el proyecto]", "document-guidance"),
        ("Describa cada actividad con sus fechas y lugares.", "document-guidance"),
        ("Haga clic o pulse aquí para escribir texto.", "document-placeholder"),
        ("La entidad XXXXX firma el convenio.", "document-placeholder"),
        ("Véase ¡Error! No se encuentra el origen de la referencia.", "document-field-broken"),
    ],
)
def test_what_should_have_gone_is_found(changed: Change, text: str, rule: str) -> None:
    assert rules(changed(lambda body: under(body, paragraph(text)))) == [rule]


@pytest.mark.parametrize(
    "text", ["Según [1] y [Pérez 2019], fue así.", "[1]", "[García y otros, 2021]", "Lo dijo [sic] ayer."]
)
def test_citations_in_brackets_are_no_leftovers(changed: Change, text: str) -> None:
    assert rules(changed(lambda body: under(body, paragraph(text)))) == []


def test_a_font_a_size_and_a_spacing_that_the_form_refuses_are_found_with_their_words(changed: Change) -> None:
    def edit(body: Element) -> None:
        new = paragraph(
            "Este texto está en otra letra, muy pequeña, y sus líneas están tan juntas que no se leen bien."
        )
        add(add(new, "pPr"), "spacing", line=200, lineRule="auto")
        new.insert(0, new[-1])
        properties = element("rPr")
        add(properties, "rFonts", ascii="Comic Sans MS", hAnsi="Comic Sans MS")
        add(properties, "sz", val=16)
        new[1].insert(0, properties)
        under(body, new)

    found = {one.rule: one for one in check_document(changed(edit), FORM, "es").violations}
    assert found["document-font"].found == "Comic Sans MS"
    assert found["document-font-size"].found == "8"
    assert found["document-spacing"].found == "0.83"
    assert found["document-font"].section == "a"


def test_small_letters_in_a_table_are_only_a_warning(changed: Change) -> None:
    def edit(body: Element) -> None:
        run = next(next(body.iter(W + "tc")).iter(W + "r"))
        properties = run.find(W + "rPr")
        if properties is None:
            properties = element("rPr")
            run.insert(0, properties)
        add(properties, "sz", val=12)

    found = check_document(changed(edit), FORM, "es").violations
    assert [(one.rule, one.severity) for one in found] == [("document-font-size-table", "warning")]


def test_paper_and_margins_are_compared_with_the_form() -> None:
    form = replace(FORM, page=Page("letter", top=9.0))
    found = {one.rule: one.expected for one in check_document(made(), form, "es").violations}
    assert found == {"document-page-size": "letter", "document-margin-top": "9 cm"}


def test_a_footer_without_its_fields_is_found_and_other_words_are_shown() -> None:
    form = replace(FORM, page=Page(footer={"es": "Folio {page} / {pages}"}))
    (found,) = check_document(made(), form, "es").violations
    assert (found.rule, found.found) == ("document-footer", "Pág. {page} de {pages}")


def test_missing_and_reordered_sections_are_named() -> None:
    missing = check_document(made(replace(REPORT, sections=REPORT.sections[:1])), FORM, "es").violations
    assert [(one.rule, one.expected) for one in missing] == [("document-section-missing", "Gastos")]
    turned = check_document(made(replace(REPORT, sections=REPORT.sections[::-1])), FORM, "es").violations
    assert [(one.rule, one.section) for one in turned] == [("document-section-order", "a")]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Sin tabla.", "document-table-missing"),
        ("| Concepto | Importe |\n|---|---:|\n|  |  |\n| **Total** | **0,00 €** |", "document-table-empty"),
        (GASTOS.replace("1.210,50", "1.211,50"), "document-table-sum"),
        ("| Concepto | Importe |\n|---|---:|\n| Pan | 10,50 € |", "document-table-total-missing"),
    ],
)
def test_a_required_table_must_be_there_filled_and_add_up(text: str, rule: str) -> None:
    report = REPORT.with_section(Section("b", "Gastos", 1, text, spec="b"))
    assert [one.rule for one in check_document(made(report), FORM, "es").violations] == [rule]


def test_the_right_sum_is_told_as_the_total_is_written() -> None:
    report = REPORT.with_section(Section("b", "Gastos", 1, GASTOS.replace("1.210,50", "1.211,50"), spec="b"))
    (found,) = check_document(made(report), FORM, "es").violations
    assert (found.found, found.expected) == ("1.211,50 €", "1.210,50 €")


def test_tracked_changes_and_comments_are_counted() -> None:
    data = (DATA / "cases" / "006-tracked-changes-and-comments" / "revisada.docx").read_bytes()
    form = replace(FORM, own_sections=False, sections=(), page=None, font=None)
    found = {one.rule: one.found for one in check_document(data, form, "es").violations if one.severity == "error"}
    assert found == {"document-revisions": 7, "document-comments": 1}


def test_people_in_the_properties_are_named_and_the_organisation_may_stand() -> None:
    package = Package(made())
    set_properties(package, "Memoria", "es", "Ana Ejemplo Prueba")
    found = [one for one in check_document(package.save(), FORM, "es").violations if one.rule == "document-person"]
    assert [one.found for one in found] == ["Ana Ejemplo Prueba"]
    assert not check_document(package.save(), FORM, "es", names=["Ana Ejemplo Prueba"]).violations


def test_text_tagged_in_another_language_is_found() -> None:
    text = (
        "La asociación ha hecho dieciocho talleres con las familias del barrio durante el año y con muy buena acogida. "
        * 3
    )
    report = REPORT.with_section(Section("a", "Actividades", 1, text, spec="a"))
    package = Package(made(report))
    for tag in package.edit(package.related("styles") or "").iter(W + "lang"):
        tag.set(W + "val", "en-GB")
    assert [one.rule for one in check_document(package.save(), FORM, "es").violations] == ["document-language"]


def test_a_font_of_the_theme_is_resolved() -> None:
    form = replace(FORM, font=Font(("Arial",)))
    assert {one.found for one in check_document(made(), form, "es").violations} == {"Calibri"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_reads_as_a_sentence(language: str) -> None:
    form = replace(FORM, page=Page("letter", 9, 9, 9, 9, 3, {"es": "X"}, {"es": "Y"}), font=Font(("Arial",), 40.0))
    found = check_document(made(replace(REPORT, sections=REPORT.sections[:1])), form, "es").violations
    assert len({one.rule for one in found}) >= 9
    for one in found:
        text = sentence(one, language)  # type: ignore[arg-type]
        assert "{" not in text.replace(str(one.expected), "").replace(str(one.found), "")
