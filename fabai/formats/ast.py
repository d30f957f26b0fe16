"""pandoc's JSON tree: walking it, its plain text, the small changes that make Markdown out of it stable.

Knows the shapes of pandoc's elements ({"t": name, "c": content}). Does not run pandoc and does not know sections.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from fabai.formats.dialect import LIST_BREAK

Element = dict[str, Any]

API_VERSION = [1, 23, 1]
_PLAIN_CODE = "fabai-plain-code"
_NBSP_LINE = re.compile(r"(?m)^([ >]*)&nbsp;$")
_FENCE = re.compile(r"(?m)^([ \t>]*`{3,}) ?" + _PLAIN_CODE + "$")
_SIGNS = re.compile(r"(\\|(?<![^\W_])@|&(?=#?\w+;))")
_DEFINES = re.compile(r"((?:[Tt]able)?)([:~])")
_LEAVES = frozenset({"Str", "Space", "SoftBreak", "LineBreak", "Code", "CodeBlock", "Math", "RawInline", "RawBlock"})
_LISTS = ("BulletList", "OrderedList")
_BOXES = ("\u2610", "\u2612")


def document(blocks: list[Element]) -> dict[str, Any]:
    """A whole tree around some blocks."""
    return {"pandoc-api-version": API_VERSION, "meta": {}, "blocks": blocks}


def walk(node: Any) -> Iterator[Element]:
    """Every element under a node in reading order, outer ones first."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            if "t" in one:
                yield one
                if one["t"] in _LEAVES:
                    continue
            waiting.extend(reversed(one.values()))


def rewrite(node: Any, change: Callable[[Element], list[Element] | None], kinds: frozenset[str] | None = None) -> Any:
    """A copy in which each element is replaced by what `change` gives (None: as it is), inner ones first. With
    `kinds`, only elements of those kinds are offered."""
    if isinstance(node, list):
        out: list[Any] = []
        for value in node:
            if not (isinstance(value, dict) and "t" in value):
                out.append(rewrite(value, change, kinds) if isinstance(value, list | dict) else value)
                continue
            kind = value["t"]
            if kind not in _LEAVES:
                value = {"t": kind, "c": rewrite(value["c"], change, kinds)} if "c" in value else value
            new = change(value) if kinds is None or kind in kinds else None
            if new is None:
                out.append(value)
            else:
                out.extend(new)
        return out
    if isinstance(node, dict):
        return {key: rewrite(value, change, kinds) for key, value in node.items()}
    return node


def joined(node: Any) -> Any:
    """A copy in which words and the spaces between them are one Str: the same text for a writer, in a quarter of the
    JSON. The box of a task keeps to itself, because writers look for it at the start of an item."""
    if isinstance(node, dict):
        return {key: joined(value) if isinstance(value, list | dict) else value for key, value in node.items()}
    if not isinstance(node, list):
        return node
    out: list[Any] = []
    words: list[str] = []
    for value in node:
        kind = value.get("t") if isinstance(value, dict) else None
        if kind == "Space" and (words or (out and out[-1].get("c") not in _BOXES)):
            words.append(" ")
            continue
        if kind == "Str" and value["c"] not in _BOXES:
            words.append(value["c"])
            continue
        if words:
            out.append({"t": "Str", "c": "".join(words)})
            words = []
        out.append(joined(value) if isinstance(value, list | dict) else value)
    if words:
        out.append({"t": "Str", "c": "".join(words)})
    return out


def text(node: Any) -> str:
    """The words of a node as plain text; notes and images' addresses are left out."""
    pieces: list[str] = []
    _collect(node, pieces)
    return re.sub(r"[ \t\n]+", " ", "".join(pieces)).strip()


def _collect(node: Any, pieces: list[str]) -> None:
    if isinstance(node, list):
        for value in node:
            # what most of a text is, without another call
            kind = value.get("t") if isinstance(value, dict) else None
            if kind == "Str":
                pieces.append(value["c"])
            elif kind == "Space":
                pieces.append(" ")
            else:
                _collect(value, pieces)
        return
    if not isinstance(node, dict):
        return
    kind = node.get("t")
    content: Any = node.get("c")
    if kind == "Str":
        pieces.append(content)
    elif kind in ("Space", "SoftBreak", "LineBreak"):
        pieces.append(" ")
    elif kind in ("Code", "Math", "CodeBlock", "RawInline"):
        pieces.append(content[1])
    elif kind == "MetaString":
        pieces.append(content)
    elif kind == "Cite":
        _collect(content[1], pieces)
    elif kind == "Quoted":
        mark = "'" if content[0]["t"] == "SingleQuote" else '"'
        pieces.append(mark)
        _collect(content[1], pieces)
        pieces.append(mark)
    elif kind not in ("Note", "RawBlock"):
        _collect(content, pieces)
        if kind in ("Para", "Plain", "Header", "LineBlock"):
            pieces.append(" ")


