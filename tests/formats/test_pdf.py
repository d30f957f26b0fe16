"""PDFs: reading order, headings, running lines, hyphens, tables, notes, and files that mean harm."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import MissingPart, UnreadableFile
from fabai.formats.document import Document
from fabai.formats.pdf_furniture import masked, running
from fabai.formats.pdf_hyphens import Vocabulary, join
from fabai.formats.pdf_letters import rows_of
from fabai.formats.pdf_page import Row, Word
from fabai.formats.read import read
from fabai.settings import ReadingLimits
from tests.formats.paper import HEIGHT, Line, assembled, column, finished, pdf, table

CASES = Path(__file__).parents[1] / "data" / "cases"
LIMITS = ReadingLimits()

# as long as the lines of a justified text are
TEXT = [
    "El proyecto ha atendido a familias de tres barrios con sesiones en",
    "las escuelas y en los centros cívicos, y ha formado a los equipos que",
    "las acompañan; los resultados se exponen en los apartados siguientes,",
    "con el detalle que piden las bases de la convocatoria de este año.",
]


BODIES = [
    ["El proyecto ha atendido a familias de tres barrios con las sesiones en", "las escuelas y en los centros de esos"],
    ["barrios, y ha formado a los equipos que acompañan a esas familias en", "el día a día; los resultados se exponen"],
    [
        "en los apartados siguientes de esta memoria, con el detalle que piden",
        "las bases de la convocatoria del año en",
    ],
    ["curso, y con los importes que la contabilidad de la entidad recoge de", "cada partida del presupuesto aprobado."],
]


def import_pdf(data: bytes, folder: Path, limits: ReadingLimits = LIMITS) -> Document:
    path = folder / "memoria.pdf"
    path.write_bytes(data)
    return read(path, limits)


def outline(document: Document) -> list[tuple[str, int]]:
    return [(section.heading, section.level) for section in document.sections if section.level]


def test_headers_and_cut_words_do_not_reach_the_text_of_a_real_file() -> None:
    document = read(CASES / "012-pdf-running-headers-hyphens" / "memoria-marees.pdf")
    assert outline(document) == [("Resum", 1), ("Activitats", 1), ("Valoració", 1)]
    for present in (
        "finançament",
        "Castella-la Manxa",
        "les activitats del segon semestre van comptar",
        "col·laboració",
        "17 d'octubre",
    ):
        assert present in document.text
    for absent in ("Pàgina 1 de", "Pàgina 2 de", "Memòria 2024 · Fundació", "finança-", "CastellalaManxa"):
        assert absent not in document.text


def test_bookmarks_give_the_headings_and_their_levels(tmp_path: Path) -> None:
    page = [Line(72, 80, "Resumen"), *column(72, 110, TEXT), Line(72, 200, "Plan"), *column(72, 230, TEXT)]
    more = [Line(72, 80, "Equipo"), *column(72, 110, TEXT), Line(72, 200, "Gastos"), *column(72, 230, TEXT)]
    data = pdf([page, more], [("Resumen", 0), ("Plan", 0), ("Equipo", 1), ("Gastos", 1)])
    assert outline(import_pdf(data, tmp_path)) == [("Resumen", 1), ("Plan", 1), ("Equipo", 1), ("Gastos", 1)]


def test_typed_numbers_give_the_levels_where_there_are_no_bookmarks(tmp_path: Path) -> None:
    page = [
        Line(72, 80, "1. Resumen", 14, True),
        *column(72, 110, TEXT),
        Line(72, 200, "1.1. Plan de trabajo", 12, True),
        *column(72, 230, TEXT),
        Line(72, 320, "2. Equipo", 14, True),
        *column(72, 350, TEXT),
    ]
    found = outline(import_pdf(pdf([page]), tmp_path))
    assert found == [("1. Resumen", 1), ("1.1. Plan de trabajo", 2), ("2. Equipo", 1)]


def test_the_printed_contents_give_headings_and_leave_the_text(tmp_path: Path) -> None:
    titles = ["Resumen", "Plan de trabajo", "Equipo", "Presupuesto"]
    contents = [Line(72, 80, "Índice", 14)]
    contents += [Line(72, 120 + 20 * place, f"{title} {'.' * 40} 2") for place, title in enumerate(titles)]
    page: list[Line] = []
    for place, title in enumerate(titles):
        page += [Line(72, 80 + 150 * place, title), *column(72, 110 + 150 * place, TEXT)]
    document = import_pdf(pdf([contents, page]), tmp_path)
    assert outline(document) == [(title, 1) for title in titles]
    assert "....." not in document.text
    assert "Índice" not in document.text


def test_a_paragraph_goes_on_over_the_page_and_its_margins(tmp_path: Path) -> None:
    pages = []
    for number in range(4):
        header = Line(72, 40, "Memoria anual de la Fundación", 8)
        stamp = Line(20, 700, "FIRMANTE(1) : NOMBRE FICTICIO", 8, turned=True)
        validated = Line(300, 780, "CSV : GEN-0000 | FIRMANTE(1) : NOMBRE FICTICIO", 8)
        pages.append(
            [header, stamp, *column(72, 100, BODIES[number]), validated, Line(290, 820, f"Página {number + 1} de 4", 8)]
        )
    document = import_pdf(pdf(pages), tmp_path)
    for furniture in ("Memoria anual", "FIRMANTE", "CSV", "Página"):
        assert furniture not in document.text
    assert [block.markdown for block in document.sections[0].blocks] == [
        " ".join(line for body in BODIES for line in body)
    ]


def test_a_numbered_title_at_the_top_of_many_pages_is_no_running_line(tmp_path: Path) -> None:
    pages = []
    for number in range(1, 6):
        # the third page goes on with the second: the numbers do not count pages
        title = [] if number == 3 else [Line(72, 60, f"Ficha {number if number < 3 else number - 1}", 16, True)]
        body = [f"{line} {number}" for line in TEXT]
        pages.append([*title, *column(72, 110, body), *column(72, 210, body)])
    assert [heading for heading, _ in outline(import_pdf(pdf(pages), tmp_path))] == [
        f"Ficha {one}" for one in range(1, 5)
    ]


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [f"izquierda {number} con palabras que llenan la línea" for number in range(12)]
    right = [f"derecha {number} con palabras que llenan la línea" for number in range(12)]
    page = [*column(60, 100, left, 10, 13), *column(320, 106, right, 10, 13)]
    text = import_pdf(pdf([page]), tmp_path).text
    places = [text.index(words) for words in ("izquierda 0 ", "izquierda 11", "derecha 0 ", "derecha 11")]
    assert places == sorted(places)


def test_a_ruled_table_stays_a_table_in_its_place(tmp_path: Path) -> None:
    cells = [["Partida", "Importe"], ["Personal", "12.000 €"], ["Viajes", "800 €"]]
    page = [*column(72, 80, TEXT), *table(72, 160, cells), *column(72, 260, ["Después de la tabla sigue el texto."])]
    document = import_pdf(pdf([page]), tmp_path)
    before, rows, after = (block.markdown for block in document.sections[0].blocks)
    assert before.startswith("El proyecto")
    assert [
        [cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines() if "--" not in row
    ] == cells
    assert after == "Después de la tabla sigue el texto."


def test_lists_keep_their_items_and_marks(tmp_path: Path) -> None:
    page = [
        *column(72, 80, ["Se hicieron estas actividades:"]),
        Line(80, 100, "•"),
        Line(96, 100, "sesiones en las escuelas con las familias y con el equipo docente"),
        Line(96, 114, "del centro"),
        Line(80, 128, "•"),
        Line(96, 128, "formación"),
        *column(72, 160, ["Y estas valoraciones:"]),
        Line(80, 180, "a)"),
        Line(96, 180, "la de las familias;"),
        Line(80, 194, "b)"),
        Line(96, 194, "la del equipo."),
    ]
    text = import_pdf(pdf([page]), tmp_path).text
    assert "- sesiones en las escuelas con las familias y con el equipo docente del centro\n- formación" in text
    assert "a)  la de las familias;\nb)  la del equipo." in text


def test_a_footnote_becomes_the_note_that_its_mark_calls(tmp_path: Path) -> None:
    page = [
        *column(72, 80, TEXT),
        Line(72, 136, "La ayuda se pidió en plazo"),
        Line(208, 132, "1", 6),
        Line(214, 136, "y se concedió."),
        Line(72, 780, "1", 5),
        Line(76, 783, "Según la orden de bases.", 8),
    ]
    text = import_pdf(pdf([page]), tmp_path).text
    assert "en plazo[^1] y se concedió." in text
    assert "[^1]: Según la orden de bases." in text


def test_a_page_that_is_read_from_the_side_is_read(tmp_path: Path) -> None:
    side = [Line(100 + 14 * place, 700, line, turned=True) for place, line in enumerate(TEXT)]
    assert " ".join(TEXT) in import_pdf(pdf([column(72, 80, ["Antes de la tabla."]), side]), tmp_path).text


def test_signs_of_markdown_stay_text(tmp_path: Path) -> None:
    lines = ["# no es un título", "$12 y $34 * dos_veces_", "1. no es una lista", "| ni una tabla |"]
    page = [Line(72, 80 + 40 * place, line) for place, line in enumerate(lines)]
    document = import_pdf(pdf([[*page, *column(72, 300, TEXT)]]), tmp_path)
    from fabai.formats import ast, pandoc

    texts = [ast.text(block) for block in pandoc.to_json(document.text, pandoc.MARKDOWN)["blocks"]]
    assert texts[:4] == lines


def test_a_pdf_with_a_password_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"memoria\.pdf is protected by a password: open it"):
        import_pdf(pdf([column(72, 80, TEXT)], password="secreto"), tmp_path)  # noqa: S106


_LOOP = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R] >>"]
_NO_PAGES = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 0 /Kids [] >>"]
_DEEP = [b"<< /Type /Catalog /Pages 2 0 R /Deep " + b"[" * 100_000 + b"]" * 100_000 + b" >>", *_NO_PAGES[1:]]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(pdf([column(72, 80, TEXT)])[:400], id="cut off"),
        pytest.param(b"%PDF-1.7\n...", id="no objects"),
        pytest.param(assembled(_LOOP), id="pages that hold themselves"),
        pytest.param(assembled(_NO_PAGES), id="no pages"),
        pytest.param(assembled(_DEEP), id="deep"),
    ],
)
def test_a_damaged_pdf_is_refused_with_one_sentence(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"^memoria\.pdf [^\n]+; [^\n]+$"):
        import_pdf(data, tmp_path, dataclasses.replace(LIMITS, pdf_seconds=60))


def test_a_pdf_with_too_many_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="has more than 2 pages"):
        import_pdf(pdf([column(72, 80, TEXT)] * 3), tmp_path, dataclasses.replace(LIMITS, pdf_pages=2))


def test_a_content_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    limits = dataclasses.replace(LIMITS, pdf_memory_mib=300, pdf_seconds=60)
    with pytest.raises(UnreadableFile, match=r"needs more than 300 MiB|is damaged"):
        import_pdf(finished([b" " * (400 * 2**20)]), tmp_path, limits)


def test_a_pdf_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"took longer than 0\.1 s"):
        import_pdf(pdf([column(72, 80, TEXT)]), tmp_path, dataclasses.replace(LIMITS, pdf_seconds=0.1))


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A page of text as a picture, as a scanner makes it."""
    from PIL import Image

    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm is not installed")
    folder = tmp_path_factory.mktemp("scanned")
    (folder / "a.pdf").write_bytes(pdf([column(72, 80, TEXT, 14, 20)]))
    subprocess.run(["pdftoppm", "-r", "200", "-png", "-singlefile", "a.pdf", "a"], cwd=folder, check=True)
    Image.open(folder / "a.png").convert("L").save(folder / "scan.pdf", resolution=200)
    return (folder / "scan.pdf").read_bytes()


