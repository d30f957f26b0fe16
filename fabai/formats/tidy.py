"""Tidies pandoc's tree before it becomes section text: what Markdown cannot hold or a reader need not see goes, words
stay.

Knows pandoc's elements. Does not know headings, sections, media or where a tree came from.
"""

from __future__ import annotations

import re
from typing import Any

from fabai.formats import ast
from fabai.formats.ast import Element
from fabai.formats.dialect import xml_safe

_EMPHASIS = ("Strong", "Emph", "Underline", "Strikeout", "Superscript", "Subscript")
_WRAPPERS = (*_EMPHASIS, "SmallCaps")
_BLANKS = ("Space", "SoftBreak", "LineBreak")
_KEPT_CLASSES = frozenset({"underline", "mark"})
_CLEAN = re.compile(r"[^\x00-\x20\x7f\ud800-\udfff\ufffe\uffff]+")
_RULE = re.compile(r"(?:-{3,}|\*{3,}|_{3,})")
_CHANGED = frozenset(
    ["Str", "Para", "Plain", "Div", "Span", *_WRAPPERS, "SoftBreak", "RawInline", "RawBlock", "Image", "Link", "Figure",
     "Header", "Table", "Code", "CodeBlock", "Math", "Cite", "Note"]
)  # fmt: skip
"""Kinds that `_change` may change."""
SPACE: Element = {"t": "Space"}


def tidy(blocks: list[Element], *, linked: bool = True) -> list[Element]:
    """The same words in fewer kinds of elements. A block may become none or several. linked: whether there may be links
    to anchors of the document.
    """
    targets = link_targets(blocks) if linked else frozenset()
    return [block for one in blocks for block in tidy_block(one, targets)]


def tidy_block(block: Element, targets: frozenset[str]) -> list[Element]:
    """One top-level block tidied; `targets` are the anchors that links of the document point at."""
    tidied: list[Element] = ast.rewrite([block], lambda element: _change(element, targets), _CHANGED)
    return tidied


def link_targets(blocks: list[Element]) -> frozenset[str]:
    """The anchors that links inside the document point at, without '#'."""
    found = (element["c"][2][0] for element in ast.walk(blocks) if element["t"] == "Link")
    return frozenset(address[1:] for address in found if address.startswith("#"))


def _change(element: Element, targets: frozenset[str]) -> list[Element] | None:
    kind = element["t"]
    content: Any = element.get("c")
    if kind == "Str":
        return None if _CLEAN.fullmatch(content) else _words(content)
    if kind in ("Para", "Plain"):
        return _paragraph(kind, content)
    if kind == "Div":
        return _anchored(content[0][0], targets, content[1])
    if kind == "Span":
        return _span(content, targets)
    if kind in _WRAPPERS:
        return _emphasis(kind, content)
    if kind == "SoftBreak":
        return [SPACE]
    if kind in ("RawInline", "RawBlock"):
        return _raw(kind, content)
    if kind == "Image":
        return [_image(content, targets)]
    if kind == "Link":
        return _link(content)
    if kind == "Figure":
        return _figure(content, targets)
    if kind == "Header":
        return [{"t": "Header", "c": [content[0], [_id(content[1], targets), [], []], _inlines(content[2])]}]
    if kind == "Table":
        return [{"t": "Table", "c": [[_id(content[0], targets), [], []], *content[1:]]}]
    if kind in ("Code", "CodeBlock"):
        # two or more class names make attributes that no reader of a report needs; the language is the first
        classes = content[0][1][:1] if kind == "CodeBlock" else []
        return [{"t": kind, "c": [["", classes, []], xml_safe(content[1])]}]
    if kind == "Math":
        return [{"t": kind, "c": [content[0], xml_safe(content[1]).strip()]}] if content[1].strip() else []
    if kind == "Note" and not content:
        # written as Markdown it would take in the paragraph behind it
        return []
    if kind == "Cite" and not content[0]:
        return list(content[1])
    return None


def _id(attributes: list[Any], targets: frozenset[str]) -> str:
    return attributes[0] if attributes[0] in targets else ""


def _paragraph(kind: str, inlines: list[Element]) -> list[Element]:
    inlines = _inlines(inlines)
    if inlines and inlines[-1]["t"] == "Str" and inlines[-1]["c"].endswith("\u00a0"):
        # pandoc's tables drop a no-break space at the end of a cell
        bare = inlines[-1]["c"].rstrip("\u00a0")
        inlines = _inlines([*inlines[:-1], *([{"t": "Str", "c": bare}] if bare else [])])
    if not inlines:
        # an empty Plain is the empty cell or item that holds its place in a table or list
        return [{"t": "Plain", "c": []}] if kind == "Plain" else []
    if len(inlines) == 1:
        only = inlines[0]
        if only["t"] == "Str" and _RULE.fullmatch(only["c"]):
            return [{"t": "HorizontalRule"}]
        if only["t"] == "Image" and only["c"][1]:
            # a picture with words of its own alone in a paragraph or cell would come back as a captioned figure
            attributes, words, target = only["c"]
            pairs = [pair for pair in attributes[2] if pair[0] != "alt"]
            inlines = [{"t": "Image", "c": [[attributes[0], [], [*pairs, ["alt", ast.text(words)]]], [], target]}]
    return [{"t": kind, "c": inlines}]


