"""Sentence boundaries of Spanish, Catalan and English prose.

Knows where a sentence of plain running text ends: sentencex proposes, our own list of abbreviations
(abbreviations.toml) joins what it cut too early and cuts what it held together. Nothing is ever changed: the sentences
joined are the input. Does not know Markdown blocks (fabai.window.cut) or tokens.
"""

from __future__ import annotations

import dataclasses
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

import sentencex  # type: ignore[import-untyped]

from fabai.report import Language
from fabai.strict import build

# its Catalan is its Spanish list and one more rule, which ours holds too and which costs a hundred times the rest
_LIBRARY: dict[Language, str] = {"es": "es", "ca": "es", "en": "en"}

_SEEN = 400
"""Characters before and behind a candidate that decide about it; a bracket opened longer ago counts as a stray one."""

_CLOSERS = "\"'»”’)]*_"
_OPENERS = "¿¡«\"“‘'([*_"
_STOP = re.compile(rf"[.!?…][{re.escape(_CLOSERS)}]*(?:\[\^[^\]\s]+\])*(?=\s)")
_NEXT = re.compile(rf"[{re.escape(_OPENERS)}—–\s]*([^\W_]+)?")
_ITEM = re.compile(r"(?:[-*+•–—]|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})\))\s+(\S)")
# "3.1.", "b)", and "Article 10.", "Capítol IV.": a label in front of the title that it belongs to
_NUMBERING = re.compile(
    r"\s*[(*_]*(?:[a-zA-Z]?\.?\d+(?:\.\w{1,2})*|[a-zA-Z]|[ivxIVX]{1,5}"
    r"|[A-ZÀ-Ý][^\W\d_]{2,14}\s+(?:\d{1,3}(?:\.\d{1,2})*|[IVX]{1,5}))[.)]+[*_]*\s*"
)
_FIGURE = re.compile(r"[\[(]?(?:\d|[IVXLCDM]+\b(?!['’]))")
_ABBREVIATION = re.compile(r"(?:[^\W_][\w·/]*[ªº]?\.\s?){0,3}[^\W_][\w·/]*[ªº]?\.$")
_BREAK = re.compile(r"\n[^\S\n]*\n\s*|\n(?=[^\S\n]*(?:[-*+•]|\d{1,3}[.)]|[a-z]\))[^\S\n])")
_STOPS = ".!?…"
_INITIAL = re.compile(r"(?<![^\W_])[^\W\da-zà-ÿ]\.$")
_ACRONYM = re.compile(r"(?<![^\W_])[A-Z]{1,2}\.\s?(?:[A-Z]{1,2}\.\s?)*[A-Z]{1,2}\.$")
_MEASURE = re.compile(r"\d[ \u00a0]?(?!h\.)[^\W\d_]{1,3}\.$")
_FEW_DIGITS = re.compile(r"(?<!\d)\d{1,2}\.$")
_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]{4,}\.$|[^\W\d_]{2,}[*_\"»”)\]]+\.$|\d{3}\.$|\w/\w+\.$|\s\.$")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"\s*")
_NOTES = re.compile(r"(?:\[\^[^\]\s]+\]|\[-?@[^\]]+\])*")
_NOTES_BEHIND = re.compile(r"(?:\[\^[^\]\s]+\]|\[-?@[^\]]+\])+$")


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """The lists of one language; abbreviations.toml says what each is for."""

    joins: tuple[str, ...]
    numbers: tuple[str, ...]
    ends: tuple[str, ...]
    starters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Lists:
    joins: frozenset[str]
    numbers: frozenset[str]
    ends: frozenset[str]
    starters: frozenset[str]


@cache
def _lists(language: Language) -> _Lists:
    name = "abbreviations.toml"
    tables = tomllib.loads(resources.files("fabai.window").joinpath(name).read_text(encoding="utf-8"))
    found = build(Abbreviations, tables[language], f"{name} [{language}]")
    return _Lists(*(frozenset(re.sub(r"[\s.]+", "", word) for word in words) for words in dataclasses.astuple(found)))


