"""What a heading, a column or a label in a proposal announces: objectives, deliverables, people, budget ...

Knows the words in three languages (topics.toml). Does not know documents.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib import resources

from fabai.report import fold

_LABEL = re.compile(
    r"[\s*_(]*(?P<word>[^\W\d_]{1,2}|[^\W\d_]{3,}(?:\s+[^\W\d_]{3,}){0,3})"
    r"[\s.\-–]*(?:n[ºo.]\s*)?(?P<number>\d+(?:\.\d+)*)(?P<end>[\s*_)]*(?:[:.–—-]|$|\s\(|\s))",
)
_OWN = (("work package", "WP"), ("paquet", "WP"), ("task", "T"), ("tarea", "T"), ("tasca", "T"))
_LETTERS = {"objective": "O", "deliverable": "D", "milestone": "M", "activity": "A", "indicator": "I"}


@functools.cache
def _words() -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = tomllib.loads(
        resources.files("fabai.dossier").joinpath("topics.toml").read_text(encoding="utf-8")
    )
    return found


@functools.lru_cache(maxsize=4_096)
def topic_of(heading: str) -> str | None:
    """The kind of commitment that stands under a heading, "none" where nothing binding does, None where it does not
    say.
    """
    plain = fold(heading)
    for topic, names in _words()["headings"].items():
        for name in names:
            # '=' asks for the whole heading
            whole = plain == name.removeprefix("=")
            if whole or (name[0] != "=" and re.search(rf"(?<!\w){re.escape(name)}(?:s|es|en|ies)?(?!\w)", plain)):
                return topic
    return None


@functools.lru_cache(maxsize=4_096)
def column_of(head: str) -> str | None:
    """What a table's column holds, None where its head does not say."""
    plain = fold(head.replace("#", " no ")) or head.strip().lower()
    best: tuple[int, str] | None = None
    for kind, names in _words()["columns"].items():
        for name in names:
            if plain == name or plain == name + "s" or re.match(rf"{re.escape(name)}s?(?!\w)", plain):
                worth = len(name) + 100 * (plain in (name, name + "s"))
                if best is None or worth > best[0]:
                    best = (worth, kind)
    return None if best is None else best[1]


def label_of(text: str) -> tuple[str, str, str] | None:
    """(kind, ref, what follows) of a text with a label in front; None where there is none. The ref is the document's
    own where it is short ("D1.2"), else a letter and the number ("Milestone 3" is M3).
    """
    match = _LABEL.match(text)
    if match is None:
        return None
    word, number = fold(match["word"]), match["number"]
    for kind, names in _words()["labels"].items():
        if word not in names and word.removesuffix("s") not in names:
            continue
        short = len(word) <= 2
        # a letter alone is a label in capitals only, and stands right before its number
        if short and (not match["word"].isupper() or match.end("word") != match.start("number")):
            continue
        letters = next((short for begin, short in _OWN if word.startswith(begin)), _LETTERS[kind])
        ref = f"{match['word']}{number}" if short else f"{letters}{number}"
        rest = text[match.end("number") :].lstrip(" \t*_:.–—-)").rstrip(" \t*_:.–—-")
        return kind, ref.upper(), rest
    return None
