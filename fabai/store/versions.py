"""The versions of a section: appended, accepted, restored, never lost.

Knows which version is a section's text. Does not know where texts come from.

A new version becomes the section's text unless that would hide something better: an accepted text stays until another
is accepted, so does one that a person typed, and a partial text only takes an empty place. Whatever is not shown stays
among the versions. What was typed and is not a version yet (`working`) is the section's text; it becomes a version
before another text takes its place.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator

from fabai.errors import BadSetting, UnknownName
from fabai.report import Section, Status
from fabai.store.record import Made, Version, VersionStatus
from fabai.store.unicode import whole

_SELECT = (
    "SELECT id, section, number, text, status, partial, writer, model, window_hash, settings, created FROM version"
)
_SECTIONS = (
    "SELECT s.id, s.heading, s.level, coalesce(w.text, v.text, ''), s.status, s.spec FROM section AS s"
    " LEFT JOIN version AS v ON v.id = s.current_version LEFT JOIN working AS w ON w.section = s.id"
)


def append(
    db: sqlite3.Connection, section_id: str, text: str, made: Made, status: VersionStatus, partial: bool = False
) -> Version:
    """Write a version; the section's text stays what it was."""
    try:
        settings = json.dumps(dict(made.settings), ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise BadSetting(f"the settings of a version must be plain JSON: {error}") from error
    last = db.execute("SELECT coalesce(max(number), 0) FROM version WHERE section = ?", (section_id,)).fetchone()
    number = int(last[0]) + 1
    cursor = db.execute(
        "INSERT INTO version (section, number, text, status, partial, writer, model, window_hash, settings, created)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            section_id,
            number,
            whole(text),
            status,
            int(partial),
            made.writer,
            made.model,
            made.window,
            settings,
            made.created,
        ),
    )
    return get(db, int(cursor.lastrowid or 0))


def show(db: sqlite3.Connection, section_id: str, version_id: int | None, status: Status) -> None:
    """Make a version the section's text; what was typed there and is no version yet becomes one first."""
    settle(db, section_id)
    db.execute("UPDATE section SET current_version = ?, status = ? WHERE id = ?", (version_id, status, section_id))


def settle(db: sqlite3.Connection, section_id: str) -> Version | None:
    """Make a version of what was typed in a section; None where nothing was."""
    row = db.execute("SELECT text, author, created FROM working WHERE section = ?", (section_id,)).fetchone()
    if row is None:
        return None
    text, author, created = row
    version = append(db, section_id, text, Made("person", settings={"by": author}, created=created), "draft")
    db.execute("DELETE FROM working WHERE section = ?", (section_id,))
    db.execute("UPDATE section SET current_version = ? WHERE id = ?", (version.id, section_id))
    return version


def restate(db: sqlite3.Connection, section_id: str, text: str) -> None:
    """The section's status after a person typed this text."""
    db.execute(
        "UPDATE section SET status ="
        " CASE WHEN ? THEN 'empty' WHEN status = 'accepted' THEN 'accepted' ELSE 'drafted' END WHERE id = ?",
        (int(not text.strip()), section_id),
    )


def save(db: sqlite3.Connection, section_id: str, text: str, made: Made, partial: bool) -> Version:
    """A draft, shown where nothing better stands."""
    settle(db, section_id)
    old = section(db, section_id)
    typed = old.status != "empty" and _typed(db, section_id)
    version = append(db, section_id, text, made, "draft", partial)
    if old.status != "accepted" and not typed and not (partial and old.status != "empty") and text.strip():
        show(db, section_id, version.id, "drafted")
    return version


def accept(db: sqlite3.Connection, version_id: int) -> Version:
    """Make a version the section's accepted text; a section that had left the report returns to it."""
    version = get(db, version_id)
    db.execute("UPDATE version SET status = 'accepted' WHERE id = ?", (version_id,))
    show(db, version.section, version_id, "accepted")
    db.execute("UPDATE section SET in_report = 1 WHERE id = ?", (version.section,))
    return get(db, version_id)


def restore(db: sqlite3.Connection, version_id: int, made: Made) -> Version:
    """Bring an old text back as a new version, accepted; a section that had left the report returns to it."""
    old = get(db, version_id)
    version = append(db, old.section, old.text, made, "restored")
    show(db, old.section, version.id, "accepted")
    db.execute("UPDATE section SET in_report = 1 WHERE id = ?", (old.section,))
    return version


def get(db: sqlite3.Connection, version_id: int) -> Version:
    row = db.execute(_SELECT + " WHERE id = ?", (version_id,)).fetchone()
    if row is None:
        raise UnknownName(f"there is no version {version_id} in this project")
    return _version(row)


def of_section(db: sqlite3.Connection, section_id: str) -> tuple[Version, ...]:
    """Oldest first."""
    section(db, section_id)
    rows = db.execute(_SELECT + " WHERE section = ? ORDER BY number", (section_id,))
    return tuple(map(_version, rows))


def since(db: sqlite3.Connection, last: int) -> Iterator[Version]:
    """Every version of every section with an id above `last`, oldest first."""
    return map(_version, db.execute(_SELECT + " WHERE id > ? ORDER BY id", (last,)))


def sections(db: sqlite3.Connection, in_report: bool) -> tuple[Section, ...]:
    """The sections of the report in reading order, or those that have left it."""
    rows = db.execute(f"{_SECTIONS} WHERE s.in_report = ? ORDER BY s.position, s.rowid", (int(in_report),))
    return tuple(Section(*row) for row in rows)


def section(db: sqlite3.Connection, section_id: str) -> Section:
    """One section, in the report or not; UnknownName with the nearest id where there is none."""
    row = db.execute(f"{_SECTIONS} WHERE s.id = ?", (section_id,)).fetchone()
    if row is None:
        every = [one for (one,) in db.execute("SELECT id FROM section ORDER BY in_report DESC, position, rowid")]
        raise UnknownName.nearest("section", section_id, every)
    return Section(*row)


def add_sections(db: sqlite3.Connection, new: Iterable[Section], first_position: int = 0) -> None:
    """Sections without text, in the order given."""
    for position, one in enumerate(new, start=first_position):
        db.execute(
            "INSERT INTO section (id, position, heading, level, spec) VALUES (?, ?, ?, ?, ?)",
            (one.id, position, one.heading, one.level, one.spec),
        )


def _typed(db: sqlite3.Connection, section_id: str) -> bool:
    row = db.execute(
        "SELECT v.writer FROM section AS s JOIN version AS v ON v.id = s.current_version WHERE s.id = ?", (section_id,)
    ).fetchone()
    return row is not None and row[0] == "person"


def _version(row: tuple[int, str, int, str, VersionStatus, int, str, str | None, str | None, str, str]) -> Version:
    identity, section_id, number, text, status, partial, writer, model, window, settings, created = row
    made = Made(writer, model, window, json.loads(settings), created)
    return Version(identity, section_id, number, text, status, bool(partial), made)
