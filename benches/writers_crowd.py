"""Many who write at the same time on one server: is every answer whole, its own, and how long does the first word take.

Each asks for a word that nobody else has. Knows Writers. Does not know which server answers; benches.writers, tests/
with_vllm and tests/serving call it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from fabai.errors import WriterError
from fabai.message import Message
from fabai.settings import SamplingSettings
from fabai.writers.base import Usage, Writer

_FIRST = ("Tor", "Bel", "Mar", "Zan", "Lum", "Per", "Gol", "Sir")
_SECOND = ("vak", "dino", "lesh", "quor")


def words(count: int) -> list[str]:
    """Made-up words, no one part of another."""
    return [f"{_FIRST[n % 8]}{_SECOND[n // 8 % 4]}{n // 32 or ''}" for n in range(count)]


def ask(word: str) -> list[Message]:
    """A prompt whose answer names the word."""
    return [
        Message("system", "You repeat what you are told, word for word."),
        Message("user", f"Repeat this sentence: The cat is called {word} and lives in {word}."),
    ]


@dataclass
class Answer:
    """first: seconds to its first piece. whole: it ended as a stream should."""

    word: str
    text: str = ""
    first: float = 0.0
    whole: bool = False
    failure: str = ""


def crowd(make: Callable[[], Writer], count: int = 32, tokens: int = 32, cancelled: int = 0) -> list[Answer]:
    """All begin at once. The last `cancelled` of them go away after their first piece; they are not whole."""
    gate = threading.Barrier(count)
    answers = [Answer(word) for word in words(count)]
    sampling = SamplingSettings(max_tokens=tokens, temperature=0.0, repetition_penalty=1.0)

    def write(place: int, answer: Answer) -> None:
        writer = make()
        try:
            gate.wait(60)
            start = time.monotonic()
            with closing(writer.stream(ask(answer.word), sampling)) as stream:
                for piece in stream:
                    answer.first = answer.first or time.monotonic() - start
                    if isinstance(piece, Usage):
                        answer.whole = True
                    else:
                        answer.text += piece
                        if place >= count - cancelled:
                            break
        except WriterError as error:
            answer.failure = str(error)
        finally:
            writer.close()

    threads = [threading.Thread(target=write, args=one) for one in enumerate(answers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def summary(answers: Sequence[Answer], cancelled: int = 0) -> dict[str, Any]:
    """whole: streams that ended as they should; own: that name their own word; mixed: that name another's."""
    stayed = answers[: len(answers) - cancelled]
    waits = sorted(one.first for one in stayed)
    others = {one.word for one in answers}
    return {
        "writers": len(answers),
        "cancelled": cancelled,
        "whole": sum(one.whole for one in stayed),
        "own": sum(one.word in one.text for one in stayed),
        "mixed": sum(any(word in one.text for word in others - {one.word}) for one in answers),
        "ttft_p50": round(waits[len(waits) // 2], 3),
        "ttft_p95": round(waits[int(0.95 * (len(waits) - 1))], 3),
    }


def freed(make: Callable[[], Writer], slots: int, tokens: int = 400) -> float:
    """Seconds from going away in mid-answer to the first piece of one who waited for the slot.

    `slots` long answers take every slot first; the prompt of the one who waits is read within it too.
    """
    sampling = SamplingSettings(max_tokens=tokens, temperature=0.0, repetition_penalty=1.0)
    tell = [Message("user", "Tell me a very long story about a library, with many chapters.")]
    writers = [make() for _ in range(slots + 1)]
    streams = [writer.stream(tell, sampling) for writer in writers[:slots]]
    came: list[float] = []

    def wait() -> None:
        with closing(writers[-1].stream(ask("Torvak"), SamplingSettings(max_tokens=2, temperature=0.0))) as stream:
            next(stream)
            came.append(time.monotonic())

    try:
        for stream in streams:
            next(stream)
        thread = threading.Thread(target=wait)
        thread.start()
        # long enough that it would have come, had there been a slot
        thread.join(0.5)
        early = bool(came)
        start = time.monotonic()
        streams[0].close()
        thread.join()
        return 0.0 if early else came[0] - start
    finally:
        for stream in streams:
            stream.close()
        for writer in writers:
            writer.close()
