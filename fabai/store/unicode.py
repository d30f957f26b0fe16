"""Text as it is stored: composed, and without halves of characters.

Knows Unicode. Does not know what the text means.
"""

from __future__ import annotations

import re
import unicodedata

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


def composed(text: str) -> str:
    """NFC: a name typed on a Mac equals the same name from Word; what cannot be UTF-8 becomes U+FFFD."""
    return unicodedata.normalize("NFC", whole(text))


def whole(text: str) -> str:
    """The text with U+FFFD for what cannot be UTF-8: half a character of a broken stream, a byte of a file name."""
    return _SURROGATE.sub("\ufffd", text)


def line(text: str) -> str:
    """Composed text on one line, without control characters: a title or a heading."""
    return " ".join(_CONTROL.sub(" ", composed(text)).split())
