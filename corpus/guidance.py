"""Form guidance that was left standing in a report: what the funder asks, not what the writer answered.

Knows the guidance of the built-in forms and how instructions are worded in the three languages. Conservative: a block
goes only where it is an instruction from end to end. Does not know documents.
"""

from __future__ import annotations

import functools
import re

from fabai.form import built_in
from fabai.report import fold

_LIMIT = (
    r"(?:m[áàa]x(?:im\w*|\.)?|limit\w*|l[íi]mite?|hasta|up to|fins a|no m[áa]s de|no more than"
    r"|extensi[óo]n?|longitud|length|m[íi]n(?:im\w*|\.)?)"
)
_UNIT = (
    r"(?:caracteres|car[àa]cters|characters|palabras|paraules|words|p[áa]ginas?|p[àa]gin\w+|pages?|l[íi]ne\w+|lines?)"
)
_MEASURE = re.compile(rf"(?i)\b{_LIMIT}\W.{{0,30}}?\d[\d.]*\s+{_UNIT}|\d[\d.]*\s+{_UNIT}\s+(?:como\s+)?(?:{_LIMIT})")
_ASKS = re.compile(
    r"""(?ix)^\W*(?:
      (?:por\s+favor|si\s+us\s+plau|please)?\W*
      (?:indique|indiqueu|indicar|describa|descriviu|describir|descriure|describe|explique|expliqueu|explicar|explain
       |detalle|detalleu|detallar|detail|especifique|especifiqueu|specify|justifique|justifiqueu|justify|resuma|resumiu
       |summari[sz]e|enumere|enumereu|list|adjunte|adjunteu|attach|cumplimente|empleneu|complete|provide|outline|state
       |incluya|incloeu|include|marque|marqueu|señale|assenyaleu)
    )\b"""
)
_WRAPPED = re.compile(r"(?is)^\W*(?:instruc\w+|gu[íi]a|guidance|nota\s+para\s+(?:el|quien)|ayuda|ajuda)\b.{0,20}?:")
_BRACKETED = re.compile(r"(?s)^[*_]*(?:\[[^\[\]]+\](?!\()|\\\[.+\\\]|<[^<>]+>|\\<.+\\>)[*_]*\.?$")
_ITALIC = re.compile(r"(?s)^([*_])(?![*_\s])[^*_]+\1$")
_LONGEST = 1_200
_BEGIN = 12


def is_guidance(block: str) -> bool:
    """Whether a Markdown block is an instruction to the writer."""
    text = block.strip()
    if not text or len(text) > _LONGEST:
        return False
    if text[:_BEGIN] in _beginnings() and fold(text) in _known():
        return True
    asks = bool(_ASKS.match(text.strip("[]\\<>*_ "))) or bool(_WRAPPED.match(text.strip("[]\\<>*_ ")))
    if _BRACKETED.match(text) or _ITALIC.match(text):
        return asks
    return asks and bool(_MEASURE.search(text))


@functools.cache
def _known() -> frozenset[str]:
    """The guidance of the built-in forms, block by block, folded."""
    found: set[str] = set()
    for form in built_in():
        for spec in form.sections:
            for text in (spec.guidance or {}).values():
                found |= {fold(one) for one in (text, *text.split("\n")) if len(one.split()) > 5}
    return frozenset(found)


@functools.cache
def _beginnings() -> frozenset[str]:
    """How the blocks of known guidance begin: folding every paragraph of a corpus would cost more than all the rest."""
    found: set[str] = set()
    for form in built_in():
        for spec in form.sections:
            for text in (spec.guidance or {}).values():
                found |= {one.strip()[:_BEGIN] for one in (text, *text.split("\n"))}
    return frozenset(found)
