"""Adapters that were really trained: a healthy one passes, one that forgets and one that memorises are caught.

The base is small but knows something: it was taught the battery's answers and the sentences of the reports.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import torch
from fabai.training.evaluate import battery, job
from fabai.training.evaluate.report import Findings
from fabai.training.evaluate.settings import EvalSettings
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

from tests.training import made
from tests.writers import tiny

EACH = 5
SECTIONS = 6


class Quiet:
    """A Watch that sees nothing."""

    def begin(self, what: str, count: int) -> None: ...

    def step(self, count: int = 1) -> None: ...

    def note(self, text: str) -> None: ...


def sections(prefix: str, count: int = SECTIONS) -> list[dict[str, Any]]:
    """Sections of as many projects, of sentences that all reports share."""
    found = []
    for number in range(count):
        draw = random.Random(f"{prefix}{number}")  # noqa: S311
        text = " ".join(draw.sample(made.TEXTS[:5], 3))
        name = f"{prefix}{number}"
        found.append(made.example(f"{name}:s1:0", text, report=name, project=name, kind="report"))
    return found


def noise(prefix: str, count: int = 4) -> list[dict[str, Any]]:
    """Sections that can only be learnt by heart."""
    found = []
    for number in range(count):
        draw = random.Random(f"{prefix}{number}")  # noqa: S311
        text = " ".join("".join(draw.choices("bcdfghjkmnprstvz", k=5)) for _ in range(12))
        name = f"{prefix}{number}"
        found.append(made.example(f"{name}:s1:0", text, report=name, project=name, kind="report"))
    return found


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of 2 layers that was taught the battery."""
    folder = tiny.make(tmp_path_factory.mktemp("base") / "model")
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    torch.manual_seed(0)
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, num_hidden_layers=2,
            num_attention_heads=4, num_key_value_heads=4, max_position_embeddings=1024,
            eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
        )
    )  # fmt: skip
    end = tokenizer.eos_token_id
    texts = [[end, *tokenizer(f"{one.question} {one.right}")["input_ids"]] for one in battery.items(each=EACH)]
    texts += [[end, *tokenizer(one["target"])["input_ids"]] for one in sections("base", 30)]
    optimiser = torch.optim.AdamW(model.parameters(), lr=4e-3)
    draw = random.Random(0)  # noqa: S311
    for _ in range(150):
        batch = draw.sample(texts, 16)
        size = max(map(len, batch))
        ids = torch.tensor([[*one, *[end] * (size - len(one))] for one in batch])
        labels = torch.tensor([[*one, *[-100] * (size - len(one))] for one in batch])
        model(input_ids=ids, labels=labels).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
    model.save_pretrained(folder)
    return folder


def evaluated(folder: Path, base: Path, taught: list[dict[str, Any]], **settings: Any) -> Findings:
    data = made.write_examples(folder / "examples", taught, sections("held"))
    recipe = made.write_recipe(folder / "recipe.toml", base, max_tokens=400, **settings)
    made.run(recipe, data, folder / "run")
    wanted = EvalSettings(sections=SECTIONS, each=EACH)
    return job.evaluate(job.Request(folder / "run", data, settings=wanted), None, Quiet())[0]


@pytest.mark.slow
def test_a_healthy_adapter_passes_and_says_so(base: Path, tmp_path: Path) -> None:
    found = evaluated(tmp_path, base, sections("taught"), steps=8, learning_rate=1e-3)
    assert found.verdict.failures == ()
    assert found.groups["all"][0].bits_after < found.groups["all"][0].bits_before
    assert found.forgetting[0].accuracy_before > 0.8


@pytest.mark.slow
def test_the_battery_catches_an_adapter_that_was_trained_too_hard(base: Path, tmp_path: Path) -> None:
    found = evaluated(tmp_path, base, sections("taught"), steps=30, learning_rate=0.1)
    assert any(said.startswith("forgotten: all fell") for said in found.verdict.failures)
    assert any(said.startswith("lower learning_rate from 0.1") for said in found.verdict.advice)


@pytest.mark.slow
def test_an_adapter_that_learnt_by_heart_is_caught(base: Path, tmp_path: Path) -> None:
    found = evaluated(tmp_path, base, noise("taught"), steps=40, learning_rate=2e-2, rank=8)
    assert any(said.startswith("memorised:") for said in found.verdict.failures)
    assert found.memory is not None
    assert found.memory.gap > 0.5
