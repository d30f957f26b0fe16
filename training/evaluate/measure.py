"""Loss on held-out sections, of the tuned model and of what it is compared with: per language and kind of section.

Losses are of labelled tokens; perplexity is per token and bits are per byte of the labelled text, so that models with
other vocabularies can be compared. Knows sums and projects. Does not know where the sections are from.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fabai.example import IGNORED, Encoder

from . import bootstrap, trie
from .bootstrap import Interval
from .held import Held
from .known import Known, key
from .spread import spread
from .subject import Asked, Subject

LEAST = 3
"""Projects below which no interval is drawn."""
KINDS = ("table", "list", "prose")
"""What a section mostly consists of."""
_TABLE, _LIST = re.compile(r"(?m)^\s*\|"), re.compile(r"(?m)^\s*(?:[-*+]|\d+[.)])\s")


@dataclass(frozen=True, slots=True)
class Section:
    """One held-out section. loss, other: summed nats of the tuned model and of the other; tokens: labelled, of each;
    size: bytes of the labelled text. run, other_run: tokens of the longest run that each gives word for word, when it
    is led along the text.
    """

    id: str
    project: str
    language: str
    kind: str
    loss: float
    other: float
    tokens: int
    other_tokens: int
    size: int
    run: int
    other_run: int


@dataclass(frozen=True, slots=True)
class Group:
    """Sections of one language or kind, or all. before: of what is compared with; after: of the tuned model.
    difference: after - before in bits per byte, None with fewer than LEAST projects.
    """

    name: str
    sections: int
    projects: int
    perplexity_before: float
    perplexity_after: float
    loss_before: float
    loss_after: float
    bits_before: float
    bits_after: float
    difference: Interval | None


def sections(
    held: Sequence[Held], tuned: Subject, other: Subject | None, each: Callable[[], None], known: Known | None = None
) -> list[Section]:
    """In the order of `held`. other None: the tuned model without its adapter; known: what that said before. each:
    called after every answer, of which a section has two.
    """
    if other is None:
        with tuned.base():
            before = answers(held, tuned, each, known)
    else:
        before = answers(held, other, each)
    after = answers(held, tuned, each)
    return [
        Section(
            one.id, one.project, one.language, kind(one.target), ours.loss, theirs.loss, ours.tokens, theirs.tokens,
            ours.size, ours.run, theirs.run,
        )
        for one, ours, theirs in zip(held, after, before, strict=True)
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """What one model makes of a section; see Section."""

    loss: float
    tokens: int
    size: int
    run: int


def answers(
    held: Sequence[Held], subject: Subject, each: Callable[[], None], known: Known | None = None
) -> list[Answer]:
    """In the order of `held`; computed in that of their tokens, so that what begins alike is side by side."""
    kept = Known(None) if known is None else known
    made = [_asked(one, subject.encoder) for one in held]
    names = [key([list(asked.ids), list(asked.judged)]) for asked, _ in made]
    said = [kept.get(name) for name in names]
    unknown = sorted(
        (place for place, values in enumerate(said) if values is None), key=lambda place: tuple(made[place][0].ids)
    )
    for _ in range(len(made) - len(unknown)):
        each()

    def ask(place: int) -> list[float]:
        logs, first = subject.follow(made[place][0])
        return [-float(logs.double().sum()), _longest(first.tolist())]

    asked = [made[place][0].ids for place in unknown]
    # what is computed of each: what stands behind the beginning that it shares with the one before
    sizes = [len(ids) - trie.shared(before, ids) for before, ids in zip([(), *asked], asked, strict=False)]
    for place, values in zip(unknown, spread(unknown, sizes, ask, lambda _: each(), subject.threads), strict=True):
        said[place] = values
        kept.keep(names[place], values)
    return [
        Answer(values[0], len(one.judged), size, int(values[1]))
        for values, (one, size) in zip(said, made, strict=True)
        if values is not None
    ]


def groups(found: Sequence[Section], seed: int) -> dict[str, list[Group]]:
    """{"all": one group, "language": ..., "kind": ...}."""
    ways: Mapping[str, Callable[[Section], str]] = {
        "all": lambda _: "all", "language": lambda one: one.language, "kind": lambda one: one.kind,
    }  # fmt: skip
    table = {}
    for way, name_of in ways.items():
        parts: dict[str, list[Section]] = defaultdict(list)
        for one in found:
            parts[name_of(one)].append(one)
        table[way] = [_group(name, part, seed) for name, part in sorted(parts.items())]
    return table


def kind(text: str) -> str:
    """Which of KINDS a section is."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return "prose"
    if sum(bool(_TABLE.match(line)) for line in lines) > len(lines) / 2:
        return "table"
    return "list" if sum(bool(_LIST.match(line)) for line in lines) > len(lines) / 2 else "prose"


def _group(name: str, part: Sequence[Section], seed: int) -> Group:
    projects: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in part:
        projects[one.project].append(((one.loss - one.other) / math.log(2), one.size))
    size = sum(one.size for one in part) * math.log(2)
    after, before = sum(one.loss for one in part), sum(one.other for one in part)
    tokens, others = sum(one.tokens for one in part), sum(one.other_tokens for one in part)
    return Group(
        name, len(part), len(projects), math.exp(before / others), math.exp(after / tokens), before / others,
        after / tokens, before / size, after / size,
        bootstrap.of_groups(projects, seed) if len(projects) >= LEAST else None,
    )  # fmt: skip


def _asked(one: Held, encoder: Encoder) -> tuple[Asked, int]:
    """The tokens of an example with those that are judged, and the bytes of what is judged."""
    made = encoder.encode(one.messages, one.target, one.masked)
    judged = [place for place, label in enumerate(made.labels) if label != IGNORED and place]
    hidden = sum(len(one.target[start:end].encode()) for start, end in one.masked)
    return Asked(made.ids, judged), max(1, len(one.target.encode()) - hidden)


def _longest(said: Sequence[bool]) -> int:
    best = run = 0
    for same in said:
        run = run + 1 if same else 0
        best = max(best, run)
    return best
