"""The Project as its users know it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.errors import BadSetting, UnknownName
from fabai.form import Form, find_form
from fabai.ledger import Fact
from fabai.store.project import Made, Project, Source


def test_a_new_project_holds_the_sections_of_its_form_in_its_language(tmp_path: Path) -> None:
    form = find_form("memoria-justificativa")
    with Project.create(tmp_path / "p.fabai", form, "ca", "Memòria", "Sobri.") as project:
        report = project.report()
        assert [section.id for section in report] == [spec.id for spec in form.sections]
        assert report.sections[0].heading == "Memòria d'actuació"
        assert {section.status for section in report} == {"empty"}
        assert (report.title, report.language, project.instructions) == ("Memòria", "ca", "Sobri.")


def test_a_project_opens_as_it_was_closed(tmp_path: Path, generic: Form) -> None:
    facts = [Fact("importe", "18.500,00 €", "Resolución"), Fact("entidad", "Asociación Faro", "Estatutos")]
    sources = [Source("r.docx", "texto", "0" * 64, "resolution")]
    Project.create(tmp_path / "p.fabai", generic, "es", "T", "I", facts=facts, sources=sources).close()
    with Project.open(tmp_path / "p.fabai") as project:
        assert (project.title, project.instructions, project.language, project.form) == ("T", "I", "es", generic)
        assert list(project.ledger()) == facts
        assert [(one.name, one.text, one.kind) for one in project.sources()] == [("r.docx", "texto", "resolution")]


def test_a_form_that_changes_later_does_not_change_old_projects(tmp_path: Path) -> None:
    form = find_form("memoria-justificativa")
    Project.create(tmp_path / "p.fabai", form, "es", "T").close()
    changed = replace(form, sections=form.sections[:2], date="2030-01-01")
    Project.create(tmp_path / "q.fabai", changed, "es", "T").close()
    with Project.open(tmp_path / "p.fabai") as project:
        assert project.form == form


def test_a_language_that_the_form_lacks_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="does not exist in 'ca'"):
        Project.create(tmp_path / "p.fabai", find_form("aei-informe-final"), "ca", "T")
    assert list(tmp_path.iterdir()) == []


def test_text_that_is_no_unicode_is_refused_and_leaves_no_file(tmp_path: Path, generic: Form) -> None:
    with pytest.raises(BadSetting, match="UTF-8"):
        Project.create(tmp_path / "p.fabai", generic, "es", "Memoria \udcff")
    assert list(tmp_path.iterdir()) == []


def test_a_draft_becomes_the_text_of_its_section(filled: Project, made: Made) -> None:
    version = filled.save_version("s2", "Nuevo.", made)
    section = filled.report().sections[1]
    assert (section.text, section.status) == ("Nuevo.", "drafted")
    assert [one.text for one in filled.versions("s2")] == ["Texto de objetivos.", "Nuevo."]
    assert (version.number, version.status, version.partial, version.made) == (2, "draft", False, made)


def test_an_accepted_text_stays_until_another_is_accepted(filled: Project, made: Made) -> None:
    filled.accept(filled.save_version("s2", "Aceptado.", made).id)
    later = filled.save_version("s2", "Otro.", made)
    assert filled.report().sections[1].text == "Aceptado."
    filled.accept(later.id)
    assert (filled.report().sections[1].text, filled.report().sections[1].status) == ("Otro.", "accepted")


def test_a_partial_text_is_kept_but_hides_nothing(filled: Project, made: Made) -> None:
    assert filled.save_version("s2", "A medio", made, partial=True).partial
    assert filled.report().sections[1].text == "Texto de objetivos."
    assert filled.versions("s2")[-1].text == "A medio"


def test_a_partial_text_is_shown_where_there_is_nothing_else(tmp_path: Path, made: Made) -> None:
    with Project.create(tmp_path / "p.fabai", find_form("memoria-justificativa"), "es", "T") as project:
        project.save_version("resultados", "A medio", made, partial=True)
        assert project.report().find("resultados").text == "A medio"


def test_an_empty_draft_is_kept_and_never_shown(filled: Project, made: Made) -> None:
    filled.save_version("s2", " \n", made)
    assert filled.report().sections[1].status == "imported"
    assert filled.versions("s2")[-1].text == " \n"


def test_an_old_version_is_restored_as_a_new_one(filled: Project, made: Made) -> None:
    first = filled.versions("s2")[0]
    filled.accept(filled.save_version("s2", "Nuevo.", made).id)
    restored = filled.restore(first.id)
    assert (restored.number, restored.status, restored.text) == (3, "restored", first.text)
    assert (filled.report().sections[1].text, filled.report().sections[1].status) == (first.text, "accepted")


def test_half_a_character_from_a_broken_stream_is_replaced_and_the_rest_kept(filled: Project, made: Made) -> None:
    assert filled.save_version("s2", "café \ud83d", made).text == "café \ufffd"


def test_unknown_sections_and_versions_are_named(filled: Project, made: Made) -> None:
    with pytest.raises(UnknownName, match="'s22'"):
        filled.save_version("s22", "x", made)
    with pytest.raises(UnknownName, match="no version 999"):
        filled.accept(999)
    with pytest.raises(UnknownName):
        filled.versions("nada")
    with pytest.raises(UnknownName):
        filled.set_pin("nada", "pin")


def test_settings_that_are_no_json_are_refused(filled: Project) -> None:
    with pytest.raises(BadSetting, match="JSON"):
        filled.save_version("s2", "x", Made("w", settings={"path": Path("x")}))
    assert len(filled.versions("s2")) == 1


def test_a_fact_with_a_new_value_keeps_its_place_and_the_trail_keeps_the_old_value(project: Project) -> None:
    project.set_fact(Fact("a", "1", "s"))
    project.set_fact(Fact("b", "2", "s"))
    project.set_fact(Fact("a", "3", "s"))
    assert [(fact.name, fact.value) for fact in project.ledger()] == [("a", "3"), ("b", "2")]
    assert [event.detail.get("old") for event in project.events() if event.kind == "fact"] == [None, None, "1"]


def test_names_in_decomposed_unicode_equal_composed_ones(project: Project) -> None:
    project.set_fact(Fact("Fundacio\u0301", "1", "s"))
    project.set_fact(Fact("Fundaci\u00f3", "2", "s"))
    assert [(fact.name, fact.value) for fact in project.ledger()] == [("Fundaci\u00f3", "2")]


def test_a_newer_file_of_the_same_name_takes_the_place_of_the_older_source(project: Project) -> None:
    first = project.add_source("r.docx", "uno", "a" * 64, "resolution")
    assert project.add_source("r.docx", "uno", "a" * 64, "resolution") == first
    project.add_source("r.docx", "dos", "b" * 64, "resolution")
    assert [source.text for source in project.sources()] == ["dos"]


def test_pins_and_summaries_are_kept(filled: Project) -> None:
    filled.set_pin("s2", "pin")
    filled.set_pin("s3", "exclude")
    filled.set_pin("s2", None)
    assert filled.pins() == {"s3": "exclude"}
    assert filled.summary("h") is None
    filled.save_summary("h", "Breve.", "m")
    filled.save_summary("h", "Más breve.", "m")
    assert filled.summary("h") == "Más breve."


def test_a_copy_of_the_file_in_mid_session_is_whole(filled: Project, made: Made, tmp_path: Path) -> None:
    filled.save_version("s2", "Nuevo.", made)
    copy = tmp_path / "copy.fabai"
    copy.write_bytes(filled.path.read_bytes())
    with Project.open(copy) as other:
        assert other.report() == filled.report()
        assert other.versions("s2") == filled.versions("s2")


def test_a_backup_equals_the_project_and_opens(filled: Project, made: Made, tmp_path: Path) -> None:
    filled.save_version("s2", "Nuevo.", made)
    filled.backup(tmp_path / "b.fabai")
    with Project.open(tmp_path / "b.fabai") as other:
        assert (other.report(), other.events(), other.imported()) == (
            filled.report(),
            filled.events(),
            filled.imported(),
        )


_WRITER = """
import sys
from pathlib import Path
from fabai.store.project import Made, Project
with Project.open(Path(sys.argv[1])) as project:
    for number in range(20):
        project.save_version("s2", f"{sys.argv[2]}{number}", Made(sys.argv[2]))
"""


def test_two_programs_that_write_at_once_lose_nothing(filled: Project) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", _WRITER, str(filled.path), name]) for name in ("a", "b")]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0]
    texts = [version.text for version in filled.versions("s2")[1:]]
    assert sorted(texts) == sorted(f"{name}{number}" for name in "ab" for number in range(20))
    assert [version.number for version in filled.versions("s2")] == list(range(1, 42))
