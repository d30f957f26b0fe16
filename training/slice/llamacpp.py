"""Which of llama.cpp's pre-tokenizers a tokenizer is.

llama.cpp's converter recognises a pre-tokenizer by a hash of the ids that a test text gets, so a slice, whose ids are
other numbers for the same cuts, is not recognised. Its rules are untouched, though, and they tell the name. Does not
write GGUF.
"""

from __future__ import annotations

import json

from .families import Family

# what only the pre-tokenizer of this name has; the first that fits
_MARKS = (
    ("tekken", ("\\\\p{Lu}\\\\p{Lt}\\\\p{Lm}\\\\p{Lo}\\\\p{M}", "[\\\\r\\\\n/]*")),
    ("llama-bpe", ("(?i:'s|'t|'re|'ve|'m|'ll|'d)", "\\\\p{N}{1,3}")),
    ("qwen2", ("(?i:'s|'t|'re|'ve|'m|'ll|'d)", "|\\\\p{N}|")),
    ("smollm", ('"Digits"', '"individual_digits": true', '"ByteLevel"')),
)


def pre_name(family: Family) -> str | None:
    """The value of tokenizer.ggml.pre for this tokenizer and its slices; None where none is known."""
    if family.kind != "byte-level":
        return None
    rules = json.dumps(family.table.get("pre_tokenizer"))
    for name, marks in _MARKS:
        if all(mark in rules for mark in marks):
            return name
    plain = family.table.get("pre_tokenizer") or {}
    return "gpt-2" if plain.get("type") == "ByteLevel" and plain.get("use_regex", True) else None


def gguf_advice(family: Family) -> str:
    """What to do for GGUF, in one sentence."""
    name = pre_name(family)
    if name is not None:
        return (
            f"for GGUF state tokenizer.ggml.pre = {name} (the cuts are the original's, only the numbers differ), "
            "or restore the full vocabulary first: fabai unslice"
        )
    return (
        "for GGUF restore the full vocabulary first (fabai unslice): "
        "llama.cpp has no name for this tokenizer's rules once it is sliced"
    )
