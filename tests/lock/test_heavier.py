"""The heavier model that the lock's cost is measured beside."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import gguf
import pytest

from benches.lock_heavier import heavier
from fabai.writers.probe import Probe
from tests.writers import tiny_gguf


@pytest.mark.parametrize("family", ["llama", "qwen3"])
def test_a_model_with_idle_layers_writes_what_it_wrote_without_them(tmp_path: Path, family: str) -> None:
    _, light = tiny_gguf.make(tmp_path, family)
    heavy = tmp_path / "heavy.gguf"
    heavier(light, heavy, 7)
    said = []
    for file in (light, heavy):
        with closing(Probe(file, 64, threads=1)) as probe:
            said.append(list(probe.following([72, 101, 108, 108, 111], 1, 4)))
    assert gguf.GGUFReader(heavy).fields[f"{family}.block_count"].contents() == 7
    for one, other in zip(*said, strict=True):
        assert one.keys() == other.keys()
        assert [other[key] for key in one] == pytest.approx(list(one.values()), abs=1e-3)
    assert any(said[0])
