"""What SQLite and the disk complain about, said in one sentence.

Knows error codes. Does not know tables.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabai.errors import BadSetting, ProjectError

_SENTENCES = (
    ("SQLITE_FULL", "the disk is full: free some space and try again; '{path}' is as it was before"),
    ("SQLITE_BUSY", "'{path}' is in use by another program: wait until it has finished and try again"),
    ("SQLITE_LOCKED", "'{path}' is in use by another program: wait until it has finished and try again"),
    ("SQLITE_READONLY_DBMOVED", "'{path}' was moved or deleted while it was open: open it where it is now"),
    ("SQLITE_READONLY", "'{path}' cannot be written: the file or its folder is read-only"),
    ("SQLITE_CANTOPEN", "'{path}' cannot be opened or written: its folder has vanished or is read-only"),
    ("SQLITE_NOTADB", "'{path}' is not a fabai project"),
    ("SQLITE_CORRUPT", "'{path}' is damaged: go back to a copy of it (fabai backup makes them)"),
    ("SQLITE_TOOBIG", "a text or image is too large for '{path}' (the limit is 1 GB)"),
    (
        "SQLITE_IOERR",
        "'{path}' cannot be read or written: the disk is full, failing or gone (nothing saved before is lost)",
    ),
)


@contextmanager
def one_sentence(path: Path) -> Iterator[None]:
    """Turn an error of SQLite or the disk inside the block into a ProjectError about `path`."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise ProjectError(_sentence(error, path)) from error
    except UnicodeEncodeError as error:
        raise BadSetting(f"{error.object[:40]!r} is not text in UTF-8: write it again") from error
    except OSError as error:
        raise ProjectError(disk_sentence(error, path)) from error


def disk_sentence(error: OSError, path: Path) -> str:
    """One sentence for an error of the file system."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"the disk is full: free some space and try again; '{path}' was not written"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"'{path}' cannot be opened or written: you have no right to, or its folder is read-only"
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return f"'{path}' cannot be reached: the file or its folder does not exist"
    if error.errno == errno.ENAMETOOLONG:
        return f"'{path}' is too long a name for a file"
    return f"'{path}' cannot be read or written: {error.strerror or error}"


def _sentence(error: sqlite3.DatabaseError, path: Path) -> str:
    name = getattr(error, "sqlite_errorname", None) or ""
    for beginning, sentence in _SENTENCES:
        if name.startswith(beginning):
            return sentence.format(path=path)
    return f"'{path}' cannot be used: {error}"
