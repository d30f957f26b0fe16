from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fabai.writers.choose import KINDS
from fabai.writers.models import find_model, place
from tests.cli.conftest import Run


def test_every_writer_and_engine_has_ready_why_and_how(run: Run) -> None:
    ran = run("doctor", "--json")
    assert ran.code == 0
    assert set(ran.json["writers"]) == set(KINDS) - {"release"}  # a release is one of the others
    assert {"plain", "fabai", "liger", "unsloth"} == set(ran.json["engines"])
    for group in ("writers", "servers", "engines", "parts"):
        for name, found in ran.json[group].items():
            assert set(found) == {"ready", "why", "how"}
            assert found["why"], name
            assert found["ready"] or found["how"], name


def test_the_embedded_writer_needs_a_model_and_says_how_to_get_one(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FABAI_MODELS", str(tmp_path))
    found = run("doctor", "--json").json["writers"]["llamacpp"]
    assert found["ready"] is False
    assert found["how"] == "fabai get gemma3-270m"
    place(find_model("gemma3-270m")).write_bytes(b"x")
    assert run("doctor", "--json").json["writers"]["llamacpp"]["ready"] is True


def test_it_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys; from fabai.cli import main; main(['doctor'])\n"
        "print('LOADED', *{name.split('.')[0] for name in sys.modules})"
    )
    environment = {**os.environ, "FABAI_MODELS": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert not {"torch", "transformers", "xllamacpp"} & set(done.stdout.rpartition("LOADED")[2].split())
    assert "transformers\tready" in done.stdout or "transformers\tno" in done.stdout
