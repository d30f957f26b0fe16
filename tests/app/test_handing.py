"""Handing in, asked without a page: what is missing, what was handed in, evidence, and the report back from Word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from docx import Document as Word

from fabai.errors import UsageError

from .conftest import Desk
from .test_operations import put, section


def exported(desk: Desk, target: Path) -> Path:
    """The Word file as the person downloads it."""
    desk.ask("export", kind="docx")
    (made,) = (desk.space.folder / ".fabai" / "exports" / "memoria").glob("*.docx")
    target.write_bytes(made.read_bytes())
    return target


def changed(path: Path, old: str, new: str) -> Path:
    word = Word(str(path))
    for paragraph in word.paragraphs:
        if old in paragraph.text:
            paragraph.text = paragraph.text.replace(old, new)
    word.save(str(path))
    return path


def test_one_gap_is_missing_once_and_in_the_language_of_the_page(desk: Desk) -> None:
    one = put(desk, "La clausura fue el [falta: fecha].", 1)
    said = [each["sentence"] for each in desk.ask("missing")["missing"] if each["section"] == one]
    assert len([each for each in said if "[falta: fecha]" in each]) == 1


def test_what_was_handed_in_is_listed_and_given_back_byte_for_byte(desk: Desk) -> None:
    assert desk.ask("presented") == {"presented": []}
    manifest = json.dumps({"files": [{"name": "memoria.pdf"}, {"name": "memoria.docx"}]})
    with desk.space.project("memoria") as project:
        project.presented.add("memoria.pdf", b"as it was", manifest)
    (one,) = desk.ask("presented")["presented"]
    assert (one["name"], one["files"]) == ("memoria.pdf", ["memoria.pdf", "memoria.docx"])
    made = desk.ask("presented-file", id=one["id"])
    assert made["filename"] == "memoria.docx"
    (file,) = (desk.space.folder / ".fabai" / "exports" / "memoria").iterdir()
    assert file.read_bytes() == b"as it was"
    with pytest.raises(UsageError, match="never presented"):
        desk.ask("presented-file", id=one["id"] + 1)


def test_the_evidence_says_how_many_figures_rest_on_nothing(desk: Desk) -> None:
    desk.ask("set-fact", name="talleres", value="12 talleres", source="Registro")
    put(desk, "Se celebraron 12 talleres con 180 personas.", 1)
    for kind in ("xlsx", "docx"):
        made = desk.ask("evidence", kind=kind)
        assert made["filename"] == f"memoria-evidencias.{kind}"
        assert (made["figures"], made["without"]) == (2, 1)
    with pytest.raises(UsageError):
        desk.ask("evidence", kind="exe")


def test_edits_of_both_sides_come_together_and_a_clash_has_both_texts(desk: Desk, tmp_path: Path) -> None:
    one = put(desk, "Se hicieron dos talleres.\n\nVinieron cuarenta personas.\n\nFue en mayo.", 1)
    other = put(desk, "Texto de abril.", 2)
    file = changed(exported(desk, tmp_path / "m.docx"), "dos", "tres")
    changed(file, "abril", "junio")
    put(desk, "Se hicieron dos talleres.\n\nVinieron cuarenta personas.\n\nFue en verano.", 1)
    put(desk, "Texto de agosto.", 2)
    came = desk.keep("word", file)
    assert came["taken"] == 1
    assert "Se hicieron tres talleres." in desk.ask("section", section=one)["text"]
    assert "Fue en verano." in desk.ask("section", section=one)["text"]
    (clash,) = came["clashes"]
    assert (clash["section"], clash["mine"], clash["file"]) == (other, "Texto de agosto.", "Texto de junio.")
    desk.ask("restore", section=other, version=clash["version"])
    assert desk.ask("section", section=other)["text"] == "Texto de junio."
    assert desk.ask("versions", section=one)["versions"][0]["by"] == "Ana Ferrer"
    assert section(desk, 1) == one
