"""How much of real Word files survives import and export: python -m benches.docx [FOLDER] [--quick] [--only NAME]

FOLDER holds docx/, docx-memorias/, long-es/, long-ca/ and latex-multifile/ (by default ../shared/data). Five roads: the
file unchanged, one paragraph edited, one block edited in every section (tables and lists among them), one whole section
rendered anew, and the report poured into fabai's own template.
Words are those of LibreOffice's text, insertions accepted, deletions removed, list labels stripped; everything else is
counted in the XML. Findings of the validators (`make validators`) count where the original has none of their kind.
A table by file ends the roads: what each road lost of it, with the reasons of docx_reasons.toml. --quick takes every
eighth file. The last line is JSON.
LibreOffice's texts and the findings stay in out/bench-docx, so that a run that was cut short goes on where it was;
delete that folder where LibreOffice or a validator is another.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from benches.docx_measure import EDIT, Looks, measure, summary
from benches.docx_shape import shape
from benches.docx_text import Office, normalised
from benches.docx_valid import CUT, Validators, absent
from fabai.checks.pages import Laid
from fabai.errors import FabaiError
from fabai.formats.document import Document, DocumentSection
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.formats.libreoffice import to_pdf
from fabai.formats.media import picture_type
from fabai.formats.package import Package
from fabai.formats.read import read
from fabai.formats.sound import faults
from fabai.report import Report, Section

LONG = "memorias-cc0-unidas.docx"
CHESS = "MasterCloudApps-Projects__chess__memoria.docx"
_EVERY = 8
_MEMORY = Path("out/bench-docx")
_REASONS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("docx_reasons.toml").read_text(encoding="utf-8")
)
_TABLE = re.compile(r"[|+]|\s*-{3,} ")
_LIST = re.compile(r"(?:[-*+]|\d+[.)]) ")

Road = Callable[[Document], bytes]


def report_of(document: Document) -> tuple[Report, dict[str, DocumentSection]]:
    """The report that a `generic` project makes of a document."""
    sections = [
        Section(f"s{number}", one.heading, one.level, one.text, "imported")
        for number, one in enumerate(document.sections)
    ]
    sources = {f"s{number}": one for number, one in enumerate(document.sections)}
    return Report(document.title, document.language or "es", tuple(sections)), sources


def unchanged(document: Document) -> bytes:
    report, sources = report_of(document)
    return export_docx(report, sources=sources, original=document.original, media=document.media)


def one_paragraph(document: Document) -> bytes:
    """A word put into the paragraph in the middle of those that can take one."""
    report, sources = report_of(document)
    places = [
        (number, place)
        for number, section in enumerate(document.sections)
        for place, block in enumerate(section.blocks)
        if re.match(r"[^\W\d_]+ ", block.markdown)
    ]
    if not places:
        return unchanged(document)
    number, place = places[len(places) // 2]
    section = document.sections[number]
    first, rest = section.blocks[place].markdown.split(" ", 1)
    blocks = list(section.blocks)
    blocks[place] = replace(blocks[place], markdown=f"{first} {EDIT} {rest}")
    edited = replace(report.sections[number], text=replace(section, blocks=tuple(blocks)).text)
    return export_docx(report.with_section(edited), sources=sources, original=document.original, media=document.media)


def one_block_each(document: Document) -> bytes:
    """A word put into one block of every section: a table where the section has one, else by turns a list or a
    paragraph.
    """
    report, sources = report_of(document)
    for number, section in enumerate(document.sections):
        choices = {"table": [], "list": [], "text": []}  # type: dict[str, list[tuple[int, str]]]
        for place, block in enumerate(section.blocks):
            kind = "table" if _TABLE.match(block.markdown) else "list" if _LIST.match(block.markdown) else "text"
            edited = _edited(block.markdown, kind)
            if edited is not None:
                choices[kind].append((place, edited))
        kinds = ["table", *(("list", "text") if number % 2 else ("text", "list"))]
        found = next((choices[kind] for kind in kinds if choices[kind]), [])
        if found:
            place, markdown = found[len(found) // 2]
            blocks = list(section.blocks)
            blocks[place] = replace(blocks[place], markdown=markdown)
            text = replace(section, blocks=tuple(blocks)).text
            report = report.with_section(replace(report.sections[number], text=text))
    return export_docx(report, sources=sources, original=document.original, media=document.media)


def _edited(markdown: str, kind: str) -> str | None:
    """The block with the word of the edit in it, None where it cannot take one without more being changed."""
    if kind == "table":
        # room in a cell of a drawn table is taken from its padding, so that its lines still meet
        padded = re.search(rf"(?m)^(\|(?:.*?\|)? ?[^\W\d_]+)( {{{len(EDIT) + 2},}})(?=.*\|$)", markdown)
        if padded is not None:
            room = len(padded[2]) - len(EDIT) - 1
            return markdown[: padded.start(2)] + f" {EDIT}" + " " * room + markdown[padded.end(2) :]
        if re.match(r"(?s)\|[^\n]*\|\n\|[-: |]+\|", markdown):
            return (
                re.sub(r"(?m)\A(\| *[^\W\d_]+) ", rf"\1 {EDIT} ", markdown)
                if re.match(r"\| *[^\W\d_]+ ", markdown)
                else None
            )
        return None
    wanted = r"((?:[-*+]|\d+[.)]) +[^\W\d_]+) " if kind == "list" else r"([^\W\d_]+) "
    found = re.match(wanted, markdown)
    return None if found is None else f"{found[1]} {EDIT} {markdown[found.end() :]}"


def _otherwise(source: DocumentSection) -> DocumentSection:
    """A source whose every block read otherwise, so that every block of the section counts as changed."""
    blocks = (replace(one, markdown=f"{one.markdown}\n\n·") if one.markdown else one for one in source.blocks)
    return replace(source, blocks=tuple(blocks))


def one_section(document: Document) -> bytes:
    """The section in the middle rendered anew, every block of it."""
    report, sources = report_of(document)
    names = [name for name, source in sources.items() if source.text]
    if not names:
        return unchanged(document)
    name = names[len(names) // 2]
    pretended = {**sources, name: _otherwise(sources[name])}
    return export_docx(report, sources=pretended, original=document.original, media=document.media)


def every_section(document: Document) -> bytes:
    """Every block of every section rendered anew."""
    report, sources = report_of(document)
    pretended = {name: _otherwise(source) for name, source in sources.items()}
    return export_docx(report, sources=pretended, original=document.original, media=document.media)


def into_template(document: Document) -> bytes:
    report, sources = report_of(document)
    template = export_docx(Report("", report.language), sources={}, original=None, media={})
    return export_docx(report, sources=sources, original=document.original, media=document.media, template=template)


def fresh(document: Document) -> bytes:
    """All text rendered from Markdown into a new document, as a report that was never a Word file."""
    report, _ = report_of(document)
    return export_docx(report, sources={}, original=None, media=document.media)


ROADS: dict[str, Road] = {
    "unchanged": unchanged,
    "paragraph": one_paragraph,
    "blocks": one_block_each,
    "section": one_section,
    "template": into_template,
}


class Bench:
    """Files read once, their texts and shapes, and what each road makes of them."""

    def __init__(self, paths: Mapping[str, Path], office: Office, keep: Path | None = None) -> None:
        self.documents: dict[str, Document] = {}
        self.seconds: dict[str, float] = {}
        self._office, self._keep = office, keep
        for name, path in paths.items():
            start = time.process_time()
            try:
                self.documents[name] = read_docx(path)
            except FabaiError as error:
                print(f"not imported: {error}", flush=True)
            self.seconds[name] = time.process_time() - start
        self._originals = {name: paths[name].read_bytes() for name in self.documents}
        self._before = self._looks(self._originals)
        self._validators = Validators(_MEMORY)
        # what an import made of a file, its revisions accepted say, is what an export starts from
        starts = {name: one.original or self._originals[name] for name, one in self.documents.items()}
        self._found = self._validators.findings(starts)
        self.losses: dict[str, dict[str, str]] = {}
        """Road -> file -> what it lost, "" for nothing."""

    def _looks(self, files: Mapping[str, bytes]) -> dict[str, Looks]:
        bare = self._office.texts({name: normalised(data, labels=False) for name, data in files.items()})
        labelled = self._office.texts({name: normalised(data, labels=True) for name, data in files.items()})
        return {name: Looks(bare[name], labelled.get(name, ""), shape(files[name])) for name in bare}

    def road(self, road: str, export: Road) -> dict[str, Any]:
        """The summary of one road; every file that lost something is printed with what is left."""
        exported: dict[str, bytes] = {}
        for name, document in self.documents.items():
            try:
                exported[name] = export(document)
            except FabaiError as error:
                print(f"{road}: {name} is not exported: {error}", flush=True)
                continue
            if self._keep is not None:
                self._keep.mkdir(parents=True, exist_ok=True)
                (self._keep / f"{road}-{name}").with_suffix(".docx").write_bytes(exported[name])
        after = self._looks(exported)
        found = self._validators.findings(exported)
        measures = {}
        new = 0
        self.losses[road] = {}
        for name in self.documents:
            if name not in after or name not in self._before:
                self.losses[road][name] = "no text" if name in exported else "not exported"
                continue
            known = faults(self.documents[name].original or self._originals[name])
            measures[name] = measure(self._before[name], after[name], sum((faults(exported[name]) - known).values()))
            self.losses[road][name] = measures[name].lost
            findings = found[name] - self._found[name]
            if CUT in self._found[name]:
                # of two cut lists nobody can tell which finding is new
                findings = Counter({one: times for one, times in findings.items() if not one.startswith("sdk:")})
            new += bool(findings)
            for finding, times in findings.items():
                print(f"{road}: {name}: found anew {times} times: {finding}", flush=True)
        out = {**summary(measures, len(self.documents)), "files_with_new_findings": new}
        out["lost_with_reason"] = sum(
            bool(lost) and name in _REASONS.get(road, {}) for name, lost in self.losses[road].items()
        )
        out["files_whose_findings_are_cut"] = sum(CUT in one for one in found.values())
        print(f"{road}: {out}", flush=True)
        return out

    def table(self) -> None:
        """Print each file with what each road lost of it, and why that is right where it is."""
        for name in self.documents:
            told = []
            for road, lost in self.losses.items():
                reason = _REASONS.get(road, {}).get(name)
                if lost[name]:
                    told.append(f"{road}: {lost[name]}" + (f" ({reason})" if reason else ""))
            print(f"{name}: {'; '.join(told) or 'whole'}")

    def timed(self, name: str, export: Road) -> dict[str, Any]:
        """Seconds of processor time (pandoc's included) that an export takes, and what it keeps."""
        start = _processor()
        data = export(self.documents[name])
        seconds = _processor() - start
        after = self._looks({name: data})
        if name not in after or name not in self._before:
            return {"seconds": round(seconds, 2)}
        known = faults(self.documents[name].original or b"")
        found = measure(self._before[name], after[name], sum((faults(data) - known).values()))
        shares = ("words", "headings", "lists", "labels", "tables", "cells", "notes", "images")
        kept = {kind: share for kind in shares if (share := getattr(found, kind)) is not None}
        return {"seconds": round(seconds, 2), **{kind: round(share, 4) for kind, share in kept.items()}}


def _processor() -> float:
    import resource

    used = (resource.getrusage(one) for one in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def _import_seconds(path: Path) -> float:
    start = _processor()
    read_docx(path)
    return round(_processor() - start, 2)


def _pages(document: Document) -> dict[str, Any]:
    """The pages of a document made anew, whole and by section, and the processor seconds of laying out and counting."""
    report, _ = report_of(document)
    data = fresh(document)
    start = _processor()
    laid = Laid(report, Package(data), to_pdf(data))
    placed = sum(laid.length(index) is not None for index in range(len(report)))
    return {"pages": laid.pages, "sections": f"{placed}/{len(report)}", "seconds": round(_processor() - start, 2)}


def latex_pictures(folder: Path) -> str:
    """Pictures of a LaTeX report of many files that stand in its Word file, of those that its text shows.

    EPS does not count: Word shows none, and the export names it.
    """
    found = 0
    shown = 0
    for main in sorted(folder.glob("**/*.tex")):
        if b"\\begin{document}" not in main.read_bytes():
            continue
        document = read(main)
        images = shape(fresh(document))["images"]
        text = document.text
        names = [name for name, data in document.media.items() if name in text and picture_type(data) != "eps"]
        shown, found = shown + len(names), found + len(set(images))
    return f"{found}/{shown}"


def importable(folder: Path, only: str | None) -> dict[str, Path]:
    """The Word files by name."""
    found = [*sorted((folder / "docx").iterdir()), *sorted((folder / "docx-memorias").glob("*.docx"))]
    found += [*sorted((folder / "long-es").glob("*.docx")), *sorted((folder / "long-ca").glob("*.docx"))]
    return {path.name: path for path in found if only is None or only in path.name}


def main() -> None:
    parser = argparse.ArgumentParser(description="How much of real Word files survives import and export.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--quick", action="store_true", help=f"every {_EVERY}th file only")
    parser.add_argument("--only", help="files with this in their name")
    parser.add_argument("--road", choices=[*ROADS, "long"], action="append", help="only this road (may be repeated)")
    parser.add_argument("--keep", type=Path, help="write every exported file into this folder")
    arguments = parser.parse_args()
    paths = importable(arguments.folder, arguments.only)
    if arguments.quick:
        paths = {name: path for number, (name, path) in enumerate(paths.items()) if not number % _EVERY}
    wanted = arguments.road or [*ROADS, "long"]
    out: dict[str, Any] = {}
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="fabai-bench-") as place:
        office = Office(Path(place), _MEMORY)
        roads = {name: road for name, road in ROADS.items() if name in wanted}
        if roads:
            bench = Bench(paths, office, arguments.keep)
            out["files"] = len(bench.documents)
            out |= {name: bench.road(name, road) for name, road in roads.items()}
            bench.table()
        if "long" in wanted and arguments.only is None:
            out["long"] = _long(arguments.folder, office, arguments.keep)
            print(f"long: {out['long']}", flush=True)
        out["silent"] = len(set(office.silent))
    out["validators_absent"] = absent()
    out["seconds"] = round(time.perf_counter() - start)
    print(json.dumps(out, ensure_ascii=False))


def _long(folder: Path, office: Office, keep: Path | None) -> dict[str, Any]:
    path = folder / "long-es" / LONG
    bench = Bench({LONG: path, CHESS: folder / "docx-memorias" / CHESS}, office, keep)
    roads = {"unchanged": unchanged, "paragraph": one_paragraph, "every_section": every_section, "fresh": fresh}
    out: dict[str, Any] = {"import_seconds": _import_seconds(path)}
    out |= {name: bench.timed(LONG, road) for name, road in roads.items()}
    out["pages"] = _pages(bench.documents[LONG])
    images = shape(fresh(bench.documents[CHESS]))["images"]
    out["chess_images"] = f"{len(set(images))}/{len(bench.documents[CHESS].media)}"
    out["latex_images"] = latex_pictures(folder / "latex-multifile")
    return out


if __name__ == "__main__":
    main()
