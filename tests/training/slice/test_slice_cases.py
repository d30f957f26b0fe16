"""Public faults of vocabulary pruning (tests/data/cases), as tests."""

from __future__ import annotations

import json
import struct
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fabai.training.slice.choice import Wanted
from fabai.training.slice.families import read_family
from fabai.training.slice.job import Request, slice_model
from fabai.training.slice.manifest import read_manifest
from tokenizers import Tokenizer

from fabai.cli import main

from .conftest import qwen3_model, write_model

CASES = Path(__file__).parents[2] / "data" / "cases"


def case_model(slug: str, target: Path) -> Path:
    """A tiny model of the case's tokenizer."""
    table = json.loads((CASES / slug / "tokenizer.json").read_text(encoding="utf-8"))
    return write_model(target, table, tied=True, end="<|endoftext|>")


def test_047_the_steps_of_the_ladder_are_kept_and_the_text_stays_seven_tokens(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES / "047-slice-keeps-merge-ancestors"
    model = case_model(case.name, tmp_path / "modelo")
    keep = json.loads((case / "expected_keep.json").read_text(encoding="utf-8"))
    words = [
        "slice",
        str(model),
        "--text",
        str(case / "texto.txt"),
        "--languages",
        "es",
        "-o",
        str(tmp_path / "cortado"),
    ]
    # 52 rows do not hold the 256 bytes, which are always kept
    assert main([*words, "--size", str(len(keep))]) == 1
    assert "rows are too few: the 256 bytes" in capsys.readouterr().err
    assert main([*words, "--size", "320"]) == 0
    before, after = (Tokenizer.from_file(str(folder / "tokenizer.json")) for folder in (model, tmp_path / "cortado"))
    text = (case / "texto.txt").read_text(encoding="utf-8").strip()
    assert set(keep) <= after.get_vocab().keys()
    assert after.get_vocab_size() < before.get_vocab_size()
    assert len(after.encode(text).ids) == 7
    assert after.encode(text).tokens == before.encode(text).tokens
    capsys.readouterr()
    assert main(["slice", "--report", str(tmp_path / "cortado"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["languages"]["es"]["identical_tokens"] == 1.0


def test_050_a_word_that_no_merges_build_is_kept_with_the_flag_that_finds_it(tmp_path: Path) -> None:
    case = CASES / "050-slice-whole-words-without-merges"
    model = case_model(case.name, tmp_path / "modelo")
    text = (case / "texto.txt").read_text(encoding="utf-8").strip()
    for size in (320, 500):
        target = tmp_path / f"cortado-{size}"
        slice_model(Request(str(model), [str(case / "texto.txt")], ["es"], Wanted(size=size)), target)
        table = json.loads((target / "tokenizer.json").read_text(encoding="utf-8"))
        assert table["model"]["ignore_merges"] is True
        assert "ĠsubvenciÃ³n" in table["model"]["vocab"]
        after = Tokenizer.from_file(str(target / "tokenizer.json"))
        assert len(after.encode(text).ids) == 10
        assert after.encode(text).tokens == Tokenizer.from_file(str(model / "tokenizer.json")).encode(text).tokens


@pytest.mark.slow
def test_049_llama_cpp_cuts_as_the_slice_does_when_told_the_pre_tokenizers_name(
    qwen3_tokenizer: Path, tmp_path: Path
) -> None:
    case = CASES / "049-gguf-of-a-sliced-vocabulary"
    model = qwen3_model(tmp_path / "qwen3", qwen3_tokenizer)
    target = tmp_path / "cortado"
    report = slice_model(Request(str(model), [str(case / "check.txt")], ["es", "ca"], Wanted(size=4_096)), target)
    manifest, _ = read_manifest(target)
    assert manifest.pre == "qwen2"
    assert "tokenizer.ggml.pre = qwen2" in report.gguf
    path = tmp_path / "cortado.gguf"
    write_gguf(target, path, manifest.pre)
    text = (case / "check.txt").read_text(encoding="utf-8")
    family = read_family(target / "tokenizer.json")
    ids = Tokenizer.from_file(str(target / "tokenizer.json")).encode(text).ids
    pieces = json.loads((case / "check.json").read_text(encoding="utf-8"))["pieces"]
    assert [family.raw(token).decode(errors="replace") for token in ids] == pieces
    assert llama_cpp_ids(path, text) == ids


def write_gguf(folder: Path, path: Path, pre: str) -> None:
    """A GGUF of a tiny random qwen3 with the slice's tokenizer."""
    import gguf

    table = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    _, kept = read_manifest(folder)
    words = {token: word for word, token in table["model"]["vocab"].items()}
    added = {entry["id"]: entry["content"] for entry in table["added_tokens"]}
    tokens = [added.get(token) or words.get(token) or f"[PAD{token}]" for token in range(len(kept))]
    writer: Any = gguf.GGUFWriter(path, "qwen3")
    width, heads, size, mlp = 64, 2, 32, 64
    writer.add_context_length(512)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(mlp)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_key_length(size)
    writer.add_value_length(size)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    control, normal, unused = gguf.TokenType.CONTROL, gguf.TokenType.NORMAL, gguf.TokenType.UNUSED
    writer.add_token_types(
        [control if token in added else normal if token in words else unused for token in range(len(kept))]
    )
    writer.add_token_merges([" ".join(pair) for pair in table["model"]["merges"]])
    writer.add_eos_token_id(next(token for token, word in added.items() if word == "<|im_end|>"))
    chance = np.random.default_rng(0)
    shapes = {"token_embd": (len(kept), width), "output": (len(kept), width), "output_norm": (width,)}
    block = {"attn_norm": (width,), "ffn_norm": (width,), "attn_q_norm": (size,), "attn_k_norm": (size,)}
    block |= dict.fromkeys(("attn_q", "attn_k", "attn_v"), (heads * size, width))
    block |= {"attn_output": (width, heads * size), "ffn_gate": (mlp, width), "ffn_up": (mlp, width)}
    block |= {"ffn_down": (width, mlp)}
    shapes |= {f"blk.0.{name}": shape for name, shape in block.items()}
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", chance.standard_normal(shape).astype(np.float32) * 0.02)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    assert path.read_bytes()[:4] == struct.pack("<I", 0x46554747)


def llama_cpp_ids(path: Path, text: str) -> list[int]:
    """The ids that llama.cpp gives a text."""
    import httpx
    import xllamacpp

    with tempfile.TemporaryDirectory() as name:
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.n_ctx = 256
        params.warmup = False
        params.hostnames = [f"{name}/s.sock"]
        server = xllamacpp.Server(params)
        with httpx.Client(transport=httpx.HTTPTransport(uds=f"{name}/s.sock"), base_url="http://embedded") as client:
            answer = client.post("/tokenize", json={"content": text, "add_special": False}, timeout=60).json()
        del server
    return [int(token) for token in answer["tokens"]]
