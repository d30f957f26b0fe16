"""Real Word files as templates: a proposal in a foundation's sections, a ministry's budget, an unfilled form.

No funder's own empty form is among the shared documents. The first two are what was handed in, their answers taken out
where that makes a form of them; the third is as it came.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fabai.formats.export import export_docx
from fabai.formats.package import Package
from fabai.formats.wordbody import heading_levels, styles_of, toc_children
from fabai.formats.wordml import W
from fabai.report import Report, Section, fold

from .word import check_sound, parts, squeezed, text, xml, xpath

TABLE = "| Town | Gauges |\n|---|---:|\n| Brackwell | 3 |\n| Fiume | 5 |\n\n: Gauges by town"
PROPOSAL = "grants-en/greenelab-czi__proposal.docx"
BUDGET = "docx/tika__018367.docx"
PROMPTS = "docx/poi__60316.docx"
HEADINGS = {
    PROPOSAL: ("Summary", "Aims", "Prior Contributions / Preliminary Results", "Statement of commitment to share"),
    BUDGET: ("Table of Contents", "Organizational Chart N/A"),
    PROMPTS: ("Objective", "Experience", "Education", "References"),
}


def blank(data: bytes) -> bytes:
    """The document with nothing under its headings."""
    package = Package(data)
    body = package.edit(package.document).find(W + "body")
    styles = styles_of(package)
    levels = heading_levels(body, styles, toc_children(body, styles))
    for place, one in enumerate(list(body)):
        under = place > min(levels) and place not in levels and one.tag != W + "sectPr"
        if under and one.find(f"{W}pPr/{W}sectPr") is None:
            body.remove(one)
    return package.save()


def filled(shared: Path, name: str) -> tuple[bytes, bytes]:
    """The template and what became of it."""
    template = (shared / "data" / name).read_bytes()
    template = blank(template) if name == PROPOSAL else template
    sections = [
        Section(f"s{place}", heading, 1, f"Answer {place}: 36 gauges send on every day of the winter.\n\n{TABLE}")
        for place, heading in enumerate(HEADINGS[name])
    ]
    report = Report("RIVERLINK", "en", tuple(sections), {"organisation": "Northmoor University"})
    return template, export_docx(report, sources={}, original=None, media={}, template=template)


def style_names(data: bytes) -> set[str]:
    return {one.get(W + "val") for one in xml(data, "word/styles.xml").iter(W + "name")}


@pytest.mark.parametrize("name", [PROPOSAL, BUDGET, PROMPTS])
def test_answers_stand_under_the_headings_of_a_real_file_whose_pages_and_styles_stay(shared: Path, name: str) -> None:
    template, data = filled(shared, name)
    words = text(data)
    for place, heading in enumerate(HEADINGS[name]):
        start = words.index(f"Answer {place}:")
        assert fold(heading) in fold(words[:start]), heading
        assert words.count(f"Answer {place}:") == 1
    for part in [one for one in parts(template) if one.startswith(("word/header", "word/footer"))]:
        if xpath(template, "count(//w:showingPlcHdr)", part) == 0:
            assert xpath(template, "string(/*)", part) == xpath(data, "string(/*)", part)
    assert xpath(template, "count(//w:sectPr)") == xpath(data, "count(//w:sectPr)")
    assert xpath(template, "string((//w:sectPr)[1]/w:pgSz/@w:w)") == xpath(data, "string((//w:sectPr)[1]/w:pgSz/@w:w)")
    heads = "//w:tr[w:trPr/w:tblHeader][contains(., 'Gauges')]//w:r"
    assert xpath(data, f"count({heads})") == xpath(data, f"count({heads}[w:rPr/w:b])") >= 2
    assert style_names(template) <= style_names(data)
    assert "Northmoor University" in parts(data)["docProps/core.xml"].decode()
    check_sound(data, template)


def test_prompts_of_a_real_form_are_filled_or_gone_with_the_bullets_before_them(
    shared: Path, office: Callable[[bytes, str, str], bytes]
) -> None:
    _, data = filled(shared, PROMPTS)
    assert xpath(data, "count(//w:showingPlcHdr)") == 0
    lines = [squeezed(line) for line in office(data, "docx", "txt").decode("utf-8-sig").splitlines()]
    assert not [line for line in lines if line.startswith("[") or "Click here" in line or line in (">", "•")]
    assert lines.count("Objective") == 1
    answer = "string(//w:p[contains(., 'Answer 1')]/w:pPr/w:pStyle/@w:val)"
    assert xpath(data, answer) != "SectionHeading"
