"""Two ways to run one model, beside each other: the likeliest token, the distance of their distributions, the loss.

Knows positions and probabilities. Does not know files or which form is looked at.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from fabai.training.evaluate import general
from fabai.training.evaluate.held import chosen, examples_in, held_out
from fabai.training.evaluate.subject import Subject
from torch import Tensor

from fabai.errors import ExportError
from fabai.example import Encoder
from fabai.writers.probe import Probe

LIKELIEST = 200
"""Tokens that llama.cpp is asked about at each position."""
_PROMPTS, _POSITIONS, _BEFORE, _EACH = 20, 2_000, 128, 100
_FLOOR = 1e-12
CLEAR = 0.1
"""Nats between a reference's two likeliest tokens, below which either may come first by rounding alone."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """ids: what stands before, and the text. start: the first place that is looked at."""

    ids: tuple[int, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Seen:
    """Log-probabilities [n, V] of one way to run the model, by prompt."""

    logs: tuple[Tensor, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """top1: share of positions with the same likeliest token; kl: mean nats; losses: of the text, a position. clear:
    positions at which the reference's likeliest token leads by CLEAR; clear_top1: as top1, of those.
    """

    prompts: int
    positions: int
    top1: float
    kl: float
    loss: float
    reference_loss: float
    clear: int
    clear_top1: float


def prompts(encoder: Encoder, fingerprint: str, corpus: Path | None, seed: int) -> tuple[list[Prompt], str]:
    """(20 prompts or more, with 2,000 positions where there is so much text; where they are from)."""
    folder = None if corpus is None else examples_in(corpus, fingerprint)
    if folder is not None:
        held, split = held_out(folder)
        found: list[Prompt] = []
        for one in chosen(held, len(held), seed):
            if len(found) >= _PROMPTS and positions(found) >= _POSITIONS:
                break
            made = encoder.encode(one.messages, one.target)
            found += _prompt(made.ids, made.prompt)
        return found, f"held-out examples of {split}"
    texts = [text for paragraphs in general.texts().values() for text in paragraphs]
    random.Random(f"{seed}:general").shuffle(texts)  # noqa: S311 - an order of texts, not a secret
    found = []
    for text in texts:
        found += _prompt(encoder.tokenizer(text, verbose=False)["input_ids"], 8)
    return found, "general texts that ship with fabai"


def positions(found: Sequence[Prompt]) -> int:
    """How many there are in all."""
    return sum(len(one.ids) - one.start for one in found)


def look(subject: Subject, asked: Sequence[Prompt]) -> Seen:
    """The whole distributions, in PyTorch."""
    found = []
    for one in asked:
        places = range(one.start, len(one.ids))
        parts = [torch.log_softmax(scores, -1).cpu() for _, scores in subject.logits(one.ids, places)]
        found.append(torch.cat(parts))
    return Seen(tuple(found))


def in_torch(reference: Seen, form: Seen, asked: Sequence[Prompt], kept: Sequence[int] | None = None) -> Likeness:
    """Two that were looked at in PyTorch. kept: the form's row of each of the reference's, where the form has the full
    vocabulary of a sliced reference.
    """
    rows = None if kept is None else torch.tensor(list(kept))
    count = same = clear = clear_same = 0
    kl = loss = reference_loss = 0.0
    for one, ours, whole in zip(asked, reference.logs, form.logs, strict=True):
        theirs = whole if rows is None else whole[:, rows]
        size = min(ours.shape[-1], theirs.shape[-1])
        ours, theirs = ours[:, :size], theirs[:, :size]
        target = torch.tensor(one.ids[one.start :])[:, None]
        count += len(ours)
        alike, leading = ours.argmax(-1) == theirs.argmax(-1), _clear(ours)
        same += int(alike.sum())
        clear += int(leading.sum())
        clear_same += int((alike & leading).sum())
        kl += float((ours.exp() * (ours - theirs)).sum())
        loss -= float(theirs.gather(1, target).sum())
        reference_loss -= float(ours.gather(1, target).sum())
    return _likeness(len(asked), count, same, kl, loss, reference_loss, clear, clear_same)


def in_llamacpp(reference: Seen, form: Probe, asked: Sequence[Prompt], kept: Sequence[int] | None = None) -> Likeness:
    """The form in llama.cpp, over its likeliest tokens and the rest; a token that is not among them counts as an equal
    part of the rest, on both sides. kept: as in `in_torch`.
    """
    back = None if kept is None else {row: index for index, row in enumerate(kept)}
    count = same = clear = clear_same = 0
    kl = loss = reference_loss = 0.0
    for one, logs in zip(asked, reference.logs, strict=True):
        ids = one.ids if kept is None else tuple(kept[token] for token in one.ids)
        leading = _clear(logs).tolist()
        for place, (ours, said) in enumerate(zip(logs, form.following(ids, one.start, LIKELIEST), strict=True)):
            theirs = said if back is None else {back[token]: value for token, value in said.items() if token in back}
            theirs = {token: value for token, value in theirs.items() if token < len(ours)}
            if not theirs:
                continue
            mine = {token: float(ours[token]) for token in theirs}
            rest, their_rest = _rest(mine.values()), _rest(theirs.values())
            count += 1
            alike = int(ours.argmax()) == max(theirs, key=theirs.__getitem__)
            same += alike
            clear += leading[place]
            clear_same += alike and leading[place]
            kl += sum(math.exp(value) * (value - theirs[token]) for token, value in mine.items())
            kl += rest * math.log(rest / their_rest)
            token = one.ids[one.start + place]
            others = max(1, len(ours) - len(theirs))
            loss -= theirs.get(token, math.log(their_rest / others))
            reference_loss -= mine.get(token, math.log(rest / others))
    return _likeness(len(asked), count, same, kl, loss, reference_loss, clear, clear_same)


def _clear(logs: Tensor) -> Tensor:
    """Whether the likeliest token leads [n], of log-probabilities [n, V]."""
    first = logs.topk(2).values
    return first[:, 0] - first[:, 1] >= CLEAR


def _prompt(ids: Sequence[int], start: int) -> list[Prompt]:
    """The end of a text, with as much before it as decides what comes next."""
    first = max(start, 1, len(ids) - _EACH)
    begin = max(0, first - _BEFORE)
    return [Prompt(tuple(ids[begin:]), first - begin)] if first < len(ids) else []


def _rest(logs: Iterable[float]) -> float:
    return max(_FLOOR, 1.0 - sum(math.exp(value) for value in logs))


def _likeness(
    prompts: int, count: int, same: int, kl: float, loss: float, reference_loss: float, clear: int, clear_same: int
) -> Likeness:
    if not count:
        raise ExportError("the exported form gave no probabilities that could be compared; look at it with fabai serve")
    return Likeness(
        prompts,
        count,
        same / count,
        kl / count,
        loss / count,
        reference_loss / count,
        clear,
        clear_same / max(1, clear),
    )
