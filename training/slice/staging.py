"""A folder that appears whole or not at all: written beside its place under a hidden name, renamed at the end.

Does not know what is written.
"""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from fabai.errors import FabaiError, UsageError


@contextmanager
def staged(target: Path, needed: int) -> Iterator[Path]:
    """Yields a folder to write into, which becomes `target` when the block ends well and vanishes otherwise.

    needed: bytes that the disk must have. A kill that leaves no time to clean up leaves only the hidden folder, which
    the next try removes. UsageError where target exists with something in it.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} exists already; give another folder or remove it first")
    hidden = target.parent / f".{target.name}.unfinished"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(hidden, ignore_errors=True)
        free = shutil.disk_usage(target.parent).free
        if free < needed:
            raise UsageError(
                f"{target.parent} has {free / 2**30:.1f} GiB free and this needs {needed / 2**30:.1f} GiB; free some "
                "space"
            )
        hidden.mkdir()
        with _terminable():
            yield hidden
        _sync(hidden)
        if target.is_dir():
            target.rmdir()
        hidden.rename(target)
        _sync(target.parent)
    except OSError as error:
        raise FabaiError(f"{error.filename or target} could not be written: {error.strerror}") from None
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM unwinds like Ctrl-C, so that the hidden folder is removed."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