def _inlines(inlines: list[Element]) -> list[Element]:
    """Without blanks at the ends or in a row, neighbours of one kind joined."""
    out: list[Element] = []
    for element in inlines:
        before = out[-1] if out else None
        if element["t"] in _BLANKS:
            if before is None:
                continue
            if before["t"] in _BLANKS:
                if element["t"] == "LineBreak":
                    out[-1] = element
                continue
            out.append(element)
        elif before is not None and element["t"] == "Str" == before["t"]:
            out[-1] = {"t": "Str", "c": before["c"] + element["c"]}
        elif before is not None and element["t"] in _EMPHASIS and before["t"] == element["t"]:
            out[-1] = {"t": element["t"], "c": _inlines([*before["c"], *element["c"]])}
        else:
            out.append(element)
    while out and out[-1]["t"] in _BLANKS:
        out.pop()
    return out


def _emphasis(kind: str, inner: list[Element]) -> list[Element]:
    leading = bool(inner) and inner[0]["t"] in _BLANKS
    trailing = bool(inner) and inner[-1]["t"] in _BLANKS
    inner = _inlines([one for part in inner for one in (part["c"] if part["t"] == kind else [part])])
    if not inner:
        return [SPACE] if leading or trailing else []
    bare = kind == "SmallCaps" or (kind in ("Superscript", "Subscript") and not ast.text(inner))
    core = inner if bare or _only_image(inner) else [{"t": kind, "c": inner}]
    return [*([SPACE] if leading else []), *core, *([SPACE] if trailing else [])]


def _only_image(inlines: list[Element]) -> bool:
    return all(element["t"] in ("Image", "LineBreak", "Note") for element in inlines)


def _span(content: list[Any], targets: frozenset[str]) -> list[Element]:
    (identifier, classes, pairs), inner = content
    classes = [name for name in classes if name in _KEPT_CLASSES]
    pairs = [pair for pair in pairs if pair[0] == "lang"]
    if inner and (classes or pairs):
        return [{"t": "Span", "c": [["", classes, pairs], inner]}]
    if identifier in targets:
        return [{"t": "Span", "c": [[identifier, [], []], inner]}]
    return list(inner)


def _anchored(identifier: str, targets: frozenset[str], blocks: list[Element]) -> list[Element]:
    """The blocks of a division, whose anchor moves to the first paragraph where something points at it."""
    if identifier not in targets or not blocks or blocks[0]["t"] not in ("Para", "Plain"):
        return blocks
    anchor: Element = {"t": "Span", "c": [[identifier, [], []], []]}
    return [{"t": blocks[0]["t"], "c": [anchor, *blocks[0]["c"]]}, *blocks[1:]]


def _words(value: str) -> list[Element]:
    """A Str with spaces, tabs or line ends in it as several; no-break spaces are part of a word."""
    value = xml_safe(value)
    if not re.search(r"[ \t\n]", value):
        return [{"t": "Str", "c": value}] if value else []
    out: list[Element] = []
    for piece in re.split(r"([ \t\n]+)", value):
        if piece:
            out.append(SPACE if piece.isspace() and piece.strip(" \t\n") == "" else {"t": "Str", "c": piece})
    return out


def _raw(kind: str, content: list[str]) -> list[Element]:
    if content[0].startswith("html") and re.fullmatch(r"<br\s*/?>", content[1].strip(), re.IGNORECASE):
        return [{"t": "LineBreak"}] if kind == "RawInline" else []
    return []


def _image(content: list[Any], targets: frozenset[str]) -> Element:
    (identifier, _, pairs), words, target = content
    pairs = [[key, value] for key, value in pairs if key in ("width", "height", "alt") and value]
    title = "" if target[1].startswith("fig:") else target[1]
    return {"t": "Image", "c": [[identifier if identifier in targets else "", [], pairs], words, [target[0], title]]}


def _link(content: list[Any]) -> list[Element]:
    _, words, target = content
    if not ast.text(words) and not any(one["t"] == "Image" for one in ast.walk(words)):
        return list(words)
    return [{"t": "Link", "c": [["", [], []], words, target]}]


def _figure(content: list[Any], targets: frozenset[str]) -> list[Element]:
    """A figure of one picture stays one; any other becomes its blocks and its caption as a paragraph."""
    (identifier, _, _), (_, caption), body = content
    words = _inlines([inline for block in caption for inline in _with_space(block)])
    inlines = body[0]["c"] if len(body) == 1 and body[0]["t"] in ("Plain", "Para") else []
    if len(inlines) == 1 and inlines[0]["t"] == "Image" and words:
        anchor = identifier if identifier in targets else ""
        image = inlines[0]["c"]
        alt = [] if ast.text(image[1]) == ast.text(words) else image[1]
        picture = {"t": "Image", "c": [["", [], image[0][2]], alt or words, image[2]]}
        return [{"t": "Figure", "c": [[anchor, [], []], [None, [{"t": "Plain", "c": words}]], [_plain(picture)]]}]
    blocks = [{"t": "Para", "c": one["c"]} if one["t"] == "Plain" else one for one in body]
    blocks = [block for one in blocks for block in (_paragraph("Para", one["c"]) if one["t"] == "Para" else [one])]
    if words:
        blocks.append({"t": "Para", "c": words})
    return _anchored(identifier, targets, blocks)


def _plain(inline: Element) -> Element:
    return {"t": "Plain", "c": [inline]}


def _with_space(block: Element) -> list[Element]:
    return [*block["c"], SPACE] if block["t"] in ("Plain", "Para") else []
