"""The words of the prompt, read from one TOML file per language.

Knows the files' keys. Does not know reports or windows.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib import resources

from fabai.report import Language
from fabai.strict import build
from fabai.window.parts import Labels


@dataclass(frozen=True, slots=True)
class LimitWords:
    """How a limit is said. Names in braces: n, low, high, unit."""

    maximum: str
    minimum: str
    between: str
    units: dict[str, str]
    excludes: str


@dataclass(frozen=True, slots=True)
class FormWords:
    """Sentences around what the form and the project say. Names in braces: title, form, text, number, heading."""

    report: str
    form: str
    instructions: str
    guidance: str
    criteria: str
    table: str
    limit: str
    glossary: str


@dataclass(frozen=True, slots=True)
class InstructionWords:
    """The last sentences of a prompt. Names in braces: heading, under, text. begun, go_on, rest: where a section is
    continued.
    """

    write: str
    under: str
    closing: str
    begun: str
    go_on: str
    rest: str


@dataclass(frozen=True, slots=True)
class Wording:
    """All of one language. rules: the system message. glossary: official terms, one a line. condense: asks for a
    summary; names in braces: heading, words. hole: what stands for a fact that is not there; name in braces: text.
    """

    rules: str
    condense: str
    hole: str
    glossary: tuple[str, ...]
    labels: Labels
    form: FormWords
    limits: LimitWords
    instruction: InstructionWords


@cache
def wording(language: Language) -> Wording:
    """The wording in a language; an unknown or missing key in its file is an error that names it."""
    name = f"{language}.toml"
    text = resources.files("fabai.prompt").joinpath(name).read_text(encoding="utf-8")
    return build(Wording, tomllib.loads(text), name)


@cache
def wording_digest(language: Language) -> str:
    """sha256 of the wording of a language: the mark of which prompt a text was written with."""
    text = json.dumps(asdict(wording(language)), ensure_ascii=False, sort_keys=True)
    return sha256(text.encode("utf-8")).hexdigest()
