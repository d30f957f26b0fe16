"""Strict Open XML rewritten as Transitional, which is what every reader and Word itself understand.

Knows the two families of namespaces. Does not know packages.
"""

from __future__ import annotations

import re

MARK = b"purl.oclc.org/ooxml"

_RULES: tuple[tuple[re.Pattern[bytes], bytes], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (
            rb"http://purl\.oclc\.org/ooxml/"
            rb"(wordprocessingml|drawingml|presentationml|spreadsheetml|schemaLibrary)/(\w+)",
            rb"http://schemas.openxmlformats.org/\1/2006/\2",
        ),
        (
            rb"http://purl\.oclc\.org/ooxml/officeDocument/relationships/metadata/core-properties",
            rb"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties",
        ),
        (
            rb"http://purl\.oclc\.org/ooxml/officeDocument/(\w+)",
            rb"http://schemas.openxmlformats.org/officeDocument/2006/\1",
        ),
        (rb"relationships/extendedProperties", rb"relationships/extended-properties"),
        (rb"relationships/customProperties", rb"relationships/custom-properties"),
        (rb'\s(?:\w+:)?conformance="strict"', rb""),
    )
)


def transitional(part: bytes) -> bytes:
    """The XML part with Transitional namespaces; unchanged where it has no Strict ones."""
    if MARK not in part:
        return part
    for pattern, replacement in _RULES:
        part = pattern.sub(replacement, part)
    return part
