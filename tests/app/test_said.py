"""What the core says is said in the page's language; no sentence that a page can show is forgotten."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from fabai.app.said import known, said, said_everywhere, spoken

from fabai import errors
from fabai.formats.pdf_process import _REFUSED
from fabai.report import Language
from fabai.store.faults import _SENTENCES

ROOT = Path(__file__).parents[2]
ERRORS = {name for name, one in vars(errors).items() if isinstance(one, type)}
SHOWN = ("fabai/formats", "fabai/dossier", "fabai/store", "fabai/submission", "fabai/checks", "fabai/facts", "app")
# what only the command line or whoever makes forms and models can meet
ELSEWHERE = {
    "fabai/checks/copied.py", "fabai/formats/template_file.py", "fabai/dossier/columns.py", "app/users.py",
    "fabai/store/versions.py", "app/said.py",
}  # fmt: skip
OTHERS: tuple[Language, ...] = ("es", "ca")


def filled(node: ast.expr) -> str | None:
    """A literal with every hole filled by a figure; None where it is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "7" for one in node.values)
    return None


def sentences(path: Path) -> Iterator[str]:
    """Errors raised and notices gathered in a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            owner = ast.unparse(node.func)
            if name in ERRORS or (name == "append" and "notices" in owner) or name == "_say":
                found = node.args[-1:]
        elif isinstance(node, ast.AugAssign) and "notices" in ast.unparse(node.target):
            found = getattr(node.value, "elts", [])
        for one in found:
            text = filled(one)
            if text is not None and re.search(r"[a-z]{2,} [a-z]", text):
                yield text


@cache
def said_by_the_core() -> list[tuple[Path, str]]:
    return [
        (path.relative_to(ROOT), text)
        for folder in SHOWN
        for path in sorted((ROOT / folder).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in ELSEWHERE
        for text in sentences(path)
    ]


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_of_the_core_is_known_in_every_language(language: Language) -> None:
    every = said_by_the_core()
    assert len(every) > 200
    missing = [f"{path}: {text}" for path, text in every if known(text, language) is None]
    tables = [*_REFUSED.values(), *(sentence for _, sentence in _SENTENCES)]
    missing += [text for text in tables if known(re.sub(r"\{.*?\}", "7", text), language) is None]
    assert missing == [], f"write these into app/words/sentences.{language}.toml"


@pytest.mark.parametrize("language", OTHERS)
def test_every_translation_uses_the_holes_of_its_sentence(language: Language) -> None:
    table = tomllib.loads((ROOT / "app" / "words" / f"sentences.{language}.toml").read_text("utf-8"))
    for english, other in table.items():
        assert set(re.findall(r"\{(\d)", other)) <= set(re.findall(r"\{(\d)", english)), english


def test_the_catalogues_hold_the_same_sentences() -> None:
    one, other = (
        tomllib.loads((ROOT / "app" / "words" / f"sentences.{language}.toml").read_text("utf-8")) for language in OTHERS
    )
    assert list(one) == list(other)


@pytest.mark.parametrize(
    ("english", "spanish"),
    [
        (
            "give the grant a title: it is how you find it again",
            "Pon un título al expediente: así lo encontrarás después.",
        ),
        ("memo.docx is empty", "memo.docx está vacío."),
        (
            "tracked changes were accepted (2 insertions, 1 deletion) by Ana and Pep; check that they are what you "
            "want",
            "Se aceptaron los cambios marcados (2 inserciones, 1 eliminación) de Ana y Pep: comprueba que son los "
            "que quieres.",
        ),
        (
            "2. Factura: 12: the PDF is protected with a password: save it without",
            "2. Factura: 12: El PDF tiene contraseña: guárdalo sin ella.",
        ),
        (
            "the page limit was not checked: the PDF is protected with a password: save it without",
            "El límite de páginas no se comprobó: El PDF tiene contraseña: guárdalo sin ella.",
        ),
        ("unknown section 'x'; did you mean 'y'?", "«x» no está aquí; ¿querías decir «y»?"),
    ],
)
def test_a_sentence_keeps_its_names_and_figures(english: str, spanish: str) -> None:
    assert said(english, "es") == spanish


def test_words_of_a_document_are_left_as_they_are() -> None:
    text = "what has no place in the report is kept as the source 'a file': Annex file, An image"
    assert "Annex file, An image" in said(text, "es")


def test_what_no_language_knows_is_a_detail_for_the_server() -> None:
    assert said("the gearbox is broken", "es") == "Detalle para quien cuida el servidor: the gearbox is broken"
    assert said("the gearbox is broken", "en") == "The gearbox is broken."
    assert said("memo.docx is empty", "en") == "memo.docx is empty."


def test_notices_of_an_answer_are_said_and_the_rest_is_left() -> None:
    answer = spoken({"notices": ["memo.docx is empty"], "text": "memo.docx is empty"}, "ca")
    assert answer == {"notices": ["memo.docx és buit."], "text": "memo.docx is empty"}
    assert spoken({"text": "x"}, "ca") == {"text": "x"}
    assert said_everywhere("") is None
    assert set(said_everywhere("memo.docx is empty") or {}) == {"es", "ca", "en"}


@pytest.mark.parametrize("english", [": " * 2_000, "'(" * 900, "a: " * 600 + "x is empty", "x" * 20_000 + " is empty"])
def test_no_words_that_somebody_sends_keep_the_server_busy(english: str) -> None:
    assert len(said(english, "es")) >= len(english)
