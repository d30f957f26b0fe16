"""`fabai corpus stats`: numbers, pictures, the datasheet."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabai.corpus.stats import stats

from fabai.cli import main

from .conftest import document, write_corpus
from .test_split import corpus_of, prose


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    twin = document("zz", [("Uno", 1, prose(0)), ("Dos", 1, "|a|b|")], project="otro", language="ca", kind="thesis")
    folder = write_corpus(tmp_path / "corpus", [*corpus_of(8), twin])
    refused = [
        {"path": "x/a.docx", "reason": "x/a.docx is too large"},
        {"path": "b.docx", "reason": "b.docx is too large"},
    ]
    (folder / "refusals.jsonl").write_text("\n".join(map(json.dumps, refused)))
    (folder / "replaced.jsonl").write_text(
        json.dumps({"id": "zz", "section": 0, "kind": "dni", "key": "dni_1", "count": 4})
    )
    return folder


def test_everything_is_counted_once(corpus: Path) -> None:
    found = stats(corpus)
    assert (found.documents, found.sections) == (9, 34)
    assert found.words == 33 * 80 + 2
    assert found.languages == {"es": 32 * 80, "ca": 82}
    assert found.kinds == {"report": 8, "thesis": 1}
    assert (found.repeated, found.across, found.within) == (1, 1, 0)
    assert found.refused == {"is too large": 2}
    assert found.replaced == {"dni": 4}
    assert sum(found.split_documents.values()) == 9
    assert len(found.tokens) == 34


def test_pictures_page_and_datasheet_are_written_and_hold_no_text(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["corpus", "stats", str(corpus), "-o", str(out), "--title", "Prueba <1>"]) == 0
    pictures = sorted(path.stem for path in out.glob("*.png"))
    assert pictures == ["duplicates", "kinds", "languages", "lengths", "section-kinds", "sections", "split"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in out.glob("*.png"))
    page = (out / "stats.html").read_text(encoding="utf-8")
    assert page.count("<img") == len(pictures)
    assert "<h1>Prueba &lt;1&gt;</h1>" in page
    assert "http" not in page.replace("http-equiv", "")
    sheet = (out / "DATASHEET.md").read_text(encoding="utf-8")
    for words in ("# Prueba <1>", "| p0 | CC0-1.0 | 2 | 640 |", "| report | 8 | 2,560 |", "dni 4", "2 × is too large"):
        assert words in sheet
    assert prose(0)[:30] not in sheet


def test_a_corpus_of_nothing_is_drawn_too(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "c", [])
    assert main(["corpus", "stats", str(folder), "-o", str(tmp_path / "out")]) == 0


def test_json_holds_the_counts(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "stats", str(corpus), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["kinds"] == {"report": 8, "thesis": 1}