def is_list(block: Element) -> bool:
    return block["t"] in _LISTS


def flatten_divisions(blocks: list[Element]) -> list[Element]:
    """The blocks with those of divisions in their place, so that a heading inside one is a heading of the document. A
    division whose anchor matters keeps to itself where it holds no heading."""
    out: list[Element] = []
    for block in blocks:
        if block["t"] == "Div" and (not block["c"][0][0] or any(one["t"] == "Header" for one in walk(block["c"][1]))):
            out.extend(flatten_divisions(block["c"][1]))
        else:
            out.append(block)
    return out


def meta_blocks(meta: dict[str, Element], key: str) -> list[Element]:
    """A value of the tree's metadata as paragraphs."""
    return _as_blocks(meta[key]) if key in meta else []


def _as_blocks(value: Element) -> list[Element]:
    kind, content = value["t"], value["c"]
    if kind == "MetaBlocks":
        return list(content)
    if kind == "MetaInlines":
        return [{"t": "Para", "c": content}]
    if kind == "MetaList":
        return [block for item in content for block in _as_blocks(item)]
    if kind == "MetaString":
        return [{"t": "Para", "c": [{"t": "Str", "c": content}]}] if content else []
    return []


def without_list_breaks(blocks: list[Element]) -> list[Element]:
    """The blocks without the empty paragraphs that `settle` wrote for LIST_BREAK."""

    def change(block: Element) -> list[Element] | None:
        inlines = block["c"]
        marked = len(inlines) == 1 and inlines[0]["t"] == "Span" and inlines[0]["c"][0][1] == ["list-break"]
        return [] if marked else None

    kept: list[Element] = rewrite(blocks, change, frozenset({"Para", "Plain"}))
    return kept


def for_writer(blocks: list[Element]) -> list[Element]:
    """The blocks as pandoc's Markdown writer renders them rightly.

    Plain code blocks are marked, so that they are fenced: indented code after a list would join the list. The rest is
    what the writer (3.9) forgets to escape.
    """

    def change(element: Element) -> list[Element] | None:
        if element["t"] == "Str":
            return _split_signs(element["c"])
        if element["t"] in ("Para", "Plain"):
            return _escape_start(element)
        if element["c"][0] == ["", [], []]:
            return [{"t": "CodeBlock", "c": [["", [_PLAIN_CODE], []], element["c"][1]]}]
        return None

    changed: list[Element] = rewrite(blocks, change, frozenset({"CodeBlock", "Str", "Para", "Plain"}))
    return changed


def _split_signs(word: str) -> list[Element] | None:
    """The word with backslashes as words of their own (within one, the writer drops the sign after it) and with the
    signs that would begin a citation or an entity escaped."""
    if not _SIGNS.search(word):
        return None
    parts = [part for part in _SIGNS.split(word) if part]
    return [_raw(f"\\{part}") if part in ("@", "&") else {"t": "Str", "c": part} for part in parts]


def _raw(markdown: str) -> Element:
    return {"t": "RawInline", "c": ["markdown", markdown]}


def _escape_start(paragraph: Element) -> list[Element] | None:
    """The paragraph with a backslash before the colon or tilde that would make a definition or a caption of it."""
    first = paragraph["c"][0] if paragraph["c"] else {"t": ""}
    if first["t"] != "Str" or not (match := _DEFINES.match(first["c"])):
        return None
    rest = first["c"][match.end() :]
    raw = _raw(f"{match[1]}\\{match[2]}")
    return [{"t": paragraph["t"], "c": [raw, *([{"t": "Str", "c": rest}] if rest else []), *paragraph["c"][1:]]}]


def finish_markdown(markdown: str) -> str:
    """What the writer gave, with the mark of `for_writer` gone and its list separators as LIST_BREAK."""
    return _NBSP_LINE.sub(rf"\1{LIST_BREAK}", _FENCE.sub(r"\1", markdown))
