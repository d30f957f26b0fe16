"""The transformers Writer's loop from prompt to answer, handed to `generate` as its custom_generate.

Knows transformers' processors, criteria and streamers. Does not know which cache it is given. It is our own for two
things that generate() does not do: it goes on from what the cache holds also where a prompt is read in pieces, and it
replays a step where that can be done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fabai.writers.prefix import Begun
from fabai.writers.replay import argument

if TYPE_CHECKING:
    from fabai.writers.masking import Masking


def decoding(begun: Begun, chunk: int, put: Callable[[Any], None], lock: Masking | None = None) -> Callable[..., Any]:
    """What `generate` calls. chunk: tokens of the prompt that are read at a time. put: told each new token (generate
    keeps its streamer from a loop that is not its own). lock: told each token here, where the host has it already; one
    that read it from the card again would wait for the whole next step.
    """

    def decode(
        model: Any,
        input_ids: Any,
        logits_processor: Any,
        stopping_criteria: Any,
        generation_config: Any,
        **inputs: Any,
    ) -> Any:
        import torch

        cache = inputs[argument()] if begun.cache is None else begun.cache

        def read(tokens: Any, begins: int) -> Any:
            places = torch.arange(begins, begins + tokens.shape[1], device=tokens.device)[None]
            found = model(
                input_ids=tokens, position_ids=places, use_cache=True, logits_to_keep=1, **{argument(): cache}
            )
            return found.logits[:, -1].float()

        scores: Any = None
        for begins in range(begun.found, input_ids.shape[1], chunk):
            scores = read(input_ids[:, begins : begins + chunk], begins)
        while True:
            scores = logits_processor(input_ids, scores if lock is None else lock.forbid(scores))
            if generation_config.do_sample:
                token = torch.multinomial(torch.softmax(scores, dim=-1), num_samples=1)
            else:
                token = torch.argmax(scores, dim=-1, keepdim=True)
            begins = input_ids.shape[1]
            input_ids = torch.cat([input_ids, token], dim=1)
            said = token[0].cpu()
            if lock is not None:
                lock.took(int(said))
            put(said)
            if stopping_criteria(input_ids, None).all():
                return input_ids
            scores = read(token, begins) if begun.replay is None else begun.replay(token)

    return decode