def test_a_scanned_pdf_is_refused_with_the_way_to_recognise_it(
    scanned: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPart, match=r"'ocrmypdf --force-ocr in\.pdf out\.pdf'"):
        import_pdf(scanned, tmp_path)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("ocrmypdf") is None, reason="ocrmypdf is not installed")
def test_a_scanned_pdf_is_read_through_ocrmypdf_and_that_is_told(scanned: bytes, tmp_path: Path) -> None:
    document = import_pdf(scanned, tmp_path)
    assert "las escuelas y en los centros" in document.text
    assert any("ocrmypdf read them" in notice for notice in document.notices)


WORDS = st.text("abcçdeéfghilmnoópqrstuvxyz", min_size=1, max_size=12)


@given(WORDS, WORDS, st.lists(WORDS), st.sampled_from(["es", "ca", "en", None]))
def test_joined_halves_keep_every_letter(first: str, second: str, known: list[str], language: str | None) -> None:
    vocabulary = Vocabulary.of([["", *known, ""]], language)  # type: ignore[arg-type]
    assert join(f"{first}-", second, vocabulary) in (first + second, f"{first}-{second}")


@given(WORDS, WORDS)
def test_a_word_that_the_document_writes_decides_its_hyphen(first: str, second: str) -> None:
    for word in (first + second, f"{first}-{second}"):
        assert join(f"{first}-", second, Vocabulary.of([["", word, ""]], "es")) == word


