from __future__ import annotations

import json
from pathlib import Path

import pytest

from fabai.cli.draft import speeds
from fabai.formats.document import Document, DocumentSection
from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.lock.switch import switch
from fabai.store.project import Project
from fabai.store.record import Made
from tests.cli.conftest import Run

FORM = """
id = "f"
languages = ["es"]
source = "la convocatoria"
date = 2026-01-01
[name]
es = "Modelo"
[[sections]]
id = "uno"
[sections.heading]
es = "Objetivos"
[[sections]]
id = "dos"
[sections.heading]
es = "Plan"
"""


@pytest.fixture
def project(run: Run, folder: Path) -> str:
    (folder / "f.toml").write_text(FORM, encoding="utf-8")
    assert run("new", "p", "--form", "f.toml").code == 0
    return "p.fabai"


def script(folder: Path, answers: object) -> str:
    path = folder / "guion.json"
    path.write_text(json.dumps(answers), encoding="utf-8")
    return f"scripted:{path}"


def test_a_section_is_written_shown_and_kept(run: Run, folder: Path, project: str) -> None:
    ran = run("draft", project, "Objetivos", "--writer", script(folder, {"Objetivos": "La sala abrió."}))
    assert ran.code == 0
    assert "1 Objetivos" in ran.out
    assert "La sala abrió." in ran.out
    assert "saved as version 1: 3 words" in ran.out
    assert "not a model" in ran.err
    outline = run("outline", project, "--json").json
    assert outline["sections"][0]["status"] == "drafted"


def test_all_writes_the_empty_sections_in_order_and_json_tells_of_each(run: Run, folder: Path, project: str) -> None:
    writer = script(folder, {"1": "Uno.", "2": "<think>Hm"})
    ran = run("draft", project, "--all", "--writer", writer, "--json")
    assert ran.code == 0
    one, two = ran.json["versions"]
    assert (one["section"], one["text"], one["partial"]) == ("uno", "Uno.", False)
    assert (two["section"], two["text"], two["partial"]) == ("dos", "", True)
    assert two["note"]
    assert "section dos" in ran.err
    again = run("draft", project, "--all", "--writer", script(folder, ["Dos."]), "--json")
    assert [version["section"] for version in again.json["versions"]] == ["dos"]


def test_side_by_side_writes_the_same_sections_and_shows_each_when_it_is_whole(
    run: Run, folder: Path, project: str
) -> None:
    writer = script(folder, {"1": "Uno.", "2": "Dos."})
    ran = run("draft", project, "--all", "--side-by-side", "2", "--writer", writer)
    assert ran.code == 0
    assert "  1 Objetivos: reads" in ran.out
    assert "1 Objetivos\nUno.\n" in ran.out
    assert "2 Plan\nDos.\n" in ran.out
    assert run("draft", project, "1", "--side-by-side", "0", "--writer", writer).code == 2


def test_all_leaves_the_text_in_front_of_the_first_heading_alone(run: Run, folder: Path) -> None:
    run("new", "q", "--lang", "es")
    with Project.open(folder / "q.fabai") as project:
        sections = (DocumentSection("", 0, ()), DocumentSection("Uno", 1, ()))
        project.import_document(Document("Memoria", "es", sections), "a.docx")
    written = run("draft", "q", "--all", "--writer", script(folder, ["Uno."] * 3), "--json").json["versions"]
    assert [version["section"] for version in written] == ["s2"]


@pytest.mark.parametrize("words", [[], ["1", "--all"]])
def test_which_sections_are_meant_must_be_said(run: Run, project: str, words: list[str]) -> None:
    ran = run("draft", project, *words)
    assert ran.code == 2
    assert "--all" in ran.err


def test_a_writer_that_is_not_there_is_answered_with_a_sentence(run: Run, project: str) -> None:
    ran = run("draft", project, "1", "--writer", "openai:http://127.0.0.1:9")
    assert ran.code == 1
    assert "does not answer" in ran.err


