"""Running commands inside the test, in a folder of their own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fabai.cli import main


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], folder: Path) -> Run:  # noqa: ARG001 - for its change of folder
    """run("new", "p", "--json"): the command in an empty folder; bad usage ends with code 2 as in a shell."""

    def command(*words: str | Path) -> Ran:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        if code == 1:
            assert shown.err.startswith("fabai: ")
            assert shown.err.strip().count("\n") == 0, shown.err
        return Ran(code, shown.out, shown.err)

    return command


@pytest.fixture
def past(folder: Path) -> Path:
    """A small past report in Markdown."""
    path = folder / "anterior.md"
    path.write_text(
        "Portada\n\n# Objetivos\n\nTexto de **objetivos**.\n\n## Generales\n\nUno dos.\n\n# Resultados\n\nTres.\n",
        encoding="utf-8",
    )
    return path
