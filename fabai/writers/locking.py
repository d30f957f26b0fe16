"""How a server is asked to keep to the figure lock, and how to find out that it does.

Knows the fields of the requests and of what llama.cpp says of a token: it takes a grammar, and a vLLM that `fabai serve
--lock` started has our own processor. Does not know HTTP. A server that does not know a field leaves it out in silence.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

from fabai.lock import Constraint
from fabai.lock.canary import CANARY_GBNF
from fabai.lock.doubt import Doubt
from fabai.lock.order import CANARY_ORDER, FIELD, order
from fabai.writers.server import Kind

Way = Literal["grammar", "processor"]

WAYS: dict[Kind, tuple[Way, ...]] = {"llamacpp": ("grammar",), "vllm": ("processor",), "other": ()}
"""By kind of server, the best first."""
PROBABLE: dict[Way, dict[str, Any]] = {
    "grammar": {"logprobs": True, "top_logprobs": 1, "post_sampling_probs": False},
    "processor": {"logprobs": True, "top_logprobs": 0},
}
"""The chat then says of each token how probable it was without the lock; vLLM's `logprobs_mode` is "raw_logprobs"."""


def lock_fields(way: Way, constraint: Constraint, begun: str = "") -> dict[str, Any]:
    """For the body of a request. begun: the text that the answer goes on from, as the server has it."""
    own = {"grammar": constraint.gbnf(begun)} if way == "grammar" else {"vllm_xargs": {FIELD: order(constraint, begun)}}
    return {**own, **PROBABLE[way]}


def canary_fields(way: Way) -> dict[str, Any]:
    """A lock under which nothing but fabai.lock.canary.WORD can be written."""
    return {"grammar": CANARY_GBNF} if way == "grammar" else {"vllm_xargs": {FIELD: CANARY_ORDER}}


def hear(choice: Mapping[str, Any], doubt: Doubt) -> None:
    """Tell what a piece of an answer says of its tokens, where it says it."""
    for one in (choice.get("logprobs") or {}).get("content") or ():
        doubt.feed(bytes(one["bytes"]), math.exp(one["logprob"]))
