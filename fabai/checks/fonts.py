"""Fonts behind a page count: which a document asks for, which the PDF got, and whether they take the same room.

Knows the free fonts that have the widths of Word's. Does not know who made the PDF.
Source of the pairs: fontconfig's 30-metric-aliases.conf.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fabai.formats.package import Package
from fabai.formats.wordml import W

_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_EMBEDDED = re.compile(rb"/BaseFont\s*/(?:[A-Z]{6}\+)?([^\s/<>\[\]()]+)")
_STYLE = re.compile(r"[-,](?:Bold|Italic|Oblique|Regular|Roman|Book|MT|PSMT).*$|PSMT$|MT$", re.IGNORECASE)
# bullets and signs: their widths move no line
_SYMBOLS = frozenset(
    {"opensymbol", "symbol", "wingdings", "wingdings2", "wingdings3", "zapfdingbats", "dejavusansmono"}
)


@dataclass(frozen=True, slots=True)
class Substitute:
    """Fonts with the same widths as one of Word's, and the Debian package that brings them."""

    names: tuple[str, ...]
    package: str


SUBSTITUTES: dict[str, Substitute] = {
    "Arial": Substitute(("Liberation Sans", "Arimo", "Helvetica", "Nimbus Sans", "Albany"), "fonts-liberation"),
    "Times New Roman": Substitute(
        ("Liberation Serif", "Tinos", "Times", "Nimbus Roman", "Thorndale"), "fonts-liberation"
    ),
    "Courier New": Substitute(
        ("Liberation Mono", "Cousine", "Courier", "Nimbus Mono PS", "Cumberland"), "fonts-liberation"
    ),
    "Calibri": Substitute(("Carlito",), "fonts-crosextra-carlito"),
    "Cambria": Substitute(("Caladea",), "fonts-crosextra-caladea"),
}


def asked(package: Package) -> tuple[str, ...]:
    """The Latin fonts that a Word document names: its defaults, its normal style, its runs."""
    styles = package.related("styles")
    nodes = list(package.body.iter(f"{W}rFonts"))
    if styles is not None:
        root = package.xml(styles)
        nodes.extend(root.findall(f"{W}docDefaults//{W}rFonts"))
        for style in root.findall(f"{W}style"):
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true", "on"):
                nodes.extend(style.iter(f"{W}rFonts"))
    names: dict[str, None] = {}
    for node in nodes:
        theme = node.get(f"{W}asciiTheme") or node.get(f"{W}hAnsiTheme")
        name = _theme_font(package, theme) if theme else node.get(f"{W}ascii") or node.get(f"{W}hAnsi")
        if name:
            names[name] = None
    return tuple(names)


def embedded(pdf: bytes) -> tuple[str, ...]:
    """The families of the fonts inside a PDF that LibreOffice wrote."""
    found = (_STYLE.sub("", name.decode("latin-1")) for name in _EMBEDDED.findall(pdf))
    return tuple(dict.fromkeys(found))


def replaced(asked_for: Iterable[str], got: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs (font asked for, fonts that came in its place) where the widths, and so the pages, may differ."""
    got = [name for name in got if _key(name) not in _SYMBOLS]
    wanted = {
        name: {_key(one) for one in (name, *_same_width(name))} for name in asked_for if _key(name) not in _SYMBOLS
    }
    strangers = [name for name in got if not any(_key(name) in keys for keys in wanted.values())]
    for name, keys in wanted.items():
        if strangers and not any(_key(one) in keys for one in got):
            yield name, ", ".join(strangers)


def package_for(name: str) -> str | None:
    """The Debian package that brings a font of the same widths, if one is known."""
    found = next((one for known, one in SUBSTITUTES.items() if _key(known) == _key(name)), None)
    return None if found is None else found.package


def _same_width(name: str) -> tuple[str, ...]:
    found = next((one for known, one in SUBSTITUTES.items() if _key(known) == _key(name)), None)
    return () if found is None else found.names


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _theme_font(package: Package, theme: str) -> str | None:
    part = package.related("theme")
    if part is None:
        return None
    kind = "majorFont" if theme.startswith("major") else "minorFont"
    latin = package.xml(part).find(f".//{_DRAWING}{kind}/{_DRAWING}latin")
    return None if latin is None else latin.get("typeface") or None
