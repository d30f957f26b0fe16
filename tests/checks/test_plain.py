"""Plain text: what a reader sees of a section, which is what limits count."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabai.checks.plain import plain, plains
from fabai.formats import pandoc

TEXT = """Hola **mundo** con [enlace](https://example.org "título"), *cursiva*, `código` y nota[^1].

[^1]: La nota tiene **su** texto.

- uno
- dos
    1. dos y uno

| Concepto | Importe |
|:---------|--------:|
| Personal | 1.200 € |

![Pie de *foto*](media/image1.png){width=4cm}

> Cita con H~2~O y 2^10^.

Término
:   Su definición.
"""


@pytest.mark.parametrize(
    ("markdown", "seen"),
    [
        ("", ""),
        ("**a** *b* ~~c~~ [d](http://x.y)", "a b c d"),
        ("<https://example.org>", "https://example.org"),
        ("- a\n- b\n\n1. c\n2. d", "a\nb\nc\nd"),
        ("una\nlínea\n\notra  \ncortada", "una línea\notra\ncortada"),
        ("| A | B |\n|---|---|\n| 1 | 2 |", "A\tB\n1\t2"),
        ("x[^n] y\n\n[^n]: nota", "x y\nnota"),
        ("![alt](media/i.png) y", " y"),
        ("![Pie](media/i.png)", "Pie"),
        ("costó 45$ y 60$", "costó 45$ y 60$"),
        ("2023\\. Año", "2023. Año"),
        ("$a^2$", "a^2"),
        ("```\ncódigo  x\n```", "código  x"),
        ("# Título {#id .clase}", "Título"),
        ("<b>no</b>", "<b>no</b>"),
        ("a\u0301", "\u00e1"),
        ("H~2~O", "H2O"),
        ("“comillas” — raya…", "“comillas” — raya…"),
    ],
)
def test_marks_leave_no_trace_and_text_stays(markdown: str, seen: str) -> None:
    assert plain(markdown) == seen


def test_a_whole_section_is_seen_in_reading_order_with_its_notes_at_the_end() -> None:
    assert plain(TEXT).split("\n") == [
        "Hola mundo con enlace, cursiva, código y nota.",
        "uno",
        "dos",
        "dos y uno",
        "Concepto\tImporte",
        "Personal\t1.200 €",
        "Pie de foto",
        "Cita con H2O y 210.",
        "Término",
        "Su definición.",
        "La nota tiene su texto.",
    ]


def test_many_sections_at_once_give_what_each_gives_alone() -> None:
    texts = [
        TEXT,
        "",
        "Otra nota[^1].\n\n[^1]: Distinta.",
        "- lista",
        TEXT,
        "    código sangrado",
        "> cita",
        "Término\n:   def",
    ]
    assert plains(texts) == [plain(text) for text in texts]


@pytest.mark.parametrize(
    "open_ended", ["```\nsin cerrar", "~~~~\nx", "| a |\n|---|", "- x\n\n  ```\n  y", "$$ a", "<div>", "[^1]: nota"]
)
def test_a_text_that_leaves_something_open_does_not_swallow_the_next(open_ended: str) -> None:
    assert plains(["uno", open_ended, "dos"]) == ["uno", plain(open_ended), "dos"]


@settings(max_examples=25)
@given(st.lists(st.text(st.sampled_from("ab *_`~#|->[]()^:\n1."), max_size=40), min_size=2, max_size=4))
def test_any_texts_at_once_give_what_each_gives_alone(texts: list[str]) -> None:
    together = plains(texts)
    assert together == [plain(text) for text in texts]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _pandoc_plain(markdown: str) -> str:
    tree = pandoc.to_json(markdown, pandoc.MARKDOWN)
    return pandoc.from_json(tree, "plain", options=("--wrap=none",)).decode()


def test_real_text_has_the_words_that_pandoc_shows(shared: Path) -> None:
    """pandoc's plain writer numbers lists and notes, so words are counted without numbers."""
    folder = shared / "data" / "grants-en"
    names = [
        "w3fdelivery__identics_identity_indexer_1.md",
        "w3fdelivery__citadel_milestone_1.md",
        "astropy__cycle3_aperio_fits_dask.md",
        "freemocap__2024-freemocap-nsf-pose-outline.md",
    ]
    for name in names:
        markdown = re.sub(r"<!--.*?-->", "", (folder / name).read_text(encoding="utf-8"), flags=re.DOTALL)
        ours = sorted(word for word in _words(plain(markdown)) if not word.isdigit())
        theirs = sorted(word for word in _words(_pandoc_plain(markdown)) if not word.isdigit())
        assert len(ours) > 200
        assert abs(len(ours) - len(theirs)) <= 0.01 * len(theirs), name
