"""The language of a stretch of text: Spanish, Catalan, English, or none of the three.

Knows how short a text may be to be told, and that py3langid (compared with lingua and fastText: corpus/README.md) tells
our three apart best when it is asked about nothing else. Does not know documents.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from fabai.report import LANGUAGES, Language

_SAMPLE = 600
"""Characters: a longer text is told by its beginning, its middle and its end."""
_LEAST = 15
"""Letters: in fewer, a name or a number decides."""
_SURE_OF_ANOTHER = 120
"""Letters from which the verdict 'none of the three' is believed: py3langid takes short Spanish for Galician or
Aragonese."""
_KIN = frozenset(["gl", "ext", "an", "ast", "oc", "lad", "pt", "it", "mwl"])
"""Taken for Spanish or Catalan unless most of a long text says otherwise."""
_NOT_WORDS = re.compile(r"(?:\{\{\w+\}\}|`[^`]*`|https?://\S+|\S+@\S+|\]\([^)]*\)|[\d\W_])+")
_FENCE = re.compile(r"(?ms)^ *(```|~~~).*?(?:^ *\1|\Z)")


def words(text: str) -> str:
    """The text without code, addresses, figures and signs: what a language can be told by."""
    return _NOT_WORDS.sub(" ", _FENCE.sub(" ", text)).strip()


def identify(text: str) -> Language | None:
    """The language of a text or a single line; None where it has too few letters, or is in none of the three."""
    return tell(text)[0]


def tell(text: str) -> tuple[Language | None, bool]:
    """The language as `identify` gives it, and whether the text is long enough to say that it is in another one."""
    bare = words(_sample(text))
    letters = sum(map(str.isalpha, bare))
    if letters < _LEAST:
        return None, False
    ranked = _identifier().rank(bare)
    other = ranked[0][0]
    if letters >= _SURE_OF_ANOTHER and other not in LANGUAGES and (other not in _KIN or letters > 6 * _SURE_OF_ANOTHER):
        return None, True
    return _ours(ranked), False


def of_line(text: str) -> Language:
    """The likeliest of the three for a short line, whatever it holds."""
    return _ours(_identifier().rank(words(text) or text))


def _ours(ranked: Sequence[tuple[str, float]]) -> Language:
    best = next(name for name, _ in ranked if name in LANGUAGES)
    return next(one for one in LANGUAGES if one == best)


def most(found: Sequence[tuple[Language | None, int]]) -> Language | None:
    """The language of a document from those of its sections and their lengths."""
    counted: Counter[Language] = Counter()
    for language, length in found:
        if language is not None:
            counted[language] += length
    return counted.most_common(1)[0][0] if counted else None


def _sample(text: str) -> str:
    if len(text) <= _SAMPLE:
        return text
    # not the ends: there stand licences and imprints, often in another language
    third = _SAMPLE // 3
    return " ".join(text[start : start + third] for start in (quarter * len(text) // 4 for quarter in (1, 2, 3)))


@functools.cache
def _identifier() -> Any:
    """py3langid's model; asked for its ranking of all languages, in which the best of ours is looked up."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE)
