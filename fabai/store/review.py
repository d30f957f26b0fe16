"""Paragraphs with their state: who wrote each first, and who has stood up for its very words.

Knows that a review is for a paragraph's words, so that it follows the paragraph where it is moved and is void once a
word changes; and the chained record. Does not know how origins are found (fabai.store.provenance).
"""

from __future__ import annotations

import sqlite3

from fabai.errors import BadSetting, UnknownName
from fabai.store import chain, versions
from fabai.store.file import ProjectFile
from fabai.store.provenance import Birth, Provenance, paragraph_hash, split
from fabai.store.record import Made, Paragraph, now
from fabai.store.trail import log
from fabai.store.unicode import line

_SHORT = 8
"""Words; so short a paragraph ("No procede.") is reviewed for its own section only."""


class Reviews:
    """Paragraphs, reviews and the chained record of an open project file."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file
        self._provenance = Provenance()

    def paragraphs(self, section_id: str) -> tuple[Paragraph, ...]:
        """The paragraphs of the text that stands now, each with who wrote it first and who has reviewed it."""
        with self._file.reading() as db:
            text = versions.section(db, section_id).text
            self._provenance.learn(versions.since(db, self._provenance.last))
            return _paragraphs(db, self._provenance, section_id, text)

    def review(self, section_id: str, paragraph: str, who: str) -> None:
        """Note that `who` stands up for a paragraph, by its hash (cut short, where that is clear), "" for all of the
        section. UnknownName where no paragraph has it now: it was changed since it was read.
        """
        with self._file.writing() as db:
            ones = self.paragraphs(section_id)
            for digest in _review(db, section_id, ones, paragraph, who):
                chain.append(db, "review", section=section_id, paragraph=digest, reviewer=line(who), when=now())
                log(db, "review", section=section_id, paragraph=digest)

    def record(self) -> tuple[chain.Entry, ...]:
        """How text was made and reviewed, row by row, each chained to the one before it."""
        with self._file.reading() as db:
            return tuple(chain.entries(db))

    def verify_record(self, head: str = "") -> chain.Verdict:
        """Whether the record and the versions are as they were written. head: one that was handed out before."""
        with self._file.reading() as db:
            return chain.verify(db, head)


def _paragraphs(db: sqlite3.Connection, known: Provenance, section_id: str, text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of a text that stands in the section."""
    found = []
    for start, end in split(text):
        words = text[start:end]
        # a text that no version has was typed a moment ago
        birth = known.of(section_id, words) or Birth("person", 0, Made("person"))
        digest = paragraph_hash(words)
        by, when = _reviewed(db, section_id, digest, len(words.split()))
        model = (birth.made.model or birth.made.writer) if birth.origin == "ai" else ""
        window = (birth.made.window or "") if birth.origin == "ai" else ""
        found.append(
            Paragraph(words, digest, birth.origin, birth.version, start, end, model, window, birth.edited, by, when)
        )
    return tuple(found)


def _review(db: sqlite3.Connection, section_id: str, ones: tuple[Paragraph, ...], digest: str, who: str) -> list[str]:
    """Note that a person stands up for the paragraphs of that hash; "" for all of the section. A hash may be cut short.
    Returns the hashes that were not reviewed by this person before.
    """
    who = line(who)
    if not who:
        raise BadSetting("say who reviewed it (--by NAME)")
    wanted = list(dict.fromkeys(one.hash for one in ones if one.hash.startswith(digest)))
    if digest and len(wanted) != 1:
        raise UnknownName(
            f"there is no paragraph '{digest[:16]}' in this section; it was changed since: read it again"
            if not wanted
            else f"'{digest}' fits {len(wanted)} paragraphs: give more of it"
        )
    before = {one.hash for one in ones if one.reviewed_by == who}
    new = [one for one in wanted if one not in before]
    for one in new:
        db.execute(
            "INSERT INTO review (section, paragraph, reviewer, created) VALUES (?, ?, ?, ?)",
            (section_id, one, who, now()),
        )
    return new


def _reviewed(db: sqlite3.Connection, section_id: str, digest: str, words: int) -> tuple[str | None, str | None]:
    row = db.execute(
        "SELECT reviewer, created FROM review WHERE paragraph = ? AND (section = ? OR ?)"
        " ORDER BY section = ? DESC, id DESC LIMIT 1",
        (digest, section_id, int(words >= _SHORT), section_id),
    ).fetchone()
    return (None, None) if row is None else (str(row[0]), str(row[1]))
