"""What a figure or a name in running text is called: the words around it.

Knows where a phrase ends and which words carry no meaning. Does not know which figures are facts.
"""

from __future__ import annotations

import re

from fabai.proposals.wording import proposal_words
from fabai.report import Language
from fabai.window.words import stop_words

REACH = 90
"""Characters in front of a value that may name it."""
_WORDS = re.compile(r"[^\W\d_]+(?:[·'’-][^\W\d_]+)*|\d+")
_STOP = re.compile(r"[.;:!?()\[\]|«»“”\"\n—–]|,(?!\d)")
_LINK = re.compile(r"\s+(?:(?:de|d|of|del|dels|de\s+la|de\s+las|de\s+los|de\s+les)\s+|d['’])([^\W\d_]{3,})")
_MOST = 6


def before(text: str, start: int, language: Language) -> str:
    """The last words in front of a value in its clause, "" where they say nothing."""
    stretch = text[max(0, start - REACH) : start]
    if start > REACH:
        stretch = stretch.partition(" ")[2]
    stops = [match.end() for match in _STOP.finditer(stretch)]
    clause = stretch[stops[-1] :] if stops else stretch
    if not clause.strip() and stops and stretch[stops[-1] - 1] in ":(":
        # "Importe concedido: 18.500 €", "el importe (18.500 €)"
        clause = _STOP.split(stretch[: stops[-1] - 1])[-1]
    words = [word for word in _WORDS.findall(clause) if not word.isdigit()]
    return _phrase(words, language, last=True)


def counted(noun: str, behind: str) -> str:
    """What a count counts, with what belongs to it: "talleres de lectura"."""
    match = _LINK.match(behind)
    return f"{noun} {' '.join(match[0].split())}" if match is not None else noun


def _phrase(words: list[str], language: Language, *, last: bool) -> str:
    stops = stop_words()[language] | set(proposal_words(language).empty)
    while words and (words[-1].lower() in stops or len(words[-1]) < 3):
        words.pop()
    words = words[-_MOST:] if last else words[:_MOST]
    while words and (words[0].lower() in stops or len(words[0]) < 3):
        words.pop(0)
    if words:
        words[0] = re.sub(r"^[dl]['’]", "", words[0], flags=re.IGNORECASE)
    if words and not any(map(str.isupper, words[0][1:])) and not (len(words) > 1 and words[1][0].isupper()):
        words[0] = words[0].lower()
    return " ".join(words)