@pytest.mark.parametrize(
    ("first", "second", "language", "joined"),
    [
        ("Castella-", "la", "ca", "Castella-la"),
        ("adreçar-", "se", "ca", "adreçar-se"),
        ("possib-", "les", "ca", "possibles"),
        ("subven-", "ciones", "es", "subvenciones"),
        ("COVID-", "19", "es", "COVID-19"),
        ("Vitoria-", "Gasteiz", "es", "Vitoria-Gasteiz"),
    ],
)
def test_hyphens_of_words_stay_and_those_of_lines_go(first: str, second: str, language: str, joined: str) -> None:
    assert join(first, second, Vocabulary(language=language)) == joined  # type: ignore[arg-type]


def _letters(text: str, gaps: list[float]) -> list[dict[str, object]]:
    """Letters of 5 points each with gaps between them, on one line, as pdfplumber gives them."""
    out: list[dict[str, object]] = []
    x = 0.0
    for letter, gap in zip(text, [*gaps, 0.0], strict=True):
        out.append({"text": letter, "x0": x, "x1": x + 5, "top": 0.0, "y1": 10.0, "size": 10.0, "fontname": "F",
                    "matrix": (1, 0, 0, 1, x, 0)})  # fmt: skip
        x += 5 + gap
    return out


def test_words_that_tex_sets_close_together_are_parted() -> None:
    rows, _ = rows_of(_letters("elproceso", [0, 1.6, 0, 0, 0, 0, 0, 0]), 0)
    assert rows[0].text == "el proceso"


