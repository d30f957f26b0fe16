"""The tables of a project file, as numbered migrations.

Knows SQL that changes with the format. Does not know what is written into the tables. A migration, once released,
never changes: a new one is added at the end, and `user_version` says how many have run.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

APPLICATION_ID = 0x46414241  # "FABA"


def _first(db: sqlite3.Connection) -> None:
    """Report, versions, brief, imports, media, trail."""
    for statement in (
        "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """CREATE TABLE section (
            id TEXT PRIMARY KEY,
            position INTEGER NOT NULL,
            in_report INTEGER NOT NULL DEFAULT 1 CHECK (in_report IN (0, 1)),
            heading TEXT NOT NULL,
            level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 9),
            spec TEXT,
            status TEXT NOT NULL DEFAULT 'empty' CHECK (status IN ('empty', 'imported', 'drafted', 'accepted')),
            current_version INTEGER REFERENCES version (id)
        )""",
        """CREATE TABLE version (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            section TEXT NOT NULL REFERENCES section (id),
            number INTEGER NOT NULL,
            text TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('imported', 'draft', 'accepted', 'restored')),
            partial INTEGER NOT NULL DEFAULT 0 CHECK (partial IN (0, 1)),
            writer TEXT NOT NULL,
            model TEXT,
            window_hash TEXT,
            settings TEXT NOT NULL,
            created TEXT NOT NULL,
            UNIQUE (section, number)
        )""",
        # every version is kept: only the status of one may change afterwards
        """CREATE TRIGGER version_never_deleted BEFORE DELETE ON version
            BEGIN SELECT RAISE(ABORT, 'versions are never deleted'); END""",
        """CREATE TRIGGER version_never_rewritten
            BEFORE UPDATE OF id, section, number, text, partial, writer, model, window_hash, settings, created
            ON version
            BEGIN SELECT RAISE(ABORT, 'versions are never rewritten'); END""",
        """CREATE TABLE fact (
            name TEXT PRIMARY KEY, position INTEGER NOT NULL, value TEXT NOT NULL, source TEXT NOT NULL
        )""",
        """CREATE TABLE source (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            text TEXT NOT NULL,
            replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, 1))
        )""",
        "CREATE TABLE media (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, data BLOB NOT NULL)",
        """CREATE TABLE import (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            created TEXT NOT NULL,
            filename TEXT NOT NULL,
            package BLOB,
            blocks TEXT NOT NULL
        )""",
        "CREATE TABLE notice (id INTEGER PRIMARY KEY AUTOINCREMENT, created TEXT NOT NULL, text TEXT NOT NULL)",
        """CREATE TABLE pin (
            section TEXT PRIMARY KEY REFERENCES section (id), state TEXT NOT NULL CHECK (state IN ('pin', 'exclude'))
        )""",
        "CREATE TABLE summary (text_hash TEXT PRIMARY KEY, text TEXT NOT NULL, made_by TEXT NOT NULL)",
        """CREATE TABLE event (
            id INTEGER PRIMARY KEY AUTOINCREMENT, created TEXT NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL
        )""",
        """CREATE TRIGGER event_never_deleted BEFORE DELETE ON event
            BEGIN SELECT RAISE(ABORT, 'the audit trail is never cut'); END""",
        """CREATE TRIGGER event_never_rewritten BEFORE UPDATE ON event
            BEGIN SELECT RAISE(ABORT, 'the audit trail is never rewritten'); END""",
    ):
        db.execute(statement)


def _second(db: sqlite3.Connection) -> None:
    """Vectors of the passages of sources."""
    db.execute(
        """CREATE TABLE vector (
            embedder TEXT NOT NULL, text_hash TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (embedder, text_hash)
        )"""
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first, _second)
VERSION = len(MIGRATIONS)


def migrate(db: sqlite3.Connection) -> None:
    """Run the migrations that the file has not seen, inside the caller's transaction."""
    (done,) = db.execute("PRAGMA user_version").fetchone()
    for number, migration in enumerate(MIGRATIONS[done:], start=done + 1):
        migration(db)
        db.execute(f"PRAGMA user_version = {number:d}")
