"""What an element of the original leaves to the one that takes its place: breaks, marks, look, a heading's properties.

Knows single elements. Does not know sections or where elements go.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from fabai.formats import ast
from fabai.formats.look import Look
from fabai.formats.wordml import (
    Element,
    M,
    W,
    add,
    add_text,
    child,
    element,
    holds_object,
    note_marks,
    properties_of,
    remove,
    squeezed,
    text_of,
)

_NOTHING = tuple(W + name for name in ("r", "t", "proofErr", "lastRenderedPageBreak"))
_MARKS = (W + "bookmarkStart", W + "bookmarkEnd", W + "permStart", W + "permEnd")


def is_blank(one: Element) -> bool:
    if one.tag != W + "p" or child(one, "pPr/sectPr") is not None:
        return False
    content = [inner for run in one if run.tag != W + "pPr" for inner in run.iter()]
    return all(inner.tag in _NOTHING or _inside_properties(inner) for inner in content) and not squeezed(text_of(one))


def _inside_properties(one: Element) -> bool:
    return one.tag == W + "rPr" or next(one.iterancestors(W + "rPr"), None) is not None


def only_marks(one: Element) -> list[Element]:
    """What must outlive an element that goes: its page-section break, in an empty paragraph, or a bookmark between
    blocks.
    """
    if one.tag in _MARKS:
        return [one]
    section = child(one, "pPr/sectPr")
    if section is None:
        return []
    paragraph = element("p")
    add(paragraph, "pPr").append(copy.deepcopy(section))
    return [paragraph]


def keep_formulas(
    before: Sequence[ast.Element], now: Sequence[ast.Element], old: Sequence[Element], new: Sequence[Element]
) -> None:
    """Put the original's own formulas into the new elements, where none was edited: written anew from LaTeX they lose
    what LaTeX cannot say.
    """
    olds, news = ([one for top in some for one in top.iter(M + "oMath")] for some in (old, new))
    if olds and len(olds) == len(news) and _formulas(before) == _formulas(now):
        for one, other in zip(olds, news, strict=True):
            kept = copy.deepcopy(one)
            kept.tail = None
            other.addprevious(kept)
            remove(other)


def _formulas(trees: Sequence[ast.Element]) -> list[str]:
    return [one["c"][1] for one in ast.walk(list(trees)) if one["t"] == "Math"]


def keep_breaks(paragraph: Element, old: Element) -> None:
    if child(old, "pPr/pageBreakBefore") is not None:
        properties = properties_of(paragraph)
        place = 1 if child(properties, "pStyle") is not None else 0
        properties.insert(place, element("pageBreakBefore"))


def dress(one: Element, tree: ast.Element, look: Look) -> None:
    """Give new text the look of the text around it; lists, tables and the like keep their own shape."""
    plain = tree["t"] in ("Para", "Plain") and child(one, "pPr/pStyle") is None and child(one, "pPr/numPr") is None
    if one.tag == W + "p":
        look.dress(one, keep=not plain)
    else:
        for paragraph in one.iter(W + "p"):
            look.dress(paragraph, keep=True)


def renamed(old: Element, text: str) -> Element:
    """A heading with other words: its properties, marks and first run's look stay."""
    new = copy.deepcopy(old)
    calls = note_marks(new)
    runs = [run for run in new.iter(W + "r") if squeezed(text_of(run))]
    model = child(runs[0], "rPr") if runs else None
    for one in list(new):
        if one.tag not in (W + "pPr", W + "bookmarkStart", W + "bookmarkEnd") and not holds_object(one):
            new.remove(one)
    run = element("r")
    if model is not None:
        run.append(copy.deepcopy(model))
    add_text(run, text)
    place = next((index for index, one in enumerate(new) if one.tag == W + "bookmarkEnd"), len(new))
    new.insert(place, run)
    for call in reversed(calls):
        run.addnext(call)
    return new


def like_heading(paragraph: Element, model: Element) -> Element:
    """The paragraph with the properties of another heading, its own page-section break kept and not the model's."""
    properties = child(model, "pPr")
    section = child(paragraph, "pPr/sectPr")
    old = child(paragraph, "pPr")
    if old is not None:
        paragraph.remove(old)
    new = element("pPr") if properties is None else copy.deepcopy(properties)
    for one in new.findall(W + "sectPr"):
        new.remove(one)
    if section is not None:
        new.append(section)
    paragraph.insert(0, new)
    return paragraph


def copy_run_properties(run: Element, model: Element) -> None:
    source = next((one for one in model.iter(W + "r") if squeezed(text_of(one))), None)
    properties = child(source, "rPr")
    own = child(run, "rPr")
    if properties is not None:
        if own is not None:
            run.remove(own)
        run.insert(0, copy.deepcopy(properties))
