"""New tables break no word, and lists that are too wide lie on their side."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fabai.formats.export import export_docx
from fabai.formats.laid import _shared
from fabai.report import Report, Section

from .word import xpath

HEADS = ["Acreedor y NIF", "Número de documento", "Concepto", "Partida", "Importe", "Fecha de emisión", "Pago"]
ROW = ["Agrupación Forestal del Valle (G17104043)", "NG-2024-11", "Compensación por pasto", "Ganadería", "118.935,00 €",
       "28/11/2024", "30/11/2024"]  # fmt: skip


def table(rows: int, heads: list[str] = HEADS, row: list[str] = ROW) -> str:
    lines = [heads, ["---"] * len(heads), *[row] * rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def made(text: str) -> bytes:
    sections = (Section("a", "Gastos", 1, f"Antes.\n\n{text}\n\n: Lista\n\nDespués."), Section("b", "Otra", 1, "Fin."))
    return export_docx(Report("T", "es", sections, {"organisation": "E"}), sources={}, original=None, media={})


@given(st.lists(st.tuples(st.floats(1, 50), st.floats(0.001, 0.4)), min_size=1, max_size=12))
@settings(max_examples=200, deadline=None)
def test_shares_fill_the_width_and_give_each_column_its_least_where_there_is_room(
    columns: list[tuple[float, float]],
) -> None:
    least = [one for _, one in columns]
    shares = _shared([one for one, _ in columns], least)
    assert abs(sum(shares) - 1) < 1e-9
    if sum(least) < 1:
        assert all(share >= low - 1e-9 for share, low in zip(shares, least, strict=True))


def test_a_column_is_as_wide_as_its_longest_word_and_amounts_do_not_break() -> None:
    data = made(
        table(3, ["Persona", "Notas", "Coste"], ["Ana", "un texto que ocupa varias líneas " * 4, "26.040,00 €"])
    )
    assert xpath(data, "number(//w:gridCol[3]/@w:w)") > 1200
    assert xpath(data, "string(//w:tr[2]/w:tc[3])") == "26.040,00\u00a0€"


def test_letters_of_a_short_wide_table_get_smaller_and_it_stays_upright() -> None:
    data = made(table(4))
    assert xpath(data, "count(//w:sectPr[w:pgSz/@w:orient='landscape'])") == 0
    assert xpath(data, "string(//w:tbl//w:r[1]/w:rPr/w:sz/@w:val)") in ("16", "18", "20")


def test_a_long_wide_list_lies_on_its_side_with_its_caption_between_upright_pages() -> None:
    data = made(table(20))
    assert [bool(one) for one in orientation(data)] == [False, True, False]
    assert xpath(data, "count(//w:tbl//w:rPr/w:sz)") == 0
    # only the document's first page has no header
    assert xpath(data, "count(//w:titlePg)") == 1
    before = "//w:tbl/preceding-sibling::w:p[1]/w:pPr/w:pStyle/@w:val"
    assert xpath(data, f"string({before})") == "TableCaption"


def orientation(data: bytes) -> list[str]:
    return [str(one.get("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}orient") or "")
            for one in xpath(data, "//w:sectPr/w:pgSz")]  # type: ignore[union-attr]  # fmt: skip


def test_a_small_table_stays_on_one_page_and_a_line_in_bold_with_what_follows() -> None:
    data = made(f"**Resultados.**\n\n{table(3, ['A', 'B'], ['1', '2'])}")
    assert xpath(data, "count(//w:tr[position() < last()]//w:p[not(w:pPr/w:keepNext)])") == 0
    assert xpath(data, "count(//w:tr[last()]//w:keepNext)") == 0
    assert xpath(data, "count(//w:body/w:p[contains(., 'Resultados')]/w:pPr/w:keepNext)") == 1
