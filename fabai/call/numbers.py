"""Numbers as calls write them: '3.500', '3,500', '2,5', 'sesenta', 'two'.

Knows digits of three languages and the words up to a hundred that limits and deadlines use. Does not know units.
"""

from __future__ import annotations

import re
import unicodedata

_WORDS: dict[str, int] = {}
for _value, _names in {
    1: "un una uno one", 2: "dos dues two", 3: "tres three", 4: "cuatro quatre four", 5: "cinco cinc five",
    6: "seis sis six", 7: "siete set seven", 8: "ocho vuit huit eight", 9: "nueve nou nine", 10: "diez deu ten",
    12: "doce dotze twelve", 15: "quince quinze fifteen", 18: "dieciocho divuit eighteen", 20: "veinte vint twenty",
    25: "veinticinco vint-i-cinc", 30: "treinta trenta thirty", 35: "treinta_y_cinco",
    40: "cuarenta quaranta forty", 45: "cuarenta_y_cinco", 50: "cincuenta cinquanta fifty",
    60: "sesenta seixanta sixty", 90: "noventa noranta ninety", 100: "cien cent",
}.items():  # fmt: skip
    for _name in _names.split():
        _WORDS[_name.replace("_", " ")] = _value
NUMBER = (
    r"(?:\d{1,3}(?:[.\u00a0\u202f ,]\d{3})+|\d+|"
    + "|".join(sorted((re.escape(one) for one in _WORDS), key=len, reverse=True))
    + r")"
)
"""A whole number, in digits or words, as part of a pattern."""
MEASURE = r"(?:\d+(?:[.,]\d+)?)"
"""A length or a size: at most one decimal mark."""


def whole(text: str) -> int | None:
    """The whole number that a match of NUMBER states."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c)).strip()
    if plain in _WORDS:
        return _WORDS[plain]
    digits = re.sub(r"\D", "", text)
    return int(digits) if digits and len(digits) <= 9 else None


def measure(text: str) -> float:
    """The number that a match of MEASURE states."""
    return float(text.replace(",", "."))
