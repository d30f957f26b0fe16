"""The words of evidence tables and of the record of AI use, read from one TOML file.

Knows the file's keys. Does not know projects.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fabai.report import Language
from fabai.strict import build


@dataclass(frozen=True, slots=True)
class EvidenceWords:
    """All of one language. columns, rows, paragraphs: heads of the three tables. paragraph: the disclosure, with own
    where nothing left the organisation's computers, and on or between for the days.
    """

    evidence: str
    columns: tuple[str, ...]
    kinds: dict[str, str]
    unassigned: str
    missing: str
    counts: str
    record: str
    none: str
    paragraph: str
    own: str
    on: str
    between: str
    model: str
    release: str
    joined: str
    rows: tuple[str, ...]
    paragraphs: tuple[str, ...]
    head: str
    yes: str
    chain: str
    broken: str


@cache
def evidence_words(language: Language) -> EvidenceWords:
    text = resources.files("fabai.evidence").joinpath("words.toml").read_text(encoding="utf-8")
    return build(EvidenceWords, tomllib.loads(text)[language], f"words.toml [{language}]")
