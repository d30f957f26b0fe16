"""Work is spread over threads in stretches of neighbours, and comes back as if one had done it."""

from __future__ import annotations

import threading
import time

import pytest
import torch
from fabai.training.evaluate.spread import spread, stretches
from hypothesis import given
from hypothesis import strategies as st


@given(sizes=st.lists(st.integers(0, 50), max_size=30), count=st.integers(1, 6))
def test_stretches_hold_every_task_once_in_order_and_none_is_much_longer_than_its_share(
    sizes: list[int], count: int
) -> None:
    found = stretches(sizes, count)
    assert [place for one in found for place in one] == list(range(len(sizes)))
    assert len(found) <= count
    assert all(found)
    for one in found:
        assert sum(sizes[place] for place in one) <= sum(sizes) / count + max(sizes)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_results_come_in_the_order_of_the_tasks_and_the_caller_hears_of_each(threads: int) -> None:
    heard: list[int] = []
    by: dict[int, str] = {}

    def double(task: int) -> int:
        by[task] = threading.current_thread().name
        time.sleep(0.002 * (task % 3))
        return 2 * task

    before = torch.get_num_threads()
    assert spread(range(9), [1] * 9, double, heard.append, threads) == [2 * task for task in range(9)]
    assert sorted(heard) == list(range(9))
    # neighbours stay with one thread
    assert all(len({by[task] for task in part}) == 1 for part in stretches([1] * 9, threads))
    assert torch.get_num_threads() == before


def test_nothing_to_do_gives_nothing() -> None:
    assert spread([], [], str, lambda _: None, 2) == []


def test_what_a_task_raises_is_raised_and_the_other_threads_stop_after_their_task() -> None:
    failed = threading.Event()
    done: list[int] = []

    def fail(task: int) -> int:
        if task == 0:
            failed.set()
            raise ValueError("a task that cannot be done")
        failed.wait(10)
        # the other thread has been told by now
        time.sleep(0.05)
        done.append(task)
        return task

    with pytest.raises(ValueError, match="cannot be done"):
        spread(range(10), [1] * 10, fail, lambda _: None, 2)
    assert len(done) <= 1


def test_each_of_two_threads_computes_with_its_share_of_pytorchs_threads() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    try:
        assert spread([0, 1], [1, 1], lambda _: torch.get_num_threads(), lambda _: None, 2) == [2, 2]
        assert torch.get_num_threads() == 4
    finally:
        torch.set_num_threads(before)
