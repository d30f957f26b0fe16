"""The forgetting battery: 2,700 small questions in Spanish, Catalan and English, each with a right and a wrong answer.

A model is not asked to write: the likelihoods of both answers are compared, so that a model of any size gives a margin
(nats by which the right one is likelier) and the base and the tuned model are paired item by item. Made by templates
from battery.toml with a seed, the same items every time. Questions that begin alike share their beginning (trie). Knows
items. Does not know which loss is too much.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from fabai.report import LANGUAGES, Language
from fabai.strict import build, read_toml

from . import bootstrap, trie
from .bootstrap import Interval
from .known import Known, key
from .spread import spread
from .subject import Subject

TASKS = ("arithmetic", "facts", "reasoning", "instructions")
EACH = 225
"""Items of a task in a language: 2,700 in all."""
_ROW = 512
"""Tokens of a row; attention costs its square."""


@dataclass(frozen=True, slots=True)
class Words:
    """The templates and lists of one language in battery.toml."""

    numbers: tuple[str, ...]
    names: tuple[str, ...]
    things: tuple[str, ...]
    words: tuple[str, ...]
    capitals: tuple[str, ...]
    opposites: tuple[str, ...]
    kinds: tuple[str, ...]
    days: tuple[str, ...]
    months: tuple[str, ...]
    sum: str
    difference: str
    product: str
    story: str
    capital: str
    opposite: str
    kind: str
    day: str
    month: str
    taller: str
    where: str
    older: str
    repeat: str
    last: str
    first: str
    yes: str


@dataclass(frozen=True, slots=True)
class Item:
    """question, and two answers that each go on from it after a space."""

    language: Language
    task: str
    question: str
    right: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Score:
    """Of a task, a language or all. accuracy: share of items whose right answer is the likelier one. change: of it;
    margin: of the mean margin, in nats. Both are the tuned model's minus the base's.
    """

    name: str
    items: int
    accuracy_before: float
    accuracy_after: float
    change: Interval
    margin: Interval


def items(each: int = EACH, seed: int = 0) -> list[Item]:
    """The battery: `each` items of every task in every language, the same for the same arguments."""
    path = Path(__file__).parent / "battery.toml"
    table = read_toml(path)
    found = []
    for language in LANGUAGES:
        words = build(Words, table[language], f"{path.name} [{language}]")
        makers: dict[str, Callable[[Words, random.Random], Iterator[tuple[str, str, str]]]] = {
            "arithmetic": _arithmetic, "facts": _facts, "reasoning": _reasoning, "instructions": _instructions,
        }  # fmt: skip
        for task in TASKS:
            draw = random.Random(f"{seed}:{language}:{task}")  # noqa: S311 - questions, not secrets
            unlike = dict.fromkeys(itertools.islice(makers[task](words, draw), 40 * each))
            found += [Item(language, task, *one) for one in itertools.islice(unlike, each)]
    return found


def margins(
    subject: Subject, battery: Sequence[Item], each: Callable[[int], None], known: Known | None = None
) -> npt.NDArray[np.float64]:
    """Nats by which each item's right answer is likelier. each: called with how many items were answered; known: what
    this model said to the same items before.
    """
    tokenizer = subject.encoder.tokenizer
    opening = tokenizer("", verbose=False)["input_ids"] or [subject.encoder.end]

    def tokens(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])

    # of each item its two answers, one behind the other
    questions = [[*opening, *tokens(one.question)] for one in battery]
    answers = [tokens(f" {answer}") for one in battery for answer in (one.right, one.wrong)]
    # nothing is predicted from an answer's last token
    texts = [[*questions[number // 2], *answer[:-1]] for number, answer in enumerate(answers)]
    name = key([texts, answers])
    if known is not None and (said := known.get(name)) is not None:
        each(len(battery))
        return np.array(said)

    def judge(row: trie.Row) -> npt.NDArray[np.float64]:
        """The log-probability of the answer of each text in it."""
        places = [at for text, path in zip(row.texts, row.paths, strict=True) for at in path[-len(answers[text]) :]]
        targets = torch.tensor([token for text in row.texts for token in answers[text]])
        logs = subject.judge_packed(row.ids, row.positions, row.seen, torch.tensor(places), targets).double().numpy()
        return np.add.reduceat(logs, np.cumsum([0, *(len(answers[text]) for text in row.texts[:-1])]))

    def done(row: trie.Row) -> None:
        each(sum(text % 2 == 0 for text in row.texts))

    rows = list(trie.rows(texts, _ROW))
    likely = np.zeros(len(texts))
    for row, logs in zip(rows, spread(rows, [len(row.ids) for row in rows], judge, done, subject.threads), strict=True):
        likely[list(row.texts)] = logs
    found = likely[::2] - likely[1::2]
    if known is not None:
        known.keep(name, found.tolist())
    return found


def scores(
    battery: Sequence[Item], before: npt.NDArray[np.float64], after: npt.NDArray[np.float64], seed: int
) -> list[Score]:
    """All first, then by task, then by language."""
    parts: list[tuple[str, list[int]]] = [("all", list(range(len(battery))))]
    for task in TASKS:
        parts.append((task, [place for place, one in enumerate(battery) if one.task == task]))
    for language in LANGUAGES:
        parts.append((language, [place for place, one in enumerate(battery) if one.language == language]))
    found = []
    for name, places in parts:
        if not places:
            continue
        old, new = before[places], after[places]
        strata = [f"{battery[place].task}:{battery[place].language}" for place in places]
        right = (new > 0).astype(np.float64) - (old > 0).astype(np.float64)
        found.append(
            Score(
                name,
                len(places),
                float((old > 0).mean()),
                float((new > 0).mean()),
                bootstrap.of_items(right, strata, seed),
                bootstrap.of_items(new - old, strata, seed),
            )
        )
    return found


def _pairs(table: Sequence[str]) -> list[tuple[str, str]]:
    return [(left, right) for left, _, right in (one.partition("=") for one in table)]


def _near(draw: random.Random, value: int, high: int) -> int:
    """Another number close by."""
    return draw.choice([one for one in range(max(0, value - 4), min(high, value + 4) + 1) if one != value])


def _arithmetic(words: Words, draw: random.Random) -> Iterator[tuple[str, str, str]]:
    while True:
        spoken = draw.random() < 0.3
        most = len(words.numbers) - 1 if spoken else 99
        kind = draw.choice(("sum", "difference", "product", "story"))
        a, b = draw.randint(1, most // 2), draw.randint(1, most // 2)
        if kind == "difference":
            a, b = a + b, a
        if kind == "product":
            a, b = draw.randint(2, 4 if spoken else 9), draw.randint(2, 4 if spoken else 9)
        right = {"difference": a - b, "product": a * b}.get(kind, a + b)
        wrong = _near(draw, right, most)

        def said(number: int, spoken: bool = spoken) -> str:
            return words.numbers[number] if spoken else str(number)

        template = getattr(words, kind)
        question = template.format(a=said(a), b=said(b), who=draw.choice(words.names), thing=draw.choice(words.things))
        yield question, said(right), said(wrong)


def _facts(words: Words, draw: random.Random) -> Iterator[tuple[str, str, str]]:
    tables = {
        "capital": _pairs(words.capitals), "opposite": _pairs(words.opposites), "kind": _pairs(words.kinds),
        "day": list(zip(words.days, (*words.days[1:], words.days[0]), strict=True)),
        "month": list(zip(words.months, (*words.months[1:], words.months[0]), strict=True)),
    }  # fmt: skip
    names = list(tables)
    while True:
        kind = draw.choice(names)
        key, right = draw.choice(tables[kind])
        wrong = draw.choice([value for _, value in tables[kind] if value != right and value != key])
        yield getattr(words, kind).format(key=key), right, wrong


def _reasoning(words: Words, draw: random.Random) -> Iterator[tuple[str, str, str]]:
    while True:
        kind = draw.choice(("taller", "where", "older"))
        x, y, z = draw.sample(words.names, 3)
        a, b = draw.sample(range(12, 90), 2)
        question = getattr(words, kind).format(x=x, y=y, z=z, a=a, b=b)
        if kind == "taller":
            yield question, x, draw.choice((y, z))
        elif kind == "where":
            yield question, y, x
        else:
            yield question, *((x, y) if a > b else (y, x))


def _instructions(words: Words, draw: random.Random) -> Iterator[tuple[str, str, str]]:
    while True:
        kind = draw.choice(("repeat", "last", "first", "yes"))
        x, y, z = draw.sample(words.words, 3)
        question = getattr(words, kind).format(x=x, y=y, z=z, key=x)
        if kind == "last":
            yield question, z, draw.choice((x, y))
        elif kind == "first":
            yield question, x, draw.choice((y, z))
        else:
            yield question, *((x, y) if kind == "repeat" else (y, x))
