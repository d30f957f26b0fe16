"""A model that is asked how likely texts are: the trained adapter on its base, and the same base without it.

Base and tuned model are one model in memory, with the adapter on or off, so they have the same quantisation, the same
positions and the same tokens. A small model on a processor stands there twice instead, once with the adapter added into
its weights in fp32, which computes the same in less time. Knows PyTorch, and that the head is applied where a token is
judged only. Does not know which texts are asked about or what is made of the answers.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from fabai.training import model
from fabai.training.machine import Dtype
from fabai.training.recipe import Recipe
from torch import Tensor
from transformers import DynamicCache

from fabai.example import Encoder, encoder
from fabai.writers.replay import argument

from . import trie

ROWS = 512
"""Positions whose scores over the whole vocabulary are held at once."""
_FEW, _CHUNK = 64, 256
"""On a processor: such positions that fit its cache; tokens at once, so that attention computes little of what is
masked.
"""
_MOST_THREADS = 4
"""At once on a processor; each keeps the keys and values of a text."""
_SMALL, _TWICE = 4_000_000_000, 1_500_000_000
"""Bytes of 16-bit weights up to which a model is computed in 32 bits on a processor, and stands there twice."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Tokens of a text, and the places of those that are judged (never the first)."""

    ids: Sequence[int]
    judged: Sequence[int]


class _Kept(threading.local):
    """What a thread computed last, without the adapter (True) and with it: tokens, and their keys and values."""

    def __init__(self) -> None:
        self.last: dict[bool, tuple[list[int], Any]] = {}


class Subject:
    """See the module's text. Close over `base()` to ask the model without its adapter; within, and outside, several
    threads may ask at once.
    """

    def __init__(self, loaded: Any, encoder: Encoder, adapted: bool, beside: Any = None) -> None:
        """loaded: a PEFT model where `adapted`, else a transformers model. beside: the base, where `loaded` is a
        transformers model with the adapter in its weights.
        """
        self.encoder, self.adapted = encoder, adapted
        self._model = loaded.eval()
        self._folded = beside is not None
        causal = loaded.get_base_model() if adapted and not self._folded else loaded
        # (decoder, head) without the adapter and with it
        self._parts = {base: _parts(beside if base and self._folded else causal) for base in (True, False)}
        self._softcap = getattr(causal.config.get_text_config(), "final_logit_softcapping", None)
        self._device = next(loaded.parameters()).device
        self._rows = ROWS if self._device.type != "cpu" else _FEW
        self._kept = _Kept()
        self._base = not adapted
        self.parameters = sum(one.numel() for one in causal.parameters())

    @contextlib.contextmanager
    def base(self) -> Iterator[None]:
        """Within the block the adapter is off; nothing changes for a model that has none."""
        if not self.adapted:
            yield
            return
        with contextlib.nullcontext() if self._folded else self._model.disable_adapter():
            self._base = True
            try:
                yield
            finally:
                self._base = False

    def logits(self, ids: Sequence[int], places: Sequence[int]) -> Iterator[tuple[Sequence[int], Tensor]]:
        """Scores [n, V] in fp32 that predict the tokens at `places`, some at a time; places rise and are above 0."""
        states = self._states(torch.tensor([list(ids)], device=self._device))[0]
        for start in range(0, len(places), self._rows):
            part = places[start : start + self._rows]
            index = torch.tensor(part, device=self._device) - 1
            yield part, self._scores(states[index])

    def follow(self, one: Asked) -> tuple[Tensor, Tensor]:
        """(log-probability in fp32 [n], whether the token was the likeliest one [n]) of each judged token, on the CPU.

        On a processor a beginning that the thread's text before had too is not computed again: ask in the order of the
        tokens.
        """
        if not one.judged:
            return torch.zeros(0), torch.zeros(0, dtype=torch.bool)
        wanted = torch.tensor(list(one.ids), device=self._device)
        states, skipped = self._going_on(list(one.ids), one.judged[0] - 1)
        said, first = [], []
        for start in range(0, len(one.judged), self._rows):
            index = torch.tensor(one.judged[start : start + self._rows], device=self._device)
            scores, target = self._scores(states[index - 1 - skipped]), wanted[index]
            logs = torch.log_softmax(scores, -1)
            mine = logs.gather(1, target[:, None])[:, 0]
            said.append(mine.cpu())
            first.append((mine >= logs.amax(-1)).cpu())
        return torch.cat(said), torch.cat(first)

    def judge_packed(self, ids: Tensor, positions: Tensor, seen: Tensor, places: Tensor, targets: Tensor) -> Tensor:
        """Log-probabilities [n] of `targets` as predicted at `places` of one row of several texts.

        ids, positions [T]; seen [T, T]: whether a row's token sees a column's. For texts that must not see each other.
        """
        floor = torch.finfo(torch.float32).min
        mask = torch.where(seen, 0.0, floor).to(self._device, self._dtype)
        with torch.inference_mode():
            states = self._states(
                ids[None].to(self._device), mask[None, None], positions[None].to(self._device)
            )[0]  # fmt: skip
            found = []
            for start in range(0, len(places), self._rows):
                scores = torch.log_softmax(
                    self._scores(states[places[start : start + self._rows].to(self._device)]), -1
                )
                wanted = targets[start : start + self._rows].to(self._device)
                found.append(scores.gather(1, wanted[:, None])[:, 0].cpu())
        return torch.cat(found)

    @property
    def threads(self) -> int:
        """How many may ask at once without waiting for one another."""
        return min(_MOST_THREADS, torch.get_num_threads()) if self._device.type == "cpu" else 1

    @property
    def computed_in(self) -> str:
        """The numbers that it computes with: "float32", "bfloat16" ..."""
        return str(self._dtype).removeprefix("torch.")

    @property
    def machine(self) -> str:
        """ "cpu", or the card's name."""
        return "cpu" if self._device.type == "cpu" else torch.cuda.get_device_name(self._device)

    @property
    def _dtype(self) -> torch.dtype:
        kind: torch.dtype = self._parts[self._base][1].weight.dtype
        return kind

    def _states(
        self, ids: Tensor, mask: Tensor | None = None, positions: Tensor | None = None, cache: Any = None
    ) -> Tensor:  # fmt: skip
        half = self._dtype in (torch.bfloat16, torch.float16)
        kept: dict[str, Any] = {} if cache is None else {argument(): cache}
        with torch.inference_mode(), torch.autocast(self._device.type, self._dtype, enabled=half):
            found: Tensor = self._parts[self._base][0](
                input_ids=ids, attention_mask=mask, position_ids=positions, use_cache=cache is not None, **kept
            ).last_hidden_state
        return found

    def _going_on(self, ids: list[int], first: int) -> tuple[Tensor, int]:
        """States [T - n, d] of the tokens from n on, and n, which is at most `first`."""
        # a card is quick, and its memory belongs to the model
        if self._device.type != "cpu":
            return self._states(torch.tensor([ids], device=self._device))[0], 0
        known, cache = self._kept.last.pop(self._base, ([], None))
        shared = min(first, trie.shared(known, ids))
        # a layer that sees a window only has dropped what stands before it
        if cache is None or not shared or any(cache.is_sliding):
            config = self._parts[self._base][0].config
            shared, cache = 0, DynamicCache(config=config.get_text_config(decoder=True))
        elif shared < len(known):
            cache.crop(shared - len(known))
        parts = [
            self._states(torch.tensor([ids[start : start + _CHUNK]]), cache=cache)[0]
            for start in range(shared, len(ids), _CHUNK)
        ]
        self._kept.last[self._base] = (ids, cache)
        return torch.cat(parts), shared

    def _scores(self, states: Tensor) -> Tensor:
        with torch.inference_mode():
            scores: Tensor = self._parts[self._base][1](states.to(self._dtype)).float()
            if self._softcap is not None:
                scores = torch.tanh(scores / self._softcap) * self._softcap
        return scores


