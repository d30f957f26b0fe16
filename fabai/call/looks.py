"""What a line says of letters, margins, spacing, paper and files.

Knows the wordings of Spanish, Catalan and English calls. Does not know limits of length or deadlines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fabai.call.numbers import MEASURE, measure

FONTS = ("Times New Roman", "Arial", "Calibri", "Verdana", "Cambria", "Helvetica", "Garamond", "Georgia", "Tahoma",
         "Courier New", "Liberation Sans", "Liberation Serif", "Book Antiqua", "Century Gothic",
         "Trebuchet MS")  # fmt: skip
_LETTER = (
    r"(?:tama[ñn]o (?:m[ií]nimo )?(?:de (?:la )?(?:letra|fuente))|mida (?:m[ií]nima )?(?:de (?:la )?(?:lletra|"
    r"font))|cos de lletra|cuerpo de letra|"
    r"letra|lletra|font size|minimum font size|tipograf[ií]a|fuente|typeface|cuerpo|cos)"
)
_SIZES = (
    re.compile(rf"(?i)\b{_LETTER}\b[^.;\d]{{0,60}}?(?P<n>{MEASURE})\s*(?:puntos|punts|points?|pts?\b|pt\b)"),
    re.compile(
        r"(?i)\b(?:tama[ñn]o (?:m[ií]nimo )?de (?:la )?(?:letra|fuente)|mida de (?:la )?(?:lletra|font)|"
        rf"font size|cuerpo|cos)\b[^.;\d]{{0,30}}?(?P<n>{MEASURE})\b"
    ),
    re.compile(
        rf"(?i)\b(?:{'|'.join(re.escape(one) for one in FONTS)})\b,?\s*(?:de |tama[ñn]o |cuerpo |cos |mida |"
        rf"size |a )?(?P<n>{MEASURE})\b(?!\s*(?:cm|mm|p[aá]g))"
    ),
    re.compile(rf"(?i)\b(?P<n>{MEASURE})[- ](?:points?|pt)\b[^.;]{{0,30}}\b(?:font|type|letters?)\b"),
)
_MARGIN = re.compile(
    rf"(?i)(?P<who>(?:m[aá]rgenes?|marges?|margins?|superior|inferior|laterales|laterals|izquierdo|derecho|esquerre|dret|top|bottom|left|right|sides?)"
    rf"[^.;\d]{{0,70}}?)(?P<n>{MEASURE})\s*(?P<u>cm|mm|cent[ií]metros|mil[ií]metros|centimetres|millimetres)\b"
)
_LATER_MARGIN = re.compile(rf"(?i)(?P<n>{MEASURE})\s*(?P<u>cm|mm)\s+(?:de\s+)?(?P<who>margins?|m[aá]rgenes|marges)\b")
_SPACING = re.compile(
    r"(?i)\b(?:interlineado|interlineat|espacio entre l[ií]neas|espaiat|line spacing|spacing between lines|"
    rf"spacing)\b[^.;\d]{{0,30}}?(?P<n>{MEASURE}|sencillo|simple|senzill|single|doble|double)"
)
_SINGLE = re.compile(r"(?i)\bsingle[- ]spac(?:ed|ing)\b")
_SIZE = re.compile(
    r"(?i)\b(?:m[aá]xim|m[aà]xim|superar|excede|hasta|fins a|up to|no (?:\w+ )?(?:m[aá]s|m[eé]s|more)|inferior|"
    rf"l[ií]mit|menor|menys)\w*[^;]{{0,60}}?(?<![\d.,])(?P<n>{MEASURE})\s*(?P<u>MB|Mb|megabytes?|megas)\b"
)
_NAMED = re.compile("|".join(rf"\b{re.escape(one)}\b" for one in FONTS))


@dataclass(slots=True)
class Looks:
    """What lines say, each with its line as proof; margins in cm by side."""

    size: float | None = None
    names: tuple[str, ...] = ()
    margins: dict[str, float] = field(default_factory=dict)
    spacing: float | None = None
    paper: str | None = None
    megabytes: float | None = None
    quotes: dict[str, str] = field(default_factory=dict)

    def learn(self, text: str) -> None:
        """Take in what a line says; what an earlier line said of the same thing stays."""
        for key, value in _stated(text):
            if key == "margins":
                self.margins = {**value, **self.margins} if isinstance(value, dict) else self.margins
            elif getattr(self, key) in (None, ()):
                setattr(self, key, value)
            else:
                continue
            self.quotes.setdefault(key, text)


def _stated(text: str) -> list[tuple[str, object]]:
    out: list[tuple[str, object]] = []
    size = next(
        (found for pattern in _SIZES for found in pattern.finditer(text) if 6 <= measure(found["n"]) <= 24), None
    )
    if size is not None:
        out.append(("size", measure(size["n"])))
    names = tuple(dict.fromkeys(one[0] for one in _NAMED.finditer(text)))
    if names and re.search(r"(?i)letra|lletra|fuente|font|tipograf|typeface|typed", text):
        out.append(("names", names))
    if margins := _margins(text):
        out.append(("margins", margins))
    if (spacing := _SPACING.search(text)) is not None:
        word = spacing["n"].lower()
        value = {"doble": 2.0, "double": 2.0}.get(word, 1.0) if not word[0].isdigit() else measure(word)
        if 0.8 <= value <= 3:
            out.append(("spacing", value))
    elif _SINGLE.search(text):
        out.append(("spacing", 1.0))
    if re.search(r"\b(?:DIN[ -]?)?A4\b", text):
        out.append(("paper", "A4"))
    if (megabytes := _SIZE.search(text)) is not None:
        out.append(("megabytes", measure(megabytes["n"])))
    return out


def _margins(text: str) -> dict[str, float]:
    if not re.search(r"(?i)m[aá]rg[eè]?n|marges?\b|margin", text):
        return {}
    out: dict[str, float] = {}
    for match in (*_MARGIN.finditer(text), *_LATER_MARGIN.finditer(text)):
        length = measure(match["n"]) / (10 if match["u"].lower().startswith("m") else 1)
        if not 0 < length < 8:
            continue
        who = match["who"].lower()
        sides = [side for side, words in (
            ("top", r"superior|top"), ("bottom", r"inferior|bottom"),
            ("left", r"lateral|izquierdo|esquerr|left|sides?\b"), ("right", r"lateral|derecho|dret|right|sides?\b"),
        ) if re.search(words, who)]  # fmt: skip
        for side in sides or ("top", "bottom", "left", "right"):
            out.setdefault(side, length)
    return out
