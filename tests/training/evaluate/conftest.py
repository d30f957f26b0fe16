"""What the base said is kept in a folder of the tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of models, which holds what bases said too."""
    monkeypatch.setenv("FABAI_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"
