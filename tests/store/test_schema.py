"""Migrations: from any version to today's, the same tables."""

from __future__ import annotations

import sqlite3

import pytest

from fabai.store.schema import MIGRATIONS, VERSION, migrate


def _tables(db: sqlite3.Connection) -> list[tuple[str, str]]:
    return sorted(db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))


@pytest.mark.parametrize("start", range(VERSION + 1))
def test_a_file_of_any_version_becomes_one_of_this_version(start: int) -> None:
    fresh, old = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    migrate(fresh)
    for migration in MIGRATIONS[:start]:
        migration(old)
    old.execute(f"PRAGMA user_version = {start}")
    migrate(old)
    assert old.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert _tables(old) == _tables(fresh)


def test_migrating_twice_changes_nothing() -> None:
    db = sqlite3.connect(":memory:")
    migrate(db)
    before = _tables(db)
    migrate(db)
    assert _tables(db) == before


def test_every_migration_says_what_it_adds() -> None:
    assert all(migration.__doc__ for migration in MIGRATIONS)
