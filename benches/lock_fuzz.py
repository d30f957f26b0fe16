"""Each export of the lock against the checker: mutated sentences that it lets through, and walks that seek digits.

    python -m benches.lock_fuzz [--strings 300000] [--walks 2000] [--only gbnf] [--language es] [--jobs 16]

The masker is asked token by token, with SmolLM2's vocabulary; the GBNF and the regular expression are read back from
their text (benches/lock_machine.py). None may pass a text in which the checker, which knows none of them, finds a
fault. All three languages, 8 and 60 facts by turns. Parts run in several processes and are kept under --out, so a run
that was stopped goes on. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, get_args

import numpy as np

import fabai.lock
from benches.lock_machine import Machine
from benches.lock_strings import ledger, mutated
from benches.shards import CORES, folder, run
from fabai.lock import Constraint
from fabai.lock.masker import Masker
from fabai.lock.vocabulary import Vocabulary
from fabai.report import Language
from fabai.tokens import byte_alphabet
from fabai.writers.gguf import _head
from fabai.writers.models import installed

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")
SIZES = (8, 60)
EXPORTS = ("masker", "gbnf", "regex")
_STEPS = 90  # of a walk
_PIECE = 2_500
"""Strings of a part; a walk costs as much as 150 of them."""


class Export(Protocol):
    """One form of the lock, followed from the beginning of a line."""

    def accepts(self, text: str, pick: random.Random, /) -> bool: ...

    def walk(self, pick: random.Random) -> str:
        """A text made of steps that are allowed, to digits where there are any, up to where it may end."""
        ...


class Grammar:
    """The GBNF or the regular expression, from its text."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def accepts(self, text: str, _: random.Random) -> bool:
        return self._machine.accepts(text)

    def walk(self, pick: random.Random) -> str:
        state, text, whole = 0, "", 0
        for _ in range(_STEPS):
            said = sorted(self._machine.open(state))
            one = _choose(said, [one for one in said if one.isdigit()], " " if " " in said else None, pick)
            following = self._machine.step(state, one)
            assert following is not None
            state, text = following, text + one
            whole = len(text) if self._machine.final(state) else whole
        return text[:whole]


