"""The chained record of how text was made and who reviewed it: each row holds the hash of the row before it.

Knows rows, hashes and what they say about versions. A changed, removed or inserted row is found. It proves the order
of what happened on this machine, not who did it: whoever can write the file can write a whole new chain, unless its
head (the last hash) was handed out before; then the old head no longer stands in it. Does not know how the record is
told to a funder (fabai.evidence).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from fabai.store import versions
from fabai.store.provenance import paragraph_hash, split
from fabai.store.record import Version

_CUT = "paragraphs"  # follows from the text, by rules that a later version of fabai may mend

START = "0" * 64
"""What stands for the hash before the first row."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row. body: "kind" is "version", "shown" or "review", with what belongs to it. hash: of it and of the hash
    before it.
    """

    id: int
    body: dict[str, Any]
    hash: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check of the chain found. head: the last row's hash. faults: sentences, () where all is as it was
    written.
    """

    rows: int
    head: str
    faults: tuple[str, ...] = ()


def append(db: sqlite3.Connection, kind: str, /, _version: int | None = None, **what: Any) -> str:
    """Write a row and return its hash."""
    body = json.dumps({"kind": kind, **what}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    last = db.execute("SELECT hash FROM record ORDER BY id DESC LIMIT 1").fetchone()
    digest = _link(START if last is None else str(last[0]), body)
    db.execute("INSERT INTO record (version, body, hash) VALUES (?, ?, ?)", (_version, body, digest))
    return digest


def note_versions(db: sqlite3.Connection) -> None:
    """A row for every version that has none yet, those of a project from before the record included."""
    row = db.execute("SELECT max(version) FROM record").fetchone()
    for version in versions.since(db, int(row[0] or 0)):
        append(db, "version", version.id, **_of(version))


def entries(db: sqlite3.Connection) -> Iterator[Entry]:
    for identity, body, digest in db.execute("SELECT id, body, hash FROM record ORDER BY id"):
        yield Entry(identity, json.loads(body), digest)


def verify(db: sqlite3.Connection, head: str = "") -> Verdict:
    """Check every row, and every version and review against its row. head: one that was handed out earlier, which must
    still stand in the chain.
    """
    faults: list[str] = []
    before, expected, seen_head = START, 1, not head
    told: dict[int, dict[str, Any]] = {}
    reviews = 0
    for identity, text, digest in db.execute("SELECT id, body, hash FROM record ORDER BY id"):
        if identity != expected:
            faults.append(f"rows {expected} to {identity - 1} of the record are missing")
        if _link(before, text) != digest:
            faults.append(f"row {identity} of the record, or the one before it, was changed after it was written")
        try:
            body = json.loads(text)
        except ValueError:
            body = {}
        if body.get("kind") == "version":
            told[int(body["version"])] = body
        reviews += body.get("kind") == "review"
        before, expected = digest, identity + 1
        seen_head |= digest.startswith(head) if head else True
    row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'record'").fetchone()
    if row is not None and row[0] >= expected:
        faults.append(f"the last {row[0] - expected + 1} rows of the record are missing")
    faults += _versions(db, told)
    (kept,) = db.execute("SELECT count(*) FROM review").fetchone()
    if kept != reviews:
        faults.append(f"the record tells of {reviews} reviews and the project holds {kept}")
    if not seen_head:
        faults.append(f"the head {head[:16]}… that was handed out does not stand in this record: it was written anew")
    return Verdict(expected - 1, before if expected > 1 else "", tuple(faults))


def _versions(db: sqlite3.Connection, told: dict[int, dict[str, Any]]) -> Iterator[str]:
    kept = {version.id: version for version in versions.since(db, 0)}
    for identity, body in told.items():
        version = kept.get(identity)
        if version is None:
            yield f"version {identity} is in the record and no longer in the project"
        elif any(body.get(key) != value for key, value in json.loads(json.dumps(_of(version))).items() if key != _CUT):
            yield f"version {version.number} of section {version.section} is not what the record says it was"
    for identity in kept.keys() - told.keys():
        yield f"version {kept[identity].number} of section {kept[identity].section} does not stand in the record"


def _of(version: Version) -> dict[str, Any]:
    made = version.made
    return {
        "version": version.id,
        "section": version.section,
        "number": version.number,
        "text": sha256(version.text.encode("utf-8", "surrogatepass")).hexdigest(),
        "paragraphs": [paragraph_hash(version.text[start:end]) for start, end in split(version.text)],
        "partial": version.partial,
        "writer": made.writer,
        "model": made.model,
        "window": made.window,
        "settings": dict(made.settings),
        "created": made.created,
    }


def _link(before: str, body: str) -> str:
    return sha256(f"{before}\n{body}".encode("utf-8", "surrogatepass")).hexdigest()
