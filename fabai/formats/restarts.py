"""Numbered lists that go on from one another, named as one list for a reader that counts each for itself.

Word counts all lists of one definition together: a paragraph after a list that began anew at 1 goes on from that one,
whatever list it belongs to by its style. Knows numPr and numbering.xml; only the copy that is read is changed.
"""

from __future__ import annotations

from fabai.formats.styles import Styles
from fabai.formats.wordml import (
    PARAGRAPH_ORDER,
    Element,
    W,
    add,
    child,
    element,
    insert_ordered,
    properties_of,
    value,
)


def join_lists(root: Element, numbering: Element, styles: Styles) -> None:
    """Give every numbered paragraph, in place, the list that its number goes on from."""
    lists = {one.get(W + "numId"): one for one in numbering.findall(W + "num")}
    definitions = {one.get(W + "abstractNumId"): one for one in numbering.findall(W + "abstractNum")}
    counting: dict[str | None, str] = {}
    seen: set[str] = set()
    for paragraph in root.iter(W + "p"):
        style = value(paragraph, "pPr/pStyle")
        number = value(paragraph, "pPr/numPr/numId") or _of_style(style, styles)
        found = lists.get(number)
        definition = definitions.get(value(found, "abstractNumId"))
        if number is None or definition is None or value(definition, "lvl/numFmt") == "bullet":
            continue
        if child(found, "lvlOverride/lvl") is not None:
            # with signs of its own
            continue
        key = definition.get(W + "abstractNumId")
        anew = number not in seen and child(found, "lvlOverride/startOverride") is not None
        seen.add(number)
        if anew:
            counting[key] = number
        going_on = counting.setdefault(key, number)
        if going_on != number:
            _set(paragraph, going_on, definition)


def _of_style(style: str | None, styles: Styles) -> str | None:
    return next((number for one in styles.chain(style) if (number := value(one, "pPr/numPr/numId"))), None)


def _set(paragraph: Element, number: str, definition: Element) -> None:
    own = child(paragraph, "pPr/numPr/numId")
    if own is not None:
        own.set(W + "val", number)
        return
    style = value(paragraph, "pPr/pStyle")
    levels = definition.findall(W + "lvl")
    level = next((one.get(W + "ilvl") for one in levels if value(one, "pStyle") == style), None)
    wanted = element("numPr")
    add(wanted, "ilvl", val=level or "0")
    add(wanted, "numId", val=number)
    insert_ordered(properties_of(paragraph), wanted, PARAGRAPH_ORDER)
