"""Citations as a document shows them, and its bibliography: in new documents, templates and the file that was read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabai.errors import UnreadableFile
from fabai.formats.bibliography import check_style, in_words
from fabai.formats.citation import Literature
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.formats.package import Package
from fabai.formats.wordml import W, text_of, value
from fabai.report import Language, Report, Section


def record(key: str, family: str, title: str, year: str) -> dict[str, object]:
    def said(text: str) -> dict[str, object]:
        return {"t": "MetaString", "c": text}

    name = {"t": "MetaMap", "c": {"family": said(family), "given": said("Ana")}}
    return {
        "id": said(key), "type": said("book"), "title": said(title), "issued": said(year),
        "author": {"t": "MetaList", "c": [name]},
    }  # fmt: skip


KNOWN = Literature(
    {
        "pérez": record("pérez", "Pérez", "Uno", "2020"),
        "smith": record("smith", "Smith", "Dos", "2019"),
        "nunca": record("nunca", "Nunca", "Tres", "2018"),
    }
)
NUMBERED = (
    '<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0"><info><title>N</title><id>n</id>'
    "<updated>2020-01-01T00:00:00Z</updated></info>"
    '<citation><layout prefix="[" suffix="]" delimiter=","><text variable="citation-number"/></layout></citation>'
    '<bibliography second-field-align="flush"><layout><text variable="citation-number" prefix="[" suffix="] "/>'
    '<text variable="title"/></layout></bibliography></style>'
)


def report(*texts: str, language: Language = "es") -> Report:
    return Report("T", language, tuple(Section(f"s{at}", f"Apartado {at}", 1, text) for at, text in enumerate(texts)))


def lines(data: bytes) -> list[str]:
    return [text_of(one) for one in Package(data).body.iter(W + "p") if text_of(one).strip()]


def made(report: Report, literature: Literature | None = KNOWN, notices: list[str] | None = None) -> list[str]:
    data = export_docx(report, sources={}, original=None, media={}, literature=literature, notices=notices)
    return lines(data)


@pytest.mark.parametrize(
    ("language", "pair", "heading"),
    [
        ("es", "Pérez (2020, 3) y (Pérez 2020; Smith 2019)", "Bibliografía"),
        ("ca", "Pérez (2020, 3) y (Pérez 2020; Smith 2019)", "Bibliografia"),
        ("en", "Pérez (2020, 3) y (Pérez 2020; Smith 2019)", "References"),
    ],
)
def test_citations_are_worded_and_only_what_is_cited_is_listed(language: Language, pair: str, heading: str) -> None:
    shown = made(report("Según @pérez [p. 3] y [@pérez; @smith].", language=language))
    assert f"Según {pair}." in shown
    assert shown[shown.index(heading, 4) :] == [heading, "Pérez, Ana. 2020. Uno.", "Smith, Ana. 2019. Dos."]


def test_citations_in_lists_tables_and_notes_are_worded_too() -> None:
    shown = "\n".join(made(report("- uno [@smith]\n\n| a | b |\n|---|---|\n| c [@pérez] | d |")))
    assert "uno (Smith 2019)" in shown
    assert "c (Pérez 2020)" in shown


def test_an_address_or_a_name_with_the_sign_is_no_citation() -> None:
    text = "Escriba a ana@example.org o siga a @ajuntament."
    assert text in made(report(text))


def test_a_key_without_a_reference_leaves_a_hole_and_a_notice() -> None:
    notices: list[str] = []
    shown = made(report("Uno [@nadie; @smith, p. 2] y dos [@otra]."), notices=notices)
    assert "Uno (Smith 2019, 2) [falta: referencia nadie] y dos [falta: referencia otra]." in shown
    assert "nadie, otra" in notices[0]


def test_without_literature_citations_stay_as_they_are_written() -> None:
    assert "Uno [@smith]." in made(report("Uno [@smith]."), None)


def test_entries_go_under_the_reports_own_heading() -> None:
    own = replace(report("Uno [@smith].", "Lo citado:", "Fin."))
    sections = (own.sections[0], replace(own.sections[1], heading="Referencias bibliográficas"), own.sections[2])
    shown = made(replace(own, sections=sections))
    at = shown.index("Lo citado:")
    assert shown[at - 1 : at + 3] == [
        "Referencias bibliográficas",
        "Lo citado:",
        "Smith, Ana. 2019. Dos.",
        "Apartado 2",
    ]


def test_entries_go_under_the_heading_that_a_template_has() -> None:
    sections = (Section("a", "Apartado 0", 1), Section("b", "Referències", 1), Section("c", "Annex", 1))
    template = export_docx(Report("", "ca", sections), sources={}, original=None, media={})
    data = export_docx(
        report("Uno [@smith].", language="ca"), sources={}, original=None, media={}, template=template, literature=KNOWN
    )
    shown = lines(data)
    assert shown[-3:] == ["Referències", "Smith, Ana. 2019. Dos.", "Annex"]


def test_a_reports_bibliography_goes_under_the_templates_by_another_name() -> None:
    headings = ("Apartado 0", "4. Bibliografía citada", "Anexo")
    sections = tuple(Section(one, one, 1) for one in headings)
    template = export_docx(Report("", "es", sections), sources={}, original=None, media={})
    own = report("Uno [@smith].", "Lo citado:")
    own = replace(own, sections=(own.sections[0], replace(own.sections[1], heading="Referencias")))
    data = export_docx(own, sources={}, original=None, media={}, template=template, literature=KNOWN)
    assert lines(data)[-4:] == ["4. Bibliografía citada", "Lo citado:", "Smith, Ana. 2019. Dos.", "Anexo"]
    by_hand = export_docx(own, sources={}, original=None, media={}, template=template)
    assert lines(by_hand)[-3:] == ["4. Bibliografía citada", "Lo citado:", "Anexo"]


def test_a_bibliography_with_the_templates_own_heading_leaves_its_other_lists_alone() -> None:
    sections = (Section("a", "Referencias", 1), Section("b", "Bibliografía", 1))
    template = export_docx(Report("", "es", sections), sources={}, original=None, media={})
    own = report("Uno [@smith].")
    data = export_docx(own, sources={}, original=None, media={}, template=template, literature=KNOWN)
    assert lines(data)[-2:] == ["Bibliografía", "Smith, Ana. 2019. Dos."]


def test_a_changed_section_of_the_file_that_was_read_gets_its_citations_and_the_list() -> None:
    original = export_docx(report("Antes.", "Después."), sources={}, original=None, media={})
    document = read_docx(original)
    sources = {f"s{number}": one for number, one in enumerate(document.sections)}
    sections = tuple(Section(key, one.heading, one.level, one.text) for key, one in sources.items())
    edited = tuple(replace(one, text="Antes [@smith].") if one.text == "Antes." else one for one in sections)
    data = export_docx(Report("T", "es", edited), sources=sources, original=original, media={}, literature=KNOWN)
    assert "Antes (Smith 2019)." in lines(data)
    assert lines(data)[-2:] == ["Bibliografía", "Smith, Ana. 2019. Dos."]
    unchanged = export_docx(Report("T", "es", sections), sources=sources, original=original, media={}, literature=KNOWN)
    assert unchanged == original


def test_entries_hang_and_have_no_tab_behind_their_number() -> None:
    numbered = replace(KNOWN, style=NUMBERED)
    data = export_docx(report("Uno [@smith]."), sources={}, original=None, media={}, literature=numbered)
    assert "Uno [1]." in lines(data)
    assert lines(data)[-1] == "[1] Dos"
    entry = next(one for one in Package(data).body.iter(W + "p") if text_of(one) == "[1] Dos")
    assert value(entry, "pPr/pStyle") == "Bibliography"


def test_italics_in_a_title_in_italics_are_set_once() -> None:
    title = [{"t": "Emph", "c": [{"t": "Str", "c": "Dos"}]}, {"t": "Space"}, {"t": "Str", "c": "más"}]
    smith = {**record("smith", "Smith", "", "2019"), "title": {"t": "MetaInlines", "c": title}}
    literature = Literature({"smith": smith})
    data = export_docx(report("Uno [@smith]."), sources={}, original=None, media={}, literature=literature)
    runs = [run for run in Package(data).body.iter(W + "r") if "Dos" in text_of(run)]
    assert runs
    assert all(len(run.findall(f"{W}rPr/{W}i")) == 1 for run in runs)


def test_what_is_no_style_is_refused_in_one_sentence() -> None:
    check_style(NUMBERED, "n.csl")
    with pytest.raises(UnreadableFile, match="is no CSL style"):
        check_style("<style/>", "n.csl")
    with pytest.raises(UnreadableFile, match="its parent"):
        check_style('<link rel="independent-parent" href="x"/>', "n.csl")


def test_portal_fields_show_citations_in_words() -> None:
    text = "Uno [@smith], **dos** a@b.org y @nadie, [@nadie]."
    assert in_words([text, "x"], KNOWN, "en") == [
        "Uno (Smith 2019), **dos** a@b.org y @nadie, [missing: reference nadie].",
        "x",
    ]
