"""The text of a section as a reader sees it, which is what a limit counts.

Knows which Markdown leaves no trace on the page. Does not know limits.

Marks of bold, italics, links, headings, lists and tables do not count; nor do addresses behind links, numbers and
bullets of lists (the word processor makes them), marks of footnotes, and images. Captions and the text of footnotes do,
at the end of the section. Every paragraph, list item and table row is a line of its own, with a tab between cells.
Formulas count as their LaTeX source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from fabai.formats import pandoc

Node = dict[str, Any]

_NOTE = re.compile(r"(?m)^ {0,3}\[\^([^\]\s]+)\]:")


def plain(text: str) -> str:
    """The plain text of one section's Markdown, composed (NFC)."""
    return plains([text])[0]


def plains(texts: Sequence[str]) -> list[str]:
    """The plain text of each Markdown text; pandoc runs once for all of them, which is some hundred times faster."""
    found = [""] * len(texts)
    filled = [index for index, text in enumerate(texts) if text.strip()]
    if len(filled) > 1:
        parts = _together([texts[index] for index in filled])
        if parts is not None:
            for index, blocks in zip(filled, parts, strict=True):
                found[index] = _text(blocks)
            return found
    for index in filled:
        found[index] = _text(pandoc.to_json(texts[index], pandoc.MARKDOWN)["blocks"])
    return found


def _together(texts: Sequence[str]) -> list[list[Node]] | None:
    """The blocks of each text, read in one go; None where one swallows its neighbour (an open code fence, say)."""
    marked = []
    for index, text in enumerate(texts):
        for label in set(_NOTE.findall(text)):
            # two sections may both have a footnote 1
            text = text.replace(f"[^{label}]", f"[^{index}-{label}]")
        marked.append(f"\ue000{index}\ue001\n\n{text}")
    parts: list[list[Node]] = []
    for block in pandoc.to_json("\n\n".join(marked), pandoc.MARKDOWN)["blocks"]:
        if block["t"] == "Para" and block["c"] == [{"t": "Str", "c": f"\ue000{len(parts)}\ue001"}]:
            parts.append([])
        elif parts:
            parts[-1].append(block)
    return parts if len(parts) == len(texts) else None


def _text(blocks: Iterable[Node]) -> str:
    notes: list[list[Node]] = []
    lines = list(_lines(blocks, notes))
    # a note may hold notes
    for note in notes:
        lines.extend(_lines(note, notes))
    return unicodedata.normalize("NFC", "\n".join(line for line in lines if line.strip()))


def _lines(blocks: Iterable[Node], notes: list[list[Node]]) -> Iterator[str]:
    for block in blocks:
        kind, content = block["t"], cast(Any, block.get("c"))
        if kind in ("Para", "Plain"):
            yield _inlines(content, notes)
        elif kind == "Header":
            yield _inlines(content[2], notes)
        elif kind == "LineBlock":
            yield from (_inlines(line, notes) for line in content)
        elif kind == "CodeBlock":
            yield content[1]
        elif kind == "BlockQuote":
            yield from _lines(content, notes)
        elif kind == "BulletList":
            for item in content:
                yield from _lines(item, notes)
        elif kind == "OrderedList":
            for item in content[1]:
                yield from _lines(item, notes)
        elif kind == "DefinitionList":
            for term, definitions in content:
                yield _inlines(term, notes)
                for definition in definitions:
                    yield from _lines(definition, notes)
        elif kind == "Div":
            yield from _lines(content[1], notes)
        elif kind == "Figure":
            yield from _lines(content[1][1], notes)
        elif kind == "Table":
            yield from _table(content, notes)


def _table(content: list[Any], notes: list[list[Node]]) -> Iterator[str]:
    _, (_, caption), _, (_, head), bodies, (_, foot) = content
    yield from _lines(caption, notes)
    rows = [*head, *(row for _, _, first, rest in bodies for row in (*first, *rest)), *foot]
    for _, cells in rows:
        yield "\t".join(" ".join(_lines(blocks, notes)) for _, _, _, _, blocks in cells)


def _inlines(inlines: Iterable[Node], notes: list[list[Node]]) -> str:
    return "".join(_inline(inline, notes) for inline in inlines)


def _inline(inline: Node, notes: list[list[Node]]) -> str:
    kind, content = inline["t"], cast(Any, inline.get("c"))
    if kind == "Str":
        return str(content)
    if kind in ("Space", "SoftBreak"):
        return " "
    if kind == "LineBreak":
        return "\n"
    if kind in ("Code", "Math"):
        return str(content[1])
    if kind == "Note":
        notes.append(content)
        return ""
    if kind in ("Link", "Span", "Cite", "Quoted"):
        inner = _inlines(content[1], notes)
        if kind == "Quoted":
            mark = "'" if content[0]["t"] == "SingleQuote" else '"'
            return f"{mark}{inner}{mark}"
        return inner
    if kind in ("Emph", "Strong", "Underline", "Strikeout", "Superscript", "Subscript", "SmallCaps"):
        return _inlines(content, notes)
    return ""
