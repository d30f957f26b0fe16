"""Text boxes: an edit is made inside the box, in each copy that Word keeps of it, and never doubles the text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.formats import pandoc
from fabai.formats.boxes import box_edit, holds_box
from fabai.formats.document import Block, Document
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.formats.package import Package
from fabai.formats.wordml import MC, Element, W, add, add_text, element, text_of

from .word import check_sound, report_of


def boxed(*texts: str) -> Element:
    """A paragraph that anchors a text box with one paragraph for each text, and its fallback."""
    anchor = element("p")
    choices = add(anchor, "r")
    for tag in ("Choice", "Fallback"):
        holder = choices.makeelement(MC + tag)
        choices.append(holder)
        box = add(holder, "txbxContent")
        for text in texts:
            add_text(add(add(box, "p"), "r"), text)
    return anchor


def trees(*texts: str) -> list[dict[str, object]]:
    return [{"t": "Para", "c": [{"t": "Str", "c": text}]} for text in texts]


def edited(before: tuple[str, ...], now: tuple[str, ...]) -> list[str] | None:
    """What each copy of the box says after an edit; None where the edit cannot be made in it."""
    edit = box_edit(trees(*before), trees(*now), boxed(*before))
    if edit is None:
        return None
    rendered = []
    for tree in edit.wanted:
        paragraph = element("p")
        add_text(add(paragraph, "r"), tree["c"][0]["c"])
        rendered.append([paragraph])
    boxes = list(edit.made(rendered).iter(W + "txbxContent"))
    said = ["|".join(text_of(one) for one in box.iter(W + "p")) for box in boxes]
    assert len(set(said)) == 1
    return said[0].split("|")


@pytest.mark.parametrize(
    "now",
    [
        ("uno", "dos", "tres"),
        ("uno", "dos y medio", "tres"),
        ("uno", "tres"),
        ("uno", "dos", "otro", "más", "tres"),
        ("cero", "uno", "dos", "tres"),
        ("todo nuevo",),
    ],
)
def test_each_copy_of_the_box_says_what_the_text_says(now: tuple[str, ...]) -> None:
    said = edited(("uno", "dos", "tres"), now)
    assert said is not None
    assert Counter(said) == Counter(now)


def test_a_paragraph_that_is_not_in_the_box_cannot_be_edited_there() -> None:
    assert box_edit(trees("uno", "fuera"), trees("uno", "fuera y más"), boxed("uno")) is None


def test_a_table_that_goes_from_the_text_is_no_edit_in_a_box() -> None:
    assert box_edit(table("uno"), trees("uno"), boxed("uno")) is None


def words(data: bytes) -> Counter[str]:
    """The words of a body, boxes included once."""
    body = Package(data).body
    for fallback in list(body.iter(MC + "Fallback")):
        fallback.clear()
    own = (one for one in body.iter(W + "t"))
    return Counter(re.findall(r"\w", "".join(one.text or "" for one in own)))


def boxes(data: bytes) -> int:
    return sum(1 for _ in Package(data).body.iter(W + "txbxContent"))


def with_word(document: Document, number: int, place: int, at: int) -> bytes:
    report, sources = report_of(document)
    section = document.sections[number]
    block = section.blocks[place]
    blocks = list(section.blocks)
    blocks[place] = Block(f"{block.markdown[:at]} XYZ{block.markdown[at:]}", block.children)
    text = replace(section, blocks=tuple(blocks)).text
    report = report.with_section(replace(report.sections[number], text=text))
    return export_docx(report, sources=sources, original=document.original, media=document.media)


@pytest.mark.parametrize(
    "name", ["docling__drawingml", "docling__textbox", "docx4j__jaxb-binder-issue", "tika__testWORD_numbered_list"]
)
def test_a_word_put_into_real_boxes_is_there_once_and_nothing_else_changes(shared: Path, name: str) -> None:
    document = read_docx(shared / "data" / "docx" / f"{name}.docx")
    assert document.original is not None
    children = list(Package(document.original).body)
    places = [
        (number, place, found.end())
        for number, section in enumerate(document.sections)
        for place, block in enumerate(section.blocks)
        if any(holds_box(children[one]) for one in block.children)
        and (found := re.search(r"(?<![\w/(.{=\"])[A-Za-z]{3,}(?![\w/(.}=])", block.markdown))
    ]
    for number, place, at in places[::4]:
        data = with_word(document, number, place, at)
        check_sound(data, document.original)
        assert words(data) - words(document.original) == Counter("XYZ")
        assert not words(document.original) - words(data)
        assert boxes(data) == boxes(document.original)


def tabled(*cells: str) -> Element:
    """A paragraph "uno" that anchors a box with a table of one row, and its fallback."""
    anchor = boxed()
    add_text(add(anchor, "r"), "uno")
    for box in anchor.iter(W + "txbxContent"):
        row = add(add(box, "tbl"), "tr")
        for cell in cells:
            add_text(add(add(add(row, "tc"), "p"), "r"), cell)
    return anchor


def table(*cells: str) -> list[dict[str, object]]:
    return list(pandoc.to_json(f"|{'|'.join(cells)}|\n|{'-|' * len(cells)}", pandoc.MARKDOWN)["blocks"])


def test_an_edit_in_a_table_inside_a_box_stays_in_its_cell() -> None:
    edit = box_edit([*table("uno", "dos"), *trees("uno")], [*table("cero", "dos"), *trees("uno")], tabled("uno", "dos"))
    assert edit is not None
    paragraph = element("p")
    add_text(add(paragraph, "r"), "cero")
    made = edit.made([[paragraph]])
    assert [text_of(cell) for cell in made.iter(W + "tc")] == ["cero", "dos"] * 2
    assert [run.text for run in made.iter(W + "t")][-1] == "uno"


def test_a_table_in_a_box_that_gets_another_shape_is_no_edit_inside_it() -> None:
    assert box_edit(table("uno", "dos"), table("uno", "dos", "tres"), tabled("uno", "dos")) is None
    before = [*table("uno", "dos"), *trees("fin")]
    assert box_edit(before, [*table("uno", "dos"), *trees("fin", "más")], tabled("uno", "dos")) is None


def test_the_cells_of_a_table_that_holds_a_box_are_not_taken_for_the_boxs() -> None:
    holder = element("tbl")
    add(add(holder, "tr"), "tc").append(boxed("uno"))
    assert box_edit(table("uno"), table("dos"), holder) is None
