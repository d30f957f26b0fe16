"""A Word file read into a Document: sections by its headings, each block of Markdown with the body children it came
from.

Knows the road: make the package inert and clean, mark every body child with a sentinel, let pandoc read it once, take
the marks
out of its tree. Does not know how Markdown is written (fabai.formats.sections) nor how a document is exported.
"""

from __future__ import annotations

import copy
import posixpath
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from fabai.errors import UnreadableFile
from fabai.formats import ast, headings, pandoc, sentinels
from fabai.formats.document import Block, Document, DocumentSection
from fabai.formats.grid import begin_merges, complete_rows
from fabai.formats.hidden import drop_hidden, drop_prompts
from fabai.formats.inert import make_inert
from fabai.formats.language import from_tag, guess
from fabai.formats.lean import drop_unread, drop_unused_styles
from fabai.formats.media import gather
from fabai.formats.package import Package, declare_formulas, to_bytes
from fabai.formats.restarts import join_lists
from fabai.formats.revisions import accept, drop_comments
from fabai.formats.sections import sections
from fabai.formats.styles import Styles
from fabai.formats.wordbody import heading_levels, open_controls, remove_first, styles_of, toc_children
from fabai.formats.wordml import Element, W, add, child, element, is_rule, squeezed, text_of, value
from fabai.report import Language
from fabai.settings import ReadingLimits

_TO_METADATA = ("title", "subtitle", "author", "date", "abstract", "abstract title")
"""Styles whose paragraphs pandoc takes out of the text."""


def read_docx(source: Path | bytes, limits: ReadingLimits = ReadingLimits()) -> Document:  # noqa: B008 - frozen
    """The Document of a .docx or .docm; UnreadableFile in one sentence where it cannot be read.

    `original` of the result is the package that `children` count in: revisions accepted, comments, hidden text,
    macros and
    whatever fetches from outside taken out, each with a sentence in `notices`.
    """
    name = "the file" if isinstance(source, bytes) else source.name
    package = Package(_bytes(source, limits), limits, name)
    notices = make_inert(package) + accept(package) + drop_comments(package)
    styles = styles_of(package)
    notices += drop_hidden(package, styles)
    open_controls(package, styles)
    _drop_marks(package)
    toc = toc_children(package.body, styles)
    levels = heading_levels(package.body, styles, toc)
    marked, prompts = _marked_copy(package, styles, toc, levels)
    if prompts:
        notices.append(f"the prompts of {prompts} unfilled field{'' if prompts == 1 else 's'} were left out")
    reading = pandoc.read(marked, "docx", limits)
    blocks, places = _blocks(reading.ast["blocks"], list(package.body), levels)
    blocks, gathered = gather(blocks, lambda target: _media(package, target))
    found = [_joined(section) for section in sections(blocks, limits, places)]
    found = _with_opaque(found, len(package.body), _ends_in_section(package.body))
    return Document(
        title=_title(package, styles) or next((one.heading for one in found if one.heading), ""),
        language=guess("\n".join(one.text for one in found)) or _tagged_language(package, styles),
        sections=tuple(found),
        media=gathered.media,
        original=package.save(),
        notices=(*notices, *gathered.notices, *reading.notices),
    )


def _bytes(source: Path | bytes, limits: ReadingLimits) -> bytes:
    if isinstance(source, bytes):
        return source
    try:
        if source.stat().st_size > limits.file_bytes:
            raise UnreadableFile(
                f"{source.name} is larger than {limits.file_bytes // 2**20} MiB; split it and try again"
            )
        return source.read_bytes()
    except FileNotFoundError:
        raise UnreadableFile(f"{source} does not exist") from None
    except OSError as error:
        raise UnreadableFile(f"{source} cannot be read: {error.strerror}") from None


