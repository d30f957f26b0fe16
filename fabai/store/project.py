"""The Project: everything about one report in one SQLite file, behind the words of the domain.

Knows which operations are one transaction and what each leaves in the audit trail. Does not know file formats, models.
The file may be copied while it is open. Every error is a ProjectError or UnknownName with one sentence.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from fabai.errors import BadSetting, ProjectError, UnknownName
from fabai.form import Form, in_language
from fabai.formats.document import Document
from fabai.ledger import Fact
from fabai.report import LANGUAGES, Language, Report, Section
from fabai.settings import StoreSettings
from fabai.store import brief, chain, contribution, importing, media, period, versions
from fabai.store.dossier import Items
from fabai.store.factbook import Factbook
from fabai.store.file import ProjectFile
from fabai.store.presented import Presentations
from fabai.store.record import (
    Event,
    Imported,
    ImportResult,
    Made,
    Paragraph,
    Pin,
    Proposal,
    Source,
    Version,
    now,
)
from fabai.store.review import Reviews
from fabai.store.trail import log
from fabai.store.unicode import composed, line, whole
from fabai.store.workbench import Workbench
from fabai.strict import build

__all__ = ["Event", "ImportResult", "Imported", "Made", "Paragraph", "Pin", "Project", "Proposal", "Source", "Version"]


DEFAULTS = StoreSettings()
SUFFIX = ".fabai"
_OTHER_LANGUAGE = (
    "the document is in '{0}' and the project in '{1}': if the report is to be in '{0}', start with --lang {0}"
)


class Project(Factbook, Reviews):
    """An open project file. Close it, or use it in a `with`. Threads may share it."""

    def __init__(self, file: ProjectFile, settings: StoreSettings) -> None:
        Reviews.__init__(self, file)
        self._settings = settings
        with file.reading() as db:
            form, language = _meta(db, "form"), _meta(db, "language")
        try:
            table = json.loads(form)
        except ValueError as error:
            raise ProjectError(f"'{file.path}' lacks its form: go back to a copy of it") from error
        self._form = build(Form, table, f"the form kept in {file.path}")
        self._language = next((one for one in LANGUAGES if one == language), self._form.languages[0])

    @classmethod
    def create(
        cls,
        path: Path,
        form: Form,
        language: Language,
        title: str,
        instructions: str = "",
        *,
        facts: Iterable[Fact] = (),
        sources: Iterable[Source] = (),
        settings: StoreSettings = DEFAULTS,
    ) -> Project:
        """A new project at a path where nothing is yet. The form is copied into it. Made whole, or not at all."""
        if language not in LANGUAGES:
            raise UnknownName.nearest("language", language, LANGUAGES)
        if language not in form.languages:
            known = ", ".join(form.languages)
            raise BadSetting(f"the form '{form.id}' does not exist in '{language}': take one of {known}")
        if whole(title + instructions) != title + instructions:
            raise BadSetting("the title or the instructions are not text in UTF-8: write them again")

        def fill(db: sqlite3.Connection) -> None:
            values = {
                "form": json.dumps(dataclasses.asdict(form), ensure_ascii=False),
                "language": language,
                "title": line(title),
                "instructions": composed(instructions).strip(),
                "created": now(),
            }
            db.executemany("INSERT INTO meta (key, value) VALUES (?, ?)", values.items())
            specs = form.sections
            headings = (in_language(one.heading, language) for one in specs)
            versions.add_sections(
                db, (Section(s.id, h, s.level, spec=s.id) for s, h in zip(specs, headings, strict=True))
            )
            brief.set_facts(db, facts, language)
            for source in sources:
                brief.add_source(db, source)
            log(db, "created", form=form.id, language=language)

        return cls(ProjectFile.create(path, fill, settings), settings)

    @classmethod
    def open(cls, path: Path, settings: StoreSettings = DEFAULTS) -> Project:
        """An existing project, checked. A path without suffix finds the file with it."""
        if path.name and not os.path.lexists(path) and os.path.isfile(f"{path}{SUFFIX}"):
            path = path.with_name(path.name + SUFFIX)
        file = ProjectFile.open(path, settings)
        try:
            return cls(file, settings)
        except BaseException:
            file.close()
            raise

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def path(self) -> Path:
        return self._file.path

    @property
    def form(self) -> Form:
        """The form as it was when the project was made."""
        return self._form

    @property
    def language(self) -> Language:
        return self._language

    @property
    def title(self) -> str:
        """As given; "" until a title is given or a document brings one."""
        with self._file.reading() as db:
            return _meta(db, "title")

    @property
    def instructions(self) -> str:
        with self._file.reading() as db:
            return _meta(db, "instructions")

    def report(self) -> Report:
        """The sections in reading order, each with the text that stands now."""
        with self._file.reading() as db:
            return Report(self.title, self.language, versions.sections(db, True), {"form": self._form.id})

    def removed(self) -> tuple[Section, ...]:
        """Sections that an import took out of the report; `versions` and `restore` still reach them."""
        with self._file.reading() as db:
            return versions.sections(db, False)

    def add_source(self, name: str, text: str, sha256: str, kind: str) -> Source:
        """The text of a document; a newer file of the same name takes the place of the older one."""
        with self._file.writing() as db:
            source = brief.add_source(db, Source(name, text, sha256, kind))
            log(db, "source", name=name, kind=kind, sha256=sha256)
            return source

    def sources(self) -> tuple[Source, ...]:
        with self._file.reading() as db:
            return brief.sources(db)

    def import_document(self, document: Document, filename: str) -> ImportResult:
        """Take a past or present report in, in one transaction; fabai.store.importing says where each section goes."""
        with self._file.writing() as db:
            result = importing.import_document(db, self._form, document, filename)
            if document.language not in (None, self._language):
                notice = _OTHER_LANGUAGE.format(document.language, self._language)
                result = dataclasses.replace(result, notices=(*result.notices, notice))
            if not _meta(db, "title"):
                db.execute("UPDATE meta SET value = ? WHERE key = 'title'", (line(document.title),))
            db.executemany("INSERT INTO notice (created, text) VALUES (?, ?)", [(now(), one) for one in result.notices])
            counts = {name: len(getattr(result, name)) for name in ("added", "matched", "kept", "removed")}
            chain.note_versions(db)
            log(db, "import", filename=filename, **counts)
            return result

    def imported(self) -> Imported | None:
        """The newest imported report, None where there was none."""
        with self._file.reading() as db:
            return importing.last_import(db)

    def notices(self) -> tuple[str, ...]:
        """What the imports had to tell, oldest first."""
        with self._file.reading() as db:
            return tuple(text for (text,) in db.execute("SELECT text FROM notice ORDER BY id"))

    def media(self) -> Mapping[str, bytes]:
        """Images by the name that the sections use."""
        with self._file.reading() as db:
            return media.all_of(db)

    def save_version(self, section_id: str, text: str, made: Made, partial: bool = False) -> Version:
        """Keep a text for a section; fabai.store.versions says when it becomes the section's text."""
        with self._file.writing() as db:
            version = versions.save(db, section_id, text, made, partial)
            chain.note_versions(db)
            log(db, "draft", section=section_id, version=version.id, partial=partial, writer=made.writer)
            return version

    def add_below(self, section_id: str, new: Sequence[tuple[int, str, str]], made: Made) -> tuple[str, ...]:
        """Put sections (levels deeper, heading, text) below one of the report; fabai.store.contribution says how."""
        with self._file.writing() as db:
            ids = contribution.add_below(db, section_id, new, made)
            chain.note_versions(db)
            log(db, "sections", below=section_id, added=len(ids), writer=made.writer)
            return ids

    def inherit(self, old: Project, made: Made) -> int:
        """Begin with the sections, texts and pictures of an earlier project; returns how many texts there were."""
        report, pictures = old.report(), old.media()
        with old._file.reading() as before:
            imported = period.last_import(before)
        with self._file.writing() as db:
            count = period.inherit(db, report, pictures, imported, made)
            chain.note_versions(db)
            log(db, "inherited", of=old.path.name, texts=count)
            return count

    def accept(self, version_id: int) -> Version:
        """Make a version the section's accepted text."""
        with self._file.writing() as db:
            version = versions.accept(db, version_id)
            chain.note_versions(db)
            chain.append(db, "accepted", of=version.id, when=now())
            log(db, "accept", section=version.section, version=version_id)
            return version

    def restore(self, version_id: int) -> Version:
        """Bring an old text back as a new, accepted version."""
        with self._file.writing() as db:
            version = versions.restore(db, version_id, Made("person", settings={"restored": version_id}))
            chain.note_versions(db)
            log(db, "restore", section=version.section, version=version.id, of=version_id)
            return version

    def versions(self, section_id: str) -> tuple[Version, ...]:
        """Every text that a section had or was offered, oldest first."""
        with self._file.reading() as db:
            return versions.of_section(db, section_id)

    def pins(self) -> dict[str, Pin]:
        """Sections that a person wants always or never in the window."""
        with self._file.reading() as db:
            return dict(db.execute("SELECT section, state FROM pin ORDER BY section"))

    def set_pin(self, section_id: str, state: Pin | None) -> None:
        """None takes the pin away."""
        with self._file.writing() as db:
            versions.section(db, section_id)
            db.execute("DELETE FROM pin WHERE section = ?", (section_id,))
            if state is not None:
                db.execute("INSERT INTO pin (section, state) VALUES (?, ?)", (section_id, state))
            log(db, "pin", section=section_id, state=state)

    def summary(self, text_hash: str) -> str | None:
        """A summary that was made before of the text with that hash."""
        with self._file.reading() as db:
            row = db.execute("SELECT text FROM summary WHERE text_hash = ?", (text_hash,)).fetchone()
            return None if row is None else str(row[0])

    def save_summary(self, text_hash: str, text: str, made_by: str) -> None:
        with self._file.writing() as db:
            row = (text_hash, text, made_by)
            db.execute("INSERT OR REPLACE INTO summary (text_hash, text, made_by) VALUES (?, ?, ?)", row)

    def vectors(self, embedder: str) -> dict[str, bytes]:
        """What `save_vectors` kept for an embedding model, by text hash."""
        with self._file.reading() as db:
            return dict(db.execute("SELECT text_hash, data FROM vector WHERE embedder = ?", (embedder,)))

    def save_vectors(self, embedder: str, vectors: Mapping[str, bytes]) -> None:
        with self._file.writing() as db:
            rows = [(embedder, text_hash, data) for text_hash, data in vectors.items()]
            db.executemany("INSERT OR REPLACE INTO vector (embedder, text_hash, data) VALUES (?, ?, ?)", rows)

    def state(self, mode: str) -> str | None:
        """What `save_state` kept for a mode of the window."""
        with self._file.reading() as db:
            return _meta(db, f"window:{mode}") or None

    def save_state(self, mode: str, state: str) -> None:
        with self._file.writing() as db:
            db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (f"window:{mode}", state))

    def rules_off(self) -> dict[str, str]:
        """Ids of rules of the checks that were switched off for this report, each with the reason that was given."""
        with self._file.reading() as db:
            kept: dict[str, str] = json.loads(_meta(db, "rules_off") or "{}")
            return kept

    def set_rule(self, rule: str, reason: str | None) -> None:
        """Switch a rule off for a reason, or on again (None); the trail keeps both."""
        with self._file.writing() as db:
            kept = json.loads(_meta(db, "rules_off") or "{}")
            kept.pop(rule, None)
            if reason is not None:
                kept[rule] = line(reason)
            value = json.dumps(kept, ensure_ascii=False)
            db.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('rules_off', ?)", (value,))
            log(db, "rule", rule=rule, reason=reason)

    def items(self) -> Items:
        """What the dossier holds beside text and facts: commitments, expenses, proofs, notes ..."""
        return Items(self._file)

    @property
    def presented(self) -> Presentations:
        """The reports as they were handed in."""
        return Presentations(self._file)

    @property
    def workbench(self) -> Workbench:
        """What people do while they write: typing that is no version yet, marks, notes, writing under way."""
        return Workbench(self._file)

    def events(self) -> tuple[Event, ...]:
        """The audit trail, oldest first."""
        with self._file.reading() as db:
            rows = db.execute("SELECT id, created, kind, detail FROM event ORDER BY id")
            return tuple(Event(one, created, kind, json.loads(detail)) for one, created, kind, detail in rows)

    def backup(self, path: Path) -> None:
        """A consistent, checked copy at a path where nothing is yet."""
        self._file.copy_to(path, self._settings)


def _meta(db: sqlite3.Connection, key: str) -> str:
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return "" if row is None else str(row[0])
