"""A locked stream ends in whole values, whatever cuts it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benches.lock_strings import ledger
from fabai.errors import WriterError
from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.lock.canary import WORD, prove
from fabai.lock.held import Held
from fabai.message import Message
from fabai.settings import SamplingSettings, WriterSettings
from fabai.writers.base import Usage, Writer
from fabai.writers.llamacpp import LlamaCpp
from fabai.writers.openai import OpenAI
from fabai.writers.scripted import Scripted
from fabai.writers.transformers import Transformers
from tests.writers import tiny
from tests.writers.server import serving

TEXT = "Se pagaron 18.500,00 € a 180 personas, el 92,5 %, en 2025."
FACTS = tuple(Fact("dato", value, "s") for value in ("18.500 €", "180 personas", "92,5 %", "2025"))
ASK = [Message("user", "180 people came to 12 workshops in 2024 and it cost €18,500. Now write 5 lines with figures.")]


@given(end=st.integers(0, len(TEXT)), size=st.integers(1, 7))
def test_a_text_cut_anywhere_is_shown_up_to_its_last_whole_value(end: int, size: int) -> None:
    lock = Constraint(FACTS, "es")
    held = Held(lock.automaton)
    shown = "".join(held.feed(TEXT[at : min(end, at + size)]) for at in range(0, end, size))
    assert TEXT.startswith(shown)
    assert shown + held.waiting == TEXT[:end]
    assert lock.automaton.accepts(shown)
    assert not lock.slips(shown)


def test_a_writer_that_does_not_keep_to_the_lock_is_found_out_and_what_was_right_stays() -> None:
    writer = Scripted(["Fueron 180 personas y 13 talleres."], locks=True)
    said: list[str | Usage] = []
    with pytest.raises(WriterError, match="forbids"):
        said.extend(writer.stream(ASK, SamplingSettings(), (), Constraint(FACTS, "es")))
    assert "".join(map(str, said)).rstrip() == "Fueron 180 personas y"


def test_a_writer_that_cannot_lock_says_so_before_it_writes() -> None:
    writer = Scripted(["Hola."])
    assert not writer.locks
    with pytest.raises(WriterError, match="cannot lock"):
        next(writer.stream(ASK, SamplingSettings(), (), Constraint(FACTS, "es")))


def test_a_limit_of_tokens_never_cuts_a_value() -> None:
    writer = Scripted(["Se pagaron 18.500,00 € ya"], locks=True)
    *pieces, usage = writer.stream(ASK, SamplingSettings(max_tokens=4), (), Constraint(FACTS, "es"))
    assert isinstance(usage, Usage)
    assert usage.finish == "length"
    assert "".join(map(str, pieces)).rstrip() == "Se pagaron"


def test_the_canary_must_come_back_alone() -> None:
    prove(f" {WORD}", "the server")
    with pytest.raises(WriterError, match="the server does not lock figures"):
        prove("Here you are:", "the server")


@pytest.fixture(scope="module", params=["llamacpp", "transformers"])
def writer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Writer]:
    if request.param == "llamacpp":
        model: Path = request.getfixturevalue("english_model")
        with closing(LlamaCpp(model, WriterSettings(context=2048))) as found:
            yield found
    else:
        with closing(Transformers(tiny.make(tmp_path_factory.mktemp("tiny")))) as other:
            yield other


def test_a_model_at_high_temperature_writes_no_figure_but_the_facts(writer: Writer) -> None:
    lock = Constraint(ledger(60, "en"), "en")
    for seed in range(4):
        sampling = SamplingSettings(max_tokens=40, temperature=1.5, top_k=0, top_p=1.0, seed=seed)
        *pieces, usage = writer.stream(ASK if writer.chat else ASK[-1:], sampling, (), lock)
        assert isinstance(usage, Usage)
        assert not lock.slips("".join(map(str, pieces)))


def test_a_model_under_a_lock_of_one_fact_can_still_write_it(writer: Writer) -> None:
    lock = Constraint([Fact("people", "180 people", "s")], "en")
    *pieces, _ = writer.stream(ASK, SamplingSettings(max_tokens=40, temperature=0.8, seed=2), (), lock)
    assert not lock.slips("".join(map(str, pieces)))


def test_a_server_s_writer_says_that_it_cannot_lock() -> None:
    with serving() as server, closing(OpenAI(server.url)) as remote:
        assert not remote.locks
        with pytest.raises(WriterError, match="cannot be locked"):
            next(remote.stream(ASK, SamplingSettings(), (), Constraint(FACTS, "es")))
