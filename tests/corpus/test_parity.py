"""The prompt of an example is, byte for byte, the prompt of drafting in the same state."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from fabai.corpus.briefs import PastBrief, past_brief
from fabai.corpus.document import CorpusDocument
from fabai.corpus.examples import Example, Origin, Player
from fabai.corpus.reader import ModelReader

from fabai.draft import prepare
from fabai.formats.document import Document, DocumentSection
from fabai.settings import ExampleSettings, Mode, WindowSettings
from fabai.states import keep, kept
from fabai.store.project import Project
from fabai.store.record import Made, Source
from fabai.writers.transformers import Transformers

from .conftest import document

WINDOW = WindowSettings(cap=6_000, reserve=900)
PROSE = (
    "La asociación celebró {n} talleres en el barrio entre el {n} de marzo y el 30 de junio de 2025, con la ayuda del "
    "Ayuntamiento de Valdeluz. El gasto imputado fue de {n}.312,40 €, un 9{n} % del total. "
    "{{{{persona_1}}}} los coordinó.\n\n"
    "- Asistieron {n}12 personas a las sesiones abiertas.\n- Se firmaron {n} convenios con institutos.\n\n"
    "| Partida | Importe |\n|---|---|\n| Material | {n}00,00 € |\n"
)


def report(of_form: bool, sections: int = 14) -> CorpusDocument:
    """A report with long and short sections, groups without text, and perhaps the headings of a real form."""
    own = [
        ("Memoria de actuación", 1), ("Actividades realizadas", 2), ("Resultados obtenidos", 2),
        ("Memoria económica", 1), ("Desviaciones respecto del presupuesto", 2),
    ]  # fmt: skip
    headings = [*(own if of_form else [("", 0)]), *((f"Actuación {n}", 1 + n % 2) for n in range(sections))]
    texts = [
        "" if heading == "Memoria económica" else PROSE.format(n=n) * (1 + 2 * (n % 3 == 0))
        for n, (heading, _) in enumerate(headings, 1)
    ]
    return document("a", [(heading, level, text) for (heading, level), text in zip(headings, texts, strict=True)])


def brief_of(reader: ModelReader, of_form: bool) -> PastBrief:
    proposal = document("p", [("Objetivos", 1, PROSE.format(n=7))], project="a", kind="proposal")
    return past_brief(
        report(of_form), "es", room=700, count=reader.count, sources=[proposal] if of_form else (),
        vocabulary=frozenset({"valdeluz", "ayuntamiento"}),
    )  # fmt: skip


@pytest.mark.parametrize(("base", "of_form"), [(False, True), (False, False), (True, False)])
@pytest.mark.parametrize("mode", get_args(Mode))
def test_an_example_shows_what_drafting_shows_in_the_same_state(
    mode: Mode, base: bool, of_form: bool, tmp_path: Path, tiny_model: Path, tiny_base: Path
) -> None:
    folder = tiny_base if base else tiny_model
    reader = ModelReader(folder)
    window = replace(WINDOW, mode=mode)
    brief = brief_of(reader, of_form)
    assert brief.form.own_sections == of_form
    found = list(
        Player(reader, window, ExampleSettings(mode=mode, fill=0.3, seed=3)).play(brief, Origin("a", "a", "report"))
    )
    examples = [one for one in found if isinstance(one, Example)]
    assert {one.mode for one in examples} == {mode, "fill"}
    assert any(not one.id.endswith(":0") for one in examples)
    with project_of(brief, tmp_path) as project, closing(Transformers(folder)) as writer:
        ids = dict(zip((one.id for one in brief.report), (one.id for one in project.report()), strict=True))
        for section in brief.report:
            own = [one for one in examples if one.id.split(":")[1] == section.id]
            written = 0
            for number, example in enumerate(own):
                assert example.id == f"a:{section.id}:{number}"
                settings = replace(window, mode=example.mode)  # type: ignore[arg-type]
                text = brief.texts[section.id].strip()
                ready = prepare(
                    project, ids[section.id], writer, settings, kept(project, writer, settings), written=text[:written]
                )
                assert example.messages == ready.messages
                assert example.tokens == writer.count_messages(ready.messages) + writer.count(example.target) + 1
                assert example.tokens <= window.cap
                written = text.index(example.target) + len(example.target)
                written += len(text[written:]) - len(text[written:].lstrip())
                if number == 0:
                    state = ready.state
            if own:
                keep(project, writer, replace(window, mode=own[0].mode), state)  # type: ignore[arg-type]
            if brief.texts[section.id].strip():
                version = project.save_version(ids[section.id], brief.texts[section.id].strip(), Made("person"))
                project.accept(version.id)


def project_of(brief: PastBrief, folder: Path) -> Project:
    """A project as a person has it who is about to write that report: form, headings, facts, sources, no text."""
    sources = [Source(one.name, one.text, str(number), "proposal") for number, one in enumerate(brief.sources)]
    project = Project.create(
        folder / "p.fabai", brief.form, brief.report.language, brief.report.title, facts=brief.ledger, sources=sources
    )
    if not brief.form.own_sections:
        headings = tuple(DocumentSection(one.heading, one.level) for one in brief.report)
        project.import_document(Document(brief.report.title, brief.report.language, headings), "esquema.md")
    return project
