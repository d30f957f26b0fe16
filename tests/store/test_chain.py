"""The chained record: what is changed, removed or put in later is found."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from fabai.store import chain
from fabai.store.project import Made, Project

from .conftest import build_document

TEXT = "La sala de lectura abrió cinco tardes por semana durante el curso."


@pytest.fixture
def recorded(project: Project, made: Made) -> Project:
    project.import_document(build_document(("Uno", 1, "Texto de antes."), ("Dos", 1, "Otro texto.")), "d.md")
    version = project.save_version("s1", TEXT, made)
    project.accept(version.id)
    project.review("s1", "", "Marta Soler")
    project.save_version("s2", f"{TEXT} Más.", made)
    return project


def edit(project: Project, *statements: str) -> chain.Verdict:
    """What somebody can do who opens the file with another program."""
    head = project.verify_record().head
    with closing(sqlite3.connect(project.path, isolation_level=None)) as db:
        triggers = db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement)
    return project.verify_record(head)


def test_every_version_and_review_stands_in_the_record(recorded: Project) -> None:
    bodies = [entry.body for entry in recorded.record()]
    assert [body["kind"] for body in bodies] == ["version", "version", "version", "accepted", "review", "version"]
    assert bodies[2]["model"] == "m"
    assert bodies[2]["window"] == "abc"
    assert bodies[2]["settings"] == {"seed": 0}
    assert bodies[4]["reviewer"] == "Marta Soler"
    assert bodies[4]["paragraph"] == bodies[2]["paragraphs"][0]
    verdict = recorded.verify_record()
    assert (verdict.rows, verdict.faults) == (6, ())
    assert verdict.head == recorded.record()[-1].hash


def test_the_record_cannot_be_changed_through_the_project_file(recorded: Project) -> None:
    with closing(sqlite3.connect(recorded.path, isolation_level=None)) as db:
        for statement in (
            "DELETE FROM record",
            "UPDATE record SET body = '{}'",
            "DELETE FROM review",
            "UPDATE review SET reviewer = 'x'",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="stays"):
                db.execute(statement)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE record SET body = replace(body, 'Marta', 'Berta') WHERE id = 5", "row 5 of the record"),
        ("UPDATE record SET hash = replace(hash, '0', '1') WHERE id = 2", "changed after it was written"),
        ("DELETE FROM record WHERE id = 3", "rows 3 to 3 of the record are missing"),
        ("DELETE FROM record WHERE id >= 5", "the last 2 rows of the record are missing"),
        ("UPDATE version SET text = 'otro' WHERE id = 3", "is not what the record says"),
        ("UPDATE version SET model = 'otro' WHERE id = 3", "is not what the record says"),
        ("UPDATE version SET writer = 'person' WHERE id = 3", "is not what the record says"),
        ("UPDATE record SET body = '[' WHERE id = 4", "row 4 of the record"),
        ("DELETE FROM review", "tells of 1 reviews and the project holds 0"),
        ("INSERT INTO review (section, paragraph, reviewer, created) VALUES ('s2', 'x', 'y', 'z')", "holds 2"),
        (
            "INSERT INTO version (section, number, text, status, partial, writer, settings, created)"
            " VALUES ('s1', 9, 't', 'draft', 0, 'person', '{}', '2026')",
            "does not stand in the record",
        ),
    ],
)
def test_what_was_changed_or_removed_is_found(recorded: Project, statement: str, sentence: str) -> None:
    assert any(sentence in fault for fault in edit(recorded, statement).faults)


def test_a_chain_that_was_written_anew_lacks_the_head_that_was_handed_out(recorded: Project) -> None:
    head = recorded.verify_record().head
    with closing(sqlite3.connect(recorded.path, isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        rows = db.execute("SELECT version, body FROM record ORDER BY id").fetchall()
        db.execute("DELETE FROM record")
        db.execute("DELETE FROM sqlite_sequence WHERE name = 'record'")
        for version, body in rows:
            before = db.execute("SELECT hash FROM record ORDER BY id DESC LIMIT 1").fetchone()
            body = body.replace("Marta", "Berta")
            db.execute(
                "INSERT INTO record (version, body, hash) VALUES (?, ?, ?)",
                (version, body, chain._link(chain.START if before is None else before[0], body)),
            )
    # without the head nothing shows: the chain proves the order, not who wrote it
    assert recorded.verify_record().faults == ()
    assert any("written anew" in fault for fault in recorded.verify_record(head).faults)


def test_an_old_head_still_stands_in_a_record_that_grew(recorded: Project, made: Made) -> None:
    head = recorded.verify_record().head
    recorded.save_version("s1", "Más texto.", made)
    assert recorded.verify_record(head).faults == ()
    assert recorded.verify_record().head != head


def test_versions_from_before_the_record_enter_it_with_the_next_one(recorded: Project, made: Made) -> None:
    with closing(sqlite3.connect(recorded.path, isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'record_never%'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("DELETE FROM record")
        db.execute("DELETE FROM sqlite_sequence WHERE name = 'record'")
    recorded.save_version("s1", "Más texto.", made)
    told = [entry.body["version"] for entry in recorded.record() if entry.body["kind"] == "version"]
    assert told == [1, 2, 3, 4, 5]
