"""The words that proposals are found and named by, read from one TOML file.

Knows the file's keys. Does not know documents.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fabai.ledger import Origin
from fabai.report import Language
from fabai.strict import build


@dataclass(frozen=True, slots=True)
class ProposalWords:
    """The lists of one language. empty: words that name nothing, beside
    the stop words. kinds: a name for a fact whose words give it none. page, place, row, cell: how a
    source is written; names in braces: file, page, place, row, sheet, cell.
    """

    empty: tuple[str, ...]
    roles: tuple[str, ...]
    titles: tuple[str, ...]
    entities: tuple[str, ...]
    money: tuple[str, ...]
    total: tuple[str, ...]
    skipped: tuple[str, ...]
    kinds: dict[str, str]
    until: tuple[str, ...]
    start: str
    end: str
    page: str
    place: str
    row: str
    cell: str


@cache
def proposal_words(language: Language) -> ProposalWords:
    text = resources.files("fabai.proposals").joinpath("words.toml").read_text(encoding="utf-8")
    return build(ProposalWords, tomllib.loads(text)[language], f"words.toml [{language}]")


def source_of(origin: Origin, language: Language) -> str:
    """Where a fact comes from, in words: "resolucion.pdf, p. 2", "gastos.xlsx, hoja Gastos, celda E12"."""
    words = proposal_words(language)
    if origin.sheet and origin.cell:
        return words.cell.format(file=origin.file, sheet=origin.sheet, cell=origin.cell)
    if origin.cell:
        return words.row.format(file=origin.file, row="".join(filter(str.isdigit, origin.cell)) or origin.cell)
    if origin.page is not None:
        return words.page.format(file=origin.file, page=origin.page)
    if origin.place:
        return words.place.format(file=origin.file, place=origin.place)
    return origin.file