def test_letters_that_are_spaced_out_stay_one_word() -> None:
    rows, _ = rows_of(_letters("resumenfinal", [2, 2, 2, 2, 2, 2, 6, 2, 2, 2, 2]), 0)
    assert rows[0].text == "resumen final"


def _row(text: str, y: float, page: int) -> Row:
    return Row((Word(text, 72, 72 + 5 * len(text), 10),), y, page)


SENTENCES = st.lists(st.text("abcdefgh", min_size=4, max_size=9), min_size=3, max_size=12, unique=True)


@given(SENTENCES, st.integers(min_value=3, max_value=9), st.text("xyz", min_size=3, max_size=8))
def test_the_line_on_every_page_runs_and_different_ones_do_not(bodies: list[str], count: int, header: str) -> None:
    pages = []
    for page in range(count):
        texts = [_row(f"{body}{'q' * page}", 110 + 30 * place, page) for place, body in enumerate(bodies)]
        pages.append([_row(header, 36, page), *texts, _row(f"- {page + 7} -", 810, page)])
    found = running(pages, [HEIGHT] * count)
    assert found == [{0, len(bodies) + 1}] * count


@given(st.integers(min_value=0, max_value=10**6), st.integers(min_value=0, max_value=10**6))
def test_numbers_are_alike_when_lines_are_compared(one: int, other: int) -> None:
    assert masked(f"Página {one} de 90") == masked(f"PÁGINA  {other} de 7")