class Tokens:
    """The masker, which lets a model write tokens."""

    def __init__(self, lock: Constraint, vocabulary: Vocabulary) -> None:
        self._masker = Masker(lock.automaton, vocabulary, [])
        self._tokens = vocabulary.tokens
        self._ids = {token: place for place, token in enumerate(vocabulary.tokens) if token}
        self._longest = max(map(len, self._ids))
        self._digits = np.zeros(vocabulary.size, dtype=np.bool_)
        for token, place in self._ids.items():
            self._digits[place] = any(map(str.isdigit, token.decode("utf-8", "replace")))

    def accepts(self, text: str, pick: random.Random) -> bool:
        """Whether tokens, of random length, may come one after the other."""
        state, data = self._masker.start, text.encode("utf-8", "surrogatepass")
        while data:
            size = min(self._longest, len(data)) if pick.random() < 0.7 else pick.randrange(1, 4)
            while data[:size] not in self._ids and size:
                size -= 1
            if not size:
                return False
            token = self._ids[data[:size]]
            following = self._masker.step(state, token)
            if self._masker.forbidden(state)[token] or following is None:
                return False
            state, data = following, data[size:]
        return self._masker.automaton.final(state)

    def walk(self, pick: random.Random) -> str:
        state, text, whole = self._masker.start, b"", 0
        for _ in range(_STEPS // 3):
            allowed, blank = ~self._masker.forbidden(state), self._ids[b" "]
            digits = (allowed & self._digits).nonzero()[0]
            token = int(_choose(allowed.nonzero()[0], digits, blank if allowed[blank] else None, pick))
            following = self._masker.step(state, token)
            assert following is not None
            state, text = following, text + (self._tokens[token] or b"")
            whole = len(text) if self._masker.automaton.final(state) else whole
        return text[:whole].decode()


def _choose(
    said: SupportsLenAndGetItem[T], digits: SupportsLenAndGetItem[T], blank: T | None, pick: random.Random
) -> T:
    """One of what may come; one with a digit, or the blank that may stand before one, more often than not."""
    seeks = pick.random() < 0.3
    if len(digits) and pick.random() < 0.8:
        return pick.choice(digits)
    return blank if blank is not None and seeks else pick.choice(said)


def export_of(name: str, lock: Constraint, vocabulary: Vocabulary) -> Export:
    if name == "masker":
        return Tokens(lock, vocabulary)
    return Grammar(Machine.of_gbnf(lock.gbnf()) if name == "gbnf" else Machine.of_regex(lock.regex()))


def fuzz(lock: Constraint, export: Export, strings: int, walks: int, seed: int) -> Counter[str]:
    """strings, walks, accepted, figures, and violations: texts that passed and have a fault."""
    found, pick = Counter(strings=strings, walks=walks, violations=0), random.Random(seed)
    passed = [one for one in mutated(lock.forms, lock.language, strings, seed) if export.accepts(one, pick)]
    found["accepted"] = len(passed)
    for text in (*passed, *(export.walk(pick) for _ in range(walks))):
        found["figures"] += lock.checker.figures(text)
        if slips := lock.slips(text):
            found["violations"] += 1
            print(f"{text!r}: {slips[0]}")
    return found


@dataclass(frozen=True, slots=True)
class Part:
    """Some strings and walks for one export of one lock; model: the GGUF file that has the vocabulary."""

    export: str
    language: Language
    facts: int
    strings: int
    walks: int
    seed: int
    model: Path


def look(part: Part) -> dict[str, Any]:
    """What `fuzz` counts for a part."""
    return dict(fuzz(_lock(part.language, part.facts), _export(part), part.strings, part.walks, part.seed))


@cache
def _lock(language: Language, facts: int) -> Constraint:
    return Constraint(ledger(facts, language), language)


def _export(part: Part) -> Export:
    return _made(part.export, part.language, part.facts, part.model)


@cache
def _made(name: str, language: Language, facts: int, model: Path) -> Export:
    return export_of(name, _lock(language, facts), vocabulary_of(model))


@cache
def vocabulary_of(model: Path) -> Vocabulary:
    """Of a GGUF file whose tokens are written in GPT-2's alphabet."""
    with model.open("rb") as file:
        pieces = _head(file, model, arrays=True)[0]["tokenizer.ggml.tokens"]
    assert isinstance(pieces, list)
    alphabet = byte_alphabet()
    tokens = [
        bytes(map(alphabet.__getitem__, one)) if set(one) <= alphabet.keys() else None for one in map(str, pieces)
    ]
    return Vocabulary(tokens, len(tokens))


def parts(args: argparse.Namespace, model: Path) -> dict[str, Part]:
    """All that is to be done, in pieces of the same size whatever the number of processes."""
    languages: tuple[Language, ...] = (args.language,) if args.language else get_args(Language)
    pieces = -(-max(args.strings, 150 * args.walks) // (len(languages) * len(SIZES) * _PIECE))
    shares = [(one, size, piece) for one in languages for size in SIZES for piece in range(pieces)]
    return {
        f"{name} {language} {size} {piece}": Part(
            name, language, size, _share(args.strings, number, len(shares)), _share(args.walks, number, len(shares)),
            1_000 * args.seed + number, model,
        )
        for name in ((args.only,) if args.only else EXPORTS)
        for number, (language, size, piece) in enumerate(shares)
    }  # fmt: skip


def _share(whole: int, number: int, of: int) -> int:
    return whole * (number + 1) // of - whole * number // of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strings", type=int, default=300_000, help="mutated sentences for each export")
    parser.add_argument("--walks", type=int, default=2_000, help="for each export")
    parser.add_argument("--only", choices=EXPORTS, help="one export instead of all")
    parser.add_argument("--language", choices=get_args(Language), help="one language instead of all")
    parser.add_argument("--seed", type=int, default=0, help="another one gives other strings and walks")
    parser.add_argument(
        "--model", type=Path, metavar="GGUF", help="SmolLM2's, for its vocabulary (default: as fetched)"
    )
    parser.add_argument("--jobs", type=int, default=CORES, help="processes at a time")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "fabai-bench-lock-fuzz")
    args = parser.parse_args()
    todo = parts(args, args.model if args.model is not None else installed("smollm2-135m", "gguf"))
    code = [Path(__file__), *Path(__file__).parent.glob("lock_*.py"), Path(fabai.lock.__file__).parent]
    kept = folder(args.out, list(todo.values()), code)
    found: dict[str, Counter[str]] = {}
    for name, counted in run(look, todo, kept, args.jobs).items():
        found.setdefault(todo[name].export, Counter()).update(counted)
    result: dict[str, Any] = {name: {"violations": 0, **counted} for name, counted in found.items()}
    print(json.dumps({"bench": "lock_fuzz", **result}))


if __name__ == "__main__":
    main()
