"""Markdown read fast gives what the ordinary reader gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabai.corpus.light import read_markdown
from fabai.corpus.plain_blocks import pieces
from hypothesis import given, settings
from hypothesis import strategies as st

from fabai.errors import UnreadableFile
from fabai.formats import pandoc
from fabai.formats.read import read
from fabai.settings import ReadingLimits

LIMITS = ReadingLimits()
BLOCKS = [
    "Un párrafo de palabras\nen dos líneas, con 12,5 % y «comillas».",
    "Con **negrita**, *cursiva*, __otra__, _una_ y `código`, y un [enlace](https://ejemplo.org/a_b).",
    "Mira https://ejemplo.org/una/pagina. Sigue (https://ejemplo.org/otra).",
    "**Título en negrita**",
    "**Nota:** lo que sigue es texto",
    "- uno\n- dos **tres**\n- cuatro",
    "* uno\n* dos",
    "- uno\n  - anidado con varias palabras seguidas dentro\n- dos",
    "- suelto\n\n- otro",
    "3. tres\n4. cuatro",
    "1. uno\n1. dos",
    "| a | b |\n|---|---|\n| uno y varias palabras más en la celda | dos |",
    "```rust\nlet a = 1;\n\nlet b = 2;\n```",
    "    código sangrado con varias palabras dentro",
    "> cita con unas cuantas palabras\nque sigue sola",
    "Texto con nota[^1] al pie de una frase larga.\n\n[^1]: La nota con varias palabras seguidas dentro.",
    "Término\n\n:   Definición con varias palabras seguidas",
    "Línea con salto  \ny lo que sigue",
    "Introducción con dos puntos:\n- punto uno\n- punto dos",
    "Importe de 1.000 $ y 2.000 $ en total",
    "<!-- comentario con varias palabras\n\nen dos párrafos -->",
    "<div>\n\nTexto en una caja con varias palabras\n\n</div>",
    "2024. Un año al principio",
    "A. Lorenzo lo dijo",
    "Subtítulo\n---------",
    "***",
    "Una palabra_con_guiones y otra* suelta",
    "Correo a nombre@ejemplo.org, 10:30 h, http: nada, nota:seguida",
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _one_pandoc() -> object:
    with pandoc.kept():
        yield


def assert_same(path: Path) -> None:
    ordinary, fast = read(path, LIMITS), read_markdown(path, LIMITS)
    assert fast.title == ordinary.title
    assert [(one.heading, one.level, one.text) for one in fast.sections] == [
        (one.heading, one.level, one.text) for one in ordinary.sections
    ]


@settings(max_examples=40)
@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=6), st.sampled_from(["\n\n", "\n\n\n"]))
def test_any_order_of_blocks_reads_as_by_the_ordinary_reader(
    tmp_path_factory: pytest.TempPathFactory, blocks: list[str], between: str
) -> None:
    path = tmp_path_factory.mktemp("light") / "memoria.md"
    path.write_text(f"# Título uno\n\n{between.join(blocks)}\n\n## Dos\nTexto bajo el título\n", encoding="utf-8")
    assert_same(path)


def test_real_documents_read_as_by_the_ordinary_reader(shared: Path) -> None:
    files = (
        sorted((shared / "data" / "grants-en").glob("*.md"))[::14]
        + sorted((shared / "data" / "calls-ca").glob("tr*.md"))[:4]
    )
    for path in files:
        assert_same(path)


def test_most_of_a_plain_text_needs_no_pandoc() -> None:
    found = pieces("# Uno\n\nPalabras y *más* palabras.\n\n- a b\n- c d\n\n## Dos\n\nFin del texto.")
    assert all(piece.text is not None for piece in found)


def test_a_file_that_is_no_markdown_goes_to_its_own_reader(tmp_path: Path) -> None:
    path = tmp_path / "hoja.md"
    path.write_bytes(b"PK\x03\x04 not a document")
    with pytest.raises(UnreadableFile):
        read_markdown(path, LIMITS)
