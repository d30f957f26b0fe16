"""The transformers Writer's KV cache: what the last prompt left in it is not read again.

Knows the kinds of cache that transformers has. Does not know texts. Kinds:
auto       static where a step can be replayed, else kept
kept       grows as needed and stays between answers, cut back to where the next prompt begins to differ
fresh      the same, dropped after each answer
static     its memory is taken at once, for prompt and answer, and stays; on a card a step is then replayed (Replay)
quantised  half the memory (8 bits), dropped after each answer; answers differ a little
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fabai.errors import MissingPart
from fabai.settings import Cache
from fabai.writers.replay import Replay, set_length

CHUNK = 2_048
"""Tokens of a prompt that are read at a time: what a layer works with for 20,000 would not fit beside the model."""

_STEP = 1_024


@dataclass(frozen=True, slots=True)
class Begun:
    """What an answer begins with. cache None: the one that `generate` makes. found: tokens of the prompt that it holds
    already. replay: the step of decoding, where it is not simply the model's.
    """

    cache: Any
    found: int
    replay: Replay | None = None


class Prefix:
    """One model's cache. Not for several threads at a time."""

    def __init__(self, kind: Cache, model: Any, chunk: int = CHUNK) -> None:
        self._model, self.chunk = model, chunk
        self._cache: Any = None
        self._replay: Replay | None = None
        self._ids: list[int] = []
        if kind == "auto":
            kind = "static" if Replay.fits(model, self._roomy(1)) else "kept"
        self._kind = kind

    def begin(self, prompt: Sequence[int], most: int, config: Any) -> Begun:
        """most: tokens of the answer. config: the GenerationConfig, which is told the kind of cache where `generate`
        makes it.
        """
        if self._kind == "quantised":
            if not _has_bytes():
                raise MissingPart(
                    "cache 'quantised' needs a newer transformers than the one here (pip install -U transformers); or "
                    "take cache 'kept'"
                )
            config.cache_implementation = "quantized"
            config.cache_config = {"backend": "fp8"}
            return Begun(None, 0)
        found = self._shared(prompt)
        # should the answer fail midway, nobody knows what is in it
        self._ids = []
        if self._kind == "static":
            return self._static(found, len(prompt) + most)
        if found:
            self._cache.crop(found - self._cache.get_seq_length())
        else:
            self._cache = self._growing()
        return Begun(self._cache, found)

    def end(self, ids: Sequence[int]) -> None:
        """An answer has ended well. ids: prompt and answer; the last token was never read."""
        if self._kind in ("kept", "static"):
            self._ids = list(ids[: int(self._cache.get_seq_length())])
        else:
            self._cache = None

    def drop(self) -> None:
        """An answer failed, maybe for lack of memory: what its cache held is free again."""
        self._cache, self._replay, self._ids = None, None, []

    def _shared(self, prompt: Sequence[int]) -> int:
        """Tokens at the beginning of the prompt that the cache holds; the last one is always read."""
        if not self._ids or any(self._cache.is_sliding):
            # a layer that sees a window only has dropped what stands before it
            return 0
        most = min(len(self._ids), len(prompt) - 1)
        return next((at for at in range(most) if self._ids[at] != prompt[at]), most)

    def _static(self, found: int, tokens: int) -> Begun:
        if self._cache is None or any(self._cache.is_sliding) or self._cache.layers[0].max_cache_len < tokens:
            # the old one's memory is given back before the new one's is taken
            self.drop()
            self._cache = self._roomy(-(-tokens // _STEP) * _STEP)
            self._replay = Replay(self._model, self._cache) if Replay.fits(self._model, self._cache) else None
            return Begun(self._cache, 0, self._replay)
        set_length(self._cache, found)
        return Begun(self._cache, found, self._replay)

    def _growing(self) -> Any:
        from transformers import DynamicCache

        return DynamicCache(config=self._model.config.get_text_config(decoder=True))

    def _roomy(self, tokens: int) -> Any:
        from transformers import StaticCache

        return StaticCache(config=self._model.config.get_text_config(decoder=True), max_cache_len=tokens)


def _has_bytes() -> bool:
    """Whether this transformers can keep a cache in 8 bits without further packages (5.17 cannot)."""
    from transformers import cache_utils

    return hasattr(cache_utils, "Fp8QuantizedLayer")
