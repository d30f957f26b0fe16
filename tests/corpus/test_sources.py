"""SOURCES.toml: its keys, and how folders become files."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabai.corpus.sources import Candidate, Refusal, Source, candidates, read_sources

from fabai.errors import BadSetting, UnknownName


def written(folder: Path, text: str) -> Path:
    path = folder / "SOURCES.toml"
    path.write_text(text, encoding="utf-8")
    return path


def names(folder: Path, *paths: str) -> list[str]:
    return [one.name for one in candidates(tuple(map(Source, paths)), folder) if isinstance(one, Candidate)]


def refusals(folder: Path, *paths: str) -> list[Refusal]:
    return [one for one in candidates(tuple(map(Source, paths)), folder) if isinstance(one, Refusal)]


def test_all_keys_are_read(tmp_path: Path) -> None:
    text = '[[source]]\npath = "a"\nlicence = "CC0-1.0"\nconsent = "sí"\nlanguage = "ca"\nproject = "p"\n'
    text += 'year = 2024\nkind = "call"\n'
    (source,) = read_sources(written(tmp_path, text))
    assert source == Source("a", "CC0-1.0", "sí", "ca", "p", 2024, "call")
    assert source.declared == "ca"


def test_an_unknown_key_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'licence'"):
        read_sources(written(tmp_path, '[[source]]\npath = "a"\nlicense = "x"\n'))


@pytest.mark.parametrize(
    "text",
    ["", '[[source]]\npath = ""\n', '[[source]]\npath = "a"\nyear = 24\n', '[[source]]\npath = "a"\nkind = "novela"\n'],
)
def test_a_value_that_cannot_be_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadSetting):
        read_sources(written(tmp_path, text))


def test_a_folder_gives_its_documents_in_order(tmp_path: Path) -> None:
    for name in ("d/b.md", "d/a.docx", "d/foto.png", "d/.oculto.md", "d/e/c.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "d" / "e").mkdir(exist_ok=True)
    assert names(tmp_path, "d") == ["d/a.docx", "d/b.md", "d/e/c.pdf"]


def test_chapters_of_a_latex_document_are_no_documents(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text("\\documentclass{article}\\begin{document}\\input{uno}\\end{document}")
    (tmp_path / "uno.tex").write_text("\\chapter{Uno}")
    assert names(tmp_path, ".") == ["main.tex"]


def test_a_loop_of_links_is_refused_and_the_rest_found(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.md").write_text("x")
    (tmp_path / "d" / "up").symlink_to(tmp_path / "d")
    (tmp_path / "d" / "self.md").symlink_to(tmp_path / "d" / "self.md")
    assert names(tmp_path, "d") == ["d/a.md"]
    assert sorted(one.path for one in refusals(tmp_path, "d")) == ["d/self.md", "d/up"]


def test_a_file_that_two_sources_name_counts_once(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    assert names(tmp_path, "a.md", ".") == ["a.md"]
    assert "named by two" in refusals(tmp_path, "a.md", ".")[0].reason
