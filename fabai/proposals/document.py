"""From a file to proposed facts, each with file hash and page, sheet and cell, or heading.

Knows which reader a file needs and where its facts stand in it. Does not know ledgers or who confirms.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from fabai.checks.planted import check_planted
from fabai.checks.tables import table
from fabai.formats.document import Document
from fabai.formats.sheet import Cell
from fabai.ledger import Origin
from fabai.ordinary import contents
from fabai.proposals.candidate import Candidate, told_apart
from fabai.proposals.grid import MOST_ROWS, GridCell, of_grid
from fabai.proposals.prose import of_text
from fabai.proposals.wording import source_of
from fabai.report import Language
from fabai.settings import ReadingLimits
from fabai.window.blocks import blocks

SHEETS = (".xlsx", ".xlsm", ".xls", ".ods", ".csv", ".tsv")
_LIMITS = ReadingLimits()
_PLANTED = 5
_MARKS = re.compile(r"[\W_]+")
_PROSE = ("paragraph", "list", "definition", "lines", "footnote")


@dataclass(frozen=True, slots=True)
class Found:
    """What a file proposes. notices: sentences for the person."""

    candidates: tuple[Candidate, ...]
    notices: tuple[str, ...] = ()


def propose(path: Path, language: Language, limits: ReadingLimits = _LIMITS) -> Found:
    """The facts that a file seems to state, in its order. UnreadableFile with one sentence where it cannot be read."""
    data = contents(path, limits.file_bytes, path.name)
    whole = Origin(path.name, sha256(data).hexdigest())
    if path.suffix.lower() in SHEETS:
        return _sheets(path, whole, language, limits)
    document, pages = _document(path, data, limits)
    notices = list(document.notices)
    if document.language not in (None, language):
        notices.append(f"{path.name} is in '{document.language}': its figures were read in that language")
    notices += [
        f"{path.name} gives orders to a model ('{one.quote}'): check whether it can be trusted"
        for one in itertools.islice(check_planted(document.text), _PLANTED)
    ]
    found = _of_document(document, whole, pages, document.language or language)
    return Found(tuple(told_apart(found, language)), tuple(notices))


def _document(path: Path, data: bytes, limits: ReadingLimits) -> tuple[Document, list[str]]:
    """The document, and the text of its pages where it is a PDF."""
    from fabai.formats.read import assemble, read

    if not data.startswith(b"%PDF"):
        return read(path, limits), []
    from fabai.formats.pdf import parse_pages
    from fabai.formats.pdf_process import extract
    from fabai.formats.pdf_scan import is_garbled, is_scanned, recognised

    notices: list[str] = []
    found = extract(data, path.name, limits)
    if is_scanned(found) or is_garbled(found):
        found, notice = recognised(data, path.name, limits)
        notices.append(notice)
    document = assemble(parse_pages(found, notices), path.stem, limits)
    return document, [_MARKS.sub("", " ".join(row.text for row in page.rows)).lower() for page in found.pages]


def _of_document(document: Document, whole: Origin, pages: Sequence[str], language: Language) -> Iterator[Candidate]:
    for section in document.sections:
        place = " ".join(section.heading.split())[:80]
        text = section.text
        for block in blocks(text):
            piece = text[block.start : block.end]
            if block.kind == "table":
                read = table(text, block.start, block.end)
                rows = [[GridCell(cell.plain) for cell in row] for row in read.rows] if read is not None else []
                heads = (
                    read.heads
                    if read is not None and any(cell.text for row in rows[: read.heads] for cell in row)
                    else None
                )
                found: Iterable[Candidate] = (one for one, _ in of_grid(rows, heads, language))
            elif block.kind in _PROSE:
                found = of_text(piece, language, place)
            else:
                continue
            for one in found:
                page = _page(one, pages)
                yield _sourced(one, replace(whole, place=place, page=page), language)


def _sheets(path: Path, whole: Origin, language: Language, limits: ReadingLimits) -> Found:
    from fabai.formats.sheet import read_sheets

    notices: list[str] = []
    found: list[Candidate] = []
    sheets = read_sheets(path, limits)
    for sheet in sheets:
        notices += sheet.notices
        if sheet.hidden:
            notices.append(f"sheet '{sheet.name}' of {path.name} is hidden and was not read: show it if it counts")
            continue
        hidden = sum(row.hidden for row in sheet.rows)
        if hidden:
            notices.append(f"{hidden} hidden rows of sheet '{sheet.name}' in {path.name} were not read")
        rows = [
            [
                GridCell(" ".join(one.text.split()), None if isinstance(one.value, str | bool) else one.value, one.ref)
                for one in row.cells
                if one.column not in sheet.hidden_columns
            ]
            for row in sheet.rows
            if not row.hidden
        ]
        if len(rows) > MOST_ROWS:
            notices.append(
                f"sheet '{sheet.name}' of {path.name} is a list of {len(rows)} rows: only its totals are proposed "
                "(fabai import PROJECT FILE --as expenses reads such lists)"
            )
        name = "" if path.suffix.lower() in (".csv", ".tsv") else sheet.name
        for block in _apart(rows):
            for one, where in of_grid(block, None, language):
                found.append(_sourced(one, replace(whole, sheet=name, cell=where), language))
    return Found(tuple(told_apart(found, language)), tuple(notices))


def _apart(rows: Sequence[Sequence[GridCell]]) -> Iterator[list[Sequence[GridCell]]]:
    """Tables that stand one below the other in a sheet, with a title or a gap between: a row of one cell parts them."""
    block: list[Sequence[GridCell]] = []
    last = 0
    for row in rows:
        number = int("".join(filter(str.isdigit, row[0].where)) or 0) if row else 0
        filled = sum(bool(cell.text) for cell in row)
        if block and (filled < 2 or number > last + 1):
            yield block
            block = []
        if filled >= 2:
            block.append(row)
        last = number
    if block:
        yield block


def _cell(one: Cell) -> GridCell:
    value = None if isinstance(one.value, str | bool) else one.value
    return GridCell(" ".join(one.text.split()), value, one.ref)


def _sourced(one: Candidate, origin: Origin, language: Language) -> Candidate:
    return replace(one, fact=replace(one.fact, origin=origin, source=source_of(origin, language)))


def _page(one: Candidate, pages: Sequence[str]) -> int | None:
    """The page, from 1, that holds the candidate's words; None where none or, by its value alone, several do."""
    value = _MARKS.sub("", one.fact.value).lower()
    words = _MARKS.sub("", one.context.rstrip("…")).lower()
    at = words.find(value)
    for reach in (60, 25):
        around = words[max(0, at - reach) : at + len(value) + reach] if at >= 0 else value
        found = [number for number, page in enumerate(pages, 1) if around in page]
        if len(found) == 1:
            return found[0]
    found = [number for number, page in enumerate(pages, 1) if value in page]
    return found[0] if len(found) == 1 else None
