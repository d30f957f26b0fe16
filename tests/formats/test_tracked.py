"""Tracked changes and comments of other people's Word files: told by author, taken back whole."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from docx import Document

from fabai.dossier.merging import merge, partner_of
from fabai.dossier.packs import make_pack
from fabai.dossier.partners import add_partner
from fabai.form import find_form
from fabai.formats.docx_in import read_docx
from fabai.formats.libreoffice import executable
from fabai.formats.package import Package
from fabai.formats.slots import drop_boxes, mark_slots, read_slots, section_mark
from fabai.formats.tracked import comments, take_back, tracked_changes
from fabai.formats.wordml import W, add, element
from fabai.store.project import Project
from fabai.store.record import Made

from .word import case, check_sound

REVISED = case("006", "revisada.docx")


def test_changes_are_told_by_author_with_their_paragraph() -> None:
    found = tracked_changes(Package(REVISED.read_bytes()))
    assert [(one.author, one.kind, one.text) for one in found[:2]] == [
        ("Revisora A", "deletion", "18.500,00"),
        ("Revisora A", "insertion", "21.300,00"),
    ]
    assert "21.300,00" in found[0].paragraph
    assert "18.500,00" not in found[0].paragraph


def test_a_comment_keeps_author_place_and_words() -> None:
    (one,) = comments(Package(REVISED.read_bytes()))
    assert (one.author, one.place) == ("Revisora A", 1)
    assert one.text.startswith("pendiente de confirmar")


def test_what_one_author_changed_is_taken_back_and_the_rest_stays() -> None:
    package = Package(REVISED.read_bytes())
    before = len(tracked_changes(package))
    assert take_back(package, lambda author: author == "nobody") == 0
    assert take_back(package, lambda author: author == "Revisora A") > 0
    assert len(tracked_changes(package)) < before
    data = package.save()
    check_sound(data, REVISED.read_bytes())
    text = read_docx(data).text
    assert "18.500,00" in text
    assert "21.300,00" not in text
    assert "Viajes" in text


def test_a_file_without_changes_or_comments_has_none(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.fabai", find_form("eu-periodic-report"), "en", "p") as project:
        add_partner(project, "A", "A", ["tasks"])
        package = Package(make_pack(project, "A"))
    assert tracked_changes(package) == ()
    assert comments(package) == ()


def test_marks_and_boxes_are_put_in_and_taken_out_again(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.fabai", find_form("eu-periodic-report"), "en", "p") as project:
        project.save_version("tasks", "Words of the section.", Made("person"))
        add_partner(project, "A", "A", ["tasks", "resources"])
        data = make_pack(project, "A")
    check_sound(data)
    package = Package(data)
    assert set(read_slots(package).places) == {section_mark("tasks"), section_mark("resources")}
    assert len(read_slots(package).pack) == 12
    assert "What this section asks for" in read_docx(data).text
    drop_boxes(package)
    plain = package.save()
    check_sound(plain)
    assert [one.text for one in read_docx(plain).sections if one.heading == "Tasks"] == ["Words of the section."]


def test_a_file_with_fewer_headings_than_sections_is_no_pack(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.fabai", find_form("eu-periodic-report"), "en", "p") as project:
        add_partner(project, "A", "A", ["tasks"])
        data = make_pack(project, "A")
    with pytest.raises(ValueError, match="fewer headings"):
        mark_slots(data, ["a", "b", "c"], {}, "x")


@pytest.mark.slow
def test_a_pack_that_libreoffice_saved_finds_its_sections_though_they_were_renamed(tmp_path: Path) -> None:
    office = executable()
    if office is None:
        pytest.skip("LibreOffice is not installed")
    with Project.create(tmp_path / "p.fabai", find_form("eu-periodic-report"), "en", "p") as project:
        project.save_version("tasks", "Words of the section.", Made("person"))
        add_partner(project, "A", "A", ["tasks", "resources"])
        sent = tmp_path / "sent.docx"
        sent.write_bytes(make_pack(project, "A"))
        package = Package(sent.read_bytes())
        for text in package.edit(package.document).iter("{*}t"):
            text.text = (text.text or "").replace("Tasks", "Our jobs").replace("Words of", "Many words of")
        sent.write_bytes(package.save())
        out = tmp_path / "out"
        command = [office, f"-env:UserInstallation=file://{tmp_path}/profile", "--headless", "--convert-to", "docx"]
        subprocess.run([*command, "--outdir", out, sent], check=True, capture_output=True)
        back = out / "sent.docx"
        done = merge(project, partner_of(project, back), back)
        assert {one.section: one.status for one in done.contribution.pieces} == {
            "tasks": "returned",
            "resources": "empty",
        }
        assert project.report().find("tasks").text == "Many words of the section."
        assert any("came back under 'Our jobs'" in one for one in done.notices)


def test_a_paragraph_whose_end_was_put_in_runs_on_again_and_formats_are_put_back(tmp_path: Path) -> None:
    word = Document()
    word.add_paragraph("Entre marzo ")
    word.add_paragraph("y junio.")
    word.save(str(tmp_path / "partido.docx"))
    package = Package((tmp_path / "partido.docx").read_bytes())
    package.edit(package.document)
    first = next(package.body.iter(W + "p"))
    by = {"id": 7, "author": "Berta", "date": "2026-01-01T00:00:00Z"}
    properties = element("pPr")
    add(add(properties, "rPr"), "ins", **by)
    first.insert(0, properties)
    bold = element("rPr")
    add(bold, "b")
    add(add(bold, "rPrChange", **by), "rPr")
    next(first.iter(W + "r")).insert(0, bold)
    package = Package(package.save())
    assert take_back(package, lambda author: author == "Clara") == 0
    assert take_back(package, lambda author: author == "Berta") == 2
    assert read_docx(package.save()).text.strip() == "Entre marzo y junio."
    assert next(package.body.iter(W + "b"), None) is None
