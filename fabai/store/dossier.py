"""Items of a dossier: JSON under a kind and a key, whose earlier states are kept; and files that are attached.

Knows that saving a key again makes a new state and that taking it away is a state too. Does not know what any kind
means (fabai.dossier does).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from fabai.errors import UnknownName
from fabai.store.file import ProjectFile
from fabai.store.record import now
from fabai.store.unicode import composed


@dataclass(frozen=True, slots=True)
class Item:
    """One state of an item. data None: it was taken away. created: ISO 8601, UTC."""

    id: int
    kind: str
    key: str
    data: Mapping[str, Any] | None
    created: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file kept in the project: a proof, a photo as it came."""

    sha256: str
    name: str
    data: bytes


class Items:
    """The items of an open project; every call is one transaction."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def all(self, kind: str) -> tuple[Item, ...]:
        """The present state of every item of a kind, in the order in which the keys first came."""
        with self._file.reading() as db:
            rows = db.execute(
                "SELECT item.id, item.kind, item.key, data, created FROM item"
                " JOIN (SELECT key, min(id) AS first FROM item WHERE kind = ? GROUP BY key) AS known"
                " ON known.key = item.key WHERE item.kind = ? AND current = 1 AND data IS NOT NULL ORDER BY first",
                (kind, kind),
            )
            return tuple(_item(row) for row in rows)

    def get(self, kind: str, key: str) -> Item:
        """UnknownName where there is none."""
        found = {item.key: item for item in self.all(kind)}
        if composed(key) not in found:
            raise UnknownName.nearest(kind, key, found)
        return found[composed(key)]

    def history(self, kind: str, key: str) -> tuple[Item, ...]:
        """Every state of an item, oldest first."""
        with self._file.reading() as db:
            rows = db.execute(
                "SELECT id, kind, key, data, created FROM item WHERE kind = ? AND key = ? ORDER BY id",
                (kind, composed(key)),
            )
            return tuple(_item(row) for row in rows)

    def save(self, kind: str, items: Iterable[tuple[str, Mapping[str, Any] | None]], event: str = "dossier") -> int:
        """Give items a new state, None to take one away; what stays the same is not written again. Returns how many
        changed. One line of the audit trail tells of all.
        """
        changed = 0
        with self._file.writing() as db:
            stamp = now()
            for key, data in items:
                changed += _write(db, kind, composed(key), data, stamp)
            if changed:
                db.execute(
                    "INSERT INTO event (created, kind, detail) VALUES (?, ?, ?)",
                    (stamp, event, json.dumps({"kind": kind, "items": changed})),
                )
        return changed

    def attach(self, name: str, data: bytes) -> Attachment:
        """Keep a file; the same content twice is kept once, under its first name."""
        digest = sha256(data).hexdigest()
        with self._file.writing() as db:
            db.execute(
                "INSERT OR IGNORE INTO attachment (sha256, name, data) VALUES (?, ?, ?)", (digest, composed(name), data)
            )
        return self.attachment(digest)

    def attachment(self, digest: str) -> Attachment:
        """UnknownName where no file has that sha256."""
        with self._file.reading() as db:
            row = db.execute("SELECT sha256, name, data FROM attachment WHERE sha256 = ?", (digest,)).fetchone()
        if row is None:
            raise UnknownName(f"no attached file has the sha256 {digest[:12]}…")
        return Attachment(*row)


def _write(db: sqlite3.Connection, kind: str, key: str, data: Mapping[str, Any] | None, stamp: str) -> int:
    text = None if data is None else composed(json.dumps(data, ensure_ascii=False, sort_keys=True))
    row = db.execute("SELECT data FROM item WHERE kind = ? AND key = ? AND current = 1", (kind, key)).fetchone()
    if (row is None and text is None) or (row is not None and row[0] == text):
        return 0
    db.execute("UPDATE item SET current = 0 WHERE kind = ? AND key = ? AND current = 1", (kind, key))
    db.execute("INSERT INTO item (kind, key, data, created) VALUES (?, ?, ?, ?)", (kind, key, text, stamp))
    return 1


def _item(row: tuple[int, str, str, str | None, str]) -> Item:
    identity, kind, key, data, created = row
    return Item(identity, kind, key, None if data is None else json.loads(data), created)
