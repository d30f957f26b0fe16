"""The proof: that a slice on disk computes what the original computes. Each check raises NotProven or returns what it
looked at.

Knows both folders, and loads both models on the CPU where asked to. Does not know how the slice was chosen.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from tokenizers import Tokenizer

from fabai.errors import FabaiError

from .checkpoint import Checkpoint, read_checkpoint
from .counts import Ids, encode
from .rows import row_blocks

if TYPE_CHECKING:
    import torch

# where fuzzed text is drawn from: (first, last) code points
_RANGES = (
    (0x20, 0x7E),
    (0x00, 0x1F),
    (0x7F, 0x24F),
    (0x300, 0x36F),
    (0x370, 0x52F),
    (0x590, 0x6FF),
    (0x900, 0xDFF),
    (0x1100, 0x11FF),
    (0x2000, 0x206F),
    (0x20A0, 0x22FF),
    (0x3040, 0x30FF),
    (0x4E00, 0x9FFF),
    (0xAC00, 0xD7A3),
    (0xE000, 0xE0FF),
    (0xFE00, 0xFEFF),
    (0x1F300, 0x1FAFF),
    (0xE0000, 0xE007F),
    (0x10FF00, 0x10FFFF),
)


class NotProven(FabaiError):
    """A check of the slice failed; the folder must not be used."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What was compared. rows, other_tensors: bit for bit. texts: encoded by both; same: those promised the same
    segmentation. round_trips: fuzzed texts. logits: numbers compared (0: the model was too large to run here).
    """

    rows: int
    other_tensors: int
    texts: int
    same: int
    round_trips: int
    logits: int


def verify(
    original: Checkpoint,
    folder: Path,
    kept: Ids,
    before: Tokenizer,
    after: Tokenizer,
    texts: Sequence[str],
    *,
    run: bool,
) -> Proof:
    """Check `folder` against the original; kept[row] = original row. run: also load both models and compare their
    logits.
    """
    sliced = read_checkpoint(folder)
    rows = check_rows(original, sliced, kept)
    others = check_others(original, sliced)
    same = check_segmentation(before, after, kept, texts)
    trips = fuzz(texts, 400)
    check_round_trips(before, after, trips)
    logits = check_logits(original.folder, folder, kept, after, texts) if run else 0
    return Proof(rows, others, len(texts), same, len(trips), logits)


def check_rows(original: Checkpoint, sliced: Checkpoint, kept: Ids) -> int:
    """Every row of every vocabulary tensor; returns how many."""
    count = 0
    for name in original.vocabulary:
        old, new = original.tensors[name], sliced.tensors[name]
        if new.dtype != old.dtype or new.shape != (len(kept), *old.shape[1:]):
            raise NotProven(
                f"{name} of the slice is {new.dtype} {new.shape}, which is not the original cut to {len(kept):,} rows"
            )
        found = row_blocks(sliced.folder, new, sliced.header_bytes[new.file])
        for first, rows in found:
            wanted = _rows(original, name, kept[first : first + len(rows)])
            if not np.array_equal(rows, wanted):
                raise NotProven(
                    f"{name}: a row between {first:,} and {first + len(rows):,} differs from the original's; slice "
                    "again"
                )
            count += len(rows)
    return count


def _rows(checkpoint: Checkpoint, name: str, wanted: Ids) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    one = checkpoint.tensors[name]
    low = np.memmap(
        checkpoint.folder / one.file,
        np.uint8,
        "r",
        checkpoint.header_bytes[one.file] + one.start,
        (one.shape[0], one.row_bytes),
    )
    return np.asarray(low[wanted])


def check_others(original: Checkpoint, sliced: Checkpoint) -> int:
    """Every other tensor, byte by byte; returns how many."""
    if original.tensors.keys() != sliced.tensors.keys():
        raise NotProven("the slice does not hold the same tensors as the original; slice again")
    names = [name for name in original.tensors if name not in original.vocabulary]
    for name in names:
        old, new = original.tensors[name], sliced.tensors[name]
        if (old.dtype, old.shape) != (new.dtype, new.shape):
            raise NotProven(f"{name} has another type or shape in the slice; slice again")
        if not old.shape or not old.shape[0]:
            continue
        left = row_blocks(original.folder, old, original.header_bytes[old.file])
        right = row_blocks(sliced.folder, new, sliced.header_bytes[new.file])
        if any(not np.array_equal(one, two) for (_, one), (_, two) in zip(left, right, strict=True)):
            raise NotProven(f"{name} differs from the original's; slice again")
    return len(names)


def check_segmentation(before: Tokenizer, after: Tokenizer, kept: Ids, texts: Sequence[str]) -> int:
    """Texts whose original tokens are all kept must get the same ones; returns how many those were."""
    alive = set(kept[: after.get_vocab_size(with_added_tokens=True)].tolist())
    same = 0
    for text, old, new in zip(texts, encode(before, texts), encode(after, texts), strict=True):
        if alive.issuperset(old.ids):
            same += 1
            if kept[np.array(new.ids, np.int64)].tolist() != old.ids:
                raise NotProven(
                    f"the slice cuts {text[:60]!r} differently although it has all of its tokens; slice again"
                )
    return same


def check_round_trips(before: Tokenizer, after: Tokenizer, texts: Sequence[str]) -> None:
    """What comes back from encoding and decoding must be what comes back with the original tokenizer."""
    for text, old, new in zip(texts, encode(before, texts), encode(after, texts), strict=True):
        for skip in (False, True):
            if before.decode(old.ids, skip_special_tokens=skip) != after.decode(new.ids, skip_special_tokens=skip):
                raise NotProven(
                    f"{text[:60]!r} does not come back from the slice as it does from the original; slice again"
                )


def fuzz(texts: Sequence[str], count: int, seed: int = 0) -> list[str]:
    """Texts of mixed scripts, emoji, control characters and pieces of the given texts; no lone surrogates."""
    chance = random.Random(seed)  # noqa: S311 - test text, not a secret
    found = []
    for _ in range(count):
        parts = []
        for _ in range(chance.randint(1, 8)):
            first, last = chance.choice(_RANGES)
            parts.append("".join(chr(chance.randint(first, last)) for _ in range(chance.randint(1, 6))))
            if texts and chance.random() < 0.5:
                text = chance.choice(texts)
                start = chance.randrange(len(text) + 1)
                parts.append(text[start : start + 12])
            parts.append(chance.choice(("", " ", "  ", "\n", "\r\n", "\t", "\u00a0")))
        found.append("".join(parts))
    return found


def check_logits(
    original: Path, sliced: Path, kept: Ids, after: Tokenizer, texts: Sequence[str], device: str = "cpu"
) -> int:
    """The logits of kept tokens on the sampled texts: bit-equal on the CPU; returns how many numbers were compared."""
    import torch

    ids = [encoding.ids[:64] for encoding in encode(after, texts[:8]) if encoding.ids]
    old = logits(original, [kept[np.array(one, np.int64)].tolist() for one in ids], device)
    new = logits(sliced, ids, device)
    count = 0
    index = torch.from_numpy(kept)
    for left, right in zip(old, new, strict=True):
        wanted = left[:, index]
        if not torch.equal(wanted, right):
            far = (wanted.float() - right.float()).abs().max().item()
            raise NotProven(f"the slice's logits differ from the original's by up to {far:.3g}; do not use it")
        count += wanted.numel()
    return count


def logits(folder: Path, ids: Sequence[Sequence[int]], device: str) -> list[torch.Tensor]:
    """Logits [length, rows] of each sequence, on the CPU, from the model in its own precision run on `device`."""
    import torch
    from transformers import AutoModelForCausalLM

    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype="auto")
    model.to(device).eval()
    with torch.no_grad():
        return [model(torch.tensor([one], device=device)).logits[0].cpu() for one in ids]
