"""The reports that were handed in, frozen: kept, listed, never changed.

Knows the table of them. Does not know how a package is made.
"""

from __future__ import annotations

import hashlib
import json

from fabai.store.file import ProjectFile
from fabai.store.record import Presented, now


class Presentations:
    """What a project file keeps of each handing in, oldest first."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def add(self, name: str, document: bytes, manifest: str) -> Presented:
        """Freeze a Word file and the manifest of its package (JSON); the trail says so."""
        created = now()
        digest = hashlib.sha256(document).hexdigest()
        with self._file.writing() as db:
            cursor = db.execute(
                "INSERT INTO presented (created, name, sha256, manifest, document) VALUES (?, ?, ?, ?, ?)",
                (created, name, digest, manifest, document),
            )
            detail = json.dumps({"name": name, "sha256": digest}, ensure_ascii=False)
            db.execute("INSERT INTO event (created, kind, detail) VALUES (?, 'presented', ?)", (created, detail))
            return Presented(int(cursor.lastrowid or 0), created, name, digest, manifest, document)

    def all(self) -> tuple[Presented, ...]:
        with self._file.reading() as db:
            rows = db.execute("SELECT id, created, name, sha256, manifest, document FROM presented ORDER BY id")
            return tuple(Presented(*row) for row in rows)
