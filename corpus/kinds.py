"""What a document is by its own words, and what a section mostly consists of.

Knows how theses and laws give themselves away: they are often filed as reports, and teach another style. Does not know
languages or sources.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fabai.report import fold
from fabai.window.blocks import MarkdownBlock

from .document import DocumentKind, SectionKind

_THESIS = re.compile(
    r"(?i)\b(?:trabajos?\s+(?:de\s+)?fin(?:\s+de)?\s+(?:grado|m[áa]ster|carrera)|treballs?\s+(?:de\s+)?fi(?:nal)?\s+de\s+"
    r"(?:grau|m[àa]ster|carrera|estudis)|proyecto\s+(?:de\s+)?fin\s+de\s+(?:carrera|grado|m[áa]ster)|projecte\s+(?:de\s+)?fi(?:nal)?\s+de\s+carrera"
    r"|tesis\s+(?:doctoral|de\s+(?:grado|m[áa]ster|licenciatura))|tesi\s+doctoral|memoria\s+para\s+optar\s+al\s+t[íi]tulo"
    r"|bachelor'?s?\s+thesis|master'?s?\s+thesis|doctoral\s+thesis|phd\s+thesis|dissertation\s+submitted"
    r"|\bT\.?F\.?[GM]\.?\b|\bP\.?F\.?C\.?\b|tribunal\s+calificador|director(?:a|es)?\s+de\s+la\s+tesis)"
)
_ARTICLE = re.compile(
    r"(?i)^\W*(?:art[íi]cu?l[eo]?|art\.)\s+(?:\d+|[úu]nic[oa]?|primer[oa]?|segon[a]?|segund[oa]|[ivxl]+)\b"
)
_LAW = re.compile(
    r"(?i)^\W*(?:ley|llei|real\s+decreto|decreto|decret|reglament[o]?|orden|ordre|resoluci[óo]n?|constituci[óo]n?)\b"
)
_REFERENCES = frozenset(("works cited", "literature cited", "fonts consultades", "fuentes consultadas"))
_REFERENCE_WORDS = frozenset(["bibliografia", "bibliography", "referencias", "referencies", "references", "webgrafia"])
_CONTENTS = frozenset(
    """indice;indice general;indice de contenidos;indice de figuras;indice de tablas;index;index general;taula de
 continguts;table of contents;contents;sumario;sumari;lista de figuras;lista de tablas;list of figures;list of tables;
 index de figures;index de taules;tabla de contenidos""".replace("\n", "").split(";")
)
_OPENING = 6_000
_MOST = 0.6


def looks(title: str, headings: Sequence[str], text: str) -> DocumentKind | None:
    """`thesis` or `law` where the text says so plainly, else None. text: the beginning is enough for a thesis."""
    articles = sum(bool(_ARTICLE.match(one)) for one in headings)
    if articles >= 8 and articles > 0.3 * len(headings):
        return "law"
    if _LAW.match(title) and (articles >= 2 or len(re.findall(r"(?im)^\W*art[íi]cu?l[eo]?\s+\d+", text)) >= 3):
        return "law"
    found = _THESIS.findall(f"{title}\n" + text[:_OPENING])
    return "thesis" if found or len(_THESIS.findall(text)) >= 4 else None


def of_section(heading: str, text: str, blocks: Sequence[MarkdownBlock]) -> SectionKind:
    """What more than half of a section's characters belong to; lists of works and of contents by their heading."""
    folded = fold(heading)
    if folded in _CONTENTS:
        return "contents"
    if folded in _REFERENCES or (folded and set(folded.split()) & _REFERENCE_WORDS and len(folded.split()) <= 4):
        return "references"
    if not text.strip():
        return "empty"
    sizes = {"table": 0, "list": 0, "code": 0}
    whole = 0
    for block in blocks:
        size = block.end - block.start
        whole += size
        if block.kind in sizes:
            sizes[block.kind] += size
    if sizes["table"] > _MOST * whole:
        return "table"
    if sizes["code"] > _MOST * whole:
        return "code"
    return "list" if sizes["list"] > _MOST * whole else "text"
