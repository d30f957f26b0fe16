"""The transformers Writer's KV cache: what the last prompt left in it is not read again.

Knows the kinds of cache that transformers has. Does not know texts. Kinds:
kept       grows as needed and stays between answers, cut back to where the next prompt begins to differ
fresh      the same, dropped after each answer
static     all its memory is taken at once, and none is copied while it grows
quantised  half the memory (8 bits), dropped after each answer; answers differ a little
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fabai.errors import MissingPart
from fabai.settings import Cache

CHUNK = 2_048
"""Tokens of a prompt that are read at a time: what a layer works with for 20,000 would not fit beside the model."""


class Prefix:
    """One model's cache. Not for several threads at a time."""

    def __init__(self, kind: Cache, model: Any, chunk: int = CHUNK) -> None:
        self._kind, self._model, self._chunk = kind, model, chunk
        self._cache: Any = None
        self._ids: list[int] = []

    def begin(self, prompt: Sequence[int], config: Any) -> tuple[dict[str, Any], int]:
        """What `generate` is given beside the prompt, and how many of the prompt's tokens it finds there already.

        config: the GenerationConfig, which is told the kind of cache.
        """
        found = self._shared(prompt)
        if len(prompt) - found > self._chunk:
            config.prefill_chunk_size = self._chunk
            if not _renamed():
                # such a transformers reads pieces from the prompt's very beginning, whatever the cache holds
                found = 0
        if self._kind == "static":
            config.cache_implementation = "static"
            # compiling takes minutes and pays only for thousands of answers of one length
            config.disable_compile = True
            return {}, 0
        if self._kind == "quantised":
            if not _has_bytes():
                raise MissingPart(
                    "cache 'quantised' needs a newer transformers than the one here (pip install -U transformers); or "
                    "take cache 'kept'"
                )
            config.cache_implementation = "quantized"
            config.cache_config = {"backend": "fp8"}
            return {}, 0
        if found:
            self._cache.crop(found - self._cache.get_seq_length())
        else:
            self._cache = self._new()
        # should the answer fail midway, nobody knows what is in it
        self._ids = []
        return {_argument(): self._cache}, found

    def end(self, ids: Sequence[int]) -> None:
        """An answer has ended well. ids: prompt and answer; the last token was never read."""
        if self._kind == "kept":
            self._ids = list(ids[: self._cache.get_seq_length()])
        else:
            self._cache = None

    def drop(self) -> None:
        """An answer failed, maybe for lack of memory: what its cache held is free again."""
        self._cache, self._ids = None, []

    def _shared(self, prompt: Sequence[int]) -> int:
        """Tokens at the beginning of the prompt that the cache holds; the last one is always read."""
        if not self._ids or any(self._cache.is_sliding):
            # a layer that sees a window only has dropped what stands before it
            return 0
        most = min(len(self._ids), len(prompt) - 1)
        return next((at for at in range(most) if self._ids[at] != prompt[at]), most)

    def _new(self) -> Any:
        from transformers import DynamicCache

        return DynamicCache(config=self._model.config.get_text_config(decoder=True))


def _argument() -> str:
    """What `generate` calls it."""
    return "cache" if _renamed() else "past_key_values"


def _renamed() -> bool:
    """Whether `past_key_values` is called `cache` already, which it became in the course of transformers 5."""
    from transformers.generation import utils

    return "cache" in getattr(utils, "ALL_CACHE_NAMES", ())


def _has_bytes() -> bool:
    """Whether this transformers can keep a cache in 8 bits without further packages (5.17 cannot)."""
    from transformers import cache_utils

    return hasattr(cache_utils, "Fp8QuantizedLayer")
