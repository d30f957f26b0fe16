"""Held-out examples: found beside a corpus, chosen so that every language and project is heard, and kept apart from
what the adapter learnt.

Knows examples as `fabai corpus examples` writes them and which documents and texts a run was trained on. Refuses, with
the pairs, an evaluation set that overlaps training. Does not know models or figures.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.training.examples import files, rows

from fabai.errors import TrainingError, UnreadableFile
from fabai.message import Message

from .copies import Grams

_SIDECAR = "examples.json"
_SHOWN = 5
_FEW = 0.05
"""Share of the held-out sections up to which those that repeat training are left out instead of refused."""


@dataclass(frozen=True, slots=True)
class Held:
    """One held-out section, or a part of one. kind: of its document; project: two reports of one are not
    independent.
    """

    id: str
    report: str
    project: str
    language: str
    kind: str
    mode: str
    messages: tuple[Message, ...]
    target: str
    masked: tuple[tuple[int, int], ...]


def examples_in(folder: Path, fingerprint: str) -> Path | None:
    """The examples made for this tokenizer in a folder: itself, or one inside; None where there are none.

    UnreadableFile where there is nothing of the kind at all.
    """
    if folder.is_file():
        return folder
    if not folder.is_dir():
        raise UnreadableFile(f"there is no corpus at {folder}; make one with fabai corpus build")
    found = [one.parent for one in (folder / _SIDECAR, *sorted(folder.glob(f"*/{_SIDECAR}"))) if one.is_file()]
    for one in found:
        try:
            said = json.loads((one / _SIDECAR).read_text(encoding="utf-8")).get("tokenizer")
        except (OSError, ValueError, AttributeError) as error:
            raise UnreadableFile(f"{one / _SIDECAR} cannot be read: {error}; make the examples again") from None
        if said == fingerprint:
            return one
    bare = any((folder / f"train{suffix}").is_file() for suffix in (".parquet", ".jsonl"))
    return folder if not found and bare else None


def held_out(folder: Path) -> tuple[list[Held], str]:
    """(examples, the split that they are from): the test split, else validation; general examples are none."""
    there = files(folder)
    for split in ("test", "validation"):
        if split in there:
            found = read(there[split])
            if found:
                return found, split
    raise TrainingError(
        f"{folder} holds no held-out examples (test or validation): a corpus of more than a few projects has some; "
        "make the examples again from a larger one"
    )


def trained_on(folder: Path) -> list[Held]:
    """The examples that teach, general ones left out."""
    return read(files(folder)["train"])


def read(file: Path) -> list[Held]:
    """The examples of one file, general ones left out."""
    return [_held(row) for row in rows(file) if row.get("mode") != "general"]


def chosen(held: Sequence[Held], most: int, seed: int) -> list[Held]:
    """At most `most` of them: languages in turn, within a language projects in turn, so that no large report speaks for
    all. The same arguments give the same choice.
    """
    draw = random.Random(f"{seed}:held")  # noqa: S311 - a choice of examples, not a secret
    piles: dict[str, dict[str, list[Held]]] = defaultdict(lambda: defaultdict(list))
    for one in sorted(held, key=lambda one: one.id):
        piles[one.language][one.project or one.report].append(one)
    turns: dict[str, list[Held]] = {}
    for language, projects in sorted(piles.items()):
        names = sorted(projects)
        draw.shuffle(names)
        for name in names:
            draw.shuffle(projects[name])
        longest = max(map(len, projects.values()))
        turns[language] = [
            projects[name][turn] for turn in range(longest) for name in names if turn < len(projects[name])
        ]
    found: list[Held] = []
    turn = 0
    while len(found) < most and any(turn < len(pile) for pile in turns.values()):
        found += [pile[turn] for pile in turns.values() if turn < len(pile)][: most - len(found)]
        turn += 1
    return found


def apart(
    held: Sequence[Held], run: Mapping[str, Any], trained: Sequence[Held]
) -> tuple[list[Held], list[tuple[str, str]]]:
    """(the sections that are apart from training, the pairs that are not: held-out id, training id).

    TrainingError, with the pairs, where the adapter was trained on a document of the held-out ones, or where more than
    a few sections say the same as one that was trained on (all reports of a funder share some phrase or other).
    """
    taught = set(run.get("documents") or ())
    same = sorted({one.report for one in held if one.report and one.report in taught})
    if same:
        raise TrainingError(
            f"this set overlaps training: {_listed(f'{one} was trained on' for one in same)}; take documents that the "
            "run did not see (the corpus's own split keeps them apart)"
        )
    pairs = [(one.id, other) for one, other in _alike(held, trained)]
    if len(pairs) > _FEW * len(held):
        raise TrainingError(
            "this set overlaps training: "
            + _listed(f"{one} says the same as {other}" for one, other in pairs)
            + "; look at the corpus with fabai corpus check, and make the examples again"
        )
    out = {one for one, _ in pairs}
    return [one for one in held if one.id not in out], pairs


def _alike(held: Sequence[Held], trained: Sequence[Held]) -> Iterable[tuple[Held, str]]:
    """Held-out texts of which most runs of words stand in one text that was trained on."""
    if not trained:
        return
    known = Grams((one.id, one.target) for one in trained)
    for one in held:
        other = known.mostly(one.target)
        if other is not None:
            yield one, other


def _listed(items: Iterable[str]) -> str:
    found = list(items)
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return "; ".join(found[:_SHOWN]) + more


def _held(row: Mapping[str, Any]) -> Held:
    return Held(
        str(row["id"]), str(row.get("report") or ""), str(row.get("project") or row.get("report") or row["id"]),
        str(row.get("language") or ""), str(row.get("kind") or ""), str(row.get("mode") or ""),
        tuple(Message(one["role"], one["content"]) for one in row["messages"]), str(row["target"]),
        tuple((int(one["start"]), int(one["end"])) for one in row.get("masked") or ()),
    )  # fmt: skip