def test_an_unknown_section_is_answered_before_a_model_is_loaded(run: Run, project: str) -> None:
    ran = run("draft", project, "Presupuesto", "--writer", "llamacpp:/no/such.gguf")
    assert ran.code == 1
    assert "unknown section" in ran.err


def test_ahead_has_the_next_section_read_and_says_so_where_that_fails(run: Run, folder: Path, project: str) -> None:
    words = ("draft", project, "1", "--ahead", "--json", "--mode", "warm", "--writer")
    ran = run(*words, script(folder, ["Uno.", "x"]))
    assert (ran.code, "not read ahead" in ran.err) == (0, False)
    failed = run(*words, script(folder, ["Uno."]))
    assert (failed.code, "not read ahead" in failed.err) == (0, True)
    assert failed.json["versions"][0]["text"] == "Uno."
    assert run("draft", project, "1", "--ahead", "--writer", script(folder, [])).code == 2


def test_summaries_asks_the_writer_once_for_each_long_text(run: Run, folder: Path, project: str) -> None:
    long = " ".join(f"El grupo {n} abrió la sala {n} y acogió a las familias del barrio {n}." for n in range(16))
    answers = script(folder, [long, "Los grupos abrieron salas.", "Dos."])
    ran = run("draft", project, "--all", "--summaries", "--json", "--writer", answers)
    assert ran.code == 0
    assert [version["text"] for version in ran.json["versions"]] == [long, "Dos."]


def test_the_lock_needs_a_model_that_can_keep_it(run: Run, folder: Path, project: str) -> None:
    ran = run("draft", project, "1", "--lock", "--writer", script(folder, ["Texto."]))
    assert ran.code == 1
    assert "cannot lock its figures" in ran.err


def test_a_section_that_is_switched_to_verified_figures_is_locked_unless_told_otherwise(
    run: Run, folder: Path, project: str
) -> None:
    with Project.open(Path(project)) as opened:
        switch(opened, opened.report().sections[0].id, True)
    ran = run("draft", project, "1", "--writer", script(folder, ["Texto."]))
    assert ran.code == 1
    assert "--lock off" in ran.err
    assert run("draft", project, "1", "--lock", "off", "--writer", script(folder, ["Texto."])).code == 0


def test_a_section_s_name_behind_lock_is_answered_with_what_may_stand_there(
    run: Run, folder: Path, project: str
) -> None:
    ran = run("draft", project, "--lock", "1", "--writer", script(folder, ["Texto."]))
    assert ran.code == 2
    assert "values" in ran.err


def test_the_summary_says_what_the_lock_cost(project: str) -> None:
    with Project.open(Path(project)) as opened:
        section = opened.report().sections[0].id
        costs = {"usage": {"completion_tokens": 100}, "seconds": 5.0}
        opened.save_version(section, "Uno.", Made("llamacpp", "m", "w", {**costs, "seconds": 4.0}))
        held = opened.save_version(section, "Dos.", Made("llamacpp", "m", "w", {**costs, "lock": "values"}))
        said = speeds(opened, [held])
        assert said.startswith("under the figure lock: 20.0 tokens per second")
        assert said.endswith("without the lock this model wrote 25.0 here")
        assert speeds(opened, []) == ""


def test_under_the_lock_a_model_writes_no_figure_that_is_no_fact(run: Run, folder: Path, english_model: Path) -> None:
    limit = '\n[[sections.limits]]\nunit = "characters"\nmaximum = 300\n'
    (folder / "f.toml").write_text(FORM + limit, encoding="utf-8")
    assert run("new", "p", "--form", "f.toml").code == 0
    assert run("facts", "p", "add", "talleres", "12 talleres", "--source", "acta").code == 0
    writer = f"llamacpp:{english_model}"
    ran = run("draft", "p", "dos", "--lock", "--temperature", "1.5", "--writer", writer, "--json")
    assert ran.code == 0
    (version,) = ran.json["versions"]
    assert version["text"]
    assert Constraint((Fact("talleres", "12 talleres", "acta"),), "es").slips(version["text"]) == ()
