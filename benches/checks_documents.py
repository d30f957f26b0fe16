"""Real documents for benches/checks: those that the rules were tuned on, and others that nobody looked at meanwhile.

Tuned on: the Markdown, LaTeX and Word documents of the shared data. Unseen: its PDF files, and stretches of its running
text (text.tar.xz) of which no line stands in a document that was tuned on. What was read is kept under out/, and can be
packed into one file, for a machine that has not the data.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fabai.errors import FabaiError
from fabai.formats.read import read
from fabai.languages import identify
from fabai.report import LANGUAGES, Language

TUNED = ("calls-ca", "calls-es", "grants-en", "docx-memorias", "memorias-ca", "memorias-es")
RUNNING: dict[Language, tuple[str, ...]] = {
    "es": ("ministerio-universidades", "legalize-uy", "carpentries-es", "debian-handbook-es", "openstax-fisica-es"),
    "ca": ("calls-ca", "legalize-ad", "globalvoices-ca", "debian-handbook-ca", "kde-docs-ca"),
    "en": ("w3f-open-grants-program", "w3f-grant-milestone-delivery", "globalvoices-en", "debian-handbook-en"),
}
_LINES = 24
"""Lines of running text that make one section; four sections make a document."""
_MOST = 60
"""Documents made of one file of running text."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One document: its sections as heading, level and Markdown."""

    name: str
    language: Language
    sections: tuple[tuple[str, int, str], ...]


def tuned(shared: Path, kept: Path) -> list[Sample]:
    """The documents that the rules were tuned on."""
    return list(_read(_files(shared), shared, kept))


def unseen(shared: Path, kept: Path, seen: list[Sample]) -> list[Sample]:
    """Documents that nobody looked at while the rules were made."""
    pdfs = sorted((*(shared / "calls-es").glob("*.pdf"), *(shared / "pdf").glob("*.pdf")))
    lines = {line for one in seen for _, _, text in one.sections for line in text.split("\n") if len(line) > 40}
    return [*_read(pdfs, shared, kept), *_running(shared / "text.tar.xz", lines)]


def pack(documents: Mapping[str, list[Sample]], file: Path) -> None:
    """Write documents, by name of their kind, as compressed JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(file, "wt", encoding="utf-8") as stream:
        json.dump({kind: [asdict(one) for one in ones] for kind, ones in documents.items()}, stream, ensure_ascii=False)


def packed(file: Path) -> dict[str, list[Sample]]:
    """What `pack` wrote."""
    with lzma.open(file, "rt", encoding="utf-8") as stream:
        table = json.load(stream)
    return {
        kind: [Sample(one["name"], one["language"], _sections(one["sections"])) for one in ones]
        for kind, ones in table.items()
    }


def _files(shared: Path) -> Iterator[Path]:
    for folder in TUNED:
        for path in sorted((shared / folder).iterdir()):
            if path.is_dir():
                found = [*sorted(path.rglob("*.md")), *sorted(path.rglob("*.flat.tex")), *sorted(path.rglob("*.tex"))]
                yield from found[:1]
            elif path.suffix in (".md", ".tex", ".docx", ".odt"):
                yield path


def _read(paths: list[Path] | Iterator[Path], shared: Path, kept: Path) -> Iterator[Sample]:
    kept.mkdir(parents=True, exist_ok=True)
    for path in paths:
        name = str(path.relative_to(shared))
        file = kept / f"{hashlib.sha256(name.encode() + path.read_bytes()).hexdigest()[:24]}.json"
        if not file.exists():
            try:
                document = read(path)
                table = [document.language, [[one.heading, one.level, one.text] for one in document.sections]]
            except FabaiError:
                table = [None, []]
            file.write_text(json.dumps(table, ensure_ascii=False), encoding="utf-8")
        language, sections = json.loads(file.read_text(encoding="utf-8"))
        if language in LANGUAGES and sections:
            yield Sample(name, language, _sections(sections))


def _sections(rows: list[list[Any]]) -> tuple[tuple[str, int, str], ...]:
    return tuple((heading, level, text) for heading, level, text in rows)


def _running(archive: Path, seen: set[str]) -> Iterator[Sample]:
    with tarfile.open(archive) as tar:
        for language, names in RUNNING.items():
            for name in names:
                stream = tar.extractfile(f"text/{language}/{name}.txt")
                if stream is None:
                    continue
                lines = stream.read().decode("utf-8").split("\n")
                # the metadata in front of a web page is no text
                lines = [line for line in lines if line.strip() and not line.startswith("--- title:")]
                step = max(4 * _LINES, len(lines) // _MOST)
                for number, start in enumerate(range(0, len(lines), step)):
                    stretch = lines[start : start + 4 * _LINES]
                    if any(line in seen for line in stretch):
                        continue
                    parts = [stretch[at : at + _LINES] for at in range(0, len(stretch), _LINES)]
                    sections = tuple((f"Apartado {at}", 1, "\n\n".join(part)) for at, part in enumerate(parts, 1))
                    if identify(" ".join(stretch)) == language:
                        yield Sample(f"{name} {number}", language, sections)
