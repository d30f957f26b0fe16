"""A Word text without what pandoc never looks at, for it to read: fonts, sizes, borders, styles that nothing uses.

Knows which properties those are. Does not change what pandoc gives, only how long it takes: a form with a few thousand
styles is read in a third of the time.
"""

from __future__ import annotations

from collections.abc import Iterable

from fabai.formats.wordml import Element, W, child, remove, value

_UNREAD = tuple(
    W + name
    for name in (
        *("sz", "szCs", "color", "lang", "spacing", "proofErr", "kern", "w", "noProof", "lastRenderedPageBreak"),
        *("tcBorders", "tblBorders", "pBdr", "tcMar", "tblCellMar", "noWrap", "hideMark", "trHeight"),
        *("widowControl", "autoSpaceDE", "autoSpaceDN", "adjustRightInd", "snapToGrid", "contextualSpacing"),
    )
)
_REFERENCES = (W + "pStyle", W + "rStyle", W + "tblStyle")
_SYMBOLS = ("symbol", "wingdings", "webdings")


def drop_unread(root: Element) -> None:
    """Take out, in place, the properties that pandoc never looks at."""
    for one in list(root.iter(*_UNREAD)):
        remove(one)
    for fonts in list(root.iter(W + "rFonts")):
        # letters in a font of signs are signs
        if not any(sign in str(name).lower() for name in fonts.attrib.values() for sign in _SYMBOLS):
            remove(fonts)
    for one in root.iter():
        for key in [key for key in one.attrib if "}rsid" in str(key)]:
            del one.attrib[key]


def drop_unused_styles(styles: Element, parts: Iterable[Element]) -> None:
    """Take out, in place, the styles that none of the parts refers to, directly or through another style."""
    known = {one.get(W + "styleId"): one for one in styles.iterchildren(W + "style")}
    waiting = [one.get(W + "val") for part in parts for one in part.iter(*_REFERENCES)]
    waiting += [name for name, one in known.items() if one.get(W + "default") is not None]
    used = set()
    while waiting:
        name = waiting.pop()
        style = known.get(name)
        if style is None or name in used:
            continue
        used.add(name)
        waiting += [other for path in ("basedOn", "link", "next") if (other := value(style, path)) is not None]
    for name, style in known.items():
        if name not in used and child(style, "pPr/numPr") is None:
            remove(style)
