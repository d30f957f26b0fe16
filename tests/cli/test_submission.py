"""The commands around a submission: forms looked over and proposed, a document checked, edits taken back."""

from __future__ import annotations

from pathlib import Path

from fabai.form import read_form
from fabai.formats.export import export_docx
from fabai.report import Report, Section
from tests.cli.conftest import Run
from tests.conftest import DATA

CASE = DATA / "cases" / "024-landscape-section-kept" / "dos-secciones.docx"


def test_lint_answers_with_exit_code_3_where_a_form_cannot_be_followed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_text(
        'id = "f"\nlanguages = ["es"]\nsource = "s"\ndate = 2026-01-02\nname = { es = "F" }\n'
        '[[sections]]\nid = "a"\nheading = { es = "A" }\nlimits = [{ unit = "words", maximum = 0 }]\n'
    )
    ran = run("forms", "lint", tmp_path / "f.toml")
    assert ran.code == 3
    assert "maximum is 0" in ran.out
    assert run("forms", "lint", "memoria-justificativa").code == 0


def test_a_template_becomes_a_form_that_can_be_read(run: Run, tmp_path: Path) -> None:
    assert run("forms", "new", CASE, "-o", tmp_path / "mine.toml").code == 0
    assert [spec.heading["es"] for spec in read_form(tmp_path / "mine.toml").sections] == ["Resumen", "Anexo económico"]


def test_a_finished_document_is_checked_for_its_sections_once(run: Run, tmp_path: Path) -> None:
    data = export_docx(Report("T", "es", (Section("x", "Otra", 1, "x"),)), sources={}, original=None, media={})
    (tmp_path / "m.docx").write_bytes(data)
    ran = run("check", tmp_path / "m.docx", "--form", "cuenta-simplificada", "--json")
    assert ran.code == 3
    rules = [one["rule"] for one in ran.json["violations"]]
    assert rules.count("document-section-missing") == 3
    assert "section-empty" not in rules


def test_a_package_is_never_written_over_another(run: Run, tmp_path: Path) -> None:
    run("new", tmp_path / "p", "--form", "cuenta-simplificada", "--lang", "es")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x").write_text("x")
    ran = run("export", tmp_path / "p", "--package", tmp_path / "out")
    assert ran.code == 2
    assert "is not empty" in ran.err


def test_edits_of_an_exported_file_come_back(run: Run, tmp_path: Path) -> None:
    run("new", tmp_path / "p", "--form", "generic", "--lang", "es")
    (tmp_path / "r.md").write_text("# Uno\n\nDos talleres.\n", encoding="utf-8")
    run("import", tmp_path / "p", tmp_path / "r.md")
    run("export", tmp_path / "p", "-o", tmp_path / "r.docx")
    data = export_docx(
        Report("T", "es", (Section("x", "Uno", 1, "Tres talleres."),)), sources={}, original=None, media={}
    )
    (tmp_path / "edited.docx").write_bytes(data)
    ran = run("import", tmp_path / "p", tmp_path / "edited.docx", "--as", "edited", "--json")
    assert (ran.code, len(ran.json["taken"])) == (0, 1)
