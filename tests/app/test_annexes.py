"""Proofs, photos and publications on the page: linked to rows, numbered, opened, put together; what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader

from fabai.errors import ExportError, UnknownName, UnreadableFile

from .conftest import DOSSIERS, HORT, Desk


@pytest.fixture
def proved(hort: Desk) -> Desk:
    hort.ask("save-list", "hort", token=hort.bring("expenses", HORT / "expenses.xlsx", "hort")["token"])
    for path in sorted((HORT / "proofs").iterdir()):
        hort.bring("proofs", path, "hort")
    return hort


def test_proofs_find_their_rows_and_are_numbered_in_their_order(proved: Desk) -> None:
    shown = proved.ask("annexes", "hort")
    assert [one["number"] for one in shown["annexes"]] == [1, 2, 3, 4, 5]
    assert all(one["rows"] for one in shown["annexes"])
    first = [min(one["rows"]) for one in shown["annexes"]]
    assert first == sorted(first)
    assert any("Falta el justificante" in one["sentence"] for one in shown["missing"])
    expenses = proved.ask("expenses", "hort")["rows"]
    assert sum(bool(row["proofs"]) for row in expenses) == len({row for one in shown["annexes"] for row in one["rows"]})


def test_a_proof_that_tells_nothing_is_linked_by_hand(proved: Desk, tmp_path: Path) -> None:
    path = tmp_path / "escaneado.pdf"
    path.write_bytes((HORT / "proofs" / "A-114.pdf").read_bytes() + b"\n% otro\n")
    assert proved.bring("proofs", path, "hort")["rows"] == []
    before = len(proved.ask("annexes", "hort")["missing"])
    row = next(one["number"] for one in proved.ask("expenses", "hort")["rows"] if not one["proofs"])
    shown = proved.ask("link-proof", "hort", file="escaneado.pdf", rows=[row])
    assert next(one for one in shown["annexes"] if one["file"] == "escaneado.pdf")["rows"] == [row]
    assert len(shown["missing"]) == before - 1


def test_a_proof_is_opened_and_all_are_one_pdf(proved: Desk) -> None:
    one = proved.ask("annexes", "hort")["annexes"][0]
    assert proved.ask("open-proof", "hort", sha256=one["sha256"])["filename"] == one["file"]
    with pytest.raises(UnknownName):
        proved.ask("open-proof", "hort", sha256="0" * 64)
    made = proved.ask("annexes-pdf", "hort")
    path = max((proved.space.folder / ".fabai" / "exports" / "hort").glob("*.pdf"), key=lambda one: one.stat().st_size)
    assert made["notices"] == []
    assert len(PdfReader(path).pages) >= 6


def test_a_photo_loses_what_the_camera_wrote(desk: Desk) -> None:
    done = desk.bring("photos", HORT / "photos" / "placa-hort-1.jpg")
    assert done["lighter"] > 0
    with desk.space.project("memoria") as project:
        data = project.workbench.one_media(done["name"])
    assert data is not None
    assert b"Exif" not in data
    assert desk.ask("annexes")["photos"][0]["file"] == "placa-hort-1.jpg"


def test_what_is_no_proof_and_no_photo_is_refused_with_a_sentence(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "falso.pdf").write_bytes(b"hola")
    (tmp_path / "falsa.jpg").write_bytes(b"hola")
    with pytest.raises(UnreadableFile, match="no PDF"):
        desk.bring("proofs", tmp_path / "falso.pdf")
    with pytest.raises(UnreadableFile, match="no picture"):
        desk.bring("photos", tmp_path / "falsa.jpg")
    with pytest.raises(ExportError, match="bring proofs"):
        desk.ask("annexes-pdf")


def test_a_bibliography_is_listed_once_with_what_a_funder_would_object_to(desk: Desk) -> None:
    path = DOSSIERS / "es-aguasens" / "publications.bib"
    done = desk.bring("publications", path)
    assert done["new"] == done["count"] > 1
    assert desk.bring("publications", path)["new"] == 0
    shown = desk.ask("lists")
    assert len(shown["publications"]) == done["count"]
    assert any("DOI" in one["sentence"] for one in shown["publication_findings"])
