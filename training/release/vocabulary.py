"""A model folder's tokenizer as a GGUF file has it: tokens by id, their kinds, merges, and the cutting rule's name.

Knows byte-level BPE (GPT-2's alphabet). llama.cpp cuts text by rules of its own that go by a name, so a tokenizer whose
rules have none there, or a sliced one whose rules are not recognised, is refused rather than guessed. Does not write
files.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from fabai.training.slice.families import read_family
from fabai.training.slice.llamacpp import pre_name
from fabai.training.slice.manifest import FOLDER, read_manifest

from fabai.errors import ExportError
from fabai.example import encoder

NORMAL, CONTROL, USER_DEFINED, UNUSED = 1, 3, 4, 5
"""llama.cpp's kinds of token."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """tokens: by id, as many as the model has rows. end, start, pad: ids, None where there is none. template: of
    chats.
    """

    tokens: list[str]
    kinds: list[int]
    merges: list[str]
    pre: str
    end: int
    start: int | None
    pad: int | None
    starts: bool
    template: str | None


def vocabulary(folder: Path, rows: int) -> Vocabulary:
    """ExportError in a sentence where llama.cpp could not cut text as this tokenizer does."""
    family = read_family(folder / "tokenizer.json")
    if family.kind != "byte-level":
        raise ExportError(
            f"the tokenizer of {folder} is a {family.name}, and fabai writes GGUF files for byte-level BPE only: "
            "convert the merged folder (--merge 16bit) with llama.cpp's own convert_hf_to_gguf.py"
        )
    pre = pre_of(folder)
    if pre is None:
        raise ExportError(
            f"llama.cpp has no name for the cutting rules of the tokenizer in {folder}: convert the merged folder "
            "(--merge 16bit) with llama.cpp's own convert_hf_to_gguf.py"
        )
    reading = encoder(folder)
    tokenizer = reading.tokenizer
    special = set(tokenizer.all_special_ids)
    special |= {entry["id"] for entry in family.table.get("added_tokens", ()) if entry.get("special")}
    tokens, kinds = [], []
    for index in range(rows):
        text = family.strings[index] if index < family.size else ""
        if index in family.added:
            tokens.append(family.added[index])
            kinds.append(CONTROL if index in special else USER_DEFINED)
        else:
            tokens.append(text or f"[PAD{index}]")
            kinds.append(NORMAL if text else UNUSED)
    strings = family.strings
    merges = [f"{strings[left]} {strings[right]}" for left, right, _ in family.merges]
    opened = tokenizer("", verbose=False)["input_ids"]
    return Vocabulary(
        tokens, kinds, merges, pre, reading.end, tokenizer.bos_token_id, tokenizer.pad_token_id,
        bool(opened) and opened[0] == tokenizer.bos_token_id,
        tokenizer.chat_template if isinstance(tokenizer.chat_template, str) else None,
    )  # fmt: skip


def pre_of(folder: Path) -> str | None:
    """llama.cpp's name of the rules by which this tokenizer cuts, a slice's as the original's; None where it has
    none.
    """
    if (folder / FOLDER / "manifest.json").is_file():
        about, _ = read_manifest(folder)
        return about.pre
    return pre_name(read_family(folder / "tokenizer.json"))
