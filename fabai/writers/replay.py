"""One step of decoding as a CUDA graph: the thousands of small kernels that a token takes are launched at once.

Knows a model of transformers over a static cache whose memory stays where it is. Does not know texts. Without it the
card waits for Python: eight thousand million weights in 4 bits wrote 13 tokens a second on an H200 (training/LOG.md).
"""

from __future__ import annotations

from typing import Any


class Replay:
    """The step that follows on what a static cache holds. Captured when it is first wanted, and good as long as the
    cache.
    """

    def __init__(self, model: Any, cache: Any) -> None:
        self._model, self._cache = model, cache
        self._graph: Any = None
        self._token: Any = None
        self._logits: Any = None

    @staticmethod
    def fits(model: Any, cache: Any) -> bool:
        """Whether model and cache can be replayed: on a card, no layer that counts its tokens outside the card."""
        return (
            model.device.type == "cuda"
            and model.config.get_text_config(decoder=True)._attn_implementation == "sdpa"
            and not any(cache.is_sliding)
        )

    def __call__(self, token: Any) -> Any:
        """token: (1, 1) -> scores of the next one, (1, vocabulary)."""
        if self._graph is None:
            self._capture(token)
        self._token.copy_(token)
        self._graph.replay()
        return self._logits

    def _capture(self, token: Any) -> None:
        import torch

        # what the prompt was read with is free, and the graph's memory is its own
        torch.cuda.empty_cache()
        self._token = token.clone()
        length = int(self._cache.layers[0].cumulative_length)
        aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(2):
                self._step()
                set_length(self._cache, length)
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        # other threads may go on using the card meanwhile
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            self._logits = self._step()
        set_length(self._cache, length)
        self._graph = graph

    def _step(self) -> Any:
        import torch

        layer = self._cache.layers[0]
        place = layer.cumulative_length.view(1, 1).clone()
        seen = torch.arange(layer.max_cache_len, device=place.device) <= place
        found = self._model(
            input_ids=self._token,
            attention_mask=seen[None, None],
            position_ids=place,
            use_cache=True,
            **{argument(): self._cache},
        )
        return found.logits[:, -1].float()


def set_length(cache: Any, tokens: int) -> None:
    """A static cache holds so many tokens from now on."""
    import torch

    # the count was made in this mode, and nothing else may change it
    with torch.inference_mode():
        for layer in cache.layers:
            layer.cumulative_length.fill_(tokens)


def argument() -> str:
    """What a model calls the cache it is given: `past_key_values` became `cache` in the course of transformers 5."""
    from transformers.generation import utils

    return "cache" if "cache" in getattr(utils, "ALL_CACHE_NAMES", ()) else "past_key_values"
