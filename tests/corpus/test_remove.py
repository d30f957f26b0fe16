"""`fabai corpus remove`: a report leaves, and who learnt from it is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabai.corpus.document import documents, read_manifest
from fabai.corpus.remove import remove
from fabai.corpus.split import read_split, split, write_split

from fabai.cli import main
from fabai.errors import UnknownName, UnreadableFile

from .conftest import write_corpus
from .test_split import corpus_of


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = write_corpus(tmp_path / "corpus", corpus_of(6))
    write_split(folder, split(folder))
    lines = [{"id": f"d{n}", "section": 0, "kind": "dni", "key": "dni_1", "count": 1} for n in range(6)]
    (folder / "replaced.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
    return folder


def run_folder(folder: Path, name: str, ids: list[str]) -> Path:
    place = folder / name
    place.mkdir(parents=True)
    (place / "run.json").write_text(json.dumps({"documents": ids}))
    return place


@pytest.mark.parametrize("wish", ["d3", "p1/d3.md"])
def test_the_document_leaves_every_file_and_is_remembered(wish: str, corpus: Path) -> None:
    kept = corpus / ".work" / "d3.json"
    kept.parent.mkdir()
    kept.write_text("{}")
    removed = remove(corpus, wish)
    assert not kept.exists()
    assert (removed.id, removed.path) == ("d3", "p1/d3.md")
    assert [one.id for one in documents(corpus)] == ["d0", "d1", "d2", "d4", "d5"]
    assert not (corpus / "documents" / "d3.json").exists()
    assert "d3" not in (corpus / "split.json").read_text()
    assert '"d3"' not in (corpus / "replaced.jsonl").read_text()
    line = json.loads((corpus / "removed.jsonl").read_text())
    assert line["sha256"]
    assert line["path"] == "p1/d3.md"
    found = read_split(corpus)
    assert found is not None
    assert split(corpus, found.settings, found).documents == found.documents


def test_the_runs_releases_and_examples_that_hold_it_are_named(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = corpus.parent / "runs"
    with_it = [run_folder(runs, "uno", ["d1", "d3"]), run_folder(runs / "alt", "dos", ["d3"])]
    run_folder(runs, "tres", ["d1"])
    examples = corpus / "examples"
    examples.mkdir()
    (examples / "examples.json").write_text(json.dumps({"documents": ["d3"]}))
    assert main(["corpus", "remove", str(corpus), "d3", "--releases", str(runs)]) == 0
    shown = capsys.readouterr().out
    for one in (*with_it, examples):
        assert str(one) in shown
    assert "tres" not in shown
    assert "cannot forget" in shown


def test_a_document_that_is_not_there_is_told_with_the_nearest(corpus: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'd"):
        remove(corpus, "d33")
    assert len(read_manifest(corpus)["documents"]) == 6


def test_a_run_that_cannot_be_read_is_not_passed_over(corpus: Path) -> None:
    (run_folder(corpus.parent / "runs", "x", []) / "run.json").write_text("{")
    with pytest.raises(UnreadableFile, match="not known whether"):
        remove(corpus, "d1", [corpus.parent / "runs"])
