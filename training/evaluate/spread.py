"""Work on a processor, spread over threads that go on by themselves.

PyTorch's own threads meet after every product, and where another program holds a core all of them wait for it. Here
each thread has a stretch of the work and computes it alone. Knows threads. Does not know what is computed.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TypeVar

import torch

Task = TypeVar("Task")
Result = TypeVar("Result")


def spread(
    tasks: Sequence[Task],
    sizes: Sequence[int],
    do: Callable[[Task], Result],
    done: Callable[[Task], None],
    threads: int,
) -> list[Result]:
    """do(task) of each, in order. sizes: how much work each is; a thread takes a stretch of neighbours. done: called
    after each, in the caller's thread. What `do` raises is raised here, and the others stop after their task.
    """
    ended: SimpleQueue[int | None] = SimpleQueue()
    stop = threading.Event()

    def work(places: range) -> list[Result]:
        found = []
        try:
            for place in places:
                if stop.is_set():
                    break
                found.append(do(tasks[place]))
                ended.put(place)
        except BaseException:
            stop.set()
            raise
        finally:
            ended.put(None)
        return found

    parts = stretches(sizes, threads)
    before = torch.get_num_threads()
    # a thread that begins takes this number over
    torch.set_num_threads(max(1, before // max(1, len(parts))))
    try:
        with ThreadPoolExecutor(max(1, len(parts)), thread_name_prefix="fabai-eval") as pool:
            futures = [pool.submit(work, places) for places in parts]
            running = len(futures)
            try:
                while running:
                    place = ended.get()
                    if place is None:
                        running -= 1
                    else:
                        done(tasks[place])
            finally:
                stop.set()
    finally:
        torch.set_num_threads(before)
    return [result for one in futures for result in one.result()]


def stretches(sizes: Sequence[int], count: int) -> list[range]:
    """At most `count` stretches of neighbours, none empty, as alike in size as their order allows."""
    whole, edges, taken = sum(sizes), [0], 0
    for place, size in enumerate(sizes):
        # the edge lies where half of what stands on it would be too much
        if len(edges) < count and edges[-1] < place and taken + size / 2 > whole * len(edges) / count:
            edges.append(place)
        taken += size
    edges.append(len(sizes))
    return [range(first, last) for first, last in itertools.pairwise(edges) if first < last]
