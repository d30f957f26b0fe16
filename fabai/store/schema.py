"""The tables of a project file, as numbered migrations.

Knows SQL that changes with the format. Does not know what is written into the tables. A migration, once released,
never changes: a new one is added at the end, and `user_version` says how many have run.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any

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


def _ledger(db: sqlite3.Connection) -> None:
    """What is known about a fact, proposed facts, reviews of paragraphs, the chained record of how text was made."""
    for column in ("kind", "noun", "unit", "origin", "confirmed_by", "confirmed", "derived"):
        db.execute(f"ALTER TABLE fact ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")
    for statement in (
        """CREATE TABLE proposal (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            created TEXT NOT NULL,
            fact TEXT NOT NULL,
            context TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'confirmed', 'rejected')),
            decided_by TEXT NOT NULL DEFAULT '',
            decided TEXT NOT NULL DEFAULT ''
        )""",
        """CREATE TABLE review (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            section TEXT NOT NULL REFERENCES section (id),
            paragraph TEXT NOT NULL,
            reviewer TEXT NOT NULL,
            created TEXT NOT NULL
        )""",
        "CREATE INDEX review_paragraph ON review (paragraph)",
        "CREATE INDEX fact_position ON fact (position)",
        # what a row says is chained by hash to the row before it
        """CREATE TABLE record (
            id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER, body TEXT NOT NULL, hash TEXT NOT NULL
        )""",
        "CREATE INDEX record_version ON record (version)",
        *(
            f"""CREATE TRIGGER {table}_never_{done} BEFORE {what} ON {table}
                BEGIN SELECT RAISE(ABORT, 'what was reviewed and recorded stays'); END"""
            for table in ("review", "record")
            for what, done in (("DELETE", "deleted"), ("UPDATE", "rewritten"))
        ),
    ):
        db.execute(statement)


def _dossier(db: sqlite3.Connection) -> None:
    """What a dossier holds beside the text: items of many kinds with their earlier states, the proofs' files."""
    for statement in (
        """CREATE TABLE item (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            kind TEXT NOT NULL,
            key TEXT NOT NULL,
            data TEXT,
            created TEXT NOT NULL,
            current INTEGER NOT NULL DEFAULT 1 CHECK (current IN (0, 1))
        )""",
        "CREATE UNIQUE INDEX item_current ON item (kind, key) WHERE current = 1",
        "CREATE INDEX item_history ON item (kind, key)",
        """CREATE TRIGGER item_never_deleted BEFORE DELETE ON item
            BEGIN SELECT RAISE(ABORT, 'what a dossier held is never deleted'); END""",
        """CREATE TRIGGER item_never_rewritten BEFORE UPDATE OF id, kind, key, data, created ON item
            BEGIN SELECT RAISE(ABORT, 'what a dossier held is never rewritten'); END""",
        "CREATE TABLE attachment (sha256 TEXT PRIMARY KEY, name TEXT NOT NULL, data BLOB NOT NULL)",
    ):
        db.execute(statement)


def _presented(db: sqlite3.Connection) -> None:
    """What was handed in, frozen; the form's required tables as columns instead of one line of words."""
    for statement in (
        """CREATE TABLE presented (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            created TEXT NOT NULL,
            name TEXT NOT NULL,
            sha256 TEXT NOT NULL,
            manifest TEXT NOT NULL,
            document BLOB NOT NULL
        )""",
        *(
            f"""CREATE TRIGGER presented_never_{done} BEFORE {what} ON presented
                BEGIN SELECT RAISE(ABORT, 'what was handed in stays as it was'); END"""
            for what, done in (("DELETE", "deleted"), ("UPDATE", "rewritten"))
        ),
    ):
        db.execute(statement)
    row = db.execute("SELECT value FROM meta WHERE key = 'form'").fetchone()
    if row is not None:
        form = json.loads(row[0])
        for section in form.get("sections", ()):
            section["tables"] = [_table(one) for one in section.get("tables", ())]
        db.execute("UPDATE meta SET value = ? WHERE key = 'form'", (json.dumps(form, ensure_ascii=False),))


def _table(words: dict[str, Any]) -> dict[str, Any]:
    """{"es": "Título: columna; columna"} as a table of columns; one that has columns already stays."""
    if "columns" in words:
        return words
    split = {}
    for language, text in words.items():
        title, colon, rest = str(text).partition(": ")
        titled = bool(colon) and ";" in rest
        names = [name.strip() for name in (rest if titled else str(text)).split(";") if name.strip()]
        split[language] = (title if titled else "", names)
    count = min((len(names) for _, names in split.values()), default=0)
    columns = [{"heading": {one: names[index] for one, (_, names) in split.items()}} for index in range(count)]
    titles = {one: text for one, (text, _) in split.items() if text}
    return {"columns": columns or [{"heading": {"es": "—"}}], "title": titles or None}


def _workbench(db: sqlite3.Connection) -> None:
    """What people do while they write: typing that is no version yet, marks, notes, writing under way."""
    for statement in (
        """CREATE TABLE working (
            section TEXT PRIMARY KEY REFERENCES section (id),
            text TEXT NOT NULL,
            author TEXT NOT NULL,
            created TEXT NOT NULL
        )""",
        """CREATE TABLE unfinished (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            section TEXT NOT NULL REFERENCES section (id),
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            writer TEXT NOT NULL,
            model TEXT NOT NULL,
            created TEXT NOT NULL
        )""",
        "CREATE TABLE label (version INTEGER PRIMARY KEY REFERENCES version (id), text TEXT NOT NULL)",
        """CREATE TABLE locked (
            section TEXT NOT NULL REFERENCES section (id), paragraph TEXT NOT NULL, UNIQUE (section, paragraph)
        )""",
        """CREATE TABLE tick (
            section TEXT PRIMARY KEY REFERENCES section (id), digest TEXT NOT NULL, created TEXT NOT NULL
        )""",
        """CREATE TABLE note (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            section TEXT NOT NULL REFERENCES section (id),
            author TEXT NOT NULL,
            text TEXT NOT NULL,
            quote TEXT NOT NULL,
            created TEXT NOT NULL,
            done INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1))
        )""",
    ):
        db.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    _first, _second, _ledger, _dossier, _presented, _workbench,
)  # fmt: skip
VERSION = len(MIGRATIONS)


def migrate(db: sqlite3.Connection) -> None:
    """Run the migrations that the file has not seen, inside the caller's transaction."""
    (done,) = db.execute("PRAGMA user_version").fetchone()
    for number, migration in enumerate(MIGRATIONS[done:], start=done + 1):
        migration(db)
        db.execute(f"PRAGMA user_version = {number:d}")
