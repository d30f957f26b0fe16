"""What the person supplies: facts and source texts.

Knows that a fact's last value counts and that a newer file of the same name replaces the older one, which is kept.
Does not know where they are read from.
"""

from __future__ import annotations

import sqlite3
import unicodedata
from dataclasses import replace

from fabai.ledger import Fact, Ledger
from fabai.store.record import Source
from fabai.store.unicode import composed


def set_fact(db: sqlite3.Connection, fact: Fact) -> Fact | None:
    """Add a fact or give it a new value; returns the fact that it replaced."""
    fact = Fact(*(unicodedata.normalize("NFC", one).strip() for one in (fact.name, fact.value, fact.source)))
    old = db.execute("SELECT name, value, source FROM fact WHERE name = ?", (fact.name,)).fetchone()
    db.execute(
        "INSERT INTO fact (name, position, value, source)"
        " VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM fact), ?, ?)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value, source = excluded.source",
        (fact.name, fact.value, fact.source),
    )
    return None if old is None else Fact(*old)


def ledger(db: sqlite3.Connection) -> Ledger:
    return Ledger(tuple(Fact(*row) for row in db.execute("SELECT name, value, source FROM fact ORDER BY position")))


def add_source(db: sqlite3.Connection, source: Source) -> Source:
    """Store a source; the same file twice is one source, another file of that name takes its place."""
    source = replace(source, name=composed(source.name), text=composed(source.text))
    row = db.execute(
        "SELECT id FROM source WHERE name = ? AND sha256 = ? AND kind = ? AND replaced = 0",
        (source.name, source.sha256, source.kind),
    ).fetchone()
    if row is not None:
        return replace(source, id=int(row[0]))
    db.execute("UPDATE source SET replaced = 1 WHERE name = ?", (source.name,))
    cursor = db.execute(
        "INSERT INTO source (name, kind, sha256, text) VALUES (?, ?, ?, ?)",
        (source.name, source.kind, source.sha256, source.text),
    )
    return replace(source, id=int(cursor.lastrowid or 0))


def sources(db: sqlite3.Connection) -> tuple[Source, ...]:
    """The sources in use, in the order they came."""
    rows = db.execute("SELECT name, text, sha256, kind, id FROM source WHERE replaced = 0 ORDER BY id")
    return tuple(Source(*row) for row in rows)
