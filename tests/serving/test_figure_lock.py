"""Our processor in vLLM's process, as far as it needs no vLLM: which tokens may come, and what it may import."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch

from benches.lock_strings import ledger
from fabai.lock import Constraint
from fabai.lock.canary import WORD
from fabai.lock.order import CANARY_ORDER, check, order, read
from fabai.lock.vocabulary import token_bytes
from fabai.serving.figure_lock import FigureLock
from tests.writers import tiny


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(tiny.make(tmp_path_factory.mktemp("tiny")))


@pytest.fixture(scope="module")
def figure_lock(tokenizer: Any) -> FigureLock:
    return FigureLock(tokenizer, len(tokenizer) + 5, torch.device("cpu"))


def walked(figure_lock: FigureLock, tokenizer: Any, told: str, steps: int, seed: int) -> tuple[bytes, bool]:
    """A text of random tokens that may come, digits where they may; whether its end came."""
    pick = random.Random(seed)  # noqa: S311 - tokens at random, no secrets
    end, data, written = tokenizer.eos_token_id, token_bytes(tokenizer), list[int]()
    answer = figure_lock.answer(told, frozenset({end}))
    for _ in range(steps):
        ways = [place for place, forbidden in enumerate(answer(written).tolist()) if not forbidden]
        digits = [place for place in ways if place != end and tokenizer.decode([place]).isdigit()]
        chosen = pick.choice(digits if digits and pick.random() < 0.6 else ways)
        if chosen == end:
            return b"".join(data[place] or b"" for place in written), True
        written.append(chosen)
    return b"".join(data[place] or b"" for place in written), False


def test_random_walks_keep_to_the_lock(figure_lock: FigureLock, tokenizer: Any) -> None:
    lock = Constraint(ledger(60, "es"), "es")
    for seed in range(20):
        text, ended = walked(figure_lock, tokenizer, order(lock), 60, seed)
        assert lock.automaton.run(text) is not None, text
        if ended:
            assert lock.automaton.accepts(text.decode())


def test_the_canary_can_only_be_answered_with_its_word(figure_lock: FigureLock, tokenizer: Any) -> None:
    assert walked(figure_lock, tokenizer, CANARY_ORDER, 40, 0) == (WORD.encode(), True)


def test_an_answer_goes_on_from_where_it_was_begun(figure_lock: FigureLock, tokenizer: Any) -> None:
    lock = Constraint(ledger(6, "es"), "es")
    answer = figure_lock.answer(order(lock, "Costó"), frozenset({tokenizer.eos_token_id}))
    forbidden = answer([])
    first = [place for place in range(len(tokenizer)) if tokenizer.decode([place]).isdigit()]
    assert all(forbidden[place] for place in first)
    assert read(order(lock, "Costó"))[1] == lock.state("Costó")


@pytest.mark.parametrize("written", [[-1], [0, -1, 0]])
def test_where_a_token_is_not_known_only_the_end_is_left(
    figure_lock: FigureLock, tokenizer: Any, written: list[int]
) -> None:
    answer = figure_lock.answer(order(Constraint([], "es")), frozenset({tokenizer.eos_token_id}))
    assert (~answer(written)).nonzero().flatten().tolist() == [tokenizer.eos_token_id]


def test_only_the_locked_ones_of_many_answers_are_held_to_their_locks(figure_lock: FigureLock, tokenizer: Any) -> None:
    stops, rows = frozenset({tokenizer.eos_token_id}), len(tokenizer) + 5
    locks = {1: Constraint(ledger(6, "es"), "es"), 3: Constraint([], "es")}
    locked = {place: partial(figure_lock.answer(order(lock), stops), []) for place, lock in locks.items()}
    logits = torch.arange(4.0 * rows).reshape(4, rows)
    left = figure_lock.forbid(logits.clone(), locked)
    for place in range(4):
        may = ~locked[place]() if place in locked else torch.ones(rows, dtype=torch.bool)
        assert torch.equal(left[place].isfinite(), may)
        assert torch.equal(left[place][may], logits[place][may])


NO_LOCK = ["es", 5, [], ["es", "line"], "", "xx\x1fline", "es\x1fnowhere", "es\x1f", "\x1f\x1f", "es\x1fline\x1f"]


@pytest.mark.parametrize("told", NO_LOCK)
@pytest.mark.parametrize("asked", [check, read])
def test_what_is_no_lock_is_refused(told: Any, asked: Callable[[Any], object]) -> None:
    with pytest.raises(ValueError, match="fabai_lock"):
        asked(told)


def test_vllms_environment_needs_no_more_packages_than_it_has() -> None:
    code = (
        "import sys, fabai.serving.figure_lock, fabai.lock.constraint\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    ours = {
        "snowballstemmer",
        "docx",
        "pypandoc",
        "xllamacpp",
        "gradio",
        "rich",
        "py3langid",
        "stdnum",
        "peft",
        "httpx",
    }
    assert not set(done.stdout.split()) & ours