def load(
    settings: Mapping[str, Any],
    base: Path,
    adapter: Path | None,
    dtype: str,
    quantisation: str | None = None,
    widened: bool = False,
) -> Subject:
    """The adapter on its base as in training. settings: of the run's recipe; dtype: computed in, as run.json says it;
    quantisation: another one than the recipe's. adapter None: the base alone. widened: the weights are loaded in
    `dtype` and then computed with in fp32, as those of a small model always are on a processor, most of which compute
    16 bits more slowly than 32.
    """
    changes: dict[str, Any] = {
        "engine": "plain", "dropout": 0.0, "weights": "auto", "attention": "auto", "packing": False,
    }  # fmt: skip
    if quantisation is not None:
        changes["quantisation"] = quantisation
    wanted = dataclasses.replace(Recipe(**settings), **changes)
    device = "cuda:0" if torch.cuda.is_available() else "cpu"
    number: Dtype = "float32" if device == "cpu" and dtype == "float16" else dtype  # type: ignore[assignment]
    loaded = model.load(wanted, base, device, number, "sdpa", adapter)
    if adapter is None:
        loaded = loaded.unload()
    size = sum(one.stat().st_size for one in base.glob("*.safetensors"))
    plain = device == "cpu" and wanted.quantisation == "none"
    if widened or (plain and size < _SMALL):
        loaded = loaded.float()
    if adapter is None or not plain or size >= _TWICE:
        return Subject(loaded, encoder(base), adapter is not None)
    beside = model.load(wanted, base, device, number, "sdpa").unload().float()
    return Subject(loaded.merge_and_unload(), encoder(base), True, beside.eval())


def _parts(causal: Any) -> tuple[Any, Any]:
    """Its decoder and its head."""
    causal.config.use_cache = False
    return causal.base_model, causal.get_output_embeddings()


def of_gguf(file: Path, tokens: Path) -> Subject:
    """The weights of a GGUF file as transformers reads them, in fp32. tokens: folder of the tokenizer."""
    import importlib

    transformers: Any = importlib.import_module("transformers")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    loaded = transformers.AutoModelForCausalLM.from_pretrained(
        str(file.parent), gguf_file=file.name, dtype=torch.float32, local_files_only=True
    )
    return Subject(loaded, encoder(tokens), False)
