"""What is said of a version: which Release wrote it, and why it ends where it does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabai.app.history import release_of
from fabai.app.remarks import STOPPED, remark
from fabai.app.words import words

from fabai import releases
from fabai.attempt import NOTES
from fabai.report import LANGUAGES


@pytest.fixture(autouse=True)
def own_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABAI_RELEASES", str(tmp_path / "list"))


def test_a_version_names_the_release_that_wrote_it(tmp_path: Path) -> None:
    folder = tmp_path / "memorias-2026"
    folder.mkdir()
    (folder / "release.json").write_text(json.dumps({"created": "2026-11-30"}), encoding="utf-8")
    releases.register(folder)
    assert release_of("llamacpp:base.gguf+memorias-2026:0f3a") == "memorias-2026"
    assert release_of("llamacpp:base.gguf") == release_of("scripted") == ""


def test_a_damaged_list_of_releases_does_not_hide_the_versions(tmp_path: Path) -> None:
    (tmp_path / "list").mkdir()
    (tmp_path / "list" / "releases.json").write_text("[", encoding="utf-8")
    assert release_of("llamacpp:base.gguf+memorias-2026:0f3a") == ""


def test_every_recorded_sentence_has_its_words_in_every_language() -> None:
    for key, sentence in {**NOTES, "server": STOPPED}.items():
        found = remark(sentence.format("40"))
        assert found == {"key": key, "what": "40" if "{0}" in sentence else ""}
        assert all(f"said_{key}" in words(language) for language in LANGUAGES)
    assert remark("the server at x broke off midway") == {"key": "", "what": "the server at x broke off midway"}
    assert remark("") == {"key": "", "what": ""}