def sentences(text: str, language: Language) -> list[str]:
    """The sentences of `text`, each with the white space that follows it; joined they are `text`, character for
    character.

    An empty text has none. A blank line and the start of a list item end a sentence too.
    """
    ends = boundaries(text, language)
    return [text[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=True)] if text else []


def boundaries(text: str, language: Language) -> list[int]:
    """Ascending offsets just behind each sentence and its white space, the last len(text); [] for an empty text."""
    if not text:
        return []
    lists = _lists(language)
    proposed = _proposed(text, language)
    forced = {_end(_SPACE, text, match.end()) for match in _BREAK.finditer(text)}
    own = {_end(_SPACE, text, match.end()) for match in _STOP.finditer(text)}
    found: list[int] = []
    start = _end(_SPACE, text, 0)
    for offset in sorted(proposed | forced | own):
        if not start < offset < len(text):
            continue
        before, after = text[max(start, offset - _SEEN) : offset].rstrip(), text[offset : offset + _SEEN]
        if offset in forced or _ends(before, after, offset in proposed, lists):
            found.append(offset)
            start = offset
    return [*found, len(text)]


def _proposed(text: str, language: Language) -> set[int]:
    found: set[int] = set()
    position = 0
    # the library reads UTF-8, which has no lone surrogates; the offsets stay
    for piece in sentencex.segment(_LIBRARY[language], _SURROGATE.sub("\ufffd", text)):
        position += len(piece)
        behind = _end(_NOTES, text, position)
        end = _end(_SPACE, text, behind)
        if end > behind or text[position - 1 : position].isspace():
            found.add(end)
    # had the library lost a character, its offsets would mean nothing here
    return found if position == len(text) else set()


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return position if match is None else match.end()


def _ends(before: str, after: str, proposed: bool, lists: _Lists) -> bool:
    """Whether a sentence ends between `before` (no white space behind) and `after`; proposed: the library says so."""
    before = _NOTES_BEHIND.sub("", before)
    stops = before.rstrip(_CLOSERS)[-1:] in _STOPS
    item = _ITEM.match(after)
    if item is not None:
        return proposed or (stops and (item[1].isupper() or item[1] in "¿¡"))
    match = _NEXT.match(after)
    word = match[1] if match is not None else None
    if word is not None and word[0].islower():
        return False
    capital = after[0] in "¿¡" or (word is not None and word[0].isupper())
    bare = before.rstrip(_CLOSERS)
    if not bare.endswith("."):
        return proposed or (stops and capital and not _open(before))
    if _NUMBERING.fullmatch(before):
        return False
    short = _short_forms(bare)
    if len(bare) == len(before):
        verdict = _after_short_form(bare, after, word or "", short, lists)
        if verdict is not None:
            return verdict
    word_ends = _WORD.search(bare) is not None and not short & lists.numbers
    return proposed or (capital and (bool(short & lists.ends) or word_ends) and not _open(before))


def _after_short_form(bare: str, after: str, word: str, short: set[str], lists: _Lists) -> bool | None:
    """What an abbreviation, an initial or a figure in front of the full stop decides; None where it decides nothing."""
    if short & lists.joins:
        return False
    if short & lists.numbers and _FIGURE.match(after):
        return False
    if short & lists.ends and after.startswith("("):
        return False
    if _ACRONYM.search(bare) and word[:1].isupper() and word.lower() not in lists.starters:
        return False
    if _MEASURE.search(bare) and (word[:1].isupper() or after[0] in "¿¡"):
        return True
    if _INITIAL.search(bare) and not short & lists.ends and after[0] not in "¿¡":
        return word.lower() in lists.starters and after[len(word) : len(word) + 1] != "."
    if _FEW_DIGITS.search(bare) and after[0].isdigit():
        return False
    return None


def _short_forms(bare: str) -> set[str]:
    """What might be an abbreviation at the end: "por la S. L." gives {"l", "sl"}."""
    match = _ABBREVIATION.search(bare[-40:])
    if match is None:
        return set()
    words = match[0].split()
    return {re.sub(r"[\s.]+", "", "".join(words[i:])).lower() for i in range(len(words))}


def _open(before: str) -> bool:
    return before.count('"') % 2 == 1 or any(
        before.count(left) > before.count(right) for left, right in ("()", "«»", "“”", "[]")
    )
