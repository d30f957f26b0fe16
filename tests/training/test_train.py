"""The whole road: examples in, adapter out, a Writer that drafts with it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any

import pytest
import torch
from fabai.training import checkpoint
from fabai.training.slice.choice import Wanted
from fabai.training.slice.job import Request as Slicing
from fabai.training.slice.job import slice_model
from safetensors.torch import load_file, save_file
from transformers import LlamaConfig, LlamaForCausalLM, Qwen3Config, Qwen3ForCausalLM

from fabai.errors import TrainingError
from fabai.example import fingerprint
from fabai.message import Message
from fabai.settings import SamplingSettings
from fabai.writers.base import Usage
from fabai.writers.transformers import Transformers
from tests.training import made
from tests.training.test_resume import facts, same_weights, train
from tests.writers import tiny

GREEDY = SamplingSettings(max_tokens=60, temperature=0.0, repetition_penalty=1.0)
SENTENCES = ("La sala abrió.", "Las familias valoraron la actividad.", "El programa cerró en junio.", "Fin.")


def drafted(writer: Transformers, row: dict[str, Any]) -> tuple[str, str]:
    """(text, why it ended) of the answer to an example's prompt."""
    *pieces, usage = writer.stream([Message(**one) for one in row["messages"]], GREEDY)
    assert isinstance(usage, Usage)
    return "".join(map(str, pieces)), usage.finish


