"""References on the page: brought, listed by their words, cited in the text as they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.errors import BadSetting, UnreadableFile

from .conftest import DOSSIERS, Desk

BIB = DOSSIERS / "es-aguasens" / "publications.bib"


def test_references_are_brought_once_and_named_in_a_line(desk: Desk) -> None:
    assert desk.ask("references") == {"references": [], "styled": False}
    done = desk.bring("references", BIB)
    assert done["count"] == done["new"] > 1
    again = desk.bring("references", BIB)
    assert (again["new"], again["replaced"]) == (0, 0)
    shown = desk.ask("references")["references"]
    assert [one["words"] for one in shown] == sorted((one["words"] for one in shown), key=str.casefold)
    assert all(one["short"][-4:].isdigit() and one["key"] for one in shown)


def test_a_bad_bibliography_or_style_is_one_sentence(desk: Desk, tmp_path: Path) -> None:
    for name, kind in (("r.bib", "references"), ("r.json", "references"), ("s.csl", "citation-style")):
        (tmp_path / name).write_text("nada que leer")
        with pytest.raises(UnreadableFile):
            desk.bring(kind, tmp_path / name)
    with pytest.raises(BadSetting):
        desk.bring("citation-style", BIB)
    assert desk.ask("references") == {"references": [], "styled": False}


def test_a_limit_counts_a_citation_as_documents_word_it(desk: Desk) -> None:
    desk.ask("create", "", title="Annual", form="nsf-annual-report", language="en")
    desk.bring("references", BIB, "annual")
    key = desk.ask("references", "annual")["references"][0]["key"]
    rows = desk.ask("outline", "annual")["sections"]
    one = next(each["id"] for each in rows if each["heading"] == "Project outcomes report")

    def count(text: str) -> int:
        token = desk.ask("section", "annual", section=one)["token"]
        return int(desk.ask("save", "annual", section=one, text=text, token=token)["counts"][0]["count"])

    assert count(f"As said in [@{key}].") > count("As said in that.")
