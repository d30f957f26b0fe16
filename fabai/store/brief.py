"""What the person supplies: facts, proposed facts and source texts.

Knows that a fact's last value counts, that derived values follow the facts they are computed from, and that a newer
file of the same name replaces the older one, which is kept. Does not know where they are read from.
"""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from fabai.errors import BadSetting, UnknownName
from fabai.facts.derived import dependants, settle
from fabai.facts.reading import two_values
from fabai.ledger import Fact, Ledger, Origin
from fabai.report import Language
from fabai.store.record import Proposal, Source, now
from fabai.store.unicode import composed
from fabai.strict import build

_COLUMNS = ("name", "value", "source", "kind", "noun", "unit", "origin", "confirmed_by", "confirmed", "derived")
_TEXTS = ("name", "value", "source", "noun", "unit", "confirmed_by", "confirmed", "derived")


def set_fact(db: sqlite3.Connection, fact: Fact, language: Language) -> tuple[Fact, Fact | None, tuple[Fact, ...]]:
    """Add a fact or give it a new value. Returns it as stored, the fact that it replaced, and the derived facts whose
    values followed. BadSetting where a formula cannot be computed any more; nothing is kept then.
    """
    return set_facts(db, [fact], language)[0]


def set_facts(
    db: sqlite3.Connection, facts: Iterable[Fact], language: Language
) -> list[tuple[Fact, Fact | None, tuple[Fact, ...]]]:
    """Several facts in one go, derived ones computed once at the end; what followed stands with the last."""
    before = {one.name: one for one in ledger(db)}
    new = [_composed(fact) for fact in facts]
    rivals = two_values(new, language)
    if rivals is not None:
        first, second = rivals
        raise BadSetting(
            f"'{first.name}' has two values: {first.value} ({first.source}) and {second.value} ({second.source}); "
            "which is right? Keep one, or give the other a name of its own"
        )
    for fact in new:
        _write(db, fact)
    named = {fact.name for fact in new}
    followed = []
    # reading ten thousand facts for each of ten thousand would be quadratic
    if any(fact.derived for fact in new) or any(fact.derived for fact in before.values()):
        for fact in settle(ledger(db), language):
            _write(db, fact)
            if fact.name not in named:
                followed.append(fact)
    after = {one.name: one for one in ledger(db)} if any(fact.derived for fact in new) else {}
    return [
        (after.get(fact.name, fact), before.get(fact.name), tuple(followed) if fact is new[-1] else ()) for fact in new
    ]


def remove_fact(db: sqlite3.Connection, name: str) -> Fact:
    """Take a fact out of the ledger. UnknownName; BadSetting where a formula needs it."""
    facts = ledger(db)
    fact = facts.get(name)
    if fact is None:
        raise UnknownName.nearest("fact", name, (one.name for one in facts))
    if needed := dependants(facts, name):
        raise BadSetting(
            f"'{needed[0].name}' is computed from '{name}': change its formula ({needed[0].derived}) first"
        )
    db.execute("DELETE FROM fact WHERE name = ?", (name,))
    return fact


def ledger(db: sqlite3.Connection) -> Ledger:
    rows = db.execute(f"SELECT {', '.join(_COLUMNS)} FROM fact ORDER BY position")  # noqa: S608 - our own columns
    return Ledger(tuple(_fact(row) for row in rows))


def add_proposals(db: sqlite3.Connection, proposed: Iterable[tuple[Fact, str]]) -> list[Proposal]:
    """Keep facts apart until somebody confirms them; what is proposed already, word for word and from the same place,
    is not proposed again. Each comes with the words that it was read from.
    """
    known = {(json.dumps(asdict(one.fact), sort_keys=True), one.context) for one in proposals(db, None)}
    added = []
    for fact, context in proposed:
        fact, context = _composed(fact), composed(context)
        key = (json.dumps(asdict(fact), sort_keys=True), context)
        if key in known:
            continue
        known.add(key)
        created = now()
        cursor = db.execute(
            "INSERT INTO proposal (created, fact, context) VALUES (?, ?, ?)",
            (created, json.dumps(asdict(fact), ensure_ascii=False), context),
        )
        added.append(Proposal(int(cursor.lastrowid or 0), fact, context, "open", created))
    return added


def proposals(db: sqlite3.Connection, state: str | None = "open") -> tuple[Proposal, ...]:
    """Proposed facts in the order they came; of every state where `state` is None."""
    rows = db.execute(
        "SELECT id, fact, context, state, created, decided_by, decided FROM proposal"
        " WHERE ? IS NULL OR state = ? ORDER BY id",
        (state, state),
    )
    return tuple(Proposal(one, build(Fact, json.loads(fact), "a proposed fact"), *rest) for one, fact, *rest in rows)


def decide(db: sqlite3.Connection, ids: Iterable[int], state: str, who: str) -> list[Proposal]:
    """Confirm or reject open proposals. UnknownName where one is not open."""
    if not who.strip():
        raise BadSetting("say who decides on proposed facts (--by NAME)")
    known = {one.id: one for one in proposals(db)}
    decided = []
    for one in dict.fromkeys(ids):
        if one not in known:
            raise UnknownName(f"there is no open proposal {one}: fabai facts PROJECT proposals lists them")
        db.execute(
            "UPDATE proposal SET state = ?, decided_by = ?, decided = ? WHERE id = ?",
            (state, composed(who).strip(), now(), one),
        )
        decided.append(known[one])
    return decided


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


def _composed(fact: Fact) -> Fact:
    texts = {key: unicodedata.normalize("NFC", getattr(fact, key)).strip() for key in _TEXTS}
    if texts["confirmed_by"] and not texts["confirmed"]:
        texts["confirmed"] = now()
    return Fact(**texts, kind=fact.kind, origin=fact.origin)


def _write(db: sqlite3.Connection, fact: Fact) -> None:
    values = asdict(fact) | {"origin": "" if fact.origin is None else json.dumps(asdict(fact.origin))}
    places = ", ".join("?" for _ in _COLUMNS)
    changed = ", ".join(f"{column} = excluded.{column}" for column in _COLUMNS[1:])
    db.execute(
        f"INSERT INTO fact (position, {', '.join(_COLUMNS)})"  # noqa: S608 - our own columns
        f" VALUES ((SELECT coalesce(max(position), 0) + 1 FROM fact), {places})"
        f" ON CONFLICT (name) DO UPDATE SET {changed}",
        tuple(values[column] for column in _COLUMNS),
    )


def _fact(row: Iterable[str]) -> Fact:
    values: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
    values["origin"] = build(Origin, json.loads(values["origin"]), "a fact's origin") if values["origin"] else None
    return Fact(**values)
