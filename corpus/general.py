"""General conversations to mix in, so that a model that learns to write reports forgets nothing else.

Knows the two layouts that such data come in (`messages` with role and content, `conversations` with from and value), as
JSONL, JSON or Parquet. Does not know reports.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from fabai.errors import BadSetting, UnreadableFile
from fabai.message import Message, Role
from fabai.window.words import language_of, words

from .examples import Example
from .reader import ModelReader

_ROLES = {"human": "user", "gpt": "assistant", "chatgpt": "assistant", "bing": "assistant", "bard": "assistant"}


@dataclass(frozen=True, slots=True)
class Mix:
    """share: of the examples that teach, in [0, 1)."""

    path: Path
    share: float


def mix(wish: str) -> Mix:
    """ "chat.jsonl:0.1"; BadSetting in a sentence where it is not of that kind."""
    path, _, share = wish.rpartition(":")
    try:
        value = float(share)
    except ValueError:
        value = -1.0
    if not path or not 0.0 <= value < 1.0:
        raise BadSetting(f"--mix {wish} is no file and share: write it like chat.jsonl:0.1, with a share below 1")
    return Mix(Path(path), value)


def general(mix: Mix, teaching: int, cap: int, reader: ModelReader, seed: int) -> Iterator[Example]:
    """Examples so that they are `mix.share` of all, `teaching` being there already; each is the last answer of a
    conversation. Which ones is settled by seed; those over the cap are passed over.
    """
    wanted = round(teaching * mix.share / (1.0 - mix.share))
    if wanted < 1:
        return
    rows = sorted(_rows(mix.path), key=lambda one: hashlib.sha256(f"{seed} {one[0]}".encode()).digest())
    made = 0
    for number, row in rows:
        turns = _turns(row)
        if len(turns) < 2 or turns[-1].role != "assistant":
            continue
        *prompt, answer = turns
        said, labelled = reader.answer(answer.content, ())
        tokens = reader.count_messages(prompt) + said
        if tokens > cap or said < 2:
            continue
        yield Example(
            f"general:{mix.path.stem}:{number}", mix.path.name, "general", language_of(words(answer.content), "en"),
            "general", "general", tokens, labelled, tuple(prompt), answer.content, (), 0, 0,
        )  # fmt: skip
        made += 1
        if made == wanted:
            return


def _turns(row: Mapping[str, Any]) -> list[Message]:
    """The conversation up to its last answer; [] where the row is none."""
    found: list[Message] = []
    for turn in row.get("messages") or row.get("conversations") or ():
        said = turn.get("role") or turn.get("from")
        role = _ROLES.get(str(said), str(said))
        text = turn.get("content") or turn.get("value")
        if role not in get_args(Role) or not isinstance(text, str) or not text.strip():
            return []
        found.append(Message(role, text.strip()))  # type: ignore[arg-type]  # just checked
    while found and found[-1].role != "assistant":
        found.pop()
    return found


def _rows(path: Path) -> list[tuple[int, Mapping[str, Any]]]:
    if not path.is_file():
        raise UnreadableFile(f"{path} does not exist: --mix takes a file of conversations, JSONL, JSON or Parquet")
    try:
        if path.suffix == ".parquet":
            from pyarrow import ArrowException, parquet

            try:
                rows = parquet.read_table(path).to_pylist()
            except ArrowException as error:
                raise ValueError(str(error)) from error
        elif path.suffix == ".json":
            rows = json.loads(path.read_bytes())
        else:
            rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path} cannot be read as conversations: {str(error).splitlines()[0]}") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UnreadableFile(f"{path} holds no list of conversations: each needs 'messages' or 'conversations'")
    if not any(_turns(row) for row in rows[:1000]):
        raise UnreadableFile(f"{path} holds no conversation that ends with an answer, as 'messages' or 'conversations'")
    return list(enumerate(rows))
