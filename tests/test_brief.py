"""The Brief: what a person supplies, read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.brief import Brief, read_brief
from fabai.errors import UnknownName
from fabai.ledger import Fact


def test_everything_is_optional(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text("")
    assert read_brief(tmp_path / "b.toml") == Brief()


def test_sources_are_found_from_the_folder_of_the_brief(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(
        'sources = ["a.docx", "/abs/b.docx"]\n[[fact]]\nname = "n"\nvalue = "v"\nsource = "s"\n'
    )
    brief = read_brief(tmp_path / "b.toml")
    assert brief.sources == (tmp_path / "a.docx", Path("/abs/b.docx"))
    assert brief.fact == (Fact("n", "v", "s"),)


def test_an_unknown_key_is_named_with_the_nearest_one(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text('instruction = "x"\n')
    with pytest.raises(UnknownName, match="did you mean 'instructions'"):
        read_brief(tmp_path / "b.toml")
