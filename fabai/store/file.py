"""The SQLite file under a project: made whole or not at all, checked when opened, copied whole.

Knows connections, pragmas, locks and temporary names. Does not know what a report is.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from fabai.errors import ProjectError
from fabai.settings import StoreSettings
from fabai.store.faults import one_sentence
from fabai.store.schema import APPLICATION_ID, VERSION, migrate

_MAGIC = b"SQLite format 3\x00"
_HEADER = 100  # bytes; https://www.sqlite.org/fileformat.html: user_version at 60, application_id at 68, big-endian


class ProjectFile:
    """One connection to one project file. Threads may share it: a transaction holds a lock."""

    def __init__(self, path: Path, db: sqlite3.Connection) -> None:
        self.path = path
        self._db = db
        self._lock = threading.RLock()

    @classmethod
    def create(cls, path: Path, fill: Callable[[sqlite3.Connection], None], settings: StoreSettings) -> ProjectFile:
        """A new file with today's tables and what `fill` writes; nothing is left behind where that fails."""
        with _published(path) as temporary, one_sentence(path), closing(_connect(temporary, settings)) as db:
            db.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
            db.execute("BEGIN IMMEDIATE")
            migrate(db)
            fill(db)
            db.execute("COMMIT")
        return cls.open(path, settings)

    @classmethod
    def open(cls, path: Path, settings: StoreSettings) -> ProjectFile:
        """An existing file, checked: header, version, pages. An older one is brought up to this version."""
        check_header(path)
        with one_sentence(path):
            db = _connect(path, settings)
            try:
                _check(db, path)
            except BaseException:
                db.close()
                raise
        return cls(path, db)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it is saved, or none."""
        with self._lock, one_sentence(self.path):
            if self._db.in_transaction:
                yield self._db
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                # a full disk has rolled back already
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent view for several queries."""
        with self._lock, one_sentence(self.path):
            if self._db.in_transaction:
                yield self._db
                return
            self._db.execute("BEGIN")
            try:
                yield self._db
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def copy_to(self, target: Path, settings: StoreSettings) -> None:
        """A consistent copy at a path where nothing is yet, checked before it takes its name."""
        with _published(target) as temporary:
            # VACUUM INTO wants a file that is absent or empty
            with self._lock, one_sentence(target):
                self._db.execute("VACUUM INTO ?", (str(temporary),))
            check_header(temporary)
            with one_sentence(target), closing(_connect(temporary, settings)) as db:
                _check(db, target)

    def close(self) -> None:
        with self._lock:
            self._db.close()


def check_header(path: Path) -> None:
    """ProjectError where the path is not a file that begins like a project; SQLite is not asked."""
    with one_sentence(path):
        if path.is_dir():
            raise ProjectError(f"'{path}' is a folder, not a fabai project")
        if not path.exists():
            raise ProjectError(f"'{path}' does not exist; fabai new makes a project")
        if not path.is_file():
            raise ProjectError(f"'{path}' is not a fabai project: it is no ordinary file")
        with path.open("rb") as file:
            header = file.read(_HEADER)
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        raise ProjectError(f"'{path}' is not a fabai project")
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        raise ProjectError(f"'{path}' is a database of another program, not a fabai project")
    if int.from_bytes(header[60:64], "big") > VERSION:
        raise ProjectError(f"'{path}' was made by a newer version of fabai: install that version to open it")


def is_project(path: Path) -> bool:
    """Whether a file begins as a project does, of whatever version; False where there is no ordinary file."""
    if not path.is_file():
        return False
    with one_sentence(path), path.open("rb") as file:
        header = file.read(_HEADER)
    return header.startswith(_MAGIC) and int.from_bytes(header[68:72], "big") == APPLICATION_ID


def _connect(path: Path, settings: StoreSettings) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode=rw"
    db = sqlite3.connect(
        uri,
        uri=True,
        timeout=settings.lock_seconds,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    for pragma in (
        "trusted_schema = OFF",
        "foreign_keys = ON",
        "cell_size_check = ON",
        "synchronous = FULL",
        # pages reach the file at the commit only, so that a copy taken in mid-transaction is whole
        "cache_spill = OFF",
        # KiB of pages that were read: the system keeps them too, and many projects are open at a time
        "cache_size = -256",
    ):
        db.execute(f"PRAGMA {pragma}")
    return db


def _check(db: sqlite3.Connection, path: Path) -> None:
    (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise ProjectError(f"'{path}' is damaged: go back to a copy of it (fabai backup makes them)")
    (mode,) = db.execute("PRAGMA journal_mode").fetchone()
    if mode != "delete":
        db.execute("PRAGMA journal_mode = DELETE")
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise ProjectError(f"'{path}' was made by a newer version of fabai: install that version to open it")
    if version < 1 or db.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is None:
        raise ProjectError(f"'{path}' is not a fabai project: its tables are missing")
    if version < VERSION:
        db.execute("BEGIN IMMEDIATE")
        try:
            migrate(db)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise


@contextmanager
def _published(path: Path) -> Iterator[Path]:
    """A temporary name beside `path` that becomes `path` at the end of the block, or vanishes where the block fails."""
    with one_sentence(path):
        if os.path.lexists(path):
            raise ProjectError(f"'{path}' exists already: choose another name, nothing was overwritten")
        temporary = path.parent / f".fabai-{secrets.token_hex(8)}.part"
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        yield temporary
        with one_sentence(path):
            _name(temporary, path)
    finally:
        for left in (temporary, Path(f"{temporary}-journal")):
            left.unlink(missing_ok=True)


def _name(temporary: Path, path: Path) -> None:
    try:
        try:
            os.link(temporary, path)
        except PermissionError:
            # a file system without hard links: claim the name, then replace the claim
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            os.replace(temporary, path)
    except FileExistsError:
        raise ProjectError(f"'{path}' exists already: choose another name, nothing was overwritten") from None
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
