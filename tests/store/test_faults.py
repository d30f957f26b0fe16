"""Faults of the disk and of SQLite, in one sentence that names the file."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

import pytest

from fabai.errors import BadSetting, FabaiError, ProjectError
from fabai.store.faults import disk_sentence, one_sentence


@pytest.mark.parametrize(
    "code", [errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.ENOENT, errno.ENAMETOOLONG, errno.EIO]
)
def test_every_error_of_the_disk_is_one_sentence_about_the_file(code: int) -> None:
    sentence = disk_sentence(OSError(code, "reason"), Path("mi memoria.fabai"))
    assert "mi memoria.fabai" in sentence
    assert "\n" not in sentence


def _raise(error: Exception) -> None:
    with one_sentence(Path("p.fabai")):
        raise error


def test_every_error_of_sqlite_is_one_sentence_about_the_file() -> None:
    for error in (sqlite3.OperationalError("no such table: x"), sqlite3.IntegrityError("CHECK"), OSError(5, "x")):
        with pytest.raises(ProjectError, match=r"p\.fabai"):
            _raise(error)


def test_text_that_is_no_unicode_is_named() -> None:
    with pytest.raises(BadSetting, match="not text in UTF-8"):
        _raise(UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates"))


def test_our_own_errors_pass_unchanged() -> None:
    with pytest.raises(FabaiError, match=r"^mine$"):
        _raise(FabaiError("mine"))
