"""`fabai corpus check`: it passes on a sound corpus and fails on each planted fault, saying where."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fabai.corpus.check import check
from fabai.corpus.document import CorpusDocument
from fabai.corpus.split import read_split

from fabai.cli import main

from .conftest import document, write_corpus
from .test_split import changed, corpus_of, prose

ARGUMENTS = ["--cap", "5000", "--reserve", "700", "--workers", "1", "--jsonl"]


@pytest.fixture
def sound(tmp_path: Path, tiny_model: Path) -> Path:
    """A corpus with a split and examples that has no fault."""
    folder = write_corpus(tmp_path / "corpus", corpus_of(16))
    assert main(["corpus", "examples", str(folder), "--model", str(tiny_model), *ARGUMENTS]) == 0
    return folder


def rules(folder: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    for one in check(folder).findings:
        found[one.rule] = found.get(one.rule, 0) + 1
    return found


def test_a_sound_corpus_passes_with_its_support(sound: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", "check", str(sound)]) == 0
    shown = capsys.readouterr().out
    assert "100.0% of the statements" in shown
    assert "16 documents looked at, nothing to mend" in shown


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("licence", lambda one: replace(one, licence="")),
        ("licence", lambda one: replace(one, licence="unknown")),
        ("consent", lambda one: replace(one, consent="  ")),
        ("identifier", lambda one: _said(one, "El DNI es 00000000T.")),
        ("identifier", lambda one: _said(one, "Escriba a ana@aulaabierta.test para saber más.")),
        ("identifier", lambda one: _said(one, "La cuenta ES9121000418450200051332 es suya.")),
    ],
)  # fmt: skip
def test_a_missing_right_or_an_identifier_is_found_and_placed(
    rule: str, fault: Callable[[CorpusDocument], CorpusDocument], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documents = corpus_of(6)
    documents[3] = fault(documents[3])
    folder = write_corpus(tmp_path, documents)
    (found,) = check(folder).findings
    assert (found.rule, found.document) == (rule, "d3")
    assert main(["corpus", "check", str(folder)]) == 3
    shown = capsys.readouterr().out
    assert "p1/d3.md" in shown
    # what is found is not told again
    assert "00000000T" not in shown
    assert "ana@" not in shown


def _said(one: CorpusDocument, sentence: str) -> CorpusDocument:
    section = replace(one.sections[2], text=f"{one.sections[2].text}\n\n{sentence}")
    return replace(one, sections=(*one.sections[:2], section, one.sections[3]))


def test_a_grants_code_an_amount_and_a_date_are_no_identifiers(tmp_path: Path) -> None:
    text = "El expediente 2024/000123-AB tuvo 18.500,00 € el 14/03/2025; la ayuda PID2020-123456RB-I00 sigue."
    assert check(write_corpus(tmp_path, [document("a", [("Uno", 1, text)])])).findings == ()


def test_a_kept_section_whose_twin_comes_to_teach_is_a_leak(sound: Path) -> None:
    split = read_split(sound)
    assert split is not None
    kept, taught = (
        next(one for one in split.documents if split.documents[one] == where) for where in ("test", "train")
    )
    documents = {one.id: one for one in corpus_of(16)}
    twin = replace(documents[taught].sections[0], text=changed(documents[kept].sections[1].text, 2))
    documents[taught] = replace(documents[taught], sections=(twin, *documents[taught].sections[1:]))
    write_corpus(sound, list(documents.values()))
    (found,) = check(sound).findings
    assert (found.rule, found.document, found.section) == ("leak", kept, 1)
    assert taught in found.text


def test_making_the_examples_again_mends_a_leak(sound: Path, tiny_model: Path) -> None:
    test_a_kept_section_whose_twin_comes_to_teach_is_a_leak(sound)
    assert main(["corpus", "examples", str(sound), "--model", str(tiny_model), *ARGUMENTS]) == 0
    assert check(sound).findings == ()


def test_a_parted_project_is_found(sound: Path) -> None:
    path = sound / "split.json"
    table = json.loads(path.read_text())
    table["documents"]["d0"] = "test" if table["documents"]["d1"] == "train" else "train"
    path.write_text(json.dumps(table))
    assert rules(sound)["project"] == 1


def _edited(folder: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    path = folder / "examples" / "train.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        edit(row)
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


@pytest.mark.parametrize(
    "said", ["Se gastaron 98.765 € en ello.", "Así lo dijo Telesforo Murgadas.", "Son 7654321 cosas."]
)
def test_examples_that_say_what_no_prompt_holds_fail(
    said: str, sound: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _edited(sound, lambda row: row.update(target=f"{row['target']}\n\n{said}"))
    assert main(["corpus", "check", str(sound)]) == 3
    shown = capsys.readouterr().out
    assert "98% must be" in shown
    assert said in shown


def test_what_has_no_loss_need_not_be_held(sound: Path) -> None:
    def edit(row: dict[str, Any]) -> None:
        start = len(row["target"]) + 2
        row["target"] += "\n\nSe gastaron 98.765 € en ello."
        row["masked"] = [{"start": start, "end": len(row["target"])}]

    _edited(sound, edit)
    assert check(sound).findings == ()


def test_examples_of_a_document_that_is_gone_are_stale(sound: Path) -> None:
    assert main(["corpus", "remove", str(sound), "d5", "--releases", str(sound)]) == 0
    assert rules(sound) == {"stale": 1}


def test_json_lists_every_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = [document(f"d{n}", [("Uno", 1, prose(n))], licence="") for n in range(50)]
    assert main(["corpus", "check", str(write_corpus(tmp_path, documents)), "--json"]) == 3
    assert len(json.loads(capsys.readouterr().out)["findings"]) == 50
    assert main(["corpus", "check", str(tmp_path)]) == 3
    assert "and 10 more" in capsys.readouterr().out
