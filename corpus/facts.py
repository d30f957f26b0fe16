"""The facts of a past report, read back out of its sentences: what its writer must have had in the ledger.

Knows how a figure or a name is called after the words around it, and that a fact has one value. Does not know budgets,
prompts or other documents.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from fabai.figures import Figure, accepted, figures
from fabai.names import Name, name_words, names
from fabai.report import Language
from fabai.window.words import stop_words

from .support import LINK

KEY = re.compile(r"\{\{\s*([^{}\n]+?)\s*\}\}")

_WORDS = re.compile(r"[^\W\d_]+(?:[·'’-][^\W\d_]+)*")
_STOP = re.compile(r"[.,;:!?()\[\]|«»“”\"\n*—–]")
_BEHIND = re.compile(r"[.,;:!?()\[\]|«»“”\"\n*—–\d]")
_LONGEST = 4  # words of a fact's name
_REACH = 60  # characters in front of a value that may name it


@dataclass(frozen=True, slots=True)
class Found:
    """A fact as one sentence states it. marks: each a set of which one must be known (`fabai.figures.accepted`)."""

    name: str
    value: str
    marks: tuple[tuple[str, ...], ...]


def facts(text: str, language: Language, vocabulary: frozenset[str] | set[str] = frozenset()) -> list[Found]:
    """The facts of a stretch of text; a value is as it is written there. vocabulary: words that are nobody's name."""
    found = [_figure(text, figure, language) for figure in figures(text, language) if figure.kind != "label"]
    for name in names(text):
        wanted = [word for word in name_words(name.text) if word not in vocabulary]
        if wanted:
            found.append(Found(_of_name(text, name, language), name.text, tuple((f"word {word}",) for word in wanted)))
    for match in LINK.finditer(text):
        address = match[0].rstrip(".,;:/")
        called = _before(text, match.start(), language) or _words(language)["link"]
        found.append(Found(called, address, ((f"link {address}",),)))
    for match in KEY.finditer(text):
        called = _before(text, match.start(), language) or _words(language)["key"]
        found.append(Found(called, f"{{{{{match[1]}}}}}", ((f"key {match[1]}",),)))
    return found


def _figure(text: str, figure: Figure, language: Language) -> Found:
    written = text[figure.start : figure.end].strip()
    called = _after(text, figure.end, language) if figure.kind in ("count", "number") else ""
    called = called or _before(text, figure.start, language) or _words(language)[figure.kind]
    return Found(called, " ".join(written.split()), (accepted(figure),))


def _of_name(text: str, name: Name, language: Language) -> str:
    words = _words(language)
    called = _before(text, name.start, language)
    return called or words["acronym" if name.text.isupper() else "name"]


def _after(text: str, end: int, language: Language) -> str:
    """What is counted: the words behind a figure, up to a mark or a stop word at the end."""
    stretch = text[end : end + _REACH]
    stop = _BEHIND.search(stretch)
    return _phrase(_WORDS.findall(stretch[: stop.start()] if stop is not None else stretch)[:3], language, last=False)


def _before(text: str, start: int, language: Language) -> str:
    """The last words in front of a value, in its sentence."""
    stretch = text[max(0, start - _REACH) : start]
    if start > _REACH:
        stretch = stretch.partition(" ")[2]
    stops = [match.end() for match in _STOP.finditer(stretch)]
    return _phrase(_WORDS.findall(stretch[stops[-1] :] if stops else stretch), language, last=True)


def _phrase(words: list[str], language: Language, *, last: bool) -> str:
    """At most `_LONGEST` words without stop words at either end; "" where no lower-case word is left."""
    stops = stop_words()[language]
    while words and (words[-1].lower() in stops or len(words[-1]) < 3):
        words.pop()
    words = words[-_LONGEST:] if last else words[:_LONGEST]
    while words and (words[0].lower() in stops or len(words[0]) < 3):
        words.pop(0)
    return " ".join(words).lower() if any(word[0].islower() for word in words) else ""


@cache
def _words(language: Language) -> dict[str, str]:
    tables = tomllib.loads(resources.files(__package__ or "").joinpath("briefs.toml").read_text(encoding="utf-8"))
    found: dict[str, str] = tables[language]
    return found
