"""What a spreadsheet's package says about its sheets beside the values: hidden rows, merged cells, formulas, macros.

Knows the XML of .xlsx and .ods, read as bytes. Also the guard against a lone cell in the farthest corner, for which a
reader would set aside the whole sheet. Does not read values.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath

from lxml import etree

from fabai.errors import UnreadableFile
from fabai.formats.safety import parse_xml
from fabai.formats.sheet_safety import SheetKind
from fabai.settings import ReadingLimits

_P = rb"(?:\w+:)?"
_ROW = re.compile(rb"<" + _P + rb"row\b([^>]*)>")
_NUMBER = re.compile(rb'\br="(\d+)"')
_HIDDEN = re.compile(rb'\bhidden="(?:1|true)"')
_COLUMN = re.compile(rb"<" + _P + rb"col\b([^>]*)/?>")
_MERGED = re.compile(rb"<" + _P + rb'mergeCell\b[^>]*\bref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_CELL_COLUMN = re.compile(rb'\br="([A-Z]{1,3})\d')
_CELL_ROW = re.compile(rb' r="[A-Z]{0,3}(\d+)"')
_FORMULA = re.compile(rb"<" + _P + rb'c\b[^>]*?\br="([A-Z]{1,3}\d+)"[^>]*>\s*<' + _P + rb"f\b[^>]*?(?:/>|>([^<]*)</)")
_ODS_ROWS = re.compile(rb'number-rows-repeated="(\d+)"')
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_STRICT = "{http://purl.oclc.org/ooxml/officeDocument/relationships}id"


@dataclass(frozen=True, slots=True)
class Marks:
    """Of one sheet; rows from 1, columns from 0, formulas by cell."""

    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    merged: tuple[tuple[int, int, int, int], ...] = ()
    formulas: Mapping[str, str] = field(default_factory=dict)
    notices: tuple[str, ...] = ()


def marks_of(name: str, data: bytes, kind: SheetKind, limits: ReadingLimits) -> dict[str, Marks]:
    """The marks by sheet; nothing for kinds whose package is not XML."""
    if kind not in ("xlsx", "ods"):
        return {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if kind == "ods":
                _check_ods(name, archive.read("content.xml"), limits)
                return {}
            macros = any(part.lower().endswith("vbaproject.bin") for part in archive.namelist())
            notices = (f"{name} holds macros; they were not run and are not kept",) if macros else ()
            return {
                sheet: _marks(name, sheet, archive.read(part), limits, notices)
                for sheet, part in _parts(archive).items()
            }
    except (KeyError, etree.XMLSyntaxError) as error:
        raise UnreadableFile(
            f"{name} is damaged: a part is missing; open it in its program and save it again"
        ) from error


def _parts(archive: zipfile.ZipFile) -> dict[str, str]:
    """Sheet name -> its part, by the workbook's relations."""
    names = set(archive.namelist())
    book = next((one for one in ("xl/workbook.xml", "xl/Workbook.xml") if one in names), None)
    if book is None:
        return {}
    folder = dirname(book)
    relations = parse_xml(archive.read(f"{folder}/_rels/{book.rsplit('/', 1)[-1]}.rels"))
    targets = {one.get("Id"): one.get("Target") or "" for one in relations}
    found = {}
    for sheet in parse_xml(archive.read(book)).iter("{*}sheet"):
        target = targets.get(sheet.get(_RELATION) or sheet.get(_STRICT), "")
        part = target.lstrip("/") if target.startswith("/") else normpath(join(folder, target))
        if part in names and "sheet" in part.lower():
            found[sheet.get("name") or ""] = part
    return found


def _marks(file: str, sheet: str, data: bytes, limits: ReadingLimits, notices: tuple[str, ...]) -> Marks:
    hidden: set[int] = set()
    number = 0
    for match in _ROW.finditer(data):
        told = _NUMBER.search(match[1])
        number = int(told[1]) if told is not None else number + 1
        if _HIDDEN.search(match[1]):
            hidden.add(number)
    # the letters only: a sheet has few columns and many cells
    columns = max(map(_column, set(_CELL_COLUMN.findall(data))), default=0)
    last = data.rfind(b' r="')
    told = _CELL_ROW.match(data, last) if last >= 0 else None
    last_row = max(number, int(told[1]) if told is not None else 0)
    if last_row * columns > limits.cells:
        raise UnreadableFile(
            f"sheet '{sheet}' of {file} reaches to row {last_row:,} and column {columns:,}, with more cells than the "
            f"{limits.cells:,} that are read; delete the empty rows and columns around its table, or split it"
        )
    formulas: dict[str, str] = {}
    if b"f>" in data or b"f " in data or b"f/" in data:
        for match in _FORMULA.finditer(data):
            formulas[match[1].decode()] = "=" + html.unescape((match[2] or b"").decode("utf-8", "replace"))
    merged = tuple(
        (int(top), _column(left) - 1, int(bottom), _column(right) - 1)
        for left, top, right, bottom in _MERGED.findall(data)
    )
    return Marks(frozenset(hidden), _hidden_columns(data), merged, formulas, notices)


def _hidden_columns(data: bytes) -> frozenset[int]:
    found: set[int] = set()
    for match in _COLUMN.finditer(data):
        if _HIDDEN.search(match[1]):
            ends = [re.search(rb"\b" + one + rb'="(\d+)"', match[1]) for one in (b"min", b"max")]
            if ends[0] is not None and ends[1] is not None:
                found.update(range(int(ends[0][1]) - 1, min(int(ends[1][1]), 16_384)))
    return frozenset(found)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _check_ods(name: str, content: bytes, limits: ReadingLimits) -> None:
    """A filled row that is repeated a million times is no table; LibreOffice's own repeats are of empty rows."""
    for match in re.finditer(rb"<table:table-row\b([^>]*)>(.*?)</table:table-row>", content, re.DOTALL):
        repeated = _ODS_ROWS.search(match[1])
        filled = b"office:value" in match[2] or b"<text:p" in match[2]
        if filled and repeated is not None and int(repeated[1]) * match[2].count(b"<table:table-cell") > limits.cells:
            raise UnreadableFile(f"{name} repeats a row {int(repeated[1]):,} times; delete what stands below its table")
