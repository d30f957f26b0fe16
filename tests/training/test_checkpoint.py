"""Checkpoints are whole or not there."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from fabai.training.checkpoint import Reading, Writing, disk_full, no_room, replace, sweep, whole
from safetensors import SafetensorError

from fabai.errors import UnreadableFile


def write(folder: Path, step: int, size: int = 4, keep: int = 2) -> Path:
    writing = Writing(folder, step)
    writing.put("weights", {"a": torch.arange(size, dtype=torch.float32), "step": step})
    return writing.finish(keep)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of a megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = shutil.which("mount") is not None and os.geteuid() == 0
    done = mounted and subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "small", folder], check=False)
    if not done or done.returncode != 0:
        pytest.skip("this user may not mount a small file system")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_what_was_put_comes_back(tmp_path: Path) -> None:
    found = Reading(write(tmp_path, 50))
    assert found.step == 50
    assert found.get("weights")["a"].tolist() == [0.0, 1.0, 2.0, 3.0]


def test_only_the_last_ones_are_kept(tmp_path: Path) -> None:
    for step in (9, 10, 1_000_000):
        write(tmp_path, step)
    assert [path.name for path in whole(tmp_path)] == ["step-000010", "step-1000000"]


def test_a_checkpoint_half_written_is_none(tmp_path: Path) -> None:
    write(tmp_path, 1)
    Writing(tmp_path, 2).put("weights", {"a": torch.ones(4)})
    assert [path.name for path in whole(tmp_path)] == ["step-000001"]
    sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["step-000001"]


def test_a_step_saved_twice_is_there_once(tmp_path: Path) -> None:
    write(tmp_path, 1)
    assert Reading(write(tmp_path, 1)).step == 1
    assert len(whole(tmp_path)) == 1


@pytest.mark.parametrize("name", ["weights.safetensors", "weights.json"])
def test_a_file_that_changed_is_refused_and_the_one_before_is_named(tmp_path: Path, name: str) -> None:
    write(tmp_path, 1)
    path = write(tmp_path, 2)
    content = bytearray((path / name).read_bytes())
    content[-2] ^= 1
    (path / name).write_bytes(content)
    with pytest.raises(UnreadableFile, match=f"{name} is not what was saved; delete it to go on from step-000001"):
        Reading(path)


def test_a_manifest_of_another_format_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, 1)
    about = json.loads((path / "checkpoint.json").read_text())
    (path / "checkpoint.json").write_text(json.dumps(about | {"format": 99}))
    with pytest.raises(UnreadableFile, match="another version of fabai"):
        Reading(path)


def test_no_pickle_is_written(tmp_path: Path) -> None:
    path = write(tmp_path, 1)
    assert {one.suffix for one in path.iterdir()} == {".json", ".safetensors"}


def test_a_full_disk_leaves_the_last_good_checkpoint(small_disk: Path) -> None:
    write(small_disk, 1, size=50_000)
    writing = Writing(small_disk, 2)
    with pytest.raises((OSError, SafetensorError)) as caught:
        writing.put("weights", {str(part): torch.ones(50_000) for part in range(9)})
    assert disk_full(caught.value)
    writing.give_up()
    assert [path.name for path in small_disk.iterdir()] == ["step-000001"]
    assert Reading(whole(small_disk)[-1]).get("weights")["a"].shape == (50_000,)
    assert "step-000001 is whole: make room, then go on from it with --resume" in str(no_room(small_disk, 2))


def test_other_errors_are_not_the_disks_fault() -> None:
    assert disk_full(OSError(errno.ENOSPC, "full"))
    assert not disk_full(OSError(errno.EACCES, "no"))
    assert not disk_full(ValueError("os error 28"))


def test_a_small_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    replace(path, "one")
    replace(path, "two")
    assert path.read_text() == "two"
    assert [one.name for one in tmp_path.iterdir()] == ["run.json"]
