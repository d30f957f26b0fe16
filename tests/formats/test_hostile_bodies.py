"""Bodies that few word processors write: their words survive every road, and what comes out is sound."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from lxml import etree

from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.formats.package import Package
from fabai.report import Report, Section

from .word import W, check_sound, report_of, text

NOTE = '<w:r><w:footnoteReference w:id="{}"/></w:r>'


def p(words: str, style: str = "", properties: str = "", run: str = "") -> str:
    styled = f'<w:pStyle w:val="{style}"/>' if style else ""
    said = f'<w:r><w:rPr>{run}</w:rPr><w:t xml:space="preserve">{words}</w:t></w:r>'
    return f"<w:p><w:pPr>{styled}{properties}</w:pPr>{said}</w:p>"


def h(words: str, level: int = 1) -> str:
    return p(words, f"Heading{level}")


def table(*rows: list[str], properties: str = "") -> str:
    columns = '<w:gridCol w:w="2000"/>' * max(len(row) for row in rows)
    cells = ("".join(f"<w:tc>{cell}</w:tc>" for cell in row) for row in rows)
    made = "".join(f"<w:tr>{row}</w:tr>" for row in cells)
    return f"<w:tbl><w:tblPr>{properties}</w:tblPr><w:tblGrid>{columns}</w:tblGrid>{made}</w:tbl>"


def control(inner: str) -> str:
    return f"<w:sdt><w:sdtPr/><w:sdtContent>{inner}</w:sdtContent></w:sdt>"


def word_file(body: str) -> bytes:
    """A package with styles, lists and a note, and this body; {note} stands for the number of its note."""
    base = Report("T", "es", (Section("a", "A", 1, "Texto con nota[^1].\n\n1. uno\n2. dos\n\n[^1]: al pie"),))
    package = Package(export_docx(base, sources={}, original=None, media={}))
    root = package.edit(package.document)
    old = root[0]
    (note,) = {one.get(W + "id") for one in old.iter(W + "footnoteReference")}
    written = body.replace("{note}", NOTE.format(note)).encode()
    found = etree.fromstring(b'<w:body xmlns:w="' + W[1:-1].encode() + b'">' + written + b"</w:body>")
    for one in list(old):
        if one.tag != W + "sectPr":
            old.remove(one)
    old[:0] = list(found)
    return package.save()


def words_of(data: bytes) -> Counter[str]:
    """The words of every paragraph, those of tables in its cells apart."""
    found: Counter[str] = Counter()
    for paragraph in Package(data).body.iter(W + "p"):
        own = (one for one in paragraph.iter(W + "t") if next(one.iterancestors(W + "p")) is paragraph)
        found += Counter(re.findall(r"\w+", "".join(one.text or "" for one in own)))
    return found


BODIES = {
    "sections without text": h("Uno") + h("Dos", 2) + h("Tres", 3) + p("") + p(" ") + h("Cuatro"),
    "headings without words": p("", "Heading1") + p("Texto uno.") + p("  ", "Heading2") + p("Texto dos."),
    "tables in tables": h("T")
    + table(
        [table([p("hondo") + table([p("más"), p("b")]) + p("")], [p("x")]) + p("tras"), p("lado")], [p("c"), p("d")]
    )
    + p("Fin."),
    "a merge that never began": h("T")
    + table(["<w:tcPr><w:vMerge/></w:tcPr>" + p("huérfana"), p("b")], [p("c"), p("d")])
    + p("Fin."),
    "notes in headings": '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Con nota</w:t></w:r>{note}</w:p>'
    + p("Texto uno."),
    "a note that is not there": h("A") + f"<w:p><w:r><w:t>Texto</w:t></w:r>{NOTE.format(99)}</w:p>" + p("Fin."),
    "right to left": p("عنوان", "Heading1", "<w:bidi/>", "<w:rtl/>")
    + p("نص من اليمين إلى اليسار", "", "<w:bidi/>", "<w:rtl/>")
    + table([p("خلية", "", "<w:bidi/>", "<w:rtl/>"), p("b")], properties="<w:bidiVisual/>")
    + p("Fin."),
    "a list of fifty levels": h("L")
    + "".join(
        p(f"nivel {at}", "", f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="1"/></w:numPr>') for at in range(50)
    ),
    "a list that is defined nowhere": h("L")
    + p("uno", "", '<w:numPr><w:ilvl w:val="x"/><w:numId w:val="999"/></w:numPr>')
    + p("dos", "", "<w:numPr/>"),
    "headings in controls": control(h("Uno"))
    + p("Texto uno.")
    + control(control(h("Dos", 2)) + p("dentro"))
    + '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
    + control("<w:r><w:t>En línea</w:t></w:r>")
    + "</w:p>"
    + p("Fin."),
    "a field without end": h("A")
    + '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>TOC</w:instrText></w:r>'
    + "<w:r><w:t>abierto</w:t></w:r></w:p>"
    + p("Dentro.")
    + h("B")
    + p("Fin."),
    "signs of icon fonts": h("A") + p("uno \ue000\ue011\ue001 dos \ue003") + p("\ue003") + p("Fin."),
    "marks of our own": h("A")
    + p("\ufdd0\ufde9\ufde9\ufde9\ufdd1 uno")
    + p("\ufdd3")
    + p("\ufdd0\ufde1\ufdd1 dos")
    + p("Fin."),
}


@pytest.mark.parametrize("name", BODIES)
def test_the_words_of_a_strange_body_survive_every_road_and_the_file_is_sound(name: str) -> None:
    document = read_docx(word_file(BODIES[name]))
    assert document.original is not None
    report, sources = report_of(document)
    said = words_of(document.original)
    anew = {
        identifier: replace(
            one, blocks=tuple(replace(b, markdown=b.markdown and f"{b.markdown}\n\n·") for b in one.blocks)
        )
        for identifier, one in sources.items()
    }
    template = export_docx(Report("", "es"), sources={}, original=None, media={})
    for known, given in ((sources, None), (anew, None), (sources, template)):
        data = export_docx(report, sources=known, original=document.original, media={}, template=given)
        check_sound(data, document.original)
        assert not said - words_of(data)


def test_a_cell_that_goes_on_from_nothing_is_read() -> None:
    assert "huérfana" in read_docx(word_file(BODIES["a merge that never began"])).text


def test_an_empty_note_does_not_take_in_the_next_paragraph() -> None:
    document = read_docx(word_file(BODIES["a note that is not there"]))
    assert document.sections[-1].text == "Texto\n\nFin."


NEW = {
    "a list of fifty levels": "\n".join("    " * at + f"- nivel {at}" for at in range(50)),
    "two hundred quotations": ">" * 200 + " hondo",
    "a hundred columns": "|" + "a|" * 100 + "\n|" + "-|" * 100 + "\n|" + "1|" * 100,
    "one word of a hundred thousand letters": "x" * 100_000,
    "notes that call each other": "Texto[^1].\n\n[^1]: nota[^2]\n\n[^2]: otra[^1]",
    "signs that open and never close": "**a *b `c [d ![e $f\n\n" * 100,
    "text from right to left": "\u200fنص من اليمين\n\n- عنصر\n\n| أ | ب |\n|---|---|\n| 1 | 2 |",
    "control characters": "a\x00b\x0cc\x1b[0m\ufffe\ufdd0\ufdd3",
    "raw blocks": "```{=openxml}\n<w:p/>\n```\n\n<script>x</script>\n\n\\newpage",
    "pictures from elsewhere": "![x](/etc/passwd)\n\n![y](file:///etc/hostname)\n\n![z](http://example.invalid/z.png)",
    "marks of our own": "Uno.\n\n\ufdd3\n\n*Dos* \ufdd0\ufde1\ufdd1.",
}


@pytest.mark.parametrize("template", [False, True])
@pytest.mark.parametrize("name", NEW)
def test_strange_new_text_leaves_a_sound_file_and_the_text_behind_it(name: str, template: bool) -> None:
    report = Report("T", "es", (Section("a", "A\ufdd3[^1]\u202e", 1, NEW[name]), Section("b", "Fin", 1, "Último.")))
    given = word_file(h("A") + h("Fin")) if template else None
    data = export_docx(report, sources={}, original=None, media={}, template=given)
    check_sound(data)
    assert "Último." in text(data)
    assert "\ufdd0" not in text(data)


@pytest.mark.parametrize(
    "around", [control, lambda inner: control(control(inner)), lambda inner: control(inner + p("Más.")) + p("Fuera.")]
)
def test_text_stands_under_the_headings_of_a_template_that_are_in_content_controls(
    around: Callable[[str], str],
) -> None:
    given = word_file(around(h("Uno")) + around(h("Dos")))
    report = Report("T", "es", (Section("a", "Uno", 1, "Respuesta una."), Section("b", "Dos", 1, "Respuesta dos.")))
    data = export_docx(report, sources={}, original=None, media={}, template=given)
    check_sound(data)
    found = re.findall(r"Uno|Dos|Respuesta una|Respuesta dos", text(data))
    assert found == ["Uno", "Respuesta una", "Dos", "Respuesta dos"]


def test_a_list_goes_on_from_the_one_that_began_anew_as_word_counts() -> None:
    package = Package(word_file(h("A")))
    numbering = package.edit(package.related("numbering") or "")
    styles = package.edit(package.related("styles") or "")
    w = f'xmlns:w="{W[1:-1]}"'
    definition = (
        f'<w:abstractNum {w} w:abstractNumId="70"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        '<w:pStyle w:val="Paso"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>'
    )
    numbering.insert(0, etree.fromstring(definition))
    begins = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    for number, more in (("71", ""), ("72", begins)):
        made = f'<w:num {w} w:numId="{number}"><w:abstractNumId w:val="70"/>{more}</w:num>'
        numbering.append(etree.fromstring(made))
    style = (
        f'<w:style {w} w:type="paragraph" w:styleId="Paso"><w:name w:val="Paso"/>'
        '<w:pPr><w:numPr><w:numId w:val="71"/></w:numPr></w:pPr></w:style>'
    )
    styles.append(etree.fromstring(style))
    anew = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="72"/></w:numPr>'
    body = p("a", "Paso") + p("b", "Paso") + p("Entre.") + p("c", "Paso", anew) + p("d", "Paso")
    found = etree.fromstring(f"<w:body {w}>{body}</w:body>")
    root = package.edit(package.document)[0]
    root[:0] = list(found)
    assert read_docx(package.save()).text.split("\n\n")[:5] == ["1.  a", "2.  b", "Entre.", "1.  c", "2.  d"]
