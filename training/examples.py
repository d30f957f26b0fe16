"""Training examples as `fabai corpus examples` writes them: read, checked against the model, chosen for a run.

A folder holds train, validation and test, each .parquet or .jsonl, and examples.json, which names the tokenizer that
counted them. A lone .jsonl file is taken as training examples without held-out ones. Columns: id, messages, target,
masked, tokens, labelled, language, mode, report; of these only id, messages and target are indispensable.
Knows what is refused and why. Does not know batches or models.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabai.errors import MissingPart, TrainingError, UnreadableFile
from fabai.example import Encoded, Encoder
from fabai.message import Message

SPLITS = ("train", "validation", "test")
_SHOWN = 5
_BRIEF = ("id", "tokens", "labelled", "language", "mode", "report")


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of an example without its text. place: its row in the file."""

    place: int
    id: str
    tokens: int
    labelled: int
    language: str
    mode: str
    report: str


@dataclass(frozen=True, slots=True)
class About:
    """examples.json, as far as training wants it; empty for a lone file. files: name -> sha256."""

    tokenizer: str = ""
    model: str = ""
    corpus: str = ""
    mode: str = ""
    cap: int = 0
    decay: float | None = None
    files: Mapping[str, str] = field(default_factory=dict)


class Split:
    """The examples of one file. Texts stay in the table; tokens are made when they are wanted."""

    def __init__(self, path: Path, encoder: Encoder) -> None:
        self.path, self._encoder = path, encoder
        self._rows: Any = _rows(path)
        self.sha256 = _sha256(path)
        brief = self._rows.brief() if isinstance(self._rows, _Table) else self._rows
        self.cards = [self._card(place, row) for place, row in enumerate(brief)]
        twice = _twice(card.id for card in self.cards)
        if twice is not None:
            raise UnreadableFile(f"{path} holds the example '{twice}' twice; build the examples again")

    def encoded(self, place: int) -> Encoded:
        """The tokens of an example; TrainingError where the file's own count says otherwise."""
        row = self._rows[place]
        found = self._encode(row)
        wanted = row.get("tokens")
        if wanted is not None and wanted != found.tokens:
            raise TrainingError(
                f"the example '{row['id']}' has {found.tokens:,} tokens and {self.path.name} says {wanted:,}: the "
                "examples were made with another tokenizer or another version of fabai; build them again"
            )
        return found

    def _card(self, place: int, row: Mapping[str, Any]) -> Card:
        try:
            tokens, labelled = row.get("tokens"), row.get("labelled")
            if tokens is None or labelled is None:
                found = self._encode(self._rows[place])
                tokens, labelled = found.tokens, found.labelled
            said = [str(row.get(key) or "") for key in ("language", "mode", "report")]
            return Card(place, str(row["id"]), int(tokens), int(labelled), *said)
        except (KeyError, TypeError, ValueError) as error:
            raise UnreadableFile(
                f"row {place + 1} of {self.path} is not an example (id, messages, target): {error}"
            ) from None

    def _encode(self, row: Mapping[str, Any]) -> Encoded:
        messages = [Message(one["role"], one["content"]) for one in row["messages"]]
        masked = [(int(one["start"]), int(one["end"])) for one in row.get("masked") or ()]
        return self._encoder.encode(messages, row["target"], masked)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The examples of a run. refused: id -> why. general: how many of `train` are general examples."""

    about: About
    train: tuple[Card, ...]
    validation: tuple[Card, ...]
    refused: dict[str, str]
    general: int

    @property
    def longest(self) -> Card:
        """The longest one that is trained on."""
        return max(self.train, key=lambda card: card.tokens)


class Examples:
    """The splits of a folder or file, with the encoder of the model that is trained."""

    def __init__(self, path: Path, encoder: Encoder, fingerprint: str) -> None:
        """fingerprint: of the model's tokenizer; a folder that was counted with another one is refused."""
        self.path = path
        self.about = _about(path)
        if self.about.tokenizer and self.about.tokenizer != fingerprint:
            made = f" ({self.about.model})" if self.about.model else ""
            raise TrainingError(
                f"{path} was made for another tokenizer{made} than the model's: build the examples for this model with "
                "fabai corpus examples --model"
            )
        files = _files(path)
        self.train = self._split(files["train"], encoder)
        self.validation = self._split(files["validation"], encoder) if "validation" in files else None

    def _split(self, path: Path, encoder: Encoder) -> Split:
        """A file, which is what examples.json says it is."""
        wanted = self.about.files.get(path.name)
        if wanted is not None and _sha256(path) != wanted:
            raise UnreadableFile(
                f"{path} is not the file that {path.parent / 'examples.json'} was written for: it was changed or "
                "copied in part; build the examples again, or copy the whole folder"
            )
        return Split(path, encoder)

    @property
    def sha256(self) -> dict[str, str]:
        """Of each file that is used."""
        return {split.path.name: split.sha256 for split in (self.train, self.validation) if split is not None}

    def choose(self, max_tokens: int, general: float, most: int, seed: int) -> Chosen:
        """What is trained on and what is looked at: over the cap or without a label is refused, general examples make
        up at most the share `general`, at most `most` held-out ones (0: all).

        TrainingError where nothing is left to train on.
        """
        refused: dict[str, str] = {}
        train = self._fitting(self.train, max_tokens, refused)
        draw = random.Random(seed)  # noqa: S311 - a choice of examples, not a secret
        plain = [card for card in train if card.mode != "general"]
        extra = [card for card in train if card.mode == "general"]
        if plain:
            count = min(len(extra), round(len(plain) * general / (1 - general)))
            extra = sorted(draw.sample(extra, count), key=lambda card: card.place)
        if not plain and not extra:
            shown = "; ".join(f"{name}: {why}" for name, why in list(refused.items())[:_SHOWN])
            more = f" and {len(refused) - _SHOWN} more" if len(refused) > _SHOWN else ""
            reasons = f": {shown}{more}" if shown else ""
            raise TrainingError(
                f"no examples are left of {self.path} to train on{reasons}; raise max_tokens, or build the examples "
                f"with a smaller cap"
            )
        held = [] if self.validation is None else self._fitting(self.validation, max_tokens, refused)
        held = [card for card in held if card.mode != "general"]
        if 0 < most < len(held):
            held = sorted(draw.sample(held, most), key=lambda card: card.place)
        return Chosen(self.about, tuple(plain + extra), tuple(held), refused, len(extra))

    @staticmethod
    def _fitting(split: Split, max_tokens: int, refused: dict[str, str]) -> list[Card]:
        fitting = []
        for card in split.cards:
            if card.tokens > max_tokens:
                refused[card.id] = f"{card.tokens:,} tokens, over the cap of {max_tokens:,}"
            elif card.labelled == 0:
                refused[card.id] = "no labelled token to learn from"
            else:
                fitting.append(card)
        return fitting


