"""Fields of a funder's template filled with what the report knows: content controls, form fields, marked places, and
the empty cell beside a label.

Knows how such fields look in Word. Does not know where the values come from; they go by folded names.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections.abc import Mapping, Sequence

from fabai.formats.package import Package
from fabai.formats.revisions import text_parts
from fabai.formats.wordml import (
    Element,
    W,
    add_text,
    child,
    element,
    holds_object,
    is_on,
    remove,
    squeezed,
    text_of,
    value,
)
from fabai.report import fold

_PLACE = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}|«([^«»\[\]]{2,60})»")
_LONGEST_LABEL = 80
_ENDING = re.compile(r"\s*(?:\([^)]*\))?\s*[:.]?\s*$")


def fill_controls(package: Package, values: Mapping[str, str]) -> tuple[int, list[str]]:
    """Fill, in place, what has a value of its name; returns how many were filled, and the names of those left empty.

    values: text by folded name. A prompt that stays unfilled loses its grey words: they must never be handed in.
    """
    filled = 0
    left: list[str] = []
    for name in text_parts(package):
        root = package.xml(name)
        if not _has_fields(root):
            continue
        root = package.edit(name)
        prompted = [one for control in list(root.iter(W + "sdt")) for one in _prompted(control)]
        for control in list(root.iter(W + "sdt")):
            filled += _fill_control(control, values, left)
        for paragraph in prompted:
            _drop_emptied(paragraph)
        filled += _fill_form_fields(root, values, left)
        filled += _fill_places(root, values, left)
        filled += _fill_cells(root, values)
    return filled, left


def _has_fields(root: Element) -> bool:
    return (
        next(root.iter(W + "sdt", W + "ffData", W + "tbl"), None) is not None
        or _PLACE.search("".join(one.text or "" for one in root.iter(W + "t"))) is not None
    )


def _fill_control(control: Element, values: Mapping[str, str], left: list[str]) -> bool:
    prompt = child(control, "sdtPr/showingPlcHdr")
    if not is_on(prompt) or prompt is None:
        return False
    names = [value(control, "sdtPr/alias") or "", value(control, "sdtPr/tag") or "", squeezed(text_of(control))]
    found = _value(names, values)
    content = child(control, "sdtContent")
    runs = (
        []
        if content is None
        else [run for run in content.iter(W + "r") if next(run.iterancestors(W + "sdt"), None) is control]
    )
    shown = [run for run in runs if run.find(W + "t") is not None]
    for run in shown[1:]:
        remove(run)
    if shown:
        _set_text(shown[0], found or "")
        style = child(shown[0], "rPr/rStyle")
        if style is not None:
            remove(style)
    remove(prompt)
    if found is None:
        left.append(next((one for one in names if one.strip()), "?"))
    return found is not None


def _prompted(control: Element) -> list[Element]:
    """The paragraphs that a prompt stands in."""
    if not is_on(child(control, "sdtPr/showingPlcHdr")):
        return []
    above = next(control.iterancestors(W + "p"), None)
    return list(control.iter(W + "p")) or ([] if above is None else [above])


def _drop_emptied(paragraph: Element) -> None:
    """Take out a paragraph that held nothing but a prompt, where another stays beside it: a bullet before nothing is
    no answer.
    """
    if squeezed(text_of(paragraph)) or holds_object(paragraph) or child(paragraph, "pPr/sectPr") is not None:
        return
    one = paragraph
    while (parent := one.getparent()) is not None:
        beside = (W + "p",) if parent.tag == W + "tc" else (W + "p", W + "tbl", W + "sdt")
        if any(other is not one and other.tag in beside for other in parent):
            parent.remove(one)
            return
        if parent.tag != W + "sdtContent" or (above := parent.getparent()) is None:
            return
        one = above


def _fill_form_fields(root: Element, values: Mapping[str, str], left: list[str]) -> int:
    """Fields of old forms: the text between a field's separator and its end."""
    filled = 0
    for data in list(root.iter(W + "ffData")):
        begin = next(data.iterancestors(W + "r"), None)
        if begin is None or child(data, "textInput") is None:
            continue
        runs = _result_runs(begin)
        now = squeezed("".join(text_of(run) for run in runs))
        if re.search(r"\w", now):
            continue
        names = [value(data, "name") or "", value(data, "statusText") or "", value(data, "helpText") or ""]
        found = _value(names, values)
        if found is None:
            left.append(next((one for one in names if one.strip()), "?"))
        elif runs:
            for run in runs[1:]:
                remove(run)
            _set_text(runs[0], found)
            filled += 1
    return filled


def _result_runs(begin: Element) -> list[Element]:
    out: list[Element] = []
    inside = False
    one = begin.getnext()
    while one is not None:
        mark = child(one, "fldChar")
        kind = None if mark is None else mark.get(W + "fldCharType")
        if kind == "end":
            return out
        if kind == "separate":
            inside = True
        elif inside and one.tag == W + "r":
            out.append(one)
        one = one.getnext()
    return []


def _fill_places(root: Element, values: Mapping[str, str], left: list[str]) -> int:
    """'{{title}}' and '«title»' in running text, also where Word cut them into several runs."""
    filled = 0
    for paragraph in root.iter(W + "p"):
        texts = [one for one in paragraph.iter(W + "t") if next(one.iterancestors(W + "p")) is paragraph]
        whole = "".join(one.text or "" for one in texts)
        for match in reversed(list(_PLACE.finditer(whole))):
            name = match[1] or match[2]
            found = _value([name], values)
            if found is None and match[1] is None:
                continue
            if found is None:
                left.append(name)
            filled += found is not None
            _replace(texts, match.start(), match.end(), found or "")
    return filled


def _replace(texts: Sequence[Element], start: int, end: int, new: str) -> None:
    position = 0
    for one in texts:
        text = one.text or ""
        first, last = max(start - position, 0), min(end - position, len(text))
        if first < last or (first == last == 0 and start == position):
            one.text = text[:first] + (new if start >= position else "") + text[last:]
            one.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        position += len(text)


def _fill_cells(root: Element, values: Mapping[str, str]) -> int:
    """The empty cell to the right of a cell that names a value."""
    filled = 0
    for row in root.iter(W + "tr"):
        cells = row.findall(W + "tc")
        for label, cell in itertools.pairwise(cells):
            words = squeezed(text_of(label))
            if not words or len(words) > _LONGEST_LABEL or squeezed(text_of(cell)) or holds_object(cell):
                continue
            found = _value([words], values)
            paragraph = cell.find(W + "p")
            if found is None or paragraph is None or next(cell.iter(W + "sdt", W + "fldChar"), None) is not None:
                continue
            run = element("r")
            model = child(paragraph, "pPr/rPr")
            if model is not None:
                run.append(copy.deepcopy(model))
            add_text(run, found)
            paragraph.append(run)
            filled += 1
    return filled


def _value(names: Sequence[str], values: Mapping[str, str]) -> str | None:
    for name in names:
        key = fold(_ENDING.sub("", name.replace("_", " ")))
        if key and values.get(key):
            return values[key]
    return None


def _set_text(run: Element, text: str) -> None:
    for one in list(run):
        if one.tag != W + "rPr":
            run.remove(one)
    add_text(run, text)
