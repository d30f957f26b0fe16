"""Names in running text: people, entities, products, acronyms, by their capital letters.

Knows where a capital only opens a sentence. Does not know which names are people, nor any list of names; it is the
simple reading that a Brief is rebuilt with, not a recogniser.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[^\W\d_]+(?:·[^\W\d_]+)*")
_LINKS = re.compile(
    r"[ \u00a0]+(?:(?:de|del|la|las|los|el|els|les|of|the|for|d['’]|l['’])[ \u00a0]*){0,3}", re.IGNORECASE
)
_OPENS = re.compile(r"(?:\A|\n|[.!?:;…|•]|[¿¡«“\"(\[—–])[\s*_>|«“\"'(\[¿¡—–#-]*(?:\(?\w{1,3}[.)]\s+)?\Z")
_LEFT_OUT = re.compile(
    r"(?m)^ {0,3}(?:`{3,}|~{3,}).*?^ {0,3}(?:`{3,}|~{3,})[ \t]*$|`[^`\n]+`|\]\([^)\n]*\)|<?https?://\S+|www\.\S+|\S+@\S+"
    r"|\[\^[^\]\n]+\]:?|\[-?@[^\]\n]*\]|\{\{[^{}\n]*\}\}|\{[#.][^}\n]*\}|\\[a-zA-Z]+(?:\{[^{}\n]*\})*"
    r"|\$\$.*?\$\$|\$[^$\n]{1,200}\$",
    re.DOTALL,
)
_SEEN = 60
"""Characters in front of a word that tell whether it opens a sentence."""


@dataclass(frozen=True, slots=True)
class Name:
    """text[start:end]: the words of one name and what links them ("Universidad de Granada")."""

    start: int
    end: int
    text: str


@lru_cache(maxsize=20_000)
def names(text: str) -> tuple[Name, ...]:
    """The names of a Markdown text in order. The last texts are remembered."""
    taken = [match.span() for match in _LEFT_OUT.finditer(text)]
    found: list[Name] = []
    place = 0
    for match in _WORD.finditer(text):
        if not match[0][0].isupper() and match[0].islower():
            continue
        start, end = match.span()
        while place < len(taken) and taken[place][1] <= start:
            place += 1
        if (place < len(taken) and taken[place][0] <= start) or not _is_name(text, match):
            continue
        last = found[-1] if found else None
        if last is not None and _LINKS.fullmatch(text, last.end, start):
            found[-1] = Name(last.start, end, text[last.start : end])
        else:
            found.append(Name(start, end, match[0]))
    return tuple(found)


def name_words(name: str) -> list[str]:
    """The capitalised words of a name as `fold_word` has them: those that must be known for the name to be known."""
    return [fold_word(match[0]) for match in _WORD.finditer(name) if not match[0].islower()]


def folded_words(text: str) -> frozenset[str]:
    """Every word of a text, folded."""
    return frozenset(map(fold_word, _WORD.findall(text)))


@lru_cache(maxsize=200_000)
def fold_word(word: str) -> str:
    """Lower case without accents."""
    plain = unicodedata.normalize("NFKD", word.lower())
    return "".join(character for character in plain if not unicodedata.combining(character))


def _is_name(text: str, match: re.Match[str]) -> bool:
    word, start = match[0], match.start()
    if len(word) < 2:
        return False
    inner = any(map(str.isupper, word[1:]))
    if inner:
        # SHOUTED LINES are no acronyms
        return not (word.isupper() and _shouted(text, start))
    return word[0].isupper() and not _OPENS.search(text[max(0, start - _SEEN) : start])


def _shouted(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : (text.find("\n", at) + 1 or len(text) + 1) - 1]
    words = _WORD.findall(line)
    return len(words) > 2 and sum(map(str.isupper, words)) > 0.7 * len(words)
