"""The audit trail: what was done to a project, line by line, never changed.

Knows how a line is written. Does not know what it tells of.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from fabai.store.record import now


def log(db: sqlite3.Connection, kind: str, /, **detail: Any) -> None:
    db.execute(
        "INSERT INTO event (created, kind, detail) VALUES (?, ?, ?)",
        (now(), kind, json.dumps(detail, ensure_ascii=False)),
    )
