"""The next period's project begun from an earlier one's: structure, texts as inherited, pictures, the last package.

Knows tables. Does not know commitments, terms or what a period is.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from fabai.report import Report
from fabai.store import media, versions
from fabai.store.record import Made


def inherit(
    db: sqlite3.Connection,
    report: Report,
    pictures: Mapping[str, bytes],
    imported: tuple[str, bytes | None, str] | None,
    made: Made,
) -> int:
    """Take over the sections of an earlier report in their order, each text as a version that must be reviewed.

    imported: file name, package and blocks of the earlier report's last import, so that an export keeps its look.
    Returns how many sections have a text.
    """
    known = {one.id for one in versions.sections(db, True)}
    media.add(db, pictures)
    if imported is not None:
        db.execute(
            "INSERT INTO import (created, filename, package, blocks) VALUES (?, ?, ?, ?)", (made.created, *imported)
        )
    count = 0
    for position, section in enumerate(report):
        if section.id not in known:
            versions.add_sections(db, [section], position)
        db.execute(
            "UPDATE section SET position = ?, heading = ?, level = ? WHERE id = ?",
            (position, section.heading, section.level, section.id),
        )
        if section.text.strip():
            versions.save(db, section.id, section.text, made, partial=False)
            count += 1
    wanted = {one.id for one in report}
    db.executemany("UPDATE section SET in_report = 0 WHERE id = ?", [(one,) for one in known - wanted])
    return count


def last_import(db: sqlite3.Connection) -> tuple[str, bytes | None, str] | None:
    """File name, package and blocks of the newest import as a report, as they are kept."""
    row = db.execute("SELECT filename, package, blocks FROM import ORDER BY id DESC LIMIT 1").fetchone()
    return None if row is None else (row[0], row[1], row[2])
