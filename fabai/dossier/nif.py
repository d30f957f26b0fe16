"""Whether a tax number can be one: its check digit (python-stdnum).

Knows the Spanish DNI, NIE and NIF of entities, the Andorran NRT and the VAT numbers of the EU. Does not know to whom a
number belongs.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SHORTEST = 8
"""Letters and figures of the shortest number of a country that is not known here."""


def bare_nif(text: str) -> str:
    """Letters and figures alone, upper case."""
    return re.sub(r"[^A-Z0-9]", "", text.upper())


@lru_cache(maxsize=20_000)
def is_nif(text: str) -> bool:
    """Whether the number's check digit is right; an unknown country's number is taken for right."""
    from stdnum.ad import nrt
    from stdnum.es import nif
    from stdnum.eu import vat

    number = bare_nif(text)
    if not number:
        return False
    spanish = number.removeprefix("ES") if len(number) > 9 else number
    if nif.is_valid(spanish) or nrt.is_valid(number):
        return True
    # seven figures and a letter: a DNI without its leading zero
    if re.fullmatch(r"\d{7}[A-Z]", number) and nif.is_valid("0" + number):
        return True
    if re.fullmatch(r"(?:ES)?(?:[A-Z]\d{7}[A-Z0-9]|\d{7,8}[A-Z]?)", number):
        return False
    country = number[:2].lower()
    if number[:2].isalpha() and country in (*vat.MEMBER_STATES, "el", "gb", "ch", "no"):
        return country not in (*vat.MEMBER_STATES, "el") or bool(vat.is_valid(number))
    return len(number) >= _SHORTEST and not number.isdigit()
