"""The words that a text is about: without stop words, stemmed, accents folded.

Knows Spanish, Catalan and English. Does not know passages or summaries.
"""

from __future__ import annotations

import re
import threading
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from fabai.report import LANGUAGES, Language

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:·[^\W\d_]+)*")
_DECIMALS = re.compile(r"[.,]0{1,2}$")
_TURN = threading.Lock()
"""A stemmer works on one word at a time; two threads at once would get each other's stems."""
_ALGORITHMS: dict[Language, str] = {"es": "spanish", "ca": "catalan", "en": "english"}


def words(text: str) -> list[str]:
    """The words and figures of a text in order, lower case; an elided article stands alone (l'ajut is l, ajut)."""
    return _WORD.findall(text.lower())


def stems(text: str, language: Language) -> list[str]:
    """The stems of the words that are no stop words, in order. A figure is its digits: 18.500,00 and 18500 are the
    same.
    """
    return [one for word in words(text) if (one := stem(word, language))]


@lru_cache(maxsize=200_000)
def stem(word: str, language: Language) -> str:
    """The stem of one lower-case word; "" for a stop word and for a single letter."""
    if word[0].isdigit():
        return re.sub(r"[.,]", "", _DECIMALS.sub("", word))
    if len(word) < 2 or word in stop_words()[language]:
        return ""
    with _TURN:
        found: str = _stemmer(language).stemWord(word)
    plain = unicodedata.normalize("NFKD", found)
    return "".join(character for character in plain if character.isalnum())


def language_of(texts: Iterable[str], otherwise: Language) -> Language:
    """The language whose stop words the words of a text hold most; `otherwise` where none is ahead."""
    found = list(texts)
    counts = {language: sum(word in stops for word in found) for language, stops in stop_words().items()}
    best = max(LANGUAGES, key=lambda language: (counts[language], language == otherwise))
    return best if counts[best] > 0 else otherwise


@cache
def stop_words() -> dict[Language, frozenset[str]]:
    tables = tomllib.loads(resources.files("fabai.window").joinpath("stopwords.toml").read_text(encoding="utf-8"))
    return {language: frozenset(tables[language]) for language in LANGUAGES}


@cache
def _stemmer(language: Language) -> Any:
    # not where fabai only locks figures, in vLLM's environment, which does not have it
    import snowballstemmer  # type: ignore[import-untyped]

    return snowballstemmer.stemmer(_ALGORITHMS[language])
