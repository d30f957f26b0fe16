"""What cannot run here is refused in one sentence that says what to do."""

from __future__ import annotations

import dataclasses

import pytest
from fabai.training.machine import Gpu, Machine, attention, check, dtype
from fabai.training.recipe import Recipe, load

from fabai.errors import BadSetting, MissingPart, TrainingError

ALL = frozenset({"bitsandbytes", "flash_attn", "liger_kernel", "unsloth"})
T4 = Machine((Gpu("Tesla T4", 14.6, (7, 5)),), ALL)
ADA = Machine((Gpu("NVIDIA GeForce RTX 4080", 15.6, (8, 9)),), ALL)
NONE = Machine((), ALL)


def test_an_8b_recipe_without_a_card_names_what_can_run_here() -> None:
    with pytest.raises(TrainingError, match=r"16 GB.*smollm2-cpu.*fabai plan qwen3-8b-16gb"):
        check(load("qwen3-8b-16gb"), "qwen3-8b-16gb", NONE)
    check(load("smollm2-cpu"), "smollm2-cpu", NONE)


def test_flash_attention_2_is_refused_on_a_t4() -> None:
    recipe = Recipe(model="x", attention="flash_attention_2")
    with pytest.raises(BadSetting, match=r"Tesla T4 is older \(compute capability 7.5\).*'sdpa'"):
        check(recipe, "own.toml", T4)
    check(recipe, "own.toml", ADA)


def test_the_t4_recipe_runs_on_a_t4_in_fp16_without_flash_attention() -> None:
    recipe = load("llama-3.1-8b-unsloth-t4")
    check(recipe, "llama-3.1-8b-unsloth-t4", T4)
    assert dtype(recipe, T4) == "float16"
    assert attention(recipe, T4) == "sdpa"


def test_the_card_chooses_the_number_type() -> None:
    recipe = Recipe(model="x")
    assert dtype(recipe, ADA) == "bfloat16"
    assert dtype(recipe, T4) == "float16"
    assert dtype(dataclasses.replace(recipe, card_gb=0), NONE) == "float32"


def test_bf16_is_refused_on_a_card_without_it_and_fp16_on_the_processor() -> None:
    with pytest.raises(BadSetting, match="Tesla T4 has no bf16"):
        check(Recipe(model="x", dtype="bfloat16"), "r", T4)
    with pytest.raises(BadSetting, match="processor does not train in float16"):
        check(Recipe(model="x", dtype="float16", card_gb=0), "r", NONE)


def test_flash_attention_2_is_chosen_where_it_is_installed_and_the_card_allows() -> None:
    assert attention(Recipe(model="x", engine="plain"), ADA) == "flash_attention_2"
    assert attention(Recipe(model="x", engine="plain"), Machine(ADA.gpus, frozenset())) == "sdpa"
    assert attention(Recipe(model="x", engine="plain"), T4) == "sdpa"


def test_the_fabai_engine_needs_no_flash_attention_package_for_its_own_kernels() -> None:
    recipe = Recipe(model="x", attention="flash_attention_2")
    check(recipe, "own.toml", Machine(ADA.gpus, frozenset({"bitsandbytes"})))
    # what transformers is told, which would otherwise look for the package
    assert attention(recipe, Machine(ADA.gpus, frozenset({"bitsandbytes"}))) == "sdpa"


def test_unsloth_that_is_missing_is_answered_with_the_exact_command() -> None:
    with pytest.raises(MissingPart) as caught:
        check(load("llama-3.1-8b-unsloth-t4"), "llama-3.1-8b-unsloth-t4", Machine(T4.gpus, frozenset({"bitsandbytes"})))
    said = str(caught.value)
    assert "python3 -m venv .venv-unsloth && .venv-unsloth/bin/pip install -c constraints-unsloth.txt" in said
    assert said.endswith(".venv-unsloth/bin/fabai train llama-3.1-8b-unsloth-t4")


def test_liger_that_is_missing_is_answered_with_the_exact_command() -> None:
    with pytest.raises(MissingPart, match="pip install liger-kernel"):
        check(Recipe(model="x", engine="liger"), "r", Machine(ADA.gpus, frozenset({"bitsandbytes"})))


def test_more_cards_than_there_are_are_refused() -> None:
    with pytest.raises(TrainingError, match="--gpus is 2 and PyTorch sees 1"):
        check(load("qwen3-8b-16gb"), "qwen3-8b-16gb", ADA, gpus=2)


def test_four_bits_without_bitsandbytes_are_refused() -> None:
    with pytest.raises(MissingPart, match="quantisation 'nf4' needs the package bitsandbytes"):
        check(load("qwen3-8b-16gb"), "qwen3-8b-16gb", Machine(ADA.gpus, frozenset()))
