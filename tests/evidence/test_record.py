"""The disclosure of AI use: tool, model, extent, review; no word about how much any person did."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.evidence.record import annex, by_paragraph, disclosure, model_and_release
from fabai.form import find_form
from fabai.formats.document import Document, DocumentSection
from fabai.report import LANGUAGES, Language
from fabai.store.project import Made, Project

AI = "La sala de lectura abrió cinco tardes por semana durante todo el curso escolar pasado."
OWN = "Nuestra entidad agradece al Ayuntamiento de Valdeluz la cesión gratuita del local municipal."
SETTINGS = {"sampling": {"temperature": 0.6, "seed": 0}, "window": {"mode": "fill", "cap": 20_000}, "prompt": "ab" * 32}


def project(path: Path, language: Language = "es", model: str = "llamacpp:qwen3-4b+memorias-2026:x") -> Project:
    made = Project.create(path / f"{language}.fabai", find_form("generic"), language, "Memoria")
    made.import_document(Document("Memoria", language, (DocumentSection("Uno", 1), DocumentSection("Dos", 1))), "m.md")
    version = made.save_version(
        "s1", AI, Made(model.split(":")[0], model, "w" * 64, SETTINGS, "2026-01-02T10:00:00+00:00")
    )
    made.accept(version.id)
    made.accept(made.save_version("s1", f"{AI}\n\n{OWN}", Made("person")).id)
    return made


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_disclosure_names_tool_model_release_extent_days_and_review(language: Language, tmp_path: Path) -> None:
    with project(tmp_path, language) as made:
        made.review("s1", made.paragraphs("s1")[0].hash, "Marta Soler")
        text = disclosure(made)
    for word in ("fabai", "qwen3-4b", "memorias-2026", "2026-01-02", " 2 ", ": 1."):
        assert word in text
    assert "Marta" not in text


def test_a_report_without_ai_says_so(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.fabai", find_form("generic"), "es", "T") as made:
        assert disclosure(made).startswith("No se ha utilizado")
        assert annex(made).sections


def test_a_server_is_not_said_to_be_the_organisations_own(tmp_path: Path) -> None:
    with project(tmp_path, model="openai:gpt-x:tokenizer") as made:
        assert "sin enviar" not in disclosure(made)
    with project(tmp_path, "ca") as local:
        assert "sense enviar" in disclosure(local)


def test_the_annex_has_a_row_for_each_section_and_the_head_of_the_record(tmp_path: Path) -> None:
    with project(tmp_path) as made:
        made.review("s1", "", "Marta Soler")
        text = annex(made).sections[0].text
        head = made.verify_record().head
    assert head in text
    assert "1 Uno" in text
    assert "2 Dos" not in text
    assert "temperature 0.6" in text
    assert "w" * 16 in text
    assert "Marta" not in text


def test_each_paragraph_of_a_model_has_a_row_with_whole_hashes_and_the_chains_head_comes_last(
    tmp_path: Path,
) -> None:
    with project(tmp_path) as made:
        paragraph = made.paragraphs("s1")[0]
        made.review("s1", paragraph.hash, "Marta Soler")
        head, row, last = by_paragraph(made)
        assert last[-1] == made.verify_record().head
    assert row[:8] == [
        *("1 Uno", AI, paragraph.hash, "qwen3-4b", "memorias-2026", "ab" * 32, "w" * 64),
        "temperature 0.6, seed 0, mode fill, cap 20000",
    ]
    assert row[8:10] == ["2026-01-02T10:00:00+00:00", ""]
    assert row[10][:2] == "20"
    assert len(head) == len(row) == len(last)
    assert "Marta" not in " ".join(row)


def test_a_record_that_was_changed_is_said_to_be(tmp_path: Path) -> None:
    import sqlite3
    from contextlib import closing

    with project(tmp_path) as made:
        path = made.path
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP TRIGGER record_never_deleted")
        db.execute("DELETE FROM record WHERE id = 2")
    with Project.open(path) as made:
        assert "no está íntegro" in annex(made).sections[0].text


def test_writers_names_are_taken_apart(tmp_path: Path) -> None:
    with project(tmp_path) as made:
        version = made.versions("s1")[0]
    assert model_and_release(version) == ("qwen3-4b", "memorias-2026")
