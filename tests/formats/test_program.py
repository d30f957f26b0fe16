"""A foreign program is ended with its time, which is longer on a machine that is busy."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fabai.errors import UnreadableFile
from fabai.formats import program

SLEEP = [sys.executable, "-c", "import time; time.sleep(30)"]


BUSY = "X took longer than {} s (the machine is busy: {} programs a processor; try again later); mend it"


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.2, "X took longer than 0.05 s; mend it"), (3.0, BUSY.format(0.15, 3.0)), (90.0, BUSY.format(0.2, 90.0))],
)
def test_the_time_grows_with_the_load_up_to_a_bound(
    share: float, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "wanted", lambda: share)
    with pytest.raises(UnreadableFile) as caught:
        program.run(SLEEP, tmp_path, 0.05, "X", "mend it")
    assert str(caught.value) == said


def test_what_ends_in_time_says_nothing(tmp_path: Path) -> None:
    program.run([sys.executable, "-c", "open('x', 'w').close()"], tmp_path, 30, "X", "mend it")
    assert (tmp_path / "x").exists()
    assert program.wanted() >= 0
