"""Questions that tests ask of Word files, in the words of the shared cases."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from lxml import etree

from fabai.formats.document import Document, DocumentSection
from fabai.formats.export import export_docx
from fabai.formats.read import read
from fabai.formats.sound import faults
from fabai.report import Language, Report, Section

CASES = Path(__file__).parents[1] / "data" / "cases"
NAMES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
}
W = f"{{{NAMES['w']}}}"
_SHOWN = {W + "tab": "\t", W + "br": "\n", W + "noBreakHyphen": "-"}


def case(slug: str, name: str) -> Path:
    """An input of a shared case."""
    return next(CASES.glob(f"{slug}-*")) / name


def report_of(document: Document, language: Language = "es") -> tuple[Report, dict[str, DocumentSection]]:
    """The report that a `generic` project makes of a document, and where its sections came from."""
    sections = tuple(
        Section(f"s{number}", one.heading, one.level, one.text, "imported")
        for number, one in enumerate(document.sections)
    )
    sources = {f"s{number}": one for number, one in enumerate(document.sections)}
    return Report(document.title, language, sections), sources


def exported(path: Path, language: Language = "es", template: bytes | None = None) -> bytes:
    """A file read and exported, checked for faults that its original did not have."""
    document = read(path)
    report, sources = report_of(document, language)
    data = export_docx(report, sources=sources, original=document.original, media=document.media, template=template)
    known = document.original if template is None else template
    check_sound(data, known)
    return data


def check_sound(data: bytes, original: bytes | None = None) -> None:
    """Fails on any structural fault that the original did not have."""
    new = faults(data)
    if original is not None:
        new -= faults(original)
    assert not new, list(new)


def with_text(report: Report, section_id: str, text: str) -> Report:
    """The report with another text in one section."""
    return report.with_section(replace(report.sections[report.index(section_id)], text=text))


def plain(document: Document) -> str:
    """All sections as plain text, spaces folded, Markdown's marks left out."""
    text = "\n".join(f"{one.heading}\n{one.text}" for one in document.sections)
    text = re.sub(r"\\(?=[.)$])", "", text)
    return squeezed(re.sub(r"[*|]|\\$|(?m:^[+:=-]+$)", " ", text))


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u00a0", " ")).strip()


def xml(data: bytes, part: str = "word/document.xml") -> etree._Element:
    return etree.fromstring(zipfile.ZipFile(io.BytesIO(data)).read(part))


def xpath(data: bytes, query: str, part: str = "word/document.xml") -> object:
    return xml(data, part).xpath(query, namespaces=NAMES)


def text(data: bytes, parts: str = "body") -> str:
    """The text of the body, or of "all" parts with running text."""
    zipped = zipfile.ZipFile(io.BytesIO(data))
    pattern = r"word/(document|header\d*|footer\d*|footnotes|endnotes)\.xml"
    names = (
        [name for name in zipped.namelist() if re.fullmatch(pattern, name)] if parts == "all" else ["word/document.xml"]
    )
    lines: list[str] = []
    for name in sorted(names):
        for paragraph in etree.fromstring(zipped.read(name)).iter(W + "p"):
            shown = (one.text or "" if one.tag == W + "t" else _SHOWN.get(str(one.tag), "") for one in paragraph.iter())
            lines.append("".join(shown))
    return squeezed("\n".join(lines))


def headings(document: Document) -> list[tuple[str, int]]:
    return [(one.heading, one.level) for one in document.sections]


def parts(data: bytes) -> Mapping[str, bytes]:
    zipped = zipfile.ZipFile(io.BytesIO(data))
    return {name: zipped.read(name) for name in zipped.namelist()}
