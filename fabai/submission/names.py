"""File names that every portal takes: ASCII, by the form's pattern.

Knows patterns such as '{project}_memoria'. Does not know what the files hold.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

_LONGEST = 60
_OTHERS = str.maketrans({"·": "", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "€": "EUR", "&": "_"})


def ascii_name(text: str, longest: int = _LONGEST) -> str:
    """Letters, digits, '-' and '_' only, no accents, at most so many; 'documento' where nothing is left."""
    plain = unicodedata.normalize("NFKD", text.translate(_OTHERS)).encode("ascii", "ignore").decode()
    words = re.sub(r"[^A-Za-z0-9-]+", "_", plain).strip("_-")
    cut = words[:longest].rstrip("_-")
    return cut or "documento"


def by_pattern(pattern: str, values: Mapping[str, str]) -> str:
    """The pattern with its holes filled, as one ASCII name; a hole without a value leaves nothing."""
    filled = re.sub(
        r"\{([^{}]*)\}", lambda hole: ascii_name(values.get(hole[1], ""), 40) if values.get(hole[1]) else "", pattern
    )
    return ascii_name(re.sub(r"_{2,}", "_", filled))


def unused(name: str, taken: set[str]) -> str:
    """The name, or with a number behind it where it is taken; adds it to `taken`, case ignored."""
    stem, dot, ending = name.rpartition(".")
    number = 1
    found = name
    while found.lower() in taken:
        number += 1
        found = f"{stem if dot else name}_{number}{dot}{ending if dot else ''}"
    taken.add(found.lower())
    return found
