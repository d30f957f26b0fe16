"""A form read from a funder's words: limits, letters, deadlines, sections; written as TOML and looked over."""

from __future__ import annotations

import datetime
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.call.deadlines import deadlines_in
from fabai.call.limits import limits_in
from fabai.call.lint import lint
from fabai.call.looks import Looks
from fabai.call.proposal import propose
from fabai.call.written import toml
from fabai.demands import Column, Deadline, Table, due
from fabai.form import Form, Limit, Rule, SectionSpec, built_in, holding, read_form
from fabai.formats.document import Block, Document, DocumentSection
from tests.conftest import DATA

TODAY = datetime.date(2026, 11, 30)


@pytest.mark.parametrize(
    ("text", "unit", "most", "least", "excludes"),
    [
        ("máximo 3.500 caracteres", "characters", 3500, None, ()),
        ("Máximo 500 caracteres sin espacios", "characters_without_spaces", 500, None, ()),
        ("no more than 4 pages", "pages", 4, None, ()),
        ("(max. 500 words)", "words", 500, None, ()),
        ("The proposal must not exceed twenty pages", "pages", 20, None, ()),
        ("com a mínim 1.200 paraules", "words", None, 1200, ()),
        ("al menos 1200 palabras", "words", None, 1200, ()),
        ("entre 500 y 1.000 palabras", "words", 1000, 500, ()),
        ("1.1 Objectives [e.g. 4 pages]", "pages", 4, None, ()),
        ("Les memòries no superaran les deu pàgines", "pages", 10, None, ()),
        (
            "Número máximo de páginas, sin contar la portada, el índice y los dos anexos: 35.",
            "pages", 35, None, ("cover", "index", "annexes"),
        ),
        ("Extensión máxima: 2.000 palabras, excluida la bibliografía", "words", 2000, None, ("references",)),
    ],
)  # fmt: skip
def test_a_limit_is_read_with_what_does_not_count(
    text: str, unit: str, most: int | None, least: int | None, excludes: tuple[str, ...]
) -> None:
    (found,) = limits_in(text)
    assert (found.unit, found.maximum, found.minimum, found.excludes) == (unit, most, least, excludes)


@pytest.mark.parametrize(
    "text",
    ["Publíquese en 3 páginas web.", "En 2024 se recibieron 60 solicitudes.", "Véase la página 12.", "a 120 personas"],
)
def test_other_numbers_are_no_limits(text: str) -> None:
    assert list(limits_in(text)) == []


@given(st.text(max_size=300))
def test_no_text_breaks_the_readers(text: str) -> None:
    list(limits_in(text))
    list(deadlines_in(text, text))
    Looks().learn(text)


def test_letters_margins_spacing_and_size_are_read() -> None:
    looks = Looks()
    for line in (
        "Letra Times New Roman, Calibri o Arial de tamaño mínimo 11 puntos.",
        "Márgenes laterales de 2,5 cm y márgenes superior e inferior de 15 mm.",
        "Interlineado sencillo, en A4.",
        "El archivo no superará los 4 MB.",
    ):
        looks.learn(line)
    assert (looks.size, looks.spacing, looks.paper, looks.megabytes) == (11, 1, "A4", 4)
    assert set(looks.names) == {"Times New Roman", "Calibri", "Arial"}
    assert looks.margins == {"left": 2.5, "right": 2.5, "top": 1.5, "bottom": 1.5}


@pytest.mark.parametrize(
    ("text", "starts", "months", "days", "latest"),
    [
        ("La justificación se presentará en el plazo de dos meses desde la finalización del proyecto.",
         "end", 2, None, None),
        (
            "El termini per justificar l'activitat és de 6 mesos des de la notificació i com a màxim fins al 31 "
        "d'octubre de 2025.",
            "notification", 6, None, "2025-10-31",
        ),
        ("The final report shall be submitted within 60 days after the end of the reporting period.",
         "end", None, 60, None),
    ],
)  # fmt: skip
def test_a_deadline_is_read_with_its_event_and_its_cap(
    text: str, starts: str, months: int | None, days: int | None, latest: str | None
) -> None:
    (found,) = deadlines_in(text, "Justificación")
    assert (found.starts, found.months, found.days, found.latest) == (starts, months, days, latest)


