"""Markdown read fast: the plain blocks by themselves, only the rest by the ordinary reader.

What is plain stands in for the reader as one word, a run of blocks as well as a run of words in a block that is not
plain; the reader's sections get their text back afterwards. The result is that of `fabai.formats.read`, at a fraction
of its cost. Does not know which blocks are plain (`corpus.plain_blocks`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from fabai.formats import safety
from fabai.formats.dialect import settle, xml_safe
from fabai.formats.document import Block, Document, DocumentSection
from fabai.formats.encoding import decode
from fabai.formats.markdown import parse_markdown
from fabai.formats.read import assemble, read
from fabai.settings import ReadingLimits

from .plain_blocks import Piece, pieces

_BLOCK = re.compile(r"xqfabaib(\d+)qx")
_WORDS = re.compile(r"xqfabaiw(\d+)qx+")
_RUN = re.compile(r"(?<=[^\W\d_] )[^\W\d_]+(?:,? [^\W\d_]+){2,}(?= [^\W\d_])")
"""Words between words: nothing that stands inside can mean anything to a reader of Markdown. What stands in for them is
as long, because tables and bold lines are measured."""
_TABLE = re.compile(r"(?m)^\s*\|.*\||^\s*\+[-=]|-\|-|^\s*-{2,} +-{2,}")
_GRID = re.compile(r"(?m)^\s*\+[-=:]+\+")
_FRONT = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
"""Metadata, which are for the reader."""


def read_markdown(path: Path, limits: ReadingLimits) -> Document:
    """The Document of a Markdown file, as `fabai.formats.read.read` gives it but for its language and its pictures."""
    loaded = safety.load(path, limits)
    if loaded.kind != "markdown":
        return read(path, limits)
    text = settle(xml_safe(decode(loaded.data)))
    front = _FRONT.match(text)
    found = [] if "xqfabai" in text else pieces(text if front is None else text[front.end() :])
    if not any(piece.kind == "heading" for piece in found):
        # bold lines may be headings then
        return read(path, limits)
    short, texts = _shortened(found)
    if front is None and all(piece.text is not None for piece in found):
        return Document(path.stem, None, tuple(_sections(found)))
    short = short if front is None else f"{front[0]}\n{short}"
    document = assemble(parse_markdown(short.encode("utf-8", "replace"), path, limits), path.stem, limits)
    sections = [_restored(section, texts) for section in document.sections]
    if any(section is None for section in sections):
        return read(path, limits)
    return replace(document, sections=tuple(section for section in sections if section is not None))


def _shortened(found: list[Piece]) -> tuple[str, list[str]]:
    """The text with one word for each run of plain blocks, and what the words stand for."""
    parts: list[str] = []
    texts: list[str] = []
    run: list[str] = []
    gap = ""

    def kept(kind: str, text: str) -> str:
        token = f"xqfabai{kind}{len(texts)}qx"
        if kind == "w" and len(token) > len(text):
            return text
        texts.append(text)
        return token if kind == "b" else token.ljust(len(text), "x")

    for piece in [*found, Piece("other", "")]:
        if piece.text is not None and piece.kind != "heading":
            gap = gap if run else piece.gap
            run.append(piece.text)
            continue
        if run:
            parts += [gap, kept("b", "\n\n".join(run))]
            run = []
        whole = piece.kind == "heading" or _TABLE.search(piece.source)
        parts += [piece.gap, piece.source if whole else _RUN.sub(lambda match: kept("w", match[0]), piece.source)]
    return "".join(parts), texts


def _restored(section: DocumentSection, texts: list[str]) -> DocumentSection | None:
    """The section with its text, None where a word did not come back as a paragraph of its own."""
    blocks = []
    for block in section.blocks:
        match = _BLOCK.fullmatch(block.markdown)
        if match is None and (
            _BLOCK.search(block.markdown) or (_GRID.search(block.markdown) and "xqfabai" in block.markdown)
        ):
            # inside something else; or in a table whose cells are wrapped
            return None
        text = texts[int(match[1])] if match is not None else block.markdown
        blocks.append(replace(block, markdown=_WORDS.sub(lambda one: texts[int(one[1])], text)))
    return None if "xqfabai" in section.heading else replace(section, blocks=tuple(blocks))


def _sections(found: list[Piece]) -> list[DocumentSection]:
    made: list[tuple[str, int, list[Block]]] = [] if found[0].kind == "heading" else [("", 0, [])]
    for piece in found:
        if piece.kind == "heading":
            made.append((piece.text or "", piece.level, []))
        else:
            made[-1][2].append(Block(piece.text or ""))
    return [DocumentSection(heading, level, tuple(blocks)) for heading, level, blocks in made]
