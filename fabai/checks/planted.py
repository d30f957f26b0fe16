"""Words in a document that speak to a model instead of telling facts: "ignora las reglas anteriores", marks of chat
templates, letters that no reader sees.

The prompt fences such words in, whatever they say (fabai.window.shown); this rule shows them to the person, who knows
whether the document can be trusted. Knows three languages. Does not know where documents come from.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources

from fabai.checks.violation import Violation
from fabai.remembered import by_text

_WIDTHLESS = "[\u200b-\u200d\u2060-\u2064\ufeff]"
_UNSEEN = re.compile(
    "[\U000e0000-\U000e007f]+|[\u202b\u202d\u202e\u2067\u2068]"
    rf"|(?=({_WIDTHLESS})\1*(?!\1){_WIDTHLESS}){_WIDTHLESS}{{8,}}"
)
"""Tag characters, marks that turn the direction of writing, and runs of two letters without width, which can spell
something. A run of one of them is what editors and web pages leave, and the other marks keep the direction.
"""
_NO_READER = "\u200b\u200c\u200d\u200e\u200f\u202a\u202c\u2060\u2061\u2062\u2063\u2064\u2066\u2069\ufeff\u00ad"
_HEADING = re.compile(r"(?m)^#{1,6}[ \t]+(.+)$")
_SHOWN = 120


def check_planted(text: str, *, section: str | None = None, source: str = "") -> Iterator[Violation]:
    """A warning for each place. section: id where the text is the report's own; source: the name of a document."""
    for start, end in _places(text):
        quote = _visible(text[start:end])[:_SHOWN]
        where = ", ".join(part for part in (source, _heading_at(text, start)) if part) if source else ""
        rule = "planted" if section is not None else "planted-source"
        yield Violation(rule, section, "warning", quote, source, quote, start, end, where)


@by_text
def _places(text: str) -> tuple[tuple[int, int], ...]:
    plain, places = _folded(text)
    found: list[tuple[int, int]] = [match.span() for match in _UNSEEN.finditer(text)]
    found += [(places[match.start()], places[match.end() - 1] + 1) for match in _patterns().finditer(plain)]
    kept: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if kept and start < kept[-1][1]:
            kept[-1] = (kept[-1][0], max(end, kept[-1][1]))
        else:
            kept.append((start, end))
    return tuple(kept)


@cache
def _patterns() -> re.Pattern[str]:
    tables = tomllib.loads(resources.files("fabai.checks").joinpath("planted.toml").read_text(encoding="utf-8"))
    return re.compile(
        "|".join(f"(?:{one})" for table in tables.values() for one in map(_alone, table["patterns"])), re.M
    )


def _alone(pattern: str) -> str:
    """A flag may only stand in front of the whole."""
    return pattern.removeprefix("(?m)")


def _folded(text: str) -> tuple[str, list[int]]:
    """Lower case, no accents, one space for white space but line ends; and where each letter stood."""
    letters: list[str] = []
    places: list[int] = []
    before = ""
    for place, letter in enumerate(text):
        for one in _read(letter):
            if one != " " or before != " ":
                letters.append(one)
                places.append(place)
                before = one
    return "".join(letters), places


@lru_cache(maxsize=4096)
def _read(letter: str) -> str:
    """What is read of a letter; emphasis and what cannot be seen do not part a word."""
    if _UNSEEN.match(letter) or letter in _NO_READER or letter in "*_":
        return ""
    whole = unicodedata.normalize("NFKD", letter.lower())
    return "".join(" " if one.isspace() and one != "\n" else one for one in whole if not unicodedata.combining(one))


def _heading_at(text: str, at: int) -> str:
    last = ""
    for match in _HEADING.finditer(text, 0, at):
        last = match[1].strip()
    return last


def _visible(text: str) -> str:
    """Letters that no reader sees, by their numbers; tag characters as the letters that they stand for."""
    return " ".join("".join(map(_letter, text)).replace("][", "").split())


def _letter(one: str) -> str:
    if 0xE0020 <= ord(one) < 0xE007F:
        return f"[{chr(ord(one) - 0xE0000)}]"
    return f"[U+{ord(one):04X}]" if one in _NO_READER or _UNSEEN.match(one) else one
