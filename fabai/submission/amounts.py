"""Amounts as tables write them: read as exact numbers, and written in a language.

Knows the marks of thousands and decimals of Spanish, Catalan and English. Does not know running text (fabai.figures).
"""

from __future__ import annotations

import re
from decimal import Decimal

from fabai.report import Language

_NUMBER = re.compile(r"[+-]?\d[\d.,'  ]*")
_UNITS = re.compile(r"(?i)(?:€|%|\$|\b(?:eur|euros?|h|horas?|hores?|hours?)\b)")


def amount(text: str) -> Decimal | None:
    """The number of a cell that holds one number and its unit, None for any other cell."""
    bare = _UNITS.sub("", text).replace("\u2212", "-").strip()
    if not bare or not _NUMBER.fullmatch(bare):
        return None
    digits = re.sub(r"['\u00a0\u202f ]", "", bare)
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma >= 0 and point >= 0:
        decimal = "," if comma > point else "."
        digits = digits.replace("." if decimal == "," else ",", "").replace(decimal, ".")
    elif comma >= 0 or point >= 0:
        mark = "," if comma >= 0 else "."
        whole, _, last = digits.rpartition(mark)
        # three digits behind the only kind of mark: thousands, as both '1.234' and '1,234' are written
        groups = mark in whole or (len(last) == 3 and whole.lstrip("+-") not in ("", "0"))
        digits = digits.replace(mark, "") if groups and len(last) == 3 else f"{whole.replace(mark, '')}.{last}"
    return Decimal(digits)


def written(number: Decimal, language: Language, places: int = 2) -> str:
    """'1.234,50' in Spanish and Catalan, '1,234.50' in English."""
    text = f"{number:,.{places}f}"
    return text if language == "en" else text.translate(str.maketrans(",.", ".,"))


def money(number: Decimal, language: Language) -> str:
    """'1.234,50 €', in English '€1,234.50'; the space does not break."""
    text = written(abs(number), language)
    sign = "-" if number < 0 else ""
    return f"{sign}€{text}" if language == "en" else f"{sign}{text}\u00a0€"
