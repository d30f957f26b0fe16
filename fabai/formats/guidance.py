"""Instructions of a funder's template, told from text: brackets, or an order in italics, colour or shade.

Knows how they look in Word and begin in three languages. Does not know a form; its own guidance is compared elsewhere.
"""

from __future__ import annotations

import re

from fabai.formats.wordml import Element, W, child, is_on, squeezed, text_of

BRACKETED = re.compile(r"(?:\[[^\[\]]{2,}\]|<[^<>]{2,}>|«\[[^\]]{2,}\]»|\{[^{}]{2,}\})", re.DOTALL)
CITED = re.compile(r"\[(?:\d+(?:[-–,; ]+\d+)*|[^\]\d]{0,30}\d{4}[a-z]?|sic|…|\.\.\.)\]")
"""What stands in brackets in a finished text: citations, [sic], an omission."""
_INSTRUCTION = re.compile(
    r"(?i)^(?:\(?\s*)(?:incluya|incluir|indique|indicar|describa|describir|explique|explicar|detalle|detallar|señale|inserte|complete|"
    r"rellene|adjunte|enumere|resuma|máx(?:imo)?\.? |mín(?:imo)?\.? |extensión |"
    r"indiqueu|indicar|descriviu|descriure|expliqueu|detalleu|ompliu|inseriu|adjunteu|incloeu|incloure|màx(?:im)?\.? |"
    r"please |insert |describe |explain |provide |fill in |delete |include |max(?:imum|\.)? \d|specify |state |"
    r"list |summari[sz]e )"
)


def is_guidance(paragraph: Element) -> bool:
    """Whether a paragraph is an instruction to who fills the template in, and no part of the text."""
    words = squeezed(text_of(paragraph))
    if not words:
        return False
    if BRACKETED.fullmatch(words):
        return CITED.fullmatch(words) is None
    return _INSTRUCTION.match(words) is not None and set_apart(paragraph)


def set_apart(paragraph: Element) -> bool:
    """Whether all of a paragraph's text is italic, coloured or shaded, as funders set their instructions."""
    runs = [run for run in paragraph.iter(W + "r") if squeezed(text_of(run))]
    return bool(runs) and all(_is_marked(run) for run in runs)


def _is_marked(run: Element) -> bool:
    colour = child(run, "rPr/color")
    tint = "" if colour is None else (colour.get(W + "val") or "").lower()
    return (
        is_on(child(run, "rPr/i"))
        or tint not in ("", "auto", "000000")
        or child(run, "rPr/highlight") is not None
        or child(run, "rPr/shd") is not None
    )
