"""Bytes of a text file to characters.

Knows byte order marks, UTF-8 and the Windows alphabet of western Europe. Does not know declarations inside a format.
"""

from __future__ import annotations


def decode(data: bytes) -> str:
    """Text in the encoding that its first bytes tell, else UTF-8, else Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
