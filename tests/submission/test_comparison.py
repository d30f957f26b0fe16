"""fabai.submission.comparison: the report beside the proposal, section by section, the changed words marked."""

from __future__ import annotations

from fabai.evidence.paper import word_file
from fabai.formats.document import Block, Document, DocumentSection
from fabai.formats.docx_in import read_docx
from fabai.report import Report, Section
from fabai.submission.comparison import comparison

PROPOSAL = Document(
    "Solicitud", "es",
    (
        DocumentSection("Objetivos", 1, (Block("Igual en los dos."), Block("Se harán 20 talleres con 1 * 2 pan."))),
        DocumentSection("Plan de trabajo previsto", 1, (Block("Tres fases."),)),
        DocumentSection("Anexos", 1, ()),
        DocumentSection("Presupuesto", 1, (Block("Diez euros."),)),
    ),
    {},
)  # fmt: skip
REPORT = Report(
    "Memoria", "es",
    (
        Section("a", "Objetivos", 1, "Igual en los dos.\n\nSe hicieron 18 talleres con 1 * 2 pan.\n\nY una fiesta."),
        Section("b", "Plan de trabajo", 1, "Tres fases."),
        Section("c", "Resultados", 1, "Buenos."),
    ),
)  # fmt: skip


def test_changed_words_are_marked_and_equal_sections_stand_in_the_summary_alone() -> None:
    found = comparison(REPORT, PROPOSAL)
    text = found.find("Objetivos").text
    assert "| Igual en los dos. | Igual en los dos. |" in text
    assert "| Se ~~harán 20~~ talleres con 1 \\* 2 pan. | Se **hicieron 18** talleres" in text
    assert "|  | **Y una fiesta.** |" in text
    assert [one.heading for one in found] == ["Resumen", "Objetivos", "Resultados", "Presupuesto"]


def test_the_summary_tells_what_only_one_side_has() -> None:
    rows = comparison(REPORT, PROPOSAL).find("Resumen").text.splitlines()
    assert any(row.startswith("| Resultados | 0 | 1 | no estaba en la propuesta") for row in rows)
    assert any(row.startswith("| Presupuesto | 2 | 0 | no está en el informe") for row in rows)
    assert any(row.startswith("| Plan de trabajo | 2 | 2 | 100") for row in rows)
    assert not any("Anexos" in row for row in rows)


def test_the_comparison_is_a_word_file_with_its_marks() -> None:
    read = read_docx(word_file(comparison(REPORT, PROPOSAL), landscape=True))
    text = read.text
    assert "~~harán 20~~" in text
    assert "**hicieron 18**" in text
    assert "Presupuesto" in text


def test_two_empty_documents_make_a_summary_of_nothing() -> None:
    found = comparison(Report("T", "ca"), Document("P", "ca", (), {}))
    assert [one.heading for one in found] == ["Resum"]
