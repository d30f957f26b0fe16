"""The only place that runs LibreOffice: to convert old Word files and to make PDFs, whose pages can be counted.

Knows how to run it without network, without macros, with a profile of its own for each call and a time limit. Does
not know what is in a document; without a way to cut the network it refuses files that name anything outside
themselves."""

from __future__ import annotations

import functools
import io
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from fabai.errors import MissingPart, UnreadableFile
from fabai.formats.program import run
from fabai.settings import ReadingLimits

INSTALL = (
    "apt-get install --no-install-recommends libreoffice-writer libreoffice-math fonts-liberation "
    "fonts-crosextra-carlito fonts-crosextra-caladea"
)
_LIMITS = ReadingLimits()
_ELSEWHERE = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    "C:/Program Files/LibreOffice/program/soffice.exe",
)
_ARCHIVAL = 'pdf:writer_pdf_Export:{"SelectPdfVersion":{"type":"long","value":"2"}}'
"""PDF/A-2b, which every administration takes and keeps."""
_FILTERS = {
    "pdf": "pdf:writer_pdf_Export",
    "pdfa": _ARCHIVAL,
    "docx": "docx:MS Word 2007 XML",
    "txt": "txt:Text (encoded):UTF8",
}
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel"
oor:op="fuse"><value>3</value></prop></item> <item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop
oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item> <item
oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks"
oor:op="fuse"><value>true</value></prop></item> <item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop
oor:name="Link" oor:op="fuse"><value>0</value></prop></item> </oor:items> """
_FIELDS = ("INCLUDEPICTURE", "INCLUDETEXT", "DDEAUTO", "\\*\\template", "\\objlink")
_RELATIONSHIP = re.compile(rb"<Relationship\b[^>]*TargetMode\s*=\s*[\"']External[\"'][^>]*>")
_OUTSIDE = re.compile(
    rb"xlink:href\s*=\s*[\"'](?:https?|ftp|file|smb):[^\"']*[\"'](?=[^>]*xlink:(?:show|actuate)=[\"'](?:embed|onLoad)[\"'])"
)


@functools.cache
def executable() -> str | None:
    """The path of LibreOffice, None where it is not installed."""
    found = shutil.which("soffice") or shutil.which("libreoffice")
    return found or next((path for path in _ELSEWHERE if Path(path).is_file()), None)


@functools.cache
def isolation() -> tuple[str, ...] | None:
    """The command in front that takes the network away, None where this machine has none that works."""
    for front in (
        ("unshare", "--net"),
        ("unshare", "--map-root-user", "--net"),
        ("bwrap", "--dev-bind", "/", "/", "--unshare-net"),
    ):
        if shutil.which(front[0]) is None:
            continue
        done = subprocess.run([*front, "true"], capture_output=True, check=False)  # noqa: S603 - fixed words
        if done.returncode == 0:
            return front
    return None


def convert(data: bytes, source: str, target: str, limits: ReadingLimits = _LIMITS) -> bytes:
    """A document in another format; `source` and `target` are endings without dot ("doc", "docx", "pdf", "txt"), or
    "pdfa" for a PDF/A-2b.

    MissingPart where LibreOffice is not installed, UnreadableFile where it fails or takes longer than the limit.
    """
    program = executable()
    if program is None:
        raise MissingPart(f"LibreOffice is needed for this and is not installed; install it: {INSTALL}")
    if target.startswith("pdf") and not draws_formulas(program) and has_formulas(data):
        raise MissingPart(
            "the document has formulas, and LibreOffice leaves them out without a sound where its part for them is not "
            "installed; install it: apt-get install libreoffice-math"
        )
    front = isolation()
    if front is None and links_out(data):
        raise UnreadableFile(
            "the file names pictures or templates outside itself and the network cannot be shut off on this machine; "
            "insert the pictures into the file (unlink them) and try again"
        )
    # it also wants a home and a folder for temporary files: all in one folder that goes when the call ends
    with tempfile.TemporaryDirectory(prefix="fabai-office-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "profile" / "user").mkdir(parents=True)
        (folder / "profile" / "user" / "registrymodifications.xcu").write_text(_SETTINGS, encoding="utf-8")
        document = folder / f"document.{source}"
        document.write_bytes(data)
        command = [
            *(front or ()),
            program,
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            *("--headless", "--norestore", "--nologo", "--nodefault", "--nofirststartwizard"),
            *("--convert-to", _FILTERS.get(target, target), "--outdir", str(folder / "out"), str(document)),
        ]
        _run(command, folder, limits.seconds)
        result = folder / "out" / f"document.{'pdf' if target == 'pdfa' else target}"
        if not result.is_file():
            raise UnreadableFile(
                "LibreOffice cannot open the file: it is damaged or protected by a password; "
                "open it in its own program and save it again"
            )
        return result.read_bytes()


def to_pdf(data: bytes, source: str = "docx", limits: ReadingLimits = _LIMITS) -> bytes:
    """The document as a PDF, as LibreOffice sets it with the fonts of this machine."""
    return convert(data, source, "pdf", limits)


def to_archival_pdf(data: bytes, source: str = "docx", limits: ReadingLimits = _LIMITS) -> bytes:
    """The document as a PDF/A-2b: fonts inside, nothing outside, the metadata that archives ask for."""
    return convert(data, source, "pdfa", limits)


def pages(pdf: bytes) -> int:
    """The number of pages of a PDF."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        return len(PdfReader(io.BytesIO(pdf)).pages)
    except (PyPdfError, ValueError, KeyError) as error:
        raise UnreadableFile(
            f"the pages of the PDF cannot be counted ({error}); open it in a viewer and print it anew"
        ) from None


def _run(command: Sequence[str], folder: Path, seconds: float) -> None:
    environment = {
        **{
            key: os.environ[key]
            for key in ("PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "SYSTEMROOT")
            if key in os.environ
        },
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
    }
    run(command, folder, seconds, "LibreOffice", "open the file in its program and save it again", environment)


@functools.cache
def draws_formulas(program: str) -> bool:
    """Whether this LibreOffice has its part for formulas; Debian ships it as a package of its own."""
    folder = Path(os.path.realpath(program)).parent
    return not (folder / "libswlo.so").exists() or (folder / "libsmlo.so").exists()


def has_formulas(data: bytes) -> bool:
    """Whether a Word file holds formulas."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        return False
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return any(
            b"<m:oMath" in archive.read(name)
            for name in archive.namelist()
            if name.startswith("word/") and name.endswith(".xml")
        )


def links_out(data: bytes) -> bool:
    """Whether a document names anything outside itself that a word processor would fetch when it opens it."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name in archive.namelist():
                if name.endswith(".rels") and any(
                    b"hyperlink" not in one for one in _RELATIONSHIP.findall(archive.read(name))
                ):
                    return True
                if name in ("content.xml", "styles.xml") and _OUTSIDE.search(archive.read(name)):
                    return True
        return False
    return any(field.encode(encoding) in data for field in _FIELDS for encoding in ("ascii", "utf-16-le"))
