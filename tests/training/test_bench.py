"""The bench's cases can be run, and its random checkpoint loads and trains."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from fabai.training import bench, peers
from fabai.training.case import SUITES, Case
from fabai.training.engine import EngineSettings
from fabai.training.random_model import write
from fabai.training.shape import ModelShape

from fabai.errors import BadSetting
from fabai.strict import build

SHAPE = ModelShape("qwen3", 64, 2, 8, 4, 16, 128, 96, q_norm=True)


@pytest.mark.parametrize("suite", SUITES)
def test_every_case_of_a_suite_is_well_formed(suite: str) -> None:
    for text in SUITES[suite]:
        case = Case.read(text, Path("model"))
        assert case.engine in peers.ENGINES
        if case.engine == "fabai":
            build(EngineSettings, case.options, text)


def test_a_case_holds_settings_steps_and_model_apart() -> None:
    case = Case.read("fabai 512 tile=64 stream=true steps=3 labelled=0.5 model=other", Path("model"))
    assert case == Case("fabai", 512, Path("other"), 3, 0.5, profile=True, options={"tile": 64, "stream": True})


def test_a_case_without_tokens_is_refused() -> None:
    with pytest.raises(BadSetting, match="engine and a number of tokens"):
        Case.read("fabai tile=64", Path("model"))


def test_a_random_checkpoint_loads_with_either_vocabulary_and_trains(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    write(SHAPE, {whole: 96, cut: 64})
    assert json.loads((cut / "config.json").read_text(encoding="utf-8"))["vocab_size"] == 64
    trainee = peers.load("fabai", cut, rank=2, longest=16)
    trainee.prepare({"tile": 8, "stream": True})
    ids = torch.randint(0, 64, (1, 16))
    trainee.loss(ids, ids).backward()
    assert all(one.grad is not None for one in trainee.model.parameters() if one.requires_grad)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(BadSetting, match="known: fabai, peft, liger, unsloth"):
        peers.load("other", Path("model"), 2, 16)


@pytest.mark.parametrize(
    ("kernels", "attention"),
    [
        (["cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16", "gemm"], "cudnn"),
        (["void pytorch_flash::flash_fwd_kernel<...>", "void at::native::add"], "flash"),
        (["fmha_cutlassF_bf16_aligned_64x64", "gemm"], "efficient"),
        (["triton_tem_fused_flex_attention_0", "gemm"], "triton"),
        (["triton_poi_fused__scaled_dot_product_cudnn_attention_constant_pad_nd_2"], "unknown"),
        (["gemm"], "unknown"),
    ],
)
def test_the_attention_that_ran_is_told_by_its_kernels(kernels: list[str], attention: str) -> None:
    name, seen = bench.attention_of(kernels)
    assert name == attention
    assert seen == ([] if attention == "unknown" else kernels[:1])


def test_a_case_that_ends_its_process_loses_only_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(SHAPE, {tmp_path: 96})
    assert bench.main(["--model", str(tmp_path), "--case", "nothing 8", "--case", "nothing 9"]) == 0
    rows = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert [row["tokens"] for row in rows] == [8, 9]
    assert all(row["error"].startswith("the process ended with code") for row in rows)


def test_a_silent_process_is_given_up(tmp_path: Path) -> None:
    write(SHAPE, {tmp_path: 96})
    out = tmp_path / "rows.jsonl"
    bench.main(["--model", str(tmp_path), "--out", str(out), "--limit", "0.2", "--case", "fabai 8 steps=1"])
    assert json.loads(out.read_text(encoding="utf-8"))["error"].startswith("no result within 0 s")
