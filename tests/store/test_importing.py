"""Where the sections of an imported document go, and that no text is lost on the way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.form import find_form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.store.importing import keys
from fabai.store.project import Made, Project

from .conftest import build_document


def _tree(project: Project) -> list[tuple[str, str, str]]:
    return [(section.id, section.heading, section.text) for section in project.report()]


def test_the_generic_form_takes_the_sections_of_the_document(filled: Project) -> None:
    assert _tree(filled) == [
        ("s1", "", "Portada"),
        ("s2", "1. Objetivos", "Texto de objetivos."),
        ("s3", "1.1 Generales", "Uno."),
        ("s4", "2. Resultados", "Dos."),
    ]
    assert [section.level for section in filled.report()] == [0, 1, 2, 1]
    assert filled.title == "Memoria"


def test_the_same_document_again_changes_nothing(filled: Project, document: Document) -> None:
    before = {section.id: filled.versions(section.id) for section in filled.report()}
    result = filled.import_document(document, "anterior.docx")
    assert (result.added, result.removed, result.kept) == ((), (), ())
    assert {section.id: filled.versions(section.id) for section in filled.report()} == before


def test_a_section_keeps_its_id_when_number_case_or_accents_of_its_heading_change(filled: Project) -> None:
    filled.import_document(build_document(("2 RESULTADOS", 1, "b"), ("3 Objetívos", 1, "a")), "nuevo.docx")
    assert _tree(filled) == [("s4", "2 RESULTADOS", "b"), ("s2", "3 Objetívos", "a")]


def test_a_section_that_left_the_report_returns_when_its_text_is_accepted(filled: Project) -> None:
    filled.import_document(build_document(("1. Objetivos", 1, "Texto de objetivos.")), "corto.docx")
    assert "s4" in {section.id for section in filled.removed()}
    filled.accept(filled.versions("s4")[-1].id)
    assert ("s4", "2. Resultados", "Dos.") in _tree(filled)
    assert "s4" not in {section.id for section in filled.removed()}


def test_equal_headings_match_by_their_order(project: Project) -> None:
    project.import_document(
        build_document(("A", 1, ""), ("Nota", 2, "1"), ("Nota", 2, "2"), ("B", 1, ""), ("Nota", 2, "3")), "a"
    )
    project.import_document(
        build_document(("B", 1, ""), ("Nota", 2, "3"), ("A", 1, ""), ("Nota", 2, "1"), ("Nota", 2, "x")), "b"
    )
    assert _tree(project) == [
        ("s4", "B", ""),
        ("s5", "Nota", "3"),
        ("s1", "A", ""),
        ("s2", "Nota", "1"),
        ("s3", "Nota", "x"),
    ]


def test_a_drafted_text_stays_and_the_imported_one_is_among_its_versions(filled: Project, made: Made) -> None:
    filled.save_version("s2", "Redactado.", made)
    result = filled.import_document(
        build_document(("Objetivos", 1, "Del documento."), ("Resultados", 1, "Dos.")), "n.docx"
    )
    assert result.kept == ("s2",)
    assert filled.report().find("s2").text == "Redactado."
    assert [version.text for version in filled.versions("s2")] == [
        "Texto de objetivos.",
        "Redactado.",
        "Del documento.",
    ]
    assert any("keep the text" in notice for notice in result.notices)


def test_a_drafted_section_that_the_document_lacks_stays_under_its_headings(filled: Project, made: Made) -> None:
    filled.save_version("s3", "Redactado.", made)
    result = filled.import_document(
        build_document(("", 0, "Portada"), ("Resultados", 1, "Dos."), ("Anexo", 1, "x")), "n.docx"
    )
    assert result.kept == ("s2", "s3")
    assert [one[0] for one in _tree(filled)] == ["s1", "s2", "s3", "s4", "s5"]


def test_the_front_text_that_a_document_lacks_leaves_even_where_drafted_sections_follow(
    filled: Project, made: Made
) -> None:
    filled.save_version("s3", "Redactado.", made)
    result = filled.import_document(build_document(("Resultados", 1, "Dos.")), "n.docx")
    assert (result.kept, result.removed) == (("s2", "s3"), ("s1",))


def test_an_imported_section_that_the_document_lacks_leaves_and_comes_back_with_its_versions(
    filled: Project, document: Document
) -> None:
    result = filled.import_document(build_document(("Resultados", 1, "Otro.")), "n.docx")
    assert result.removed == ("s1", "s2", "s3")
    assert [section.id for section in filled.removed()] == ["s1", "s2", "s3"]
    assert filled.versions("s2")[0].text == "Texto de objetivos."
    filled.import_document(document, "anterior.docx")
    assert [one[0] for one in _tree(filled)] == ["s1", "s2", "s3", "s4"]
    assert filled.report().find("s4").text == "Dos."


def test_a_new_section_never_takes_the_id_of_one_that_left(filled: Project) -> None:
    filled.import_document(build_document(("Anexo", 1, "Nuevo.")), "n.docx")
    (section,) = filled.report()
    assert section.id == "s5"
    assert [version.text for version in filled.versions("s5")] == ["Nuevo."]
    assert len(filled.removed()) == 4


def test_a_heading_is_one_line_without_control_characters(project: Project) -> None:
    project.import_document(build_document(("A\x1b[31m\nB\u2028 C", 1, "x")), "a.docx")
    assert project.report().sections[0].heading == "A [31m B C"


def test_a_section_that_left_returns_when_one_of_its_versions_is_restored(filled: Project) -> None:
    filled.import_document(build_document(("Resultados", 1, "Otro.")), "n.docx")
    filled.restore(filled.versions("s3")[0].id)
    assert [section.id for section in filled.report()] == ["s4", "s3"]
    assert [section.id for section in filled.removed()] == ["s1", "s2"]


def test_a_text_that_the_document_empties_stays_a_version(filled: Project) -> None:
    filled.import_document(build_document(("Objetivos", 1, "")), "n.docx")
    section = filled.report().find("s2")
    assert (section.text, section.status) == ("", "empty")
    assert [version.text for version in filled.versions("s2")] == ["Texto de objetivos."]


def test_the_last_import_gives_package_and_blocks_for_the_export(project: Project) -> None:
    first = build_document(("A", 1, "uno\n\ndos"), original=b"PK-1")
    project.import_document(first, "a.docx")
    imported = project.imported()
    assert imported is not None
    assert (imported.filename, imported.original) == ("a.docx", b"PK-1")
    assert imported.sources == {"s1": first.sections[0]}
    project.import_document(build_document(("A", 1, "tres")), "b.md")
    imported = project.imported()
    assert imported is not None
    assert (imported.filename, imported.original) == ("b.md", None)


def test_a_project_without_import_has_none(project: Project) -> None:
    assert project.imported() is None
    assert project.notices() == ()


def test_notices_of_the_reader_are_kept(project: Project) -> None:
    project.import_document(build_document(("A", 1, "x"), notices=("two comments were left out",)), "a.docx")
    assert project.notices() == ("two comments were left out",)


def test_two_documents_with_an_image_of_the_same_name_keep_both(project: Project, made: Made) -> None:
    project.import_document(
        build_document(("A", 1, "![](media/image1.png)"), media={"media/image1.png": b"one"}), "a.docx"
    )
    project.save_version("s1", "Mío ![](media/image1.png)", made)
    text = "![](media/image1.png){width=2cm} y xmedia/image1.png"
    project.import_document(build_document(("A", 1, text), media={"media/image1.png": b"two"}), "b.docx")
    media = project.media()
    new = next(name for name in media if name != "media/image1.png")
    assert (media["media/image1.png"], media[new]) == (b"one", b"two")
    assert project.report().find("s1").text == "Mío ![](media/image1.png)"
    assert project.versions("s1")[-1].text == f"![]({new}){{width=2cm}} y xmedia/image1.png"
    imported = project.imported()
    assert imported is not None
    assert imported.sources["s1"].text == project.versions("s1")[-1].text


def test_a_document_in_another_language_than_the_project_is_announced(project: Project) -> None:
    document = replace(build_document(("Objectius", 1, "x")), language="ca")
    assert "start with --lang ca" in project.import_document(document, "a.docx").notices[0]
    assert project.import_document(replace(document, language=None), "a.docx").notices == ()


def test_decomposed_text_is_composed(project: Project) -> None:
    project.import_document(build_document(("Fundacio\u0301", 1, "me\u0301s")), "a.docx")
    assert _tree(project) == [("s1", "Fundaci\u00f3", "m\u00e9s")]


def test_a_form_with_sections_keeps_its_tree_and_the_rest_becomes_a_source(tmp_path: Path) -> None:
    form = find_form("memoria-justificativa")
    document = build_document(
        ("", 0, "Portada"),
        ("Memoria de actuación", 1, "Intro."),
        ("2.3 Resultados obtenidos", 3, "Mil."),
        ("Balance social", 1, "Otro."),
        ("Otros ingresos y subvenciones", 1, "Ninguno."),
    )
    with Project.create(tmp_path / "p.fabai", form, "es", "T") as project:
        result = project.import_document(document, "anterior.docx")
        report = project.report()
        assert [section.id for section in report] == [spec.id for spec in form.sections]
        texts = {section.id: section.text for section in report if section.text}
        assert texts == {"actuacion": "Intro.", "resultados": "Mil.", "ingresos": "Ninguno."}
        assert (result.matched, result.source) == (("actuacion", "resultados", "ingresos"), "anterior.docx")
        assert [source.text for source in project.sources()] == ["Portada\n\n# Balance social\n\nOtro."]
        assert report.title == "T"


def test_a_document_in_another_language_of_the_form_finds_its_sections(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.fabai", find_form("memoria-justificativa"), "es", "T") as project:
        project.import_document(build_document(("Resultats obtinguts", 1, "Mil.")), "anterior.docx")
        section = project.report().find("resultados")
        assert (section.heading, section.text) == ("Resultados obtenidos", "Mil.")


def test_an_import_that_fails_changes_nothing(filled: Project) -> None:
    before = (filled.report(), filled.events(), filled.media())
    broken = build_document(("Nueva", 1, "x"), ("Muy honda", 10, "y"), media={"media/i.png": b"1"})
    with pytest.raises(Exception, match="CHECK constraint"):
        filled.import_document(broken, "b.docx")
    assert (filled.report(), filled.events(), filled.media()) == before


@given(st.lists(st.tuples(st.sampled_from(["A", "a ", "B", "", "1. A"]), st.integers(0, 4)), max_size=30))
def test_every_section_has_a_key_of_its_own(headings: list[tuple[str, int]]) -> None:
    found = list(keys(headings))
    assert len(found) == len(set(found)) == len(headings)


def test_two_thousand_sections_are_imported_whole(project: Project) -> None:
    sections = tuple(DocumentSection(f"H {n % 50}", 1 + n % 5, (Block(f"texto {n}", (n,)),)) for n in range(2000))
    document = Document("T", "es", sections)
    project.import_document(document, "a.docx")
    project.import_document(document, "a.docx")
    assert [section.text for section in project.report()] == [f"texto {n}" for n in range(2000)]
