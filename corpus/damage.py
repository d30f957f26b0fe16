"""Encoding damage in a text: letters that went through the wrong alphabet, and signs that no reader should see.

Knows what ftfy is to mend and what it is to leave (typographic quotes, Markdown). Does not know documents.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import Any

from fabai.errors import MissingPart

from .extra import INSTALL

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\ufff9-\ufffb]")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_BULLET = re.compile("(?m)^([ \t]*)[\uf0b7\uf0a7\uf0d8\uf076\uf0fc\uf02d][ \t]*")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_SUSPECT = re.compile("[\u0080-\u009f\u00c2\u00c3\u00e2\u00ef\ufb00-\ufb06\ufffd]|&[a-z]+;")
"""Without one of these, ftfy has nothing to mend."""


def mend(text: str) -> str:
    """The text composed (NFC), without invisible signs, ligatures as letters, doubly encoded letters as they were."""
    if text.isascii():
        return text
    text = _BULLET.sub(r"\1- ", text)
    text = _PRIVATE.sub("", _INVISIBLE.sub("", text))
    if _SUSPECT.search(text):
        text = _fix(text)
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text))


def _fix(text: str) -> str:
    fixed: str = _ftfy().fix_text(text, _settings())
    return fixed


@functools.cache
def _settings() -> Any:
    return _ftfy().TextFixerConfig(
        unescape_html=False,
        uncurl_quotes=False,
        fix_character_width=False,
        normalization="NFC",
        remove_terminal_escapes=True,
    )


def _ftfy() -> Any:
    try:
        import ftfy
    except ImportError:
        raise MissingPart(f"mending encoding damage needs the package ftfy; run: {INSTALL}") from None
    return ftfy
