"""What people do with a project while they write: text typed and not yet a version, marks, notes, writing under way.

Knows that nobody's typing is lost: a text is saved only over the text it was typed over, else both come back; what a
model is writing is kept while it comes. Does not know users, pages or models.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from fabai.errors import BadSetting, UnknownName
from fabai.report import Status
from fabai.store import media, versions
from fabai.store.file import ProjectFile
from fabai.store.record import Made, Version, now
from fabai.store.trail import log
from fabai.store.unicode import composed, line, whole


@dataclass(frozen=True, slots=True)
class Standing:
    """A section's text as it stands. token: the mark of these very words (`token_of`). author, changed: who typed it
    last and when (ISO 8601), "" where it is a version.
    """

    section: str
    text: str
    status: Status
    token: str
    author: str = ""
    changed: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark of a colleague on a section, which no document shows. quote: the words it is about."""

    id: int
    section: str
    author: str
    text: str
    quote: str
    created: str
    done: bool


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What a model had written of a section when its program ended."""

    id: int
    section: str
    kind: str
    text: str
    made: Made


def token_of(text: str) -> str:
    """The mark of a text by which a later saver says what it was typed over."""
    return sha256(text.encode()).hexdigest()[:24]


class Workbench:
    """The open work of a project file."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    # --- typing

    def standing(self, section_id: str) -> Standing:
        with self._file.reading() as db:
            found = versions.section(db, section_id)
            row = db.execute("SELECT author, created FROM working WHERE section = ?", (section_id,)).fetchone()
            author, changed = row or ("", "")
            return Standing(section_id, found.text, found.status, token_of(found.text), author, changed)

    def edit(self, section_id: str, text: str, token: str, author: str) -> Standing:
        """Save what was typed over the text that `token` stands for. The result's text is another than `text` where
        somebody had changed it meanwhile; nothing is saved then.
        """
        text = whole(text)
        with self._file.writing() as db:
            now_there = self.standing(section_id)
            if now_there.token != token:
                return now_there
            if now_there.text != text:
                db.execute(
                    "INSERT OR REPLACE INTO working (section, text, author, created) VALUES (?, ?, ?, ?)",
                    (section_id, text, author, now()),
                )
                versions.restate(db, section_id, text)
            return self.standing(section_id)

    def settle(self, section_id: str | None = None) -> tuple[Version, ...]:
        """Make a version of what was typed in a section, or in all of them."""
        with self._file.writing() as db:
            waiting = [row[0] for row in db.execute("SELECT section FROM working ORDER BY section")]
            made = [versions.settle(db, one) for one in waiting if section_id in (None, one)]
            return tuple(one for one in made if one is not None)

    def write(self, section_id: str, text: str, made: Made, token: str) -> Standing:
        """Make a text that a model had a hand in the section's, over the text that `token` stands for, as in `edit`."""
        with self._file.writing() as db:
            now_there = self.standing(section_id)
            if now_there.token != token:
                return now_there
            versions.settle(db, section_id)
            version = versions.append(db, section_id, text, made, "draft")
            versions.show(db, section_id, version.id, "drafted" if text.strip() else "empty")
            log(db, "draft", section=section_id, version=version.id, partial=False, writer=made.writer)
            return self.standing(section_id)

    def offer(self, section_id: str, text: str, made: Made, partial: bool = False) -> Version:
        """Keep a text among the versions without showing it."""
        with self._file.writing() as db:
            versions.settle(db, section_id)
            version = versions.append(db, section_id, text, made, "draft", partial)
            log(db, "draft", section=section_id, version=version.id, partial=partial, writer=made.writer)
            return version

    def approve(self, section_id: str, who: str) -> None:
        """The text that stands is accepted as it is."""
        with self._file.writing() as db:
            versions.settle(db, section_id)
            row = db.execute("SELECT current_version FROM section WHERE id = ?", (section_id,)).fetchone()
            if row is None or row[0] is None:
                raise BadSetting("the section has no text yet: write something before you accept it")
            versions.accept(db, int(row[0]))
            log(db, "accept", section=section_id, version=int(row[0]), by=who)

    def reopen(self, section_id: str) -> None:
        """An accepted text is a draft again."""
        with self._file.writing() as db:
            versions.section(db, section_id)
            db.execute("UPDATE section SET status = 'drafted' WHERE id = ? AND status = 'accepted'", (section_id,))

    # --- marks

    def label(self, version_id: int, text: str) -> None:
        """A name for a version, "" takes it away."""
        with self._file.writing() as db:
            versions.get(db, version_id)
            db.execute("DELETE FROM label WHERE version = ?", (version_id,))
            if line(text):
                db.execute("INSERT INTO label (version, text) VALUES (?, ?)", (version_id, line(text)))

    def labels(self) -> dict[int, str]:
        with self._file.reading() as db:
            return dict(db.execute("SELECT version, text FROM label"))

    def set_locked(self, section_id: str, paragraph: str, locked: bool) -> None:
        """Lock a paragraph (its Markdown) against every rewriting, or release it."""
        with self._file.writing() as db:
            versions.section(db, section_id)
            row = (section_id, whole(paragraph).strip())
            db.execute("DELETE FROM locked WHERE section = ? AND paragraph = ?", row)
            if locked and row[1]:
                db.execute("INSERT INTO locked (section, paragraph) VALUES (?, ?)", row)
            log(db, "lock" if locked else "unlock", section=section_id, paragraph=row[1][:80])

    def locked(self, section_id: str) -> tuple[str, ...]:
        """The Markdown of the paragraphs that are locked."""
        with self._file.reading() as db:
            rows = db.execute("SELECT paragraph FROM locked WHERE section = ? ORDER BY rowid", (section_id,))
            return tuple(text for (text,) in rows)

    def tick(self, section_id: str, digest: str | None) -> None:
        """A text, by its hash, was pasted into the portal; None takes the mark away."""
        with self._file.writing() as db:
            versions.section(db, section_id)
            db.execute("DELETE FROM tick WHERE section = ?", (section_id,))
            if digest is not None:
                db.execute("INSERT INTO tick (section, digest, created) VALUES (?, ?, ?)", (section_id, digest, now()))

    def ticks(self) -> dict[str, str]:
        """By section, the hash of the text that was pasted."""
        with self._file.reading() as db:
            return dict(db.execute("SELECT section, digest FROM tick"))

    # --- notes

    def add_note(self, section_id: str, author: str, text: str, quote: str = "") -> Note:
        text = composed(text).strip()
        if not text:
            raise BadSetting("a note without words was not kept: write something")
        with self._file.writing() as db:
            versions.section(db, section_id)
            quote, created = composed(quote), now()
            row = (section_id, author, text, quote, created)
            cursor = db.execute("INSERT INTO note (section, author, text, quote, created) VALUES (?, ?, ?, ?, ?)", row)
            return Note(int(cursor.lastrowid or 0), section_id, author, text, quote, created, done=False)

    def close_note(self, note_id: int, done: bool = True) -> None:
        with self._file.writing() as db:
            if not db.execute("UPDATE note SET done = ? WHERE id = ?", (int(done), note_id)).rowcount:
                raise UnknownName(f"there is no note {note_id} in this project")

    def notes(self) -> tuple[Note, ...]:
        with self._file.reading() as db:
            rows = db.execute("SELECT id, section, author, text, quote, created, done FROM note ORDER BY id")
            return tuple(
                Note(one, section, author, text, quote, created, done=bool(done))
                for one, section, author, text, quote, created, done in rows
            )

    # --- pictures

    def add_media(self, name: str, data: bytes) -> str:
        """Keep a picture; returns the name to use in the Markdown."""
        with self._file.writing() as db:
            return media.add(db, {name: data}).get(name, name)

    def one_media(self, name: str) -> bytes | None:
        """One picture, without reading the others."""
        with self._file.reading() as db:
            row = db.execute("SELECT data FROM media WHERE name = ?", (name,)).fetchone()
            return None if row is None else bytes(row[0])

    # --- writing under way

    def begin(self, section_id: str, kind: str, made: Made) -> int:
        """A model begins to write; what it writes is kept by `progress` until `finish`."""
        with self._file.writing() as db:
            row = (section_id, kind, made.writer, made.model or "", now())
            cursor = db.execute(
                "INSERT INTO unfinished (section, kind, writer, model, created, text) VALUES (?, ?, ?, ?, ?, '')", row
            )
            return int(cursor.lastrowid or 0)

    def progress(self, job: int, text: str) -> None:
        with self._file.writing() as db:
            db.execute("UPDATE unfinished SET text = ? WHERE id = ?", (whole(text), job))

    def finish(self, jobs: Iterable[int]) -> None:
        """What was written is a version now, or not wanted."""
        with self._file.writing() as db:
            db.executemany("DELETE FROM unfinished WHERE id = ?", [(one,) for one in jobs])

    def rescue(self, note: str) -> tuple[Version, ...]:
        """What models had written when their program ended becomes partial versions; `note` is said of each."""
        with self._file.writing() as db:
            rows = db.execute("SELECT id, section, kind, text, writer, model, created FROM unfinished").fetchall()
            saved = []
            for _, section_id, kind, text, writer, model, created in rows:
                made = Made(writer, model or None, settings={"note": note, "kind": kind}, created=created)
                if text.strip() and kind == "draft":
                    saved.append(versions.save(db, section_id, text, made, partial=True))
                elif text.strip():
                    saved.append(versions.append(db, section_id, text, made, "draft", partial=True))
            db.execute("DELETE FROM unfinished")
            return tuple(saved)

    # --- the grant

    def deadline(self) -> str:
        """ISO date until which the report must be handed in, "" where nobody said."""
        with self._file.reading() as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'deadline'").fetchone()
            return "" if row is None else str(row[0])

    def describe(
        self, *, deadline: str | None = None, title: str | None = None, instructions: str | None = None
    ) -> None:
        """Change what is given; None leaves it."""
        values = {"deadline": deadline, "title": title, "instructions": instructions}
        with self._file.writing() as db:
            for key, value in values.items():
                if value is not None:
                    text = composed(value).strip() if key == "instructions" else line(value)
                    db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, text))
                    log(db, "changed", what=key)