@pytest.mark.parametrize(
    "text",
    [
        "Se requerirá al interesado para que subsane la falta de la documentación justificativa en el plazo de "
        "diez días.",
        "Contra esta resolución cabe recurso en el plazo de un mes desde su notificación.",
        "El beneficiario aceptará la ayuda en quince días y presentará su justificante de pago.",
    ],
)
def test_other_deadlines_of_a_call_are_left_alone(text: str) -> None:
    assert list(deadlines_in(text, "Justificación")) == []


CALL = Document(
    "Convocatoria",
    "es",
    (
        DocumentSection("Artículo 26. Justificación técnica y económica", 2, (
            Block("5.  La documentación se presentará en un plazo de dos meses a contar desde la finalización "
        "del plazo de "
                  "ejecución. Este plazo no será susceptible de ampliación."),
        )),
        DocumentSection("ANEXO II. Memoria técnica", 1, (
            Block("- Número máximo de páginas sin contar la portada, el índice ni el resumen: 60.\n- Tamaño de "
        "letra: 11 puntos."),
            Block("La memoria deberá contener los siguientes epígrafes:"),
            Block("1.  Resumen. Aproximadamente 2 páginas.\n2.  Objetivos del proyecto. Se describirán, entre otros:"),
            Block("a.  Los generales.\nb.  Los específicos."),
            Block("3\\. Presupuesto. Máximo 500 palabras."),
        )),
    ),
)  # fmt: skip


def test_a_call_read_as_a_form_gives_sections_limits_letters_and_deadline_with_their_words() -> None:
    (proposal,) = propose(CALL, "call.pdf", template=False, today=TODAY)
    form = proposal.form
    assert [spec.heading["es"] for spec in form.sections] == ["Resumen", "Objetivos del proyecto", "Presupuesto"]
    (limit,) = form.limits
    assert (limit.unit, limit.maximum, limit.excludes) == ("pages", 60, ("cover", "index", "resumen"))
    assert form.sections[2].limits == (Limit("words", 500, source="call.pdf"),)
    assert form.font is not None
    assert form.font.size == 11
    assert [(one.months, one.starts, one.extendable) for one in form.deadlines] == [(2, "end", False)]
    assert any("11 puntos" in proof.quote for proof in proposal.proofs)


def test_a_template_gives_its_headings_guidance_and_tables() -> None:
    document = Document("T", "es", (
        DocumentSection("1. Resumen", 1, (Block("[Describa el proyecto. Máximo 300 palabras]"),)),
        DocumentSection("2. Gastos", 1, (Block("| Concepto | Importe |\n|---|---|\n|  |  |"),)),
    ))  # fmt: skip
    (proposal,) = propose(document, "t.docx", template=True, today=TODAY)
    first, second = proposal.form.sections
    assert (first.heading["es"], first.limits[0].maximum) == ("Resumen", 300)
    assert first.guidance == {"es": "Describa el proyecto. Máximo 300 palabras"}
    assert [column.heading["es"] for column in second.tables[0].columns] == ["Concepto", "Importe"]


@pytest.mark.slow
def test_the_cdti_call_gives_sixty_pages_eleven_points_two_months_and_no_signature(shared: Path) -> None:
    from fabai.formats.read import read

    path = shared / "data" / "calls-es" / "cdti__report_2404_pte-cdti-bases_reguladoras_y_convocatoria_vf.pdf"
    document = read(path)
    proposal = propose(document, path.name, template=False, today=TODAY)[0]
    (limit,) = proposal.form.limits
    assert (limit.unit, limit.maximum, limit.excludes) == ("pages", 60, ("cover", "index", "resumen-ejecutivo"))
    assert proposal.form.font is not None
    assert proposal.form.font.size == 11
    assert [(one.months, one.starts, one.extendable) for one in proposal.form.deadlines] == [(2, "end", False)]
    text = toml(proposal.form, proposal.proofs, proposal.doubts) + document.text
    for words in ("FIRMANTE", "CSV :", "Código seguro", "DIANA"):
        assert words not in text


@pytest.mark.parametrize("form", built_in(), ids=lambda form: form.id)
def test_a_form_written_as_toml_reads_back_as_the_same_form(form: Form, tmp_path: Path) -> None:
    path = tmp_path / "form.toml"
    path.write_text(toml(form), encoding="utf-8")
    assert read_form(path) == form


