"""The Brief: what the writer supplies for a report, read from a TOML file.

Knows its keys. Does not know projects or how source documents are read.

    title = "Memoria 2025"
    language = "es"
    instructions = "Tono sobrio."
    sources = ["resolucion.pdf"]          # paths, from the folder of this file

    [[fact]]
    name = "importe concedido"
    value = "18.500,00 €"
    source = "Resolución, p. 2"
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from fabai.ledger import Fact
from fabai.report import Language
from fabai.strict import build, read_toml


@dataclass(frozen=True, slots=True)
class Brief:
    """Title, language, instructions, facts and the source documents' paths."""

    title: str = ""
    language: Language | None = None
    instructions: str = ""
    fact: tuple[Fact, ...] = ()
    sources: tuple[Path, ...] = ()


def read_brief(path: Path) -> Brief:
    """A Brief from its TOML file; the paths of sources are made absolute. Errors name the file and the key."""
    brief = build(Brief, read_toml(path), path.name)
    return replace(brief, sources=tuple(path.absolute().parent / source for source in brief.sources))
