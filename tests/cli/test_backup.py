"""`fabai backup`"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fabai.store.project import Project

from .conftest import Run


@pytest.fixture(autouse=True)
def project(run: Run, folder: Path) -> Path:
    assert run("new", "p", "--title", "T").code == 0
    return folder / "p.fabai"


def test_a_copy_is_made_and_checked(run: Run, folder: Path) -> None:
    ran = run("backup", "p.fabai", "copia ñ.fabai", "--json")
    assert ran.json == {"backup": "copia ñ.fabai", "bytes": (folder / "copia ñ.fabai").stat().st_size}
    with Project.open(folder / "copia ñ.fabai") as copy:
        assert copy.title == "T"


def test_nothing_is_overwritten(run: Run, folder: Path) -> None:
    (folder / "mine").write_text("mine")
    for name in ("mine", "p.fabai", "."):
        ran = run("backup", "p.fabai", name)
        assert (ran.code, "exists already" in ran.err) == (1, True)
    assert (folder / "mine").read_text() == "mine"
    assert sorted(path.name for path in folder.iterdir()) == ["mine", "p.fabai"]


@pytest.mark.parametrize("target", ["absent/b.fabai", "p.fabai/b.fabai", "x" * 300, "/proc/b.fabai"])
def test_a_place_that_cannot_be_written_is_named(run: Run, folder: Path, target: str) -> None:
    ran = run("backup", "p.fabai", target)
    assert ran.code == 1
    assert [path.name for path in folder.iterdir()] == ["p.fabai"]


def test_a_name_that_is_no_unicode_works(run: Run, folder: Path) -> None:
    assert run("backup", "p.fabai", os.fsdecode(b"\xff.fabai")).code == 0
    assert len(list(folder.iterdir())) == 2
