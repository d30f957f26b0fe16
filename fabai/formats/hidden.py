"""Text in a Word file that a person does not see: hidden text, and the grey prompts of empty content controls.

Knows `w:vanish` and `w:sdt`. Does not know Markdown.
"""

from __future__ import annotations

from fabai.formats.package import Package
from fabai.formats.revisions import text_parts
from fabai.formats.styles import Styles
from fabai.formats.wordml import Element, W, child, holds_object, is_on, remove, squeezed, text_of

_VISIBLE = tuple(W + name for name in ("t", "tab", "br", "cr", "sym", "noBreakHyphen", "drawing", "pict", "object"))
_FIELD = tuple(W + name for name in ("fldChar", "instrText"))


def drop_hidden(package: Package, styles: Styles) -> list[str]:
    """Take hidden runs and rows out in place; one sentence with the number of words, none where there was nothing."""
    words = 0
    for name in text_parts(package):
        root = package.xml(name)
        rows = [row for row in root.iter(W + "tr") if is_on(child(row, "trPr/hidden"))]
        runs = [
            run
            for paragraph in root.iter(W + "p")
            for run in paragraph.iter(W + "r")
            if next(run.iter(*_VISIBLE), None) is not None and styles.is_hidden(run, paragraph)
        ]
        if not rows and not runs:
            continue
        root = package.edit(name)
        for row in rows:
            table = row.getparent()
            if table is not None and len(table.findall(W + "tr")) > 1:
                words += len(text_of(row).split())
                remove(row)
        for run in runs:
            words += len(text_of(run).split())
            _drop_run(run)
    if not words:
        return []
    return [f"hidden text was left out ({words} word{'' if words == 1 else 's'}); make it visible in Word to keep it"]


def _drop_run(run: Element) -> None:
    paragraph = next(run.iterancestors(W + "p"), None)
    if next(run.iter(*_FIELD), None) is not None:
        for inner in list(run):
            if inner.tag in _VISIBLE:
                run.remove(inner)
    else:
        remove(run)
    if paragraph is None or squeezed(text_of(paragraph)) or holds_object(paragraph):
        return
    parent = paragraph.getparent()
    keeps = child(paragraph, "pPr/sectPr") is not None or next(paragraph.iter(*_FIELD), None) is not None
    # a cell, a note or a text box must still end in a paragraph
    if parent is not None and parent.tag == W + "body" and not keeps:
        for mark in paragraph.findall(W + "bookmarkStart") + paragraph.findall(W + "bookmarkEnd"):
            paragraph.addprevious(mark)
        remove(paragraph)


def drop_prompts(root: Element) -> int:
    """Empty, in place, the content controls that show only their prompt; returns how many there were.

    For the copy that is read: the kept package stays a form that can be filled in.
    """
    prompts = 0
    for control in root.iter(W + "sdt"):
        if not is_on(child(control, "sdtPr/showingPlcHdr")):
            continue
        said = False
        for text in list(control.iter(W + "t")):
            if next(text.iterancestors(W + "sdt")) is control:
                said = said or bool((text.text or "").strip())
                remove(text)
        prompts += said
    return prompts
