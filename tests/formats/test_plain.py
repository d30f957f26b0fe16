"""Paragraphs that are read without pandoc are the paragraphs that pandoc reads."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from fabai.formats import pandoc
from fabai.formats.ast import Element
from fabai.formats.changes import read_texts
from fabai.formats.plain import pieces
from fabai.formats.tidy import tidy
from fabai.settings import ReadingLimits

LINES = [
    "Las familias vinieron a los talleres.", "El 45 % del presupuesto (12.000 €) se gastó: alquiler, luz y agua.",
    "L’entitat va atendre 1.200 persones… i «res més»", "Dos  espacios  seguidos y uno al final ", "Any\u00a02025",
    "Fin de la frase\u00a0", "a) primera", "iv. cuarta", "A. con un espacio", "Sr. García", "Table: gasto",
    "table: gasto", "Tabla: gasto", ": una definición", "~ otra definición", "- guion", "1. uno", "(a) letra",
    "2025. Un año", "# Título", "Título\n===", "dos\nlíneas", "    código", "\tcódigo", "> cita",
    "| a | b |\n|---|---|\n| 1 | 2 |", "snake_case", "un * y otro *", "a_b_c", "**negrita**", "`x` y `y`",
    "costó 45$ y 60$", "p<0,05", "AT&T y R&amp;D", "véase http://example.org/x_y", "correo@example.org", "@cita",
    "[enlace](#ancla)", "[]{#ancla} texto", "Nota[^1]", "[^1]: la nota", "[dirección]: http://example.org",
    "[dirección]", "<!-- -->", "<b>negro", "```", "~~~", "H~2~O", "x^2^", "hola -- adiós --- fin", "¿Qué? ¡Vale!",
    "Word–word—word", "...", "'comillas' y \"otras\"", "日本語の文", "עברית מימין לשמאל", "e\u0301 combinado",
    "cero\u200bancho", "fin\\", "\\pagebreak", "sangría\n  de segunda", "una línea  \notra", "---", "***",
]  # fmt: skip


def read_by_pandoc(text: str) -> list[Element]:
    return tidy(pandoc.to_json(text, pandoc.MARKDOWN)["blocks"], linked="#" in text)


def test_what_is_cut_out_of_a_text_is_a_paragraph_of_words_and_the_rest_stays_as_it_is_written() -> None:
    text = "Una frase.\n\n- uno\n\n- dos\n\nOtra  frase, larga."
    words = [
        {"t": "Str", "c": "Otra"},
        {"t": "Space"},
        {"t": "Str", "c": "frase,"},
        {"t": "Space"},
        {"t": "Str", "c": "larga."},
    ]
    first, between, last = pieces(text)
    assert (between, last) == ("- uno\n\n- dos", {"t": "Para", "c": words})
    assert isinstance(first, dict)


@pytest.mark.parametrize(
    "bound", ["```\n\ncódigo\n\n```", "Nota[^1]\n\n[^1]: la nota", "término\n\n: definición", "<!--\n\noculto\n\n-->"]
)
def test_a_text_whose_stretches_may_belong_together_is_left_whole(bound: str) -> None:
    assert pieces(f"Una frase.\n\n{bound}\n\nOtra.") == [f"Una frase.\n\n{bound}\n\nOtra."]


@pytest.mark.parametrize("line", LINES)
def test_every_kind_of_line_is_read_as_pandoc_reads_it_alone_and_between_others(line: str) -> None:
    text = f"Antes va una frase.\n\n{line}\n\nDespués va otra."
    for one in (line, text):
        assert read_texts([one], ReadingLimits()) == [read_by_pandoc(one)]


def test_lines_in_any_order_are_read_as_pandoc_reads_them() -> None:
    chance = random.Random(8)  # noqa: S311 - no secret
    texts = [
        "".join(chance.choice(LINES) + chance.choice(["\n\n", "\n\n", "\n \n", "\n"]) for _ in range(6)).strip()
        for _ in range(60)
    ]
    with pandoc.kept():
        for text in texts:
            assert read_texts([text], ReadingLimits()) == [read_by_pandoc(text)], text


def test_the_paragraphs_of_real_reports_are_read_as_pandoc_reads_them(shared: Path) -> None:
    (report,) = (shared / "data" / "long-es").glob("*.md")
    texts = [one for one in re.split(r"(?m)^#.*$", report.read_text("utf-8"))[100:200] if len(pieces(one)) > 1]
    assert sum(isinstance(piece, dict) for one in texts for piece in pieces(one)) > 50
    with pandoc.kept():
        assert read_texts(texts, ReadingLimits()) == [read_by_pandoc(one) for one in texts]
