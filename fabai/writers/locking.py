"""How a server is asked to keep to the figure lock, and how to find out that it does.

Knows the fields of the requests: llama.cpp takes a grammar, a vLLM that `fabai serve --lock` started has our own
processor. Does not know HTTP. A server that does not know a field leaves it out in silence.
"""

from __future__ import annotations

from typing import Any, Literal

from fabai.lock import Constraint
from fabai.lock.canary import CANARY_GBNF
from fabai.lock.order import CANARY_ORDER, FIELD, order
from fabai.writers.server import Kind

Way = Literal["grammar", "processor"]

WAYS: dict[Kind, tuple[Way, ...]] = {"llamacpp": ("grammar",), "vllm": ("processor",), "other": ()}
"""By kind of server, the best first."""


def lock_fields(way: Way, constraint: Constraint, begun: str = "") -> dict[str, Any]:
    """For the body of a request. begun: the text that the answer goes on from, as the server has it."""
    if way == "grammar":
        return {"grammar": constraint.gbnf(begun)}
    return {"vllm_xargs": {FIELD: order(constraint, begun)}}


def canary_fields(way: Way) -> dict[str, Any]:
    """A lock under which nothing but fabai.lock.canary.WORD can be written."""
    return {"grammar": CANARY_GBNF} if way == "grammar" else {"vllm_xargs": {FIELD: CANARY_ORDER}}
