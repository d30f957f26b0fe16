"""Host buffers: exact sizes, reuse, and memory that the system will not lock."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from fabai.training.engine.traffic import HostBuffer, Shelf, Traffic

CPU = torch.device("cpu")


@pytest.mark.parametrize(("answer", "locked"), [(0, True), (2, False)])
def test_memory_that_the_system_will_not_lock_serves_unlocked(
    answer: int, locked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlocked: list[int] = []
    runtime = SimpleNamespace(cudaHostRegister=lambda *_: answer, cudaHostUnregister=unlocked.append)
    monkeypatch.setattr(torch.cuda, "cudart", lambda: runtime)
    buffer = HostBuffer(64, pinned=True)
    assert buffer.locked is locked
    view = buffer.view(torch.Size((4, 2)), torch.float32, offset=32)
    view.fill_(3.0)
    assert buffer.bytes[:32].sum() == 0
    buffer.close()
    assert len(unlocked) == locked


def test_a_shelf_gives_back_what_was_put_and_keeps_its_buffers() -> None:
    shelf = Shelf(Traffic(CPU), pinned=False)
    first, second = torch.randn(5, 3), torch.randn(2, 3)
    shelf.put("one", first, "host")
    assert torch.equal(shelf.take("one"), first)
    assert "one" not in shelf
    held = shelf.host_bytes
    shelf.put("one", second, "host")
    assert torch.equal(shelf.read("one"), second)
    assert shelf.host_bytes == held == first.nbytes
    assert not shelf.locked
    shelf.close()
    assert shelf.host_bytes == 0


def test_a_longer_sequence_grows_its_slot() -> None:
    shelf = Shelf(Traffic(CPU), pinned=False)
    shelf.put("a", torch.ones(2), "host", slot="x")
    shelf.clear()
    shelf.put("b", torch.arange(9.0), "host", slot="x")
    assert torch.equal(shelf.take("b"), torch.arange(9.0))
    assert shelf.host_bytes == 36
