"""Whatever a person does in whatever order, every version stays, in the project, in a copy and after reopening."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from fabai.form import find_form
from fabai.store.project import Made, Project

from .conftest import build_document

_HEADINGS = st.sampled_from(["Objetivos", "1. Objetivos", "Resultados", "Resultados obtenidos", "Anexo", ""])
_TEXTS = st.sampled_from(["", " ", "uno", "dos", "tres\n\ncuatro", "ñ · €"])
_SECTIONS = st.lists(st.tuples(_HEADINGS, st.integers(0, 3), _TEXTS), max_size=6)


class Lifetime(RuleBasedStateMachine):
    """One project file, a model of what was ever written into it, and every operation that a person has."""

    versions = Bundle("versions")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="fabai-test-"))
        self.kept: dict[str, list[tuple[int, str]]] = {}
        self.accepted: dict[str, str] = {}

    @initialize(form=st.sampled_from(["generic", "memoria-justificativa"]))
    def create(self, form: str) -> None:
        self.project = Project.create(self.folder / "p.fabai", find_form(form), "es", "")

    def _every_section(self) -> list[str]:
        return [section.id for section in (*self.project.report(), *self.project.removed())]

    @rule(sections=_SECTIONS)
    def import_document(self, sections: list[tuple[str, int, str]]) -> None:
        result = self.project.import_document(build_document(*sections), "d.docx")
        assert set(result.removed).isdisjoint(self.accepted)

    @rule(target=versions, which=st.integers(0, 30), text=_TEXTS, partial=st.booleans())
    def save(self, which: int, text: str, partial: bool) -> object:
        sections = self.project.report().sections
        if not sections:
            return multiple()
        section = sections[which % len(sections)]
        version = self.project.save_version(section.id, text, Made("scripted"), partial)
        assert version.text == text
        return version.id

    @rule(version=versions)
    def accept(self, version: int) -> None:
        accepted = self.project.accept(version)
        self.accepted[accepted.section] = accepted.text

    @rule(target=versions, version=consumes(versions))
    def restore(self, version: int) -> int:
        restored = self.project.restore(version)
        self.accepted[restored.section] = restored.text
        return restored.id

    @rule()
    def reopen(self) -> None:
        self.project.close()
        self.project = Project.open(self.folder / "p.fabai")

    @rule()
    def copy(self) -> None:
        shutil.copy(self.project.path, self.folder / "copy.fabai")
        with Project.open(self.folder / "copy.fabai") as copy:
            assert copy.report() == self.project.report()
            assert copy.events() == self.project.events()

    @invariant()
    def every_version_stays_as_it_was(self) -> None:
        if not hasattr(self, "project"):
            return
        for section in self._every_section():
            now = [(version.id, version.text) for version in self.project.versions(section)]
            before = self.kept.get(section, [])
            assert now[: len(before)] == before
            self.kept[section] = now
        assert set(self.kept) == set(self._every_section())

    @invariant()
    def an_accepted_text_stands_in_the_report(self) -> None:
        if not hasattr(self, "project"):
            return
        texts = {section.id: section.text for section in (*self.project.report(), *self.project.removed())}
        for section, text in self.accepted.items():
            assert texts[section] == text

    @invariant()
    def what_a_section_shows_is_one_of_its_versions(self) -> None:
        if not hasattr(self, "project"):
            return
        for section in self.project.report():
            assert section.text == "" or section.text in [version.text for version in self.project.versions(section.id)]

    def teardown(self) -> None:
        if hasattr(self, "project"):
            self.project.close()
        shutil.rmtree(self.folder)


TestLifetime = Lifetime.TestCase
TestLifetime.settings = settings(max_examples=20, stateful_step_count=15, deadline=None)