def test_quotes_and_line_ends_of_a_document_cannot_break_the_file() -> None:
    document = replace(CALL, title='El "modelo"\n[[sections]]\x7f')
    (proposal,) = propose(document, 'a"b\n.pdf', template=False, today=TODAY)
    text = toml(proposal.form, proposal.proofs, ["una\nduda"[:3]])
    assert tomllib.loads(text)["source"] == 'a"b\n.pdf'


@pytest.mark.parametrize("form", built_in(), ids=lambda form: form.id)
def test_the_forms_that_ship_have_no_grave_fault(form: Form) -> None:
    assert [one for one in lint(form, datetime.date(2026, 12, 31)) if one.grave] == []


GOOD = Form(
    "f", {"es": "F"}, ("es",), "bases", "2026-01-02", notice={"es": "n"},
    sections=(SectionSpec("a", {"es": "A"}, source="s"), SectionSpec("b", {"es": "B"}, source="s")),
)  # fmt: skip


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (replace(GOOD, limits=(Limit("words", 0),)), "maximum is 0"),
        (replace(GOOD, sections=(SectionSpec("a", {"es": "A"}), SectionSpec("b", {"es": "a"}))),
         "cannot tell them apart"),
        (replace(GOOD, sections=(SectionSpec("a", {"es": "A"}), SectionSpec("b", {"es": "B"}, level=3))), "skipped"),
        (replace(GOOD, date="2027-01-01"), "still to come"),
        (replace(GOOD, rules=(Rule({"es": "x"}, " ", "2026-01-02"),)), "no source"),
        (
            replace(
                GOOD,
                limits=(Limit("words", 10),),
                sections=(SectionSpec("a", {"es": "A"}, limits=(Limit("words", minimum=20),)),),
            ),
            "ask for 20 words",
        ),
        (
            replace(GOOD, sections=(SectionSpec("a", {"es": "A"}, kind="web", limits=(Limit("pages", 1),)),)),
            "no pages",
        ),
        (
            replace(GOOD, sections=(SectionSpec("a", {"es": "A"},
                tables=(Table((Column({"es": "x"}), Column({"es": "X"}))),)),)),
            "same heading",
        ),
    ],
)  # fmt: skip
def test_a_form_that_a_report_could_not_follow_is_told_why(form: Form, words: str) -> None:
    assert any(one.grave and words in one.sentence for one in lint(form, TODAY))


def test_a_sound_form_has_nothing_to_tell() -> None:
    assert lint(GOOD, TODAY) == []


@pytest.mark.parametrize(
    ("deadline", "day"),
    [
        (Deadline("end", "s", "2026-01-01", months=2), "2026-03-31"),
        (Deadline("end", "s", "2026-01-01", months=1), "2026-02-28"),
        (Deadline("end", "s", "2026-01-01", days=60), "2026-04-01"),
        (Deadline("end", "s", "2026-01-01", days=10, working=True), "2026-02-13"),
        (Deadline("end", "s", "2026-01-01", months=6, latest="2026-05-31"), "2026-05-31"),
    ],
)
def test_a_deadline_falls_on_its_day(deadline: Deadline, day: str) -> None:
    assert str(due(deadline, datetime.date(2026, 1, 31))) == day


def test_a_deadline_whose_event_is_not_known_has_no_day() -> None:
    assert due(Deadline("end", "s", "2026-01-01", months=2, latest="2026-05-31"), None) is None
    assert str(due(Deadline("fixed", "s", "2026-01-01", latest="2026-05-31"), None)) == "2026-05-31"


def test_limits_hold_by_language_and_year_and_the_newest_where_no_year_is_said() -> None:
    old, new = Limit("words", 10, years=(2022,)), Limit("words", 20, years=(2023,))
    catalan = Limit("words", 30, languages=("ca",))
    limits = (old, new, catalan)
    assert holding(limits, "es") == (new,)
    assert holding(limits, "ca", 2022) == (old, catalan)


def test_the_labelled_calls_name_each_file_once() -> None:
    labels = tomllib.loads((Path(__file__).parents[2] / "benches" / "call_labels.toml").read_text(encoding="utf-8"))
    names = [one["file"] for one in labels["call"]]
    assert len(names) == len(set(names))
    assert DATA.is_dir()
