"""A fake Writer for tests and for trying the interface: it recites prepared texts. It is not a model, and says so.

Knows its script. Does not know anything else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

from fabai.errors import UnreadableFile, WriterError
from fabai.lock import Constraint
from fabai.lock.held import Held
from fabai.message import Message
from fabai.ordinary import contents
from fabai.report import fold
from fabai.settings import ReadingLimits, SamplingSettings, WriterSettings
from fabai.writers.base import Finish, Usage
from fabai.writers.stop import Stop

DEFAULTS = WriterSettings()
NOTICE = "this writer recites prepared texts; it is not a model"
_CHUNK = 3  # characters a piece, so that tags and stop strings are split
_TOKEN = 4  # characters a token
_QUOTED = re.compile(r"[«“\"]\s*(?:#+\s*)?([^»”\"\n]+?)\s*[»”\"]")


class Scripted:
    """A Writer whose answers are given beforehand. Tokens are counted as one for every four characters, begun ones
    included.

    script: texts by outline number ("2.1") or heading of the section that the prompt asks for; a list answers in the
    order of the calls. In a list an error is raised instead of an answer, and "text\\0sentence" writes the text and
    then raises the sentence. locks: it takes a constraint; a script that does not keep to it is found out as a server
    would be.
    """

    def __init__(
        self,
        script: Mapping[str, str] | Sequence[str | WriterError],
        context: int = DEFAULTS.context,
        chat: bool = True,
        name: str = "scripted",
        locks: bool = False,
    ) -> None:
        self._script = script
        self._context, self._chat, self._name, self._locks = context, chat, name, locks
        self._calls = 0
        self.asked: list[tuple[Message, ...]] = []
        self.constraints: list[Constraint | None] = []
        self.cancelled = 0

    @classmethod
    def read(cls, path: Path) -> Scripted:
        """From a JSON file: an object of texts by section, or a list of texts."""
        try:
            script = json.loads(contents(path, ReadingLimits().table_bytes))
        except (ValueError, RecursionError) as error:
            raise UnreadableFile(f"{path} is not a JSON file that can be read: {error}") from None
        texts = list(script.values()) if isinstance(script, dict) else script
        if not isinstance(script, dict | list) or not all(isinstance(text, str) for text in texts):
            raise UnreadableFile(f"{path} must hold a JSON object of texts by section, or a list of texts")
        return cls(script)

    @property
    def name(self) -> str:
        return self._name

    @property
    def context(self) -> int:
        return self._context

    @property
    def chat(self) -> bool:
        return self._chat

    @property
    def locks(self) -> bool:
        return self._locks

    def count(self, text: str) -> int:
        return -(-len(text) // _TOKEN)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return sum(self.count(message.content) + 4 for message in messages)

    def stream(
        self,
        messages: Sequence[Message],
        sampling: SamplingSettings,
        stop: Sequence[str] = (),
        constraint: Constraint | None = None,
    ) -> Generator[str | Usage, None, None]:
        if constraint is not None and not self._locks:
            raise WriterError(f"{NOTICE}, so it cannot lock its figures: take a model")
        self.asked.append(tuple(messages))
        self.constraints.append(constraint)
        text, failure = self._next(messages)
        most = sampling.max_tokens * _TOKEN
        watch, said, whole = Stop(stop), 0, False
        held = None if constraint is None else Held(constraint.automaton)
        try:
            for at in range(0, min(len(text), most), _CHUNK):
                piece = watch.feed(text[at : min(at + _CHUNK, most)])
                piece = piece if held is None else held.feed(piece)
                said += len(piece)
                if piece:
                    yield piece
                if watch.found:
                    break
            rest = watch.rest()
            if rest := rest if held is None else held.feed(rest):
                said += len(rest)
                yield rest
            whole = True
        finally:
            self.cancelled += not whole
        if failure is not None:
            raise failure
        finish: Finish = "length" if len(text) > most and not watch.found else "stop"
        yield Usage(self.count_messages(messages), -(-said // _TOKEN), finish, 0)

    def close(self) -> None:
        """Nothing to free."""

    def _next(self, messages: Sequence[Message]) -> tuple[str, WriterError | None]:
        if isinstance(self._script, Mapping):
            return self._of_section(messages[-1].content if messages else "", self._script), None
        if self._calls >= len(self._script):
            raise WriterError(f"the script has {len(self._script)} answers and was asked for one more")
        answer = self._script[self._calls]
        self._calls += 1
        if isinstance(answer, WriterError):
            return "", answer
        text, failed, sentence = answer.partition("\x00")
        return text, WriterError(sentence) if failed else None

    @staticmethod
    def _of_section(asked: str, script: Mapping[str, str]) -> str:
        """The answer for the section that the prompt's last lines name."""
        quoted = _QUOTED.findall("\n".join(asked.splitlines()[-2:])) or asked.splitlines()[-1:]
        for name in quoted:
            for key, text in script.items():
                if re.match(rf"{re.escape(key)}(?:[.)]?\s|$)", name) or fold(key) == fold(name):
                    return text
        raise WriterError(f"the script has no answer for '{quoted[0] if quoted else ''}'")
