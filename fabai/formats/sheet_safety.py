"""What a spreadsheet file is by its content, and whether it can be opened without harm.

Knows signatures, passwords, zip and XML bombs. Does not know cells.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from pathlib import Path
from typing import Literal

from fabai.errors import UnreadableFile
from fabai.formats.safety import check_archive
from fabai.settings import ReadingLimits

SheetKind = Literal["xlsx", "xlsb", "ods", "xls", "csv"]

READABLE = ".xlsx, .xlsm, .xls, .ods and .csv"

_ENTITY = (b"<!ENTITY", "<!ENTITY".encode("utf-16-le"), "<!ENTITY".encode("utf-16-be"))
_PAGE = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|table|meta)\b", re.IGNORECASE)
_OLD_XML = b"urn:schemas-microsoft-com:office:spreadsheet"


def sheet_kind(path: Path, data: bytes, limits: ReadingLimits) -> SheetKind:
    """The kind of a file's content, whatever its name says; UnreadableFile with one sentence where it is none."""
    name = path.name
    if not data.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        raise UnreadableFile(f"{name} is empty")
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(name, data, limits)
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise protected(name)
        if "Workbook".encode("utf-16-le") in data or "Book".encode("utf-16-le") in data:
            return "xls"
        raise UnreadableFile(f"{name} is an old Office file but no spreadsheet; files that are read: {READABLE}")
    if data[:1024].lstrip().startswith(b"%PDF"):
        raise UnreadableFile(f"{name} is a PDF, not a spreadsheet; ask for the file that it was printed from")
    start = data[:4096]
    if _PAGE.match(start.removeprefix(b"\xef\xbb\xbf")) or _OLD_XML in start:
        raise UnreadableFile(
            f"{name} is a web page or XML that calls itself a spreadsheet; open it in Excel or LibreOffice and save it "
            "as .xlsx"
        )
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if not wide and data[:65_536].count(b"\x00") > len(data[:65_536]) // 1000:
        raise UnreadableFile(f"{name} is not a spreadsheet; files that are read: {READABLE}")
    return "csv"


def protected(name: str) -> UnreadableFile:
    return UnreadableFile(
        f"{name} is protected by a password: open it in its program, remove the password and save it again"
    )


def _zip_kind(name: str, data: bytes, limits: ReadingLimits) -> SheetKind:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_archive(name, archive, limits)
            names = set(archive.namelist())
            kind = _package_kind(name, archive, names)
            for entry in archive.infolist():
                if entry.filename.lower().endswith((".xml", ".rels")):
                    with archive.open(entry) as part:
                        # a document type stands in front of the first element or nowhere
                        if any(mark in part.read(65_536) for mark in _ENTITY):
                            raise UnreadableFile(
                                f"{name} declares XML entities, as no spreadsheet does; save it again in its program"
                            )
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, ValueError) as error:
        raise UnreadableFile(
            f"{name} is damaged or was cut off; get a whole copy, or open it in its program and save it again"
        ) from error
    return kind


def _package_kind(name: str, archive: zipfile.ZipFile, names: set[str]) -> SheetKind:
    if "mimetype" in names:
        mimetype = archive.read("mimetype").decode("ascii", "replace").strip()
        if mimetype.startswith("application/vnd.oasis.opendocument.spreadsheet"):
            if "META-INF/manifest.xml" in names and b"encryption-data" in archive.read("META-INF/manifest.xml"):
                raise protected(name)
            return "ods"
    if "xl/workbook.bin" in names:
        return "xlsb"
    if any(part.startswith("xl/") for part in names):
        return "xlsx"
    raise UnreadableFile(f"{name} is no spreadsheet; files that are read: {READABLE}")