def _drop_marks(package: Package) -> None:
    """Take out of the text what would be taken for marks of our own."""
    notes = (package.related(kind) for kind in ("footnotes", "endnotes"))
    for name in (package.document, *(one for one in notes if one is not None)):
        if any(sentinels.unmarked(one.text or "") != (one.text or "") for one in package.xml(name).iter(W + "t")):
            for one in package.edit(name).iter(W + "t"):
                one.text = sentinels.unmarked(one.text or "")


def _marked_copy(package: Package, styles: Styles, toc: set[int], levels: dict[int, int]) -> tuple[bytes, int]:
    """The package as pandoc shall see it: children marked, headings reduced to their mark, the table of contents
    gone.
    """
    root = copy.deepcopy(package.xml(package.document))
    prompts = drop_prompts(root)
    numbering = package.related("numbering")
    if numbering is not None:
        join_lists(root, package.xml(numbering), styles)
    body = root.find(W + "body")
    if body is None:
        raise UnreadableFile("the file has no document body; open it in Word and save it again")
    for index, one in enumerate(list(body)):
        if index in toc:
            body.remove(one)
            continue
        if index in levels:
            # pandoc would take a numbered heading for a list item, and one by outline level for text
            for inner in list(one):
                one.remove(inner)
            one.append(_run(sentinels.token(index)))
            continue
        if is_rule(one):
            # pandoc shows no lines; three hyphens alone in a paragraph are one
            one.append(_run("---"))
        for paragraph in one.iter(W + "p"):
            if styles.name(value(paragraph, "pPr/pStyle")) in _TO_METADATA:
                properties = child(paragraph, "pPr")
                if properties is not None:
                    remove_first(properties, "pStyle")
        sentinels.mark(one, index)
    complete_rows(root)
    begin_merges(root)
    drop_unread(root)
    declare_formulas(root)
    return package.save({package.document: to_bytes(root), **_lean_styles(package, root)}), prompts


def _lean_styles(package: Package, root: Element) -> dict[str, bytes]:
    """The style part with the styles that are used, none where the package has no styles."""
    part = package.related("styles")
    if part is None:
        return {}
    kinds = ("footnotes", "endnotes", "numbering")
    others = [package.xml(name) for kind in kinds if (name := package.related(kind)) is not None]
    used = copy.deepcopy(package.xml(part))
    drop_unused_styles(used, [root, *others])
    return {part: to_bytes(used)}


def _run(text: str) -> Element:
    run = element("r")
    add(run, "t").text = text
    return run


def _blocks(
    marked: Sequence[ast.Element], children: Sequence[Element], levels: dict[int, int]
) -> tuple[list[ast.Element], list[tuple[int, ...]]]:
    """pandoc's blocks without marks and with their headings, and the children of each.

    Where pandoc interleaves children of two blocks, the first takes the places of both, so that places never overlap.
    """
    blocks: list[ast.Element] = []
    places: list[set[int]] = []
    highest, owner = -1, -1
    for block in marked:
        numbers = set(sentinels.numbers(block))
        heading = next((one for one in numbers if one in levels), None)
        if heading is not None:
            words = squeezed(text_of(children[heading]))
            blocks.append({"t": "Header", "c": [levels[heading], ["", [], []], _words(words)]})
            places.append({heading})
            highest, owner = max(highest, heading), len(blocks) - 1
            continue
        bare = sentinels.without(block)
        if bare["t"] in ("Para", "Plain") and not bare["c"]:
            # what pandoc saw was the mark alone: a shape, or the anchor of a text box whose text follows
            continue
        if not numbers and _is_empty(bare):
            continue
        blocks.append(bare)
        fresh = {one for one in numbers if one > highest}
        places.append(fresh)
        if numbers - fresh and owner >= 0 and blocks[owner]["t"] != "Header":
            places[owner] |= fresh
            places[-1] = set()
        elif fresh:
            owner = len(blocks) - 1
        highest = max(highest, *fresh) if fresh else highest
    found = headings.recover(blocks)
    return found, [tuple(sorted(place)) for place in places]


