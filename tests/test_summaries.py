"""Summaries of a project: made once by a Writer, found by the text's hash, never stale, never with invented figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fabai.errors import WriterError
from fabai.form import find_form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.ledger import Fact
from fabai.settings import SummarySettings
from fabai.store.project import Project
from fabai.store.record import Made
from fabai.summaries import summaries, summarise
from fabai.window.summary import text_hash
from fabai.writers.scripted import Scripted

LONG = "El importe concedido fue de 18.500 €. " + "Se hizo una actividad distinta en cada barrio de la ciudad. " * 12
SETTINGS = SummarySettings(tokens=40)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p.fabai", find_form("generic"), "es", "Memoria") as made:
        made.set_fact(Fact("importe concedido", "18.500 €", "Resolución"))
        sections = (DocumentSection("Antecedentes", 1, (Block(LONG),)), DocumentSection("Breve", 1, (Block("Nada."),)))
        made.import_document(Document("Memoria", "es", sections), "m.docx")
        yield made


def long_section(project: Project) -> str:
    return project.report().sections[0].id


def test_without_a_writer_long_sections_have_extracted_sentences(project: Project) -> None:
    found = summaries(project, Scripted([]), SETTINGS)
    assert set(found) == {long_section(project)}
    assert "18.500" in found[long_section(project)]


def test_a_writers_summary_is_made_once_and_found_again(project: Project) -> None:
    writer = Scripted(["<think>Pienso.</think>Se concedieron 18.500 € para actividades en los barrios."])
    made = summarise(project, long_section(project), writer, SETTINGS)
    assert made == "Se concedieron 18.500 € para actividades en los barrios."
    assert summarise(project, long_section(project), writer, SETTINGS) == made
    assert len(writer.asked) == 1
    assert summaries(project, writer, SETTINGS)[long_section(project)] == made


def test_a_changed_text_never_meets_the_old_summary(project: Project) -> None:
    writer = Scripted(["Se concedieron 18.500 € para los barrios."])
    section = long_section(project)
    old = summarise(project, section, writer, SETTINGS)
    changed = LONG.replace("18.500", "19.000")
    version = project.save_version(section, changed, Made(writer="person"))
    project.accept(version.id)
    assert project.summary(text_hash(project.report().sections[0].text)) is None
    assert summaries(project, writer, SETTINGS)[section] != old


@pytest.mark.parametrize("answer", ["Se concedieron 99.999 € para los barrios.", "", "   \n"])
def test_an_invented_figure_or_an_empty_answer_is_not_stored(project: Project, answer: str) -> None:
    section = long_section(project)
    found = summarise(project, section, Scripted([answer]), SETTINGS)
    assert "18.500" in found
    assert project.summary(text_hash(project.report().sections[0].text)) is None


def test_a_long_answer_is_cut_at_a_sentence(project: Project) -> None:
    answer = "Se concedieron 18.500 € para los barrios. " + " ".join(
        f"Además hubo {word} en la ciudad." for word in ["talleres", "salidas", "ferias", "charlas", "cursos"]
    )
    found = summarise(project, long_section(project), Scripted([answer]), SETTINGS)
    assert found.startswith("Se concedieron 18.500 €")
    assert found.endswith(".")
    assert Scripted([]).count(found) <= SETTINGS.tokens


def test_a_base_model_is_not_asked(project: Project) -> None:
    writer = Scripted(["Nada."], chat=False)
    assert "18.500" in summarise(project, long_section(project), writer, SETTINGS)
    assert not writer.asked


def test_a_failing_writer_stores_nothing(project: Project) -> None:
    with pytest.raises(WriterError):
        summarise(project, long_section(project), Scripted([WriterError("the model stopped")]), SETTINGS)
    assert project.summary(text_hash(project.report().sections[0].text)) is None
