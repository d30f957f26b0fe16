"""What a Project does with facts: the ledger, and proposals that wait to be confirmed.

Knows which operations are one transaction and what each leaves in the audit trail. Does not know formulas or documents.
"""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Iterable, Mapping

from fabai.ledger import Fact, Ledger
from fabai.report import Language
from fabai.store import brief
from fabai.store.file import ProjectFile
from fabai.store.record import Proposal, now
from fabai.store.trail import log


class Factbook:
    """The facts of an open project file."""

    _file: ProjectFile
    _language: Language

    def ledger(self) -> Ledger:
        with self._file.reading() as db:
            return brief.ledger(db)

    def set_fact(self, fact: Fact) -> None:
        """Add a fact, or change the value of the one with that name; derived facts follow; the trail keeps what was.

        BadSetting where a formula names no number, needs itself, or cannot be computed any more; nothing changes then.
        """
        with self._file.writing() as db:
            self._set_facts(db, [fact])

    def remove_fact(self, name: str) -> None:
        """Take a fact out; the trail keeps it. UnknownName; BadSetting where another is computed from it."""
        with self._file.writing() as db:
            gone = brief.remove_fact(db, name)
            log(db, "fact removed", name=gone.name, value=gone.value, source=gone.source)

    def propose(self, facts: Iterable[tuple[Fact, str]]) -> list[Proposal]:
        """Keep facts apart for a person to confirm, each with the words it was read from; returns the new ones."""
        with self._file.writing() as db:
            return brief.add_proposals(db, facts)

    def proposals(self) -> tuple[Proposal, ...]:
        """What waits to be confirmed, in the order it came."""
        with self._file.reading() as db:
            return brief.proposals(db)

    def confirm(self, facts: Mapping[int, Fact], who: str) -> None:
        """Proposals, by id, become facts of the ledger as given (a person may have mended them), in one transaction."""
        with self._file.writing() as db:
            brief.decide(db, facts, "confirmed", who)
            stamped = [
                one if one.confirmed_by else dataclasses.replace(one, confirmed_by=who, confirmed=now())
                for one in facts.values()
            ]
            self._set_facts(db, stamped)

    def reject(self, ids: Iterable[int], who: str) -> None:
        """Proposals that are no facts of this report; they stay on record."""
        with self._file.writing() as db:
            brief.decide(db, ids, "rejected", who)

    def _set_facts(self, db: sqlite3.Connection, facts: Iterable[Fact]) -> None:
        for fact, old, followed in brief.set_facts(db, facts, self._language):
            was = {} if old is None else {"old": old.value, "old_source": old.source}
            log(db, "fact", name=fact.name, value=fact.value, source=fact.source, **was)
            for one in followed:
                log(db, "fact", name=one.name, value=one.value, source=one.source, derived=one.derived)