def _is_empty(block: ast.Element) -> bool:
    """Whether a block shows nothing: an empty list item or quotation, whose element is kept as it is."""
    return not squeezed(ast.text(block)) and not any(one["t"] in ("Image", "Math", "Note") for one in ast.walk(block))


def _words(text: str) -> list[ast.Element]:
    inlines: list[ast.Element] = []
    for word in text.split(" "):
        inlines += [{"t": "Space"}, {"t": "Str", "c": word}]
    return inlines[1:]


def _joined(section: DocumentSection) -> DocumentSection:
    """A block without a place joined to the one before it: both came from the same children, so they change
    together.
    """
    blocks: list[Block] = []
    for block in section.blocks:
        if not block.children and blocks and blocks[-1].children:
            blocks[-1] = replace(blocks[-1], markdown=f"{blocks[-1].markdown}\n\n{block.markdown}")
        else:
            blocks.append(block)
    return replace(section, blocks=tuple(blocks))


def _with_opaque(found: list[DocumentSection], count: int, ends_in_section: bool) -> list[DocumentSection]:
    """The children that no block shows, as blocks without Markdown, in their places; those in front of all stay out."""
    claimed = {one for section in found for one in section.heading_children}
    claimed |= {one for section in found for block in section.blocks for one in block.children}
    starts = [_start(section) for section in found]
    out: list[DocumentSection] = []
    for index, section in enumerate(found):
        start = starts[index]
        if start is None:
            out.append(section)
            continue
        later = [one for one in starts[index + 1 :] if one is not None]
        end = later[0] if later else count - (1 if ends_in_section else 0)
        loose = [one for one in range(start, end) if one not in claimed]
        out.append(replace(section, blocks=_placed(section.blocks, loose)))
    return out


def _start(section: DocumentSection) -> int | None:
    places = [*section.heading_children, *(one for block in section.blocks for one in block.children)]
    return min(places) if places else None


def _placed(blocks: Sequence[Block], loose: list[int]) -> tuple[Block, ...]:
    out: list[Block] = []
    waiting = list(loose)
    for block in blocks:
        if block.children:
            before = [one for one in waiting if one < block.children[0]]
            within = [one for one in waiting if block.children[0] < one < block.children[-1]]
            waiting = [one for one in waiting if one not in before and one not in within]
            if before:
                out.append(Block("", tuple(before)))
        out.append(block)
    if waiting:
        out.append(Block("", tuple(waiting)))
    return tuple(out)


def _ends_in_section(body: Element) -> bool:
    return len(body) > 0 and body[-1].tag == W + "sectPr"


def _media(package: Package, target: str) -> bytes | None:
    """The picture that pandoc names `target`: it gives the relationship's target as written."""
    folder = posixpath.dirname(package.document)
    for name in (posixpath.normpath(posixpath.join(folder, target)), target.lstrip("/"), f"{folder}/{target}"):
        if package.has(name):
            return package.data(name)
    ending = posixpath.basename(target)
    part = next((one for one in package.names if posixpath.basename(one) == ending and "media" in one), None)
    return None if part is None else package.data(part)


def _title(package: Package, styles: Styles) -> str:
    for one in package.body:
        if one.tag == W + "p" and styles.name(value(one, "pPr/pStyle")) == "title" and squeezed(text_of(one)):
            return squeezed(text_of(one))
    part = next(
        (package.target("", one) for one in package.relations("") if "core-properties" in (one.get("Type") or "")), None
    )
    if part is None:
        return ""
    title = package.xml(part).find("{http://purl.org/dc/elements/1.1/}title")
    return "" if title is None else squeezed(title.text or "")


def _tagged_language(package: Package, styles: Styles) -> Language | None:
    """The language that the document is tagged with by default; None where it is none of ours."""
    part = package.related("styles")
    default = None if part is None else value(package.xml(part), "docDefaults/rPrDefault/rPr/lang")
    return from_tag(value(styles.get(styles.default("paragraph")), "rPr/lang") or default or "")
