"""README.md of an adapter's folder: what somebody must know who loads it with PEFT and has no fabai.

Knows how a run's manifest is told in Markdown. Does not know evaluation; a release's model card has that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def text(manifest: Mapping[str, Any], held: list[dict[str, Any]]) -> str:
    """manifest: run.json. held: the evaluations' lines of metrics.jsonl, first and last are told."""
    settings, model, examples = manifest["settings"], manifest["model"], manifest["examples"]
    name = Path(model["base"]).name if model["base"].startswith("/") else model["base"]
    stabilised = "alpha / sqrt(rank)" if settings["rank_stabilised"] else "alpha / rank"
    parts = [
        _front(model["base"]),
        f"# LoRA adapter of {name}\n",
        f"Trained by `fabai train` on {examples['train']:,} examples of drafting sections of reports"
        f"{_corpus(examples)}. The whole account is in the run's run.json.\n",
        "| | |\n|---|---|",
        f"| base | {name}{_cut(model)} |",
        f"| rank, alpha | {settings['rank']}, {settings['alpha']}; scaled by {stabilised} |",
        f"| base's numbers in training | {_numbers(settings)}, computed in {model['dtype']} |",
        f"| longest example | {settings['max_tokens']:,} tokens |",
        f"| positions | {_positions(model)} |",
        *_measured(held),
        "",
        *_scaled(model),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _front(base: str) -> str:
    """PEFT's and the hub's table in front; a folder of this machine is no base_model there."""
    named = [] if base.startswith("/") else [f"base_model: {base}"]
    return "\n".join(["---", *named, "library_name: peft", "pipeline_tag: text-generation", "---\n"])


def _corpus(examples: Mapping[str, Any]) -> str:
    return (
        f" of the corpus {examples['corpus']}, as seen by windows of mode {examples['mode']}"
        if examples["corpus"]
        else ""
    )


def _cut(model: Mapping[str, Any]) -> str:
    cut = model["slice"]
    return f", its vocabulary cut to {cut['rows']:,} of {cut['rows_before']:,} rows" if cut else ""


def _numbers(settings: Mapping[str, Any]) -> str:
    if settings["quantisation"] == "none":
        return "not quantised"
    return f"{settings['quantisation'].upper()}{', double quantisation' if settings['double_quantisation'] else ''}"


def _positions(model: Mapping[str, Any]) -> str:
    if model["rope_factor"] <= 1:
        return "the base's own, no RoPE scaling"
    return (
        f"YaRN, factor {model['rope_factor']:g} over the {model['positions']:,} positions that the base has learnt: "
        "load the base as below, or the adapter's words come out wrong"
    )


def _measured(held: list[dict[str, Any]]) -> list[str]:
    if not held:
        return []
    first, last = held[0], held[-1]
    languages = sorted(
        key.split("_")[1] for key in last if key.startswith("eval_") and key.count("_") == 2 and "loss" in key
    )
    told = [f"{first['eval_perplexity']:.2f} before, {last['eval_perplexity']:.2f} after"]
    told += [
        f"{one} {first[f'eval_{one}_perplexity']:.2f} and {last[f'eval_{one}_perplexity']:.2f}" for one in languages
    ]
    return [f"| perplexity on held-out examples | {'; '.join(told)} |"]


def _scaled(model: Mapping[str, Any]) -> list[str]:
    """The lines that load the base with the same positions, where they were stretched."""
    if model["rope_factor"] <= 1:
        return []
    rope = {
        "rope_type": "yarn",
        "factor": model["rope_factor"],
        "original_max_position_embeddings": model["positions"],
    }
    return [
        "```python",
        "from peft import PeftModel",
        "from transformers import AutoConfig, AutoModelForCausalLM",
        "",
        f'base = "{model["base"]}"',
        "config = AutoConfig.from_pretrained(base)",
        f"config.rope_parameters = config.rope_parameters | {json.dumps(rope)}",
        f"config.max_position_embeddings = {round(model['rope_factor'] * model['positions'])}",
        "model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base, config=config), ADAPTER)",
        "```",
    ]
