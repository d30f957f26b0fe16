"""What people type is saved over what it was typed over, or both texts come back; nothing is lost in between."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import BadSetting, UnknownName
from fabai.form import find_form
from fabai.store.aside import Aside
from fabai.store.project import Project
from fabai.store.record import Made
from fabai.store.workbench import token_of

AI = Made("scripted", "scripted")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    with Project.create(tmp_path / "p.fabai", find_form("memoria-justificativa"), "es", "T") as one:
        yield one


def first(project: Project) -> str:
    return project.report().sections[0].id


def test_typing_is_the_sections_text_at_once_and_a_version_when_it_is_settled(project: Project) -> None:
    section, bench = first(project), project.workbench
    saved = bench.edit(section, "Hola", bench.standing(section).token, "Ana")
    assert project.report().sections[0].text == "Hola"
    assert project.report().sections[0].status == "drafted"
    assert not project.versions(section)
    for text in ("Hola, ", "Hola, barrio"):
        saved = bench.edit(section, text, saved.token, "Ana")
    (version,) = bench.settle()
    assert (version.text, version.made.writer, version.made.settings["by"]) == ("Hola, barrio", "person", "Ana")
    assert bench.standing(section).token == saved.token
    assert bench.settle() == ()


def test_a_text_typed_over_another_one_is_not_saved_and_both_come_back(project: Project) -> None:
    section, bench = first(project), project.workbench
    old = bench.standing(section).token
    bench.edit(section, "de Ana", old, "Ana")
    clash = bench.edit(section, "de Pep", old, "Pep")
    assert (clash.text, clash.author) == ("de Ana", "Ana")
    assert project.report().sections[0].text == "de Ana"


def test_emptying_a_section_makes_it_empty_again(project: Project) -> None:
    section, bench = first(project), project.workbench
    one = bench.edit(section, "algo", token_of(""), "Ana")
    bench.edit(section, "  \n", one.token, "Ana")
    assert project.report().sections[0].status == "empty"


def test_a_draft_never_takes_the_place_of_what_a_person_typed(project: Project) -> None:
    section, bench = first(project), project.workbench
    bench.edit(section, "lo mío", token_of(""), "Ana")
    project.save_version(section, "lo de la IA", AI)
    assert project.report().sections[0].text == "lo mío"
    assert [one.text for one in project.versions(section)] == ["lo mío", "lo de la IA"]


def test_a_draft_kept_aside_is_a_version_and_no_more(project: Project) -> None:
    section = first(project)
    version = Aside(project).save_version(section, "variante", AI)
    assert version.text == "variante"
    assert project.report().sections[0].text == ""


def test_a_text_that_a_model_had_a_hand_in_says_so(project: Project) -> None:
    section, bench = first(project), project.workbench
    bench.write(section, "La entidad ha celebrado doce talleres en tres barrios.", AI, token_of(""))
    assert [one.origin for one in project.paragraphs(section)] == ["ai"]
    bench.write(section, "otro", AI, "stale")
    assert project.report().sections[0].text.startswith("La entidad")


def test_what_a_model_was_writing_when_its_program_ended_is_a_partial_version(project: Project) -> None:
    section, bench = first(project), project.workbench
    job = bench.begin(section, "draft", AI)
    bench.progress(job, "La entidad ha")
    (version,) = bench.rescue("the server ended")
    assert (version.text, version.partial, version.made.settings["note"]) == ("La entidad ha", True, "the server ended")
    assert project.report().sections[0].text == "La entidad ha"
    assert bench.rescue("again") == ()


def test_a_finished_writing_is_not_rescued(project: Project) -> None:
    bench = project.workbench
    job = bench.begin(first(project), "draft", AI)
    bench.progress(job, "algo")
    bench.finish([job])
    assert bench.rescue("x") == ()


def test_marks_labels_notes_and_ticks_come_and_go(project: Project) -> None:
    section, bench = first(project), project.workbench
    bench.set_locked(section, " fijo ", True)
    assert bench.locked(section) == ("fijo",)
    bench.set_locked(section, "fijo", False)
    assert bench.locked(section) == ()
    version = project.save_version(section, "x", AI)
    bench.label(version.id, "para el patronato")
    assert bench.labels() == {version.id: "para el patronato"}
    bench.label(version.id, "")
    assert bench.labels() == {}
    note = bench.add_note(section, "Pep", "¿Seguro?", "doce")
    bench.close_note(note.id)
    assert [(one.author, one.done) for one in bench.notes()] == [("Pep", True)]
    bench.tick(section, "abc")
    assert bench.ticks() == {section: "abc"}
    bench.tick(section, None)
    assert bench.ticks() == {}


def test_what_makes_no_sense_is_refused_in_one_sentence(project: Project) -> None:
    bench = project.workbench
    with pytest.raises(BadSetting, match="no text yet"):
        bench.approve(first(project), "Ana")
    with pytest.raises(BadSetting, match="without words"):
        bench.add_note(first(project), "Ana", "  ")
    with pytest.raises(UnknownName):
        bench.close_note(99)
    with pytest.raises(UnknownName):
        bench.standing("nada")


def test_an_accepted_text_may_be_opened_again(project: Project) -> None:
    section, bench = first(project), project.workbench
    bench.edit(section, "final", token_of(""), "Ana")
    bench.approve(section, "Ana")
    assert project.report().sections[0].status == "accepted"
    bench.edit(section, "final, casi", token_of("final"), "Ana")
    assert project.report().sections[0].status == "accepted"
    bench.reopen(section)
    assert project.report().sections[0].status == "drafted"


@given(texts=st.lists(st.text(max_size=30), min_size=1, max_size=6))
def test_every_saver_who_was_there_last_is_saved(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    path = tmp_path_factory.mktemp("w") / "p.fabai"
    with Project.create(path, find_form("memoria-justificativa"), "es", "T") as project:
        section, bench = first(project), project.workbench
        token = bench.standing(section).token
        for text in texts:
            saved = bench.edit(section, text, token, "Ana")
            assert saved.text == project.report().sections[0].text
            token = saved.token
