"""Postal addresses of people in running text.

The street where something took place, or where an entity sits, is no person's address and stays: an address counts
with a floor and door, or behind a word such as 'domicilio'. Knows how addresses are written in Spanish and Catalan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .found import Found

_NAME = r"[A-ZÁÉÍÓÚÀÈÒÏÜÑÇ][\w·'’.-]*"
_JOIN = r"(?:(?:de|del|dels|la|las|los|les|el|els|i|y)\s+|d['’]|l['’])"
_STREET = (
    r"(?:(?i:c/|c\.|cl\.|calle|carrer|avda?\.?|avenida|avinguda|av\.|plaza|pla[çc]a|pza\.|pl\.|paseo|passeig|pg\.|p\.º|ronda|"
    r"rambla|camino|cam[íi]|traves[íi]a|travessera|travessia|trav\.|carretera|ctra\.|urbanizaci[óo]n?|urb\.|glorieta|passatge|"
    r"pasaje|baixada|costa)\s*"
    rf"{_JOIN}{{0,3}}(?:{_NAME}|\d{{1,2}}\s+de\s+\w+)(?:\s+{_JOIN}{{0,3}}{_NAME}){{0,4}})"
)
_NUMBER = (
    r"\s*,?\s*(?i:n[ºo°]\.?|n\.|n[úu]m\.?|n[úu]mero)?\s*\d{1,4}(?:\s?(?:bis|[A-D]))?(?![\d.]?\d|\s*(?:de|d['’])\s)"
)
_SIDE = r"(?:\d{1,2}\s?[ºª°]?|[A-Ha-h]|(?i:izq\w*|izda|dcha|der\w*|esq\w*|dreta|centro|int\w*|ext\w*)\.?)(?!\w)"
_ORDINAL = r"\d{1,2}\s?(?:[ºª°]|(?:er|on|rt|n|è|r|t|o|a)(?!\w))"
_FLOOR = (
    rf"(?:(?i:piso|pis|planta)\s*\d{{1,2}}(?:\s?[ºª°])?|{_ORDINAL}"
    r"|(?i:bajos?|baixos?|entresuelo|entl\.?|entresol|pral\.?|principal|[áa]tico|[àa]tic|sobreátic)(?!\w))"
)
_PART = r"(?i:esc(?:alera|ala)?\.?|bl(?:oque|oc)?\.?|portal|puerta|pta\.?|porta)\s*[\dA-Za-z]{1,3}(?!\w)"
_DOOR = rf"(?:\s*[,.-]?\s*(?:{_PART}|{_FLOOR}(?:\s*[,-]?\s*{_SIDE})?|\d{{1,2}}\s*-\s*\d{{1,2}}(?![\d/-])))+"
_TOWN = (
    rf"(?:\s*[,.(-]{{0,2}}\s*(?:C\.?P\.?\s*:?\s*)?\d{{5}}(?!\d)(?:\s*[,-]?\s*{_NAME}(?:\s+{_JOIN}{{0,3}}{_NAME}){{0,4}})?"
    r"(?:\s*\([A-ZÁÉÍÓÚÀÈÒ][\w ]+\))?)?"
)
_DWELLING = re.compile(rf"(?<!\w){_STREET}{_NUMBER}{_DOOR}{_TOWN}")
_HOUSE = re.compile(rf"(?<!\w){_STREET}{_NUMBER}(?:{_DOOR})?{_TOWN}")
_AT_HOME = re.compile(
    r"(?i)(?:\bdomicili(?:o|ad[oa]s?|at|ada|ats|ades)?(?:\s+(?:particular|habitual|familiar|personal))?|\bresident[e]?s?|"
    r"\bempadronad[oa]|\bempadronat|\bvive|\bviu|\b(?:direcci[óo]n|adre[çc]a)\s+(?:postal|particular|personal)|"
    r"\b(?:home|postal|personal)\s+address|\blives?|\bviviend[ao]|\bhabitatge)\s*(?:en|a|in|at)?(?:\s+(?:la|el|l'))?\W{0,4}$"
)
_MAY_HOLD = re.compile(r"\d")


def addresses(text: str) -> Iterator[Found]:
    """The addresses of dwellings, and those that are said to be somebody's."""
    if not _MAY_HOLD.search(text):
        return
    for match in _DWELLING.finditer(text):
        yield _found(match)
    for match in _HOUSE.finditer(text):
        if _AT_HOME.search(text, max(0, match.start() - 60), match.start()):
            yield _found(match)


def _found(match: re.Match[str]) -> Found:
    return Found(match.start(), match.end(), "direccion", re.sub(r"\W+", " ", match[0]).lower().strip())
