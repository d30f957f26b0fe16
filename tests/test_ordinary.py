"""Files that a person names: read where they are ordinary and of bearable size, else one sentence and no waiting."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fabai.errors import UnreadableFile
from fabai.ordinary import contents


def test_an_ordinary_file_is_read_whole_also_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("a")
    assert contents(tmp_path / "a", 5) == contents(tmp_path / "link", 5) == b"12345"


def test_a_larger_one_than_allowed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    with pytest.raises(UnreadableFile, match="too large"):
        contents(tmp_path / "a", 4)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="no ordinary file"):
        contents(tmp_path / "pipe", 10)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_a_device_without_end_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="no ordinary file"):
        contents(Path("/dev/zero"), 10)


@pytest.mark.parametrize("name", ["none", ".", "a\0b", "x" * 300])
def test_what_cannot_be_read_is_one_sentence_that_begins_as_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnreadableFile, match=r"^'?the template") as caught:
        contents(tmp_path / name, 10, "the template")
    assert "\n" not in str(caught.value)


def test_a_link_that_leads_to_itself_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UnreadableFile, match="cannot be read"):
        contents(tmp_path / "loop", 10)
