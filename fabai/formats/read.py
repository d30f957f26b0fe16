"""Reads a file of any supported kind into a Document.

Knows which reader belongs to which kind and what they have in common: headings recovered, pictures gathered, language
guessed. Does not know the formats themselves nor projects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fabai.errors import UnreadableFile
from fabai.formats import ast, headings, language, media, safety
from fabai.formats.document import Document, DocumentSection
from fabai.formats.parsed import Parsed
from fabai.formats.sections import sections
from fabai.settings import ReadingLimits

_LIMITS = ReadingLimits()


def read(path: Path, limits: ReadingLimits = _LIMITS) -> Document:
    """The Document in a file. UnreadableFile or MissingPart with one sentence where it cannot be read; nothing is
    fetched from the network, and of other files only those in the folder of a LaTeX, HTML or Markdown document."""
    path = Path(path)
    loaded = safety.load(path, limits)
    document = _read(loaded, limits)
    if not any(section.heading or section.text for section in document.sections):
        raise UnreadableFile(
            f"{path.name} holds no text; if it shows pages, they are pictures: export the text from its program"
        )
    return replace(document, notices=tuple(dict.fromkeys((*loaded.notices, *document.notices))))


def _read(loaded: safety.Loaded, limits: ReadingLimits) -> Document:
    kind = loaded.kind
    if kind == "docx":
        from fabai.formats.docx_in import read_docx

        return read_docx(loaded.data, limits)
    if kind in ("doc", "rtf"):
        return _read_old_word(loaded, limits)
    return assemble(_parse(loaded, limits), loaded.path.stem, limits)


def _parse(loaded: safety.Loaded, limits: ReadingLimits) -> Parsed:
    if loaded.kind == "pdf":
        from fabai.formats.pdf import parse_pdf

        return parse_pdf(loaded.data, loaded.path.name, limits)
    if loaded.kind == "odt":
        from fabai.formats.odt import parse_odt

        return parse_odt(loaded.data, limits)
    if loaded.kind == "html":
        from fabai.formats.html import parse_html

        return parse_html(loaded.data, loaded.path, limits)
    if loaded.kind == "latex":
        from fabai.formats.latex import parse_latex

        return parse_latex(loaded.path, loaded.data, limits)
    from fabai.formats.markdown import parse_markdown, parse_plain

    if loaded.kind == "plain":
        return parse_plain(loaded.data)
    return parse_markdown(loaded.data, loaded.path, limits)


def _read_old_word(loaded: safety.Loaded, limits: ReadingLimits) -> Document:
    from fabai.formats import libreoffice
    from fabai.formats.docx_in import read_docx

    converted = libreoffice.convert(loaded.data, loaded.kind, "docx", limits)
    document = read_docx(converted, limits)
    # the person's own file is not a Word package: what LibreOffice made of it is the original that an export keeps
    return replace(
        document,
        language=language.guess(_sample(document.sections)),
        notices=(f"{loaded.path.name} was converted by LibreOffice before reading", *document.notices),
    )


def assemble(parsed: Parsed, name: str, limits: ReadingLimits) -> Document:
    """A Document from a tree: title, language, sections, pictures. `name` is the title where the document gives
    none."""
    blocks = headings.recover(ast.flatten_divisions(parsed.blocks))
    blocks, pictures = media.gather(blocks, parsed.find)
    front = [block for key in ("subtitle", "author", "date", "abstract") for block in ast.meta_blocks(parsed.meta, key)]
    found = sections([*front, *blocks], limits)
    title = ast.text(parsed.meta.get("title")) or name
    return Document(
        title=title,
        # the words first: a template's tag stays English whatever is written into it
        language=language.guess(_sample(found)) or language.from_tag(ast.text(parsed.meta.get("lang"))),
        sections=found,
        media=pictures.media,
        notices=(*parsed.notices, *pictures.notices),
    )


def _sample(found: Sequence[DocumentSection]) -> str:
    return "\n".join(f"{section.heading}\n{section.text}" for section in found[:200])
