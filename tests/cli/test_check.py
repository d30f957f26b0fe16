"""`fabai check`"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from fabai.store.project import Made, Project
from tests.conftest import DATA

from .conftest import Run

FORM = """
id = "f"
languages = ["es"]
source = "bases"
date = 2026-01-02
name = { es = "F" }

[[sections]]
id = "resumen"
heading = { es = "Resumen" }
limits = [{ unit = "words", maximum = 3 }, { unit = "characters", minimum = 2 }]

[[sections]]
id = "anexo"
heading = { es = "Anexo" }
required = false
"""
CASE = DATA / "cases" / "064-pages-depend-on-fonts"


@pytest.fixture
def form(folder: Path) -> Path:
    (folder / "f.toml").write_text(FORM, encoding="utf-8")
    return folder / "f.toml"


def _write(path: Path, text: str) -> None:
    with Project.open(path) as project:
        project.save_version("resumen", text, Made("person"))


def test_the_layout_for_scripts_and_exit_code_3(run: Run, folder: Path, form: Path) -> None:
    run("new", "p", "--form", form)
    _write(folder / "p.fabai", "uno **dos** tres cuatro")
    ran = run("check", "p.fabai", "--json")
    assert ran.code == 3
    assert ran.json == {
        "ok": False,
        "violations": [
            {
                "rule": "limit-words-maximum",
                "section": "resumen",
                "severity": "error",
                "found": 4,
                "expected": 3,
                "quote": "cuatro",
                "start": None,
                "end": None,
                "evidence": "",
                "suggestion": None,
            }
        ],
    }


def test_a_report_that_meets_its_form_ends_with_0(run: Run, folder: Path, form: Path) -> None:
    run("new", "p", "--form", form)
    _write(folder / "p.fabai", "uno dos tres")
    assert run("check", "p.fabai", "--json").json == {"ok": True, "violations": []}
    ran = run("check", "p.fabai")
    assert (ran.code, "nothing to fix" in ran.out) == (0, True)


def test_a_finding_is_a_sentence_with_its_place(run: Run, form: Path) -> None:
    run("new", "p", "--form", form)
    ran = run("check", "p.fabai")
    assert ran.code == 3
    assert ran.out.startswith("1 Resumen: The section is empty and the form asks for it")
    assert "1 to fix, 0 warnings" in ran.out


def test_a_document_is_checked_against_a_form(run: Run, folder: Path, form: Path) -> None:
    (folder / "d.md").write_text("# 1. Resumen\n\nuno dos tres cuatro\n\n# Otra cosa\n\nx\n", encoding="utf-8")
    ran = run("check", "d.md", "--form", form, "--json")
    assert ran.code == 3
    assert [(one["rule"], one["section"]) for one in ran.json["violations"]] == [("limit-words-maximum", "resumen")]
    assert sorted(path.name for path in folder.iterdir()) == ["d.md", "f.toml"]


def test_form_goes_with_a_document_only(run: Run, folder: Path, form: Path) -> None:
    run("new", "p", "--form", form)
    ran = run("check", "p.fabai", "--form", form)
    assert (ran.code, "--form goes with a document" in ran.err) == (2, True)
    (folder / "d.md").write_text("# A\n")
    ran = run("check", "d.md")
    assert (ran.code, "--form FORM" in ran.err) == (2, True)


def test_what_cannot_be_checked_is_answered_with_one_sentence(run: Run, folder: Path, form: Path) -> None:
    (folder / "broken.docx").write_bytes(b"PK\x03\x04" + bytes(500))
    (folder / "empty.docx").write_bytes(b"")
    (folder / "dir.docx").mkdir()
    for name in ("broken.docx", "empty.docx", "dir.docx", "absent.docx"):
        ran = run("check", name, "--form", form)
        assert (ran.code, ran.out) == (1, ""), name
    assert run("check", "absent.fabai").code == 1


@pytest.mark.slow
def test_the_pages_of_a_word_file_are_counted(run: Run, folder: Path) -> None:
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice (libreoffice-writer) is not installed")
    text = (CASE / "formulario-paginas.toml").read_text(encoding="utf-8").replace("maximum = 10", "maximum = 3")
    (folder / "tres.toml").write_text(text, encoding="utf-8")
    ran = run("check", CASE / "diez-paginas.docx", "--form", "tres.toml", "--json")
    assert ran.code == 3
    violation = next(one for one in ran.json["violations"] if one["rule"].startswith("limit-pages"))
    assert (violation["rule"], violation["section"], violation["expected"]) == ("limit-pages-maximum", None, 3)
    assert violation["found"] in (10, 11)


@pytest.mark.slow
def test_the_pages_of_a_project_are_those_of_its_export(run: Run, folder: Path) -> None:
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice (libreoffice-writer) is not installed")
    text = (CASE / "formulario-paginas.toml").read_text(encoding="utf-8").replace("maximum = 10", "maximum = 3")
    (folder / "tres.toml").write_text(text, encoding="utf-8")
    run("new", "p", "--form", "tres.toml")
    assert run("import", "p.fabai", CASE / "diez-paginas.docx").code == 0
    ran = run("check", "p.fabai", "--json")
    (violation,) = (one for one in ran.json["violations"] if one["rule"] == "limit-pages-maximum")
    assert violation["found"] in (10, 11)


def test_rules_are_listed_with_what_they_say(run: Run) -> None:
    listed = run("check", "--rules", "--json").json
    assert {"figure-unknown", "table-total", "limit-words-maximum"} <= {one["rule"] for one in listed}
    assert all(one["says"] and one["off"] is None for one in listed)


def test_a_rule_is_switched_off_for_a_reason_that_is_kept(run: Run, folder: Path, form: Path) -> None:
    run("new", "p", "--form", form)
    assert run("check", "p.fabai", "--off", "section-empty").code == 2
    assert run("check", "p.fabai", "--off", "section-emty", "--reason", "x").code in (1, 2)
    assert run("check", "p.fabai", "--off", "section-empty", "--reason", "todavía no").code == 0
    assert run("check", "p.fabai").code == 0
    listed = run("check", "p.fabai", "--rules", "--json").json
    assert {one["rule"]: one["off"] for one in listed if one["off"]} == {"section-empty": "todavía no"}
    with Project.open(folder / "p.fabai") as project:
        assert project.events()[-1].detail == {"rule": "section-empty", "reason": "todavía no"}
    assert run("check", "p.fabai", "--on", "section-empty").code == 0
    assert run("check", "p.fabai").code == 3


def test_rules_of_the_dossier_and_of_documents_are_switched_off_too_and_those_that_guard_are_not(
    run: Run, form: Path
) -> None:
    run("new", "p", "--form", form)
    for rule in ("expense-nif", "document-alt"):
        assert run("check", "p.fabai", "--off", rule, "--reason", "no procede").code == 0
    listed = run("check", "p.fabai", "--rules", "--json").json
    assert {one["rule"] for one in listed if one["off"]} == {"expense-nif", "document-alt"}
    guarded = run("check", "p.fabai", "--off", "blocked-hole", "--reason", "no procede")
    assert (guarded.code, "cannot be switched off" in guarded.err) == (2, True)
    assert "did you mean 'expense-nif'" in run("check", "p.fabai", "--off", "expense-nfi", "--reason", "x").err


def test_an_invented_figure_is_found_in_a_project(run: Run, folder: Path, form: Path) -> None:
    run("new", "p", "--form", form)
    run("facts", "p.fabai", "add", "importe concedido", "18.500,00 €", "--source", "Resolución, p. 2")
    _write(folder / "p.fabai", "Son 18.050 €.")
    (finding,) = run("check", "p.fabai", "--json").json["violations"]
    assert (finding["rule"], finding["quote"], finding["start"]) == ("figure-unknown", "18.050 €", 4)
