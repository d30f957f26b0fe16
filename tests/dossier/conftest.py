"""A dossier of tests/data/dossiers taken into a project: its documents confirmed, its lists read."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Callable, Collection
from hashlib import sha256
from pathlib import Path

import pytest

from fabai.brief import read_brief
from fabai.dossier.columns import ListKind
from fabai.dossier.commitments import confirm, set_outcome, standing
from fabai.dossier.documents import Kind, propose_from
from fabai.dossier.listing import read_list
from fabai.dossier.lists import add_list
from fabai.form import find_form
from fabai.formats.read import read
from fabai.store.project import Project

DOSSIERS = Path(__file__).parents[1] / "data" / "dossiers"
FORMS: dict[str, str] = {
    name: one["form"] for name, one in tomllib.loads((DOSSIERS / "index.toml").read_text(encoding="utf-8")).items()
}
NAMES = sorted(FORMS)
FAULTY = sorted(path.parent.name for path in DOSSIERS.glob("*/faults.toml"))
"""Those with a faulty twin of their expenses, and a request for clarification."""

Opened = Callable[[str], Project]


def bind(project: Project, name: str, waiting: Collection[str] = ()) -> None:
    """Proposal, resolution and amendment, each confirmed by a person before the next is read, but for what waits."""
    kinds: tuple[Kind, ...] = ("proposal", "resolution", "amendment")
    for kind in kinds:
        path = DOSSIERS / name / f"{kind}.md"
        if not path.exists():
            continue
        propose_from(project, kind, read(path), path.name, sha256(path.read_bytes()).hexdigest())
        if kind not in waiting:
            confirm(project, None, "Ada Soler")


def account(project: Project, name: str) -> None:
    """Facts and sources of the brief, the report, and how each commitment went: achieved where deviations.csv has
    nothing else.
    """
    brief = read_brief(DOSSIERS / name / "brief.toml")
    for fact in brief.fact:
        project.set_fact(fact)
    for path in brief.sources:
        project.add_source(path.name, path.read_text(encoding="utf-8"), "0" * 64, "source")
    project.import_document(read(DOSSIERS / name / "report.md"), "report.md")
    with (DOSSIERS / name / "deviations.csv").open(encoding="utf-8", newline="") as lines:
        told = {row.pop("ref"): row for row in csv.DictReader(lines, delimiter=";")}
    for one in standing(project):
        row = told.pop(one.ref, None) or told.pop(one.text, None) or {"status": "achieved"}
        set_outcome(project, one.key, evidence=["notes.md"], **row)
    assert not told, "deviations of no commitment"


def spent(name: str) -> Path:
    """The clean list of expenses."""
    return next(path for path in (DOSSIERS / name).glob("expenses.*"))


def take(project: Project, path: Path, kind: ListKind) -> None:
    add_list(project, read_list(path, kind))


@pytest.fixture
def dossier(tmp_path: Path) -> Opened:
    """dossier("ca-hort"): a new project with what binds it."""

    def make(name: str) -> Project:
        form = find_form(FORMS[name])
        project = Project.create(tmp_path / f"{name}.fabai", form, name[:2], name)  # type: ignore[arg-type]
        bind(project, name)
        return project

    return make


def planted(name: str) -> list[tuple[int, str]]:
    table = tomllib.loads((DOSSIERS / name / "faults.toml").read_text(encoding="utf-8"))
    return sorted((one["row"], one["rule"]) for one in table["fault"])
