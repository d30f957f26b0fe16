from __future__ import annotations

from pathlib import Path

import pytest

from fabai.errors import UnreadableFile, WriterError
from fabai.message import Message
from fabai.settings import SamplingSettings
from fabai.writers.base import Usage
from fabai.writers.scripted import NOTICE, Scripted

ASK = Message(
    "user", "Escribe ahora la sección «2.1 Objetivos» (dentro de «2 Proyecto»).\nEntrega solo su texto, sin el título."
)


def written(writer: Scripted, ask: Message = ASK, **sampling: int) -> tuple[str, Usage]:
    *pieces, usage = writer.stream([ask], SamplingSettings(**sampling))  # type: ignore[arg-type]
    assert isinstance(usage, Usage)
    assert all(isinstance(piece, str) for piece in pieces)
    return "".join(map(str, pieces)), usage


@pytest.mark.parametrize("key", ["2.1", "Objetivos", "objetivos"])
def test_the_answer_is_found_by_number_or_heading_of_the_section_asked_for(key: str) -> None:
    assert written(Scripted({"2": "No.", "2.1.1": "No.", key: "Sí."}))[0] == "Sí."


def test_a_list_is_recited_in_the_order_of_the_calls_and_then_runs_out() -> None:
    writer = Scripted(["Uno.", "Dos."])
    assert [written(writer)[0], written(writer)[0]] == ["Uno.", "Dos."]
    with pytest.raises(WriterError, match="asked for one more"):
        written(writer)


def test_an_answer_longer_than_the_limit_is_cut_and_says_so() -> None:
    text, usage = written(Scripted(["0123456789"]), max_tokens=2)
    assert text == "01234567"
    assert usage.finish == "length"


def test_a_closed_stream_counts_as_cancelled() -> None:
    writer = Scripted(["Un texto largo."])
    stream = writer.stream([ASK], SamplingSettings())
    next(stream)
    stream.close()
    assert writer.cancelled == 1


def test_it_says_that_it_is_not_a_model() -> None:
    assert "not a model" in NOTICE


@pytest.mark.parametrize(("content", "said"), [("[1]", "texts"), ("{", "JSON"), ('"a"', "texts")])
def test_a_script_that_is_none_is_answered_with_a_sentence(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "guion.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=said):
        Scripted.read(path)
