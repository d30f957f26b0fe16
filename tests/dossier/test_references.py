"""Bibliography files: read with what is wrong said by line, kept with the project, cited by their keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.checks.limits import check_limits
from fabai.checks.report import check_report
from fabai.dossier.publications import add_publications, publication_of, publications, read_publications
from fabai.dossier.recorded import recorded
from fabai.dossier.references import Entries, add_references, keep_style, literature, read_references, worded
from fabai.errors import UnreadableFile
from fabai.form import Limit, find_form
from fabai.formats import ast
from fabai.formats.document import Block, Document, DocumentSection
from fabai.store.project import Made, Project

BIB = """@article{pérez2020, author={P{\\'e}rez Ib{\\'a}{\\~n}ez, Jos{\\'e} and Garc{\\'\\i}a, Ana},
  title={El {Quijote} en Barcelona: \\emph{más} Cosas}, journal={Revista}, year=2020, doi={10.1234/abc}}
@book{smith:2019, author={Smith, John}, title={The Big {DNA} Book}, year=2019, langid={english}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with Project.create(tmp_path / "p.fabai", find_form("generic"), "es", "T") as made:
        made.import_document(Document("T", "es", (DocumentSection("Uno", 1, (Block(""),)),)), "m.md")
        yield made


def read(folder: Path, name: str, text: str) -> Entries:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_references(path)


def refused(folder: Path, name: str, text: str) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read(folder, name, text)
    return str(caught.value)


def test_keys_accents_and_titles_come_as_they_stand(tmp_path: Path) -> None:
    first, second = read(tmp_path, "a.bib", BIB).entries
    assert (first.key, second.key) == ("pérez2020", "smith:2019")
    assert publication_of(first).authors == ("Pérez Ibáñez, José", "García, Ana")
    assert ast.text(first.record["title"]) == "El Quijote en Barcelona: más Cosas"
    assert ast.text(second.record["language"]).startswith("en")


def test_a_broken_record_is_told_with_its_line(tmp_path: Path) -> None:
    said = refused(
        tmp_path, "a.bib", "@article{a, title={Uno}}\n\n@article{b, title={Dos, year=2021}\n@book{c, title={x}}\n"
    )
    assert said.startswith("a.bib cannot be read at line 4 (unexpected '@'): a brace or a comma is missing")
    assert "line 2" in refused(tmp_path, "a.bib", "@article{a, title={Uno}}\n@article{b title={x}}\n")


def test_a_key_that_stands_twice_is_told_and_the_first_record_kept(tmp_path: Path) -> None:
    found = read(tmp_path, "a.bib", "@book{a, title={Uno}}\n@book{b, title={Dos}}\n@book{a, title={Tres}}\n")
    assert [ast.text(one.record["title"]) for one in found.entries] == ["Uno", "Dos"]
    assert found.notices == ("a.bib, line 3: the key a stands twice; the first record was kept",)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "hola"), ("a.bib", "@string{x = {y}}"), ("a.json", "[]"), ("a.json", '[{"title": "sin id"}]'),
        ("a.json", '[{"id": 1,'), ("a.json", "[" * 100_000), ("a.ris", "TY  - JOUR\n"), ("a.bib", "\x00\x01"),
    ],
)  # fmt: skip
def test_a_file_of_another_kind_is_refused_in_one_sentence(tmp_path: Path, name: str, text: str) -> None:
    assert refused(tmp_path, name, text).startswith(name)


def test_ris_without_keys_gets_keys_of_author_and_year(tmp_path: Path) -> None:
    one = "TY  - JOUR\nAU  - Núñez, Ana\nTI  - T\nPY  - 2020\nER  - \n"
    keyed = one.replace("TY  - JOUR", "TY  - JOUR\nID  - mi clave")
    found = read(tmp_path, "a.ris", one * 29 + keyed)
    keys = [entry.key for entry in found.entries]
    assert (keys[0], keys[1], keys[26], keys[27], keys[-1]) == (
        "Núñez_2020", "Núñez_2020a", "Núñez_2020z", "Núñez_2020aa", "mi_clave"
    )  # fmt: skip


def test_csl_json_is_read_by_its_ids(tmp_path: Path) -> None:
    items = [{"id": 7, "type": "book", "title": "Uno"}, {"id": "b", "type": "book", "title": "Dos"}]
    assert [one.key for one in read(tmp_path, "a.json", json.dumps(items)).entries] == ["7", "b"]


def test_references_are_kept_and_a_newer_file_replaces_its_records(project: Project, tmp_path: Path) -> None:
    assert add_references(project, read(tmp_path, "a.bib", BIB).entries) == (2, 0)
    assert add_references(project, read(tmp_path, "a.bib", BIB).entries) == (0, 0)
    assert add_references(project, read(tmp_path, "a.bib", BIB.replace("Big", "Small")).entries) == (0, 1)
    assert "small" in ast.text(literature(project).records["smith:2019"]["title"])


def test_the_style_is_kept_with_the_project_and_a_wrong_one_is_not(project: Project, tmp_path: Path) -> None:
    style = tmp_path / "s.csl"
    style.write_text("<html>", encoding="utf-8")
    with pytest.raises(UnreadableFile):
        keep_style(project, style)
    assert literature(project).style == ""


def test_publications_keep_the_key_of_their_record_and_can_be_cited(project: Project, tmp_path: Path) -> None:
    path = tmp_path / "own.bib"
    path.write_text(BIB, encoding="utf-8")
    add_publications(project, read_publications(path))
    assert [one.id for one in publications(project)] == ["pérez2020", "smith:2019"]
    assert literature(project).records.keys() == {"pérez2020", "smith:2019"}


def test_a_key_without_its_reference_is_found_with_its_sentence_and_the_likely_key(
    project: Project, tmp_path: Path
) -> None:
    add_references(project, read(tmp_path, "a.bib", BIB).entries)
    text = "Bien [@smith:2019, p. 1234]. Mal [@smith:2091; @pérez2020]. Correo: ana@smith.org, red @ninguna."
    project.accept(project.save_version("s1", text, Made("person")).id)
    found = check_report(project, recorded=recorded(project)).violations
    (one,) = [finding for finding in found if finding.rule == "citation-unknown"]
    assert (one.severity, one.found, one.quote) == ("error", "smith:2091", "Mal [@smith:2091; @pérez2020].")
    assert one.suggestion == "[@smith:2019; @pérez2020]"
    assert not [finding for finding in found if "1234" in str(finding.found)]


def test_limits_count_citations_as_documents_show_them(project: Project, tmp_path: Path) -> None:
    add_references(project, read(tmp_path, "a.bib", BIB).entries)
    project.accept(project.save_version("s1", "Bien [@smith:2019, p. 3].", Made("person")).id)
    report = project.report()
    shown = worded(project, report)
    assert shown.sections[0].text == "Bien (Smith 2019, 3)."
    least = replace(project.form, limits=(Limit("characters", minimum=21),))
    assert not check_limits(shown, least).violations
    most = replace(project.form, limits=(Limit("characters", 21),))
    assert check_limits(report, most).violations
