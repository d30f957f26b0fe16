"""Errors of gradients are measured against a reference that holds the same numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from fabai.training import gradient_error

SHAPE = "family=qwen3,hidden=64,layers=2,heads=8,kv_heads=4,head_dim=16,intermediate=128,vocabulary=96,q_norm=true"
RECORDS = Path(__file__).parents[2] / "training" / "results" / "gradients.jsonl"


def test_the_error_is_relative_over_parameters_and_as_one_vector() -> None:
    truth = {"one": torch.tensor([3.0, 4.0]), "other": torch.tensor([0.0, 1.0])}
    found = {"one": torch.tensor([3.0, 4.5]), "other": torch.tensor([0.0, 1.5])}
    errors = gradient_error.error(found, truth)
    assert errors == {"mean": 0.3, "largest": 0.5, "whole": pytest.approx(0.139, abs=5e-4)}


def test_what_could_not_be_worked_keeps_its_reason() -> None:
    assert gradient_error.error("MissingPart: no card", {}) == "MissingPart: no card"


def test_the_engine_and_plain_half_precision_are_held_against_fp32(tmp_path: Path) -> None:
    torch.set_num_threads(1)  # tiny matrices: threads only wait for each other
    out = tmp_path / "rows.jsonl"
    arguments = ["--shape", SHAPE, "--layers", "2", "--rows", "96", "--rank", "4", "--tokens", "24", "32"]
    assert (
        gradient_error.main([*arguments, "--untiled", "24", "--settings", "groups=2 tile=16", "--out", str(out)]) == 0
    )
    short, long = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    assert (short["reference"], long["reference"]) == ("untiled", "tiled")
    assert short["errors"]["engine in fp32"]["whole"] < 1e-5
    for row in (short, long):
        assert 1e-4 < row["errors"]["groups=2 tile=16"]["whole"] < 0.05
        assert 1e-4 < row["errors"]["plain"]["whole"] < 0.05


def test_recorded_gradients_err_no_more_than_plain_ones() -> None:
    rows = [json.loads(line) for line in RECORDS.read_text(encoding="utf-8").splitlines()]
    assert {row["tokens"] for row in rows} == {4096, 8192, 16384}
    for row in rows:
        plain = row["errors"]["plain"]
        engines = [one for name, one in row["errors"].items() if "=" in name]
        assert engines
        assert all(one[figure] <= plain[figure] for one in engines for figure in plain)
