"""Reads Markdown files, and plain text, of any origin.

Knows what Markdown from the web looks like (HTML tags, metadata, notes numbered anew in each part). Does not know
other formats; `fabai.formats.dialect` says what the text becomes."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path

from fabai.formats import ast, pandoc
from fabai.formats.ast import Element
from fabai.formats.dialect import settle, xml_safe
from fabai.formats.encoding import decode
from fabai.formats.folder import Folder
from fabai.formats.parsed import Parsed
from fabai.settings import ReadingLimits

FOREIGN = (
    "markdown-raw_attribute-raw_tex-latex_macros-smart-example_lists-implicit_header_references-blank_before_header"
    "-blank_before_blockquote-pandoc_title_block+autolink_bare_uris"
)
"""pandoc's Markdown as people write it; HTML tags are seen, so that they can be taken out."""

_DEFINITION = re.compile(r"(?m)^\[\^([^\]\s]+)\]:")
_RAW = frozenset({"RawInline", "RawBlock"})
_IMG = re.compile(r"<img\b[^>]*?\bsrc\s*=\s*([\"'])(.*?)\1", re.IGNORECASE | re.DOTALL)
_ALT = re.compile(r"\balt\s*=\s*([\"'])(.*?)\1", re.IGNORECASE | re.DOTALL)
_NOTE = re.compile(r"\[\^([^\]\s]+)\](:?)")
_FENCED = re.compile(r"^ {0,3}(?:`{3,}|~{3,})")
_ITEM = re.compile(r"(?<=[^|\s])[ \t]*<li\b[^<>]*>[ \t]*", re.IGNORECASE)
_BLOCK_TAG = re.compile(r"[ \t]*</?(?:ul|ol|li|p|div|dl|dt|dd|h[1-6]|center)\b[^<>]*>[ \t]*", re.IGNORECASE)


def parse_markdown(data: bytes, path: Path, limits: ReadingLimits) -> Parsed:
    """The tree of a Markdown file; pictures are looked for in its folder."""
    text = settle(xml_safe(decode(data)))
    reading = pandoc.read(unique_notes(_cells(text)), FOREIGN, limits)
    blocks = ast.without_list_breaks(reading.ast["blocks"])
    return Parsed(
        ast.rewrite(blocks, _pictures, _RAW), reading.ast["meta"], Folder(path.parent, limits).find, reading.notices
    )


def _cells(text: str) -> str:
    """Without HTML's blocks in the cells of pipe tables, whose words pandoc drops; an item begins a line of its own."""
    if "<" not in text or "|" not in text:
        return text
    lines, fenced = text.split("\n"), False
    for number, line in enumerate(lines):
        fenced ^= _FENCED.match(line) is not None
        if not fenced and line.lstrip().startswith("|") and "<" in line:
            # tags that open what an item begins go first, so that no empty line stands in front of it
            line = re.sub(r"<(?:ul|ol)\b[^<>]*>\s*", "", line, flags=re.IGNORECASE)
            lines[number] = _BLOCK_TAG.sub(" ", _ITEM.sub("<br>", re.sub(r"</li>\s*", "", line, flags=re.IGNORECASE)))
    return "\n".join(lines)


def _pictures(element: Element) -> list[Element] | None:
    """HTML's <img> among Markdown as a picture of the document."""
    if element["t"] not in ("RawInline", "RawBlock") or not (match := _IMG.search(element["c"][1])):
        return None
    alt = _ALT.search(element["c"][1])
    words = [{"t": "Str", "c": html.unescape(alt[2])}] if alt and alt[2] else []
    image = {"t": "Image", "c": [["", [], []], words, [html.unescape(match[2]), ""]]}
    return [image] if element["t"] == "RawInline" else [{"t": "Para", "c": [image]}]


def parse_plain(data: bytes) -> Parsed:
    """The tree of a plain text: paragraphs between blank lines, every character as typed."""
    blocks: list[Element] = []
    for paragraph in re.split(r"\n[ \t]*\n", xml_safe(decode(data))):
        words = " ".join(paragraph.split())
        if words:
            blocks.append({"t": "Para", "c": [{"t": "Str", "c": words}]})
    return Parsed(blocks)


def unique_notes(text: str) -> str:
    """The text with each footnote mark used once: parts joined into one file number their notes anew, and a mark
    belongs to the next text that is given for it, else to the last."""
    counts: dict[str, int] = {}
    for match in _DEFINITION.finditer(text):
        counts[match[1]] = counts.get(match[1], 0) + 1
    repeated = {key for key, count in counts.items() if count > 1}
    if not repeated:
        return text
    return _NOTE.sub(_renamer(text, repeated, counts), text)


def _renamer(text: str, repeated: set[str], counts: dict[str, int]) -> Callable[[re.Match[str]], str]:
    passed: dict[str, int] = {}

    def rename(match: re.Match[str]) -> str:
        key = match[1]
        if key not in repeated:
            return match[0]
        defines = bool(match[2]) and (match.start() == 0 or text[match.start() - 1] == "\n")
        number = min(passed.get(key, 0), counts[key] - 1)
        if defines:
            passed[key] = passed.get(key, 0) + 1
        return f"[^{key}.{number}]{match[2]}"

    return rename
