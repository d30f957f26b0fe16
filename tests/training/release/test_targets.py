"""Forms that another program needs otherwise: an adapter for llama.cpp, and the full vocabulary of a sliced model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from fabai.training.release.make import Request, make
from fabai.training.slice.manifest import read_manifest

from fabai.cli import main
from tests.training import made
from tests.training.slice.conftest import TEXT, smollm, write_model
from tests.writers import tiny_gguf


def said(_: str) -> None:
    """Nobody listens."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [" ".join(made.TEXTS[place:] + made.TEXTS[:place]) for place in range(3)]
    rows = [made.example(f"e{number}", text) for number, text in enumerate(texts)]
    return made.write_examples(tmp_path_factory.mktemp("corpus") / "ex", rows, rows)


@pytest.mark.parametrize("family", ["llama", "qwen3"])
def test_an_adapter_beside_a_gguf_base_does_what_it_does_in_pytorch(family: str, corpus: Path, tmp_path: Path) -> None:
    """RS-LoRA's scale, and the order of the rows of q and k in files of the family llama."""
    model, file = tiny_gguf.make(tmp_path, family)
    shutil.copyfile(file, model / file.name)
    manifest = make(Request(tiny_gguf.adapter(model, tmp_path / "a"), tmp_path / "r", corpus), said)
    form = next(one for one in manifest.forms if one.kind == "gguf-adapter")
    assert form.compared is not None
    assert form.compared.positions > 200
    assert form.compared.top1 >= 0.97
    assert (tmp_path / "r" / form.file).is_file()


@pytest.mark.slow
def test_an_adapter_of_a_sliced_model_is_merged_into_the_full_vocabulary(corpus: Path, tmp_path: Path) -> None:
    whole = write_model(tmp_path / "whole", smollm(), tied=True, end="<|im_end|>")
    cut = tmp_path / "cut"
    texts = [f"{language}={TEXT / language}.txt" for language in ("es", "ca", "en")]
    assert main(["slice", str(whole), "--text", *texts, "--coverage", "0.95", "-o", str(cut)]) == 0
    adapter = tiny_gguf.adapter(cut, tmp_path / "a")
    sliced = make(Request(adapter, tmp_path / "small", corpus, merge=True), said)
    full = make(Request(adapter, tmp_path / "full", corpus, merge=True, full=True), said)
    about, _ = read_manifest(cut)
    sizes = [
        json.loads((tmp_path / name / "merged" / "config.json").read_text(encoding="utf-8"))["vocab_size"]
        for name in ("small", "full")
    ]
    assert sizes == [about.rows, about.rows_before]
    for manifest in (sliced, full):
        form = next(one for one in manifest.forms if one.kind == "merged")
        assert form.compared is not None
        assert form.compared.top1 >= 0.97
    assert (tmp_path / "full" / "slice" / "manifest.json").is_file()
