"""How many prompts the KV cache of a running server keeps warm.

Knows vLLM's metrics (GET /metrics, vllm:cache_config_info) and llama.cpp's slots. Does not start anything.
"""

from __future__ import annotations

import re

import httpx

from fabai.serving.launch import Launch
from fabai.settings import ServeSettings

_INFO = re.compile(r"^vllm:cache_config_info\{(.*)\}", re.MULTILINE)
_LABEL = re.compile(r'(\w+)="([^"]*)"')


def kept_warm(url: str, launch: Launch, settings: ServeSettings) -> str:
    """A sentence about the server at `url`, "" where it does not tell."""
    if launch.server != "vLLM":
        each = (
            "its slot keeps the last prompt"
            if settings.slots == 1
            else f"its {settings.slots} slots keep the last prompt each"
        )
        return f"{each} warm, of up to {settings.context:,} tokens with the answer"
    try:
        reply = httpx.get(f"{url}/metrics", timeout=10.0, trust_env=False)
    except httpx.HTTPError:
        return ""
    tokens = told(reply.text) if reply.status_code == 200 else None
    return "" if tokens is None else warm(tokens, settings.window)


def warm(tokens: int, window: int) -> str:
    """How many windows stay warm in a cache of so many tokens, as a sentence."""
    fit = tokens // window
    if fit < 1:
        return (
            f"the KV cache holds {tokens:,} tokens, less than one window of {window:,}: every prompt is read anew; "
            "give --memory more of the card, a smaller --context, or a smaller model"
        )
    stay = f"{fit} windows of {window:,} stay" if fit > 1 else f"one window of {window:,} stays"
    return (
        f"the KV cache holds {tokens:,} tokens: {stay} warm at a time; more writers are served, but each rereads its "
        "prompt when others came between"
    )


def told(metrics: str) -> int | None:
    """From the text of /metrics."""
    found = _INFO.search(metrics)
    labels = dict(_LABEL.findall(found[1])) if found else {}
    if labels.get("kv_cache_size_tokens", "").isdigit():
        return int(labels["kv_cache_size_tokens"])
    blocks, size = labels.get("num_gpu_blocks", ""), labels.get("block_size", "")
    return int(blocks) * int(size) if blocks.isdigit() and size.isdigit() else None