def _files(path: Path) -> dict[str, Path]:
    if path.is_file():
        return {"train": path}
    found = {}
    for split in SPLITS:
        for suffix in (".parquet", ".jsonl"):
            if (path / f"{split}{suffix}").is_file():
                found[split] = path / f"{split}{suffix}"
                break
    if "train" not in found:
        raise UnreadableFile(
            f"{path} holds no training examples (train.parquet or train.jsonl); make them with fabai corpus examples"
        )
    return found


def _about(path: Path) -> About:
    file = path / "examples.json"
    if path.is_file() or not file.is_file():
        return About()
    try:
        table = json.loads(file.read_text(encoding="utf-8"))
        tokenizer = table.get("tokenizer") or ""
        if isinstance(tokenizer, Mapping):
            tokenizer = tokenizer.get("sha256", "")
        return About(
            str(tokenizer), str(table.get("model") or ""), str(table.get("corpus") or ""), str(table.get("mode") or ""),
            int(table.get("cap") or 0), table.get("decay"), dict(table.get("files") or {}),
        )  # fmt: skip
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise UnreadableFile(f"{file} cannot be read: {error}; build the examples again") from None


class _Table:
    """Rows of a parquet file, one made at a time."""

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise MissingPart("reading parquet files needs the package pyarrow: pip install 'fabai[train]'") from None
        try:
            self._table = parquet.read_table(path)
        except (pyarrow.ArrowException, OSError) as error:
            raise UnreadableFile(f"{path} is not a parquet file that can be read: {error}") from None

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def brief(self) -> list[dict[str, Any]]:
        """Every row without its texts."""
        return list(self._table.select([name for name in _BRIEF if name in self._table.column_names]).to_pylist())

    def __getitem__(self, place: int) -> dict[str, Any]:
        return dict(self._table.slice(place, 1).to_pylist()[0])


def _rows(path: Path) -> Sequence[Mapping[str, Any]] | _Table:
    if path.suffix == ".parquet":
        return _Table(path)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise UnreadableFile(f"the examples {path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UnreadableFile(f"{path} is not text in UTF-8: build the examples again") from None
    return [_row(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        return dict(json.loads(line))
    except (ValueError, TypeError) as error:
        raise UnreadableFile(f"line {number} of {path} is not an example in JSON: {error}") from None


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _twice(ids: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for one in ids:
        if one in seen:
            return one
        seen.add(one)
    return None


def files(path: Path) -> dict[str, Path]:
    """The files of an examples folder by split; UnreadableFile where none teaches."""
    return _files(path)


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Every row of one file, texts and all, one at a time."""
    found = _rows(path)
    return (dict(found[place]) for place in range(len(found)))