@pytest.fixture(scope="module")
def capable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A byte model that is large enough to learn sentences by heart."""
    folder = tiny.make(tmp_path_factory.mktemp("capable") / "model")
    config: Any = LlamaConfig.from_pretrained(folder)
    config.hidden_size, config.intermediate_size, config.head_dim = 64, 128, 16
    config.num_attention_heads, config.num_key_value_heads, config.initializer_range = 4, 2, 0.3
    torch.manual_seed(0)
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def sliced(tmp_path_factory: pytest.TempPathFactory, qwen3_tokenizer: Path) -> Path:
    """A tiny random Qwen3 with the real tokenizer, sliced to what the sentences use and a little more."""
    whole, folder = tmp_path_factory.mktemp("qwen3") / "whole", tmp_path_factory.mktemp("sliced") / "slice"
    torch.manual_seed(3)
    config = Qwen3Config(
        vocab_size=151_936, hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, head_dim=16, tie_word_embeddings=False, bos_token_id=151_643, eos_token_id=151_645,
        pad_token_id=151_643, initializer_range=0.3,
    )  # fmt: skip
    Qwen3ForCausalLM(config).to(torch.bfloat16).save_pretrained(whole)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(qwen3_tokenizer / name, whole / name)
    text = whole.parent / "text.txt"
    text.write_text("\n".join([*SENTENCES, "Redacta el punto y la justificación."] * 20), encoding="utf-8")
    slice_model(Slicing(str(whole), [f"es={text}"], ["es"], Wanted(2048), verify=False), folder)
    return folder


@pytest.mark.slow
def test_a_sliced_qwen3_in_four_bits_learns_is_killed_goes_on_and_drafts(
    tmp_path: Path, sliced: Path, forked: ForkServerContext
) -> None:
    """NF4, RS-LoRA, paged 8-bit Adam, accumulation 4, evaluation, kill, resume, a Writer: what the product does on a
    card.
    """
    rows = [made.example(f"punto-{number}", text) for number, text in enumerate(SENTENCES)]
    data = made.write_examples(tmp_path / "data", rows, rows[:2])
    about = {"tokenizer": fingerprint(sliced), "model": "slice", "mode": "fill", "cap": 20_000, "decay": 0.5}
    (data / "examples.json").write_text(json.dumps(about | {"corpus": "c-1"}), encoding="utf-8")
    recipe = made.write_recipe(
        tmp_path / "r.toml", sliced, slice=str(sliced), quantisation="nf4", optimiser="paged_adamw_8bit", rank=32,
        alpha=16, dropout=0.05, accumulation=4, steps=24, learning_rate=1e-2, save_every=6, evaluate_every=12,
    )  # fmt: skip
    output = tmp_path / "run"
    process = forked.Process(target=train, args=(str(recipe), str(data), str(output), False))
    process.start()
    while process.is_alive() and not (output / "checkpoints" / "step-000012").exists():
        process.join(0.02)
    process.kill()
    process.join()
    assert process.exitcode == -9
    result = made.run(recipe, data, output, resume=True)

    assert result.after["eval_loss"] < 0.5 * result.before["eval_loss"]
    assert [line["step"] for line in made.lines(output)] == list(range(1, 25))
    manifest = json.loads((output / "run.json").read_text(encoding="utf-8"))
    assert manifest["state"] == "finished"
    assert manifest["documents"] == ["memoria-1"]
    assert manifest["model"]["slice"]["rows_before"] == 151_936
    assert (manifest["examples"]["mode"], manifest["examples"]["cap"]) == ("fill", 20_000)
    assert (manifest["examples"]["decay"], manifest["examples"]["corpus"]) == (0.5, "c-1")
    assert {"torch", "transformers", "peft", "trl", "bitsandbytes"} <= manifest["versions"].keys()
    assert (output / "losses.png").read_bytes().startswith(b"\x89PNG")
    assert {path.suffix for path in (output / "adapter").iterdir()} == {".json", ".jinja", ".md", ".safetensors"}

    writer = Transformers(result.adapter)
    assert writer.count_messages([Message(**one) for one in rows[0]["messages"]]) < 40
    text, _ = drafted(writer, rows[0])
    assert text
    assert text != drafted(Transformers(sliced), rows[0])[0]


@pytest.mark.slow
def test_a_trained_draft_ends_by_itself(tmp_path: Path, capable: Path) -> None:
    """Case 052."""
    rows = [made.example("el cierre", "Fin."), made.example("la apertura de la sala", "La sala abrió.")]
    data = made.write_examples(tmp_path / "data", rows, rows)
    recipe = made.write_recipe(tmp_path / "r.toml", capable, steps=60, rank=32, alpha=32, learning_rate=1e-2)
    writer = Transformers(made.run(recipe, data, tmp_path / "run").adapter)
    assert [drafted(writer, row) for row in rows] == [(row["target"], "stop") for row in rows]


def test_going_on_from_an_adapter_starts_where_it_was(tmp_path: Path, capable: Path) -> None:
    data = made.examples(tmp_path / "data")
    recipe = made.write_recipe(tmp_path / "r.toml", capable, steps=3)
    first = made.run(recipe, data, tmp_path / "first")
    second = made.run(recipe, data, tmp_path / "second", parent=tmp_path / "first")
    assert second.before["eval_loss"] == pytest.approx(first.after["eval_loss"], rel=1e-6)
    manifest = json.loads((tmp_path / "second" / "run.json").read_text(encoding="utf-8"))
    weights = first.adapter / "adapter_model.safetensors"
    assert manifest["parent"]["sha256"] == checkpoint.sha256(weights)
    made.write_recipe(recipe, capable, steps=3, rank=8)
    with pytest.raises(TrainingError, match="rank is 4 there and 8 here"):
        made.run(recipe, data, tmp_path / "third", parent=tmp_path / "first")


def test_evaluation_holds_no_logits_of_the_whole_text_and_draws_no_numbers(tmp_path: Path, capable: Path) -> None:
    data = made.examples(tmp_path / "data")
    often = made.write_recipe(tmp_path / "often.toml", capable, steps=3, dropout=0.2, evaluate_every=1)
    never = made.write_recipe(tmp_path / "never.toml", capable, steps=3, dropout=0.2, evaluate_every=99)
    made.run(often, data, tmp_path / "often")
    made.run(never, data, tmp_path / "never")
    assert same_weights(tmp_path / "often", tmp_path / "never")
    assert len(facts(tmp_path / "often")) == 3 + 4


def test_the_longest_example_comes_first(tmp_path: Path, capable: Path, data: Path) -> None:
    recipe = made.write_recipe(tmp_path / "r.toml", capable, steps=1, accumulation=1)
    watch = made.Silent()
    made.run(recipe, data, tmp_path / "run", watch)
    assert watch.steps[0]["examples"] == ["e4"]


def test_a_loss_that_is_no_number_stops_with_the_examples_name(tmp_path: Path, capable: Path) -> None:
    model = Path(shutil.copytree(capable, tmp_path / "model"))
    weights = load_file(model / "model.safetensors")
    save_file(weights | {"model.norm.weight": weights["model.norm.weight"] * torch.nan}, model / "model.safetensors")
    data = made.write_examples(tmp_path / "data", [made.example("a", "Fin.")])
    recipe = made.write_recipe(tmp_path / "r.toml", model)
    with pytest.raises(TrainingError, match="the loss of a is not a number: lower the learning rate"):
        made.run(recipe, data, tmp_path / "run")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of less than two megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1700k", "small", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("this user may not mount a small file system")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_a_disk_that_fills_up_stops_the_run_and_what_was_saved_goes_on(
    tmp_path: Path, byte_model: Path, data: Path, small_disk: Path
) -> None:
    recipe = made.write_recipe(tmp_path / "r.toml", byte_model, steps=6, save_every=1, rank=32, keep=9)
    output = small_disk / "run"
    with pytest.raises(TrainingError, match=r"the disk is full, and step \d could not be saved; step-00000\d is whole"):
        made.run(recipe, data, output)
    assert not [path for path in (output / "checkpoints").iterdir() if path.name.startswith(".")]
    subprocess.run(["mount", "-o", "remount,size=50m", small_disk], check=True)
    made.run(recipe, data, output, resume=True)
    made.run(recipe, data, tmp_path / "unbroken")
    assert facts(output) == facts(tmp_path / "unbroken")
    assert same_weights(output, tmp_path / "unbroken")
