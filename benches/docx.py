"""How much of real Word files survives import and export: python -m benches.docx [FOLDER] [--only NAME] [--road ROAD]

FOLDER holds docx/, docx-memorias/, long-es/ and long-ca/ (by default ../shared/data).
Four roads: the file unchanged, one paragraph edited, one whole section rendered anew, and the report poured into a bare
template. Words are those of LibreOffice's text, insertions accepted, deletions removed, list labels stripped;
everything else is counted in the XML. The last line is JSON.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import posixpath
import re
import subprocess
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lxml import etree

from fabai.errors import FabaiError
from fabai.formats.document import Document, DocumentSection
from fabai.formats.docx_in import read_docx
from fabai.formats.export import export_docx
from fabai.formats.sound import faults
from fabai.formats.strict import transitional
from fabai.formats.wordml import MC, VML, A, Element, R, W, child, remove, squeezed, text_of, unwrap, value
from fabai.report import Report, Section

EDIT = "EDITADO"
ENOUGH = 0.995
BATCH = 20
_WORD = re.compile(r"\w+")

Road = Callable[[Document], bytes | None]


@dataclass
class Measure:
    """Shares kept on one road for one file, from 0 to 1; None where the original has none of the kind."""

    words: float
    extra: float
    headings: float | None
    labels: float | None
    cells: float | None
    notes: float | None
    images: float | None
    landscape: bool | None
    sections: bool | None
    faults: int

    @property
    def whole(self) -> bool:
        shares = (self.headings, self.notes, self.images)
        most = (self.labels, self.cells)
        return (
            self.words >= ENOUGH
            and self.extra >= ENOUGH
            and all(one is None or one == 1 for one in shares)
            and all(one is None or one >= ENOUGH for one in most)
            and self.landscape is not False
            and self.faults == 0
        )


def report_of(document: Document) -> tuple[Report, dict[str, DocumentSection]]:
    """The report that a `generic` project makes of a document."""
    sections = [
        Section(f"s{number}", one.heading, one.level, one.text, "imported")
        for number, one in enumerate(document.sections)
    ]
    sources = {f"s{number}": one for number, one in enumerate(document.sections)}
    return Report(document.title, document.language or "es", tuple(sections)), sources


def unchanged(document: Document) -> bytes | None:
    report, sources = report_of(document)
    return export_docx(report, sources=sources, original=document.original, media=document.media)


def one_paragraph(document: Document) -> bytes | None:
    """A word put into the paragraph in the middle of those that can take one."""
    report, sources = report_of(document)
    places = [
        (number, place)
        for number, section in enumerate(document.sections)
        for place, block in enumerate(section.blocks)
        if re.match(r"[^\W\d_]", block.markdown) and " " in block.markdown and "\n" not in block.markdown
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


def one_section(document: Document) -> bytes | None:
    """The section in the middle rendered anew, every block of it, by pretending that its source read otherwise."""
    report, sources = report_of(document)
    names = [name for name, source in sources.items() if source.text]
    if not names:
        return unchanged(document)
    name = names[len(names) // 2]
    blocks = tuple(
        replace(block, markdown=f"{block.markdown} ·") if block.markdown else block for block in sources[name].blocks
    )
    pretended = {**sources, name: replace(sources[name], blocks=blocks)}
    return export_docx(report, sources=pretended, original=document.original, media=document.media)


def into_template(document: Document) -> bytes | None:
    report, sources = report_of(document)
    template = export_docx(Report("", report.language), sources={}, original=None, media={})
    return export_docx(report, sources=sources, original=document.original, media=document.media, template=template)


ROADS: dict[str, Road] = {
    "unchanged": unchanged,
    "paragraph": one_paragraph,
    "section": one_section,
    "template": into_template,
}


def importable(folder: Path, only: str | None) -> dict[str, Path]:
    """The Word files by a short name."""
    found = [*sorted((folder / "docx").iterdir()), *sorted((folder / "docx-memorias").glob("*.docx"))]
    found += [*sorted((folder / "long-es").glob("*.docx")), *sorted((folder / "long-ca").glob("*.docx"))]
    return {f"{number:03d}": path for number, path in enumerate(found) if only is None or only in path.name}


def accepted(root: Element) -> Element:
    """Revisions accepted in the plainest way, independently of fabai's own."""
    for tag in ("del", "moveFrom"):
        for one in list(root.iter(W + tag)):
            holder = one.getparent()
            row = None if holder is None or holder.tag != W + "trPr" else holder.getparent()
            remove(one if row is None else row)
    for tag in ("ins", "moveTo"):
        for one in list(root.iter(W + tag)):
            holder = one.getparent()
            if holder is not None and holder.tag in (W + "rPr", W + "trPr", W + "numPr"):
                remove(one)
            else:
                unwrap(one)
    for tag in ("rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "tcPrChange", "trPrChange", "cellDel"):
        for one in list(root.iter(W + tag)):
            remove(one)
    for tag in ("commentReference", "commentRangeStart", "commentRangeEnd"):
        for one in list(root.iter(W + tag)):
            remove(one)
    return root


def _parse(data: bytes) -> Element:
    return etree.fromstring(transitional(data), etree.XMLParser(huge_tree=True, recover=True, resolve_entities=False))


def _main_part(zipped: zipfile.ZipFile) -> str:
    for one in _parse(zipped.read("_rels/.rels")):
        if (one.get("Type") or "").endswith("/officeDocument"):
            return (one.get("Target") or "").lstrip("/")
    return "word/document.xml"


def normalised(data: bytes, labels: bool) -> bytes:
    """The file with revisions accepted and, unless `labels`, without list numbers: what LibreOffice's text is taken
    from.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as zipped, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
        main = _main_part(zipped)
        for name in dict.fromkeys(zipped.namelist()):
            part = zipped.read(name)
            if name == main or re.search(r"(styles|footnotes|endnotes)\d*\.xml$", name):
                root = accepted(_parse(part))
                if not labels:
                    for one in list(root.iter(W + "numPr")):
                        remove(one)
                part = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
            written.writestr(name, part)
    return out.getvalue()


def texts(files: dict[str, bytes], folder: Path) -> dict[str, str]:
    """LibreOffice's text of each file, many in one process; a file that stops it is tried alone."""
    source, target = folder / "in", folder / "out"
    for one in (source, target):
        one.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (source / f"{name}.docx").write_bytes(data)
    names = list(files)
    for start in range(0, len(names), BATCH):
        batch = names[start : start + BATCH]
        _convert([source / f"{name}.docx" for name in batch], target, folder / "profile", 20 + 8 * len(batch))
        for name in batch:
            if not (target / f"{name}.txt").exists():
                _convert([source / f"{name}.docx"], target, folder / "profile", 60)
    return {
        name: (target / f"{name}.txt").read_text("utf-8-sig", "replace")
        for name in names
        if (target / f"{name}.txt").exists()
    }


def _convert(files: Sequence[Path], target: Path, profile: Path, seconds: float) -> None:
    command = ["soffice", f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to"]
    command += ["txt:Text (encoded):UTF8", "--outdir", str(target), *map(str, files)]
    try:
        subprocess.run(command, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        print(f"LibreOffice took longer than {seconds:g} s for {len(files)} files")


def shape(data: bytes) -> dict[str, Any]:
    """Headings, cells, notes, pictures and page sections of a file, counted in its XML."""
    zipped = zipfile.ZipFile(io.BytesIO(data))
    main = _main_part(zipped)
    folder = posixpath.dirname(main)
    root = accepted(_parse(zipped.read(main)))
    for one in list(root.iter(MC + "Fallback")):
        remove(one)
    relations = _relations(zipped, main)

    def related(kind: str) -> Element | None:
        for found, target, _ in relations.values():
            if found == kind:
                name = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
                return _parse(zipped.read(name)) if name in zipped.namelist() else None
        return None

    level = _levels(related("styles"))
    notes: list[str] = []
    for kind in ("footnotes", "endnotes"):
        part = related(kind)
        if part is not None:
            used = {one.get(W + "id") for one in root.iter(f"{W}{kind[:-1]}Reference")}
            notes += [_text(one) for one in accepted(part).iter(W + kind[:-1]) if one.get(W + "id") in used]
    sections = [child(one, "pgSz") for one in root.iter(W + "sectPr")]
    return {
        "headings": [f"{found} {_text(one)}" for one in root.iter(W + "p") if (found := level(one)) and _text(one)],
        "cells": [text for one in root.iter(W + "tc") if (text := _text(one))],
        "notes": notes,
        "images": list(_images(root, zipped, folder, relations)),
        "sections": ["L" if one is not None and one.get(W + "orient") == "landscape" else "P" for one in sections],
    }


def _text(one: Element) -> str:
    return squeezed(text_of(one))


def _relations(zipped: zipfile.ZipFile, main: str) -> dict[str, tuple[str, str, str | None]]:
    name = posixpath.join(posixpath.dirname(main), "_rels", posixpath.basename(main) + ".rels")
    if name not in zipped.namelist():
        return {}
    return {
        one.get("Id") or "": (
            (one.get("Type") or "").rsplit("/", 1)[-1],
            one.get("Target") or "",
            one.get("TargetMode"),
        )
        for one in _parse(zipped.read(name))
    }


def _levels(styles: Element | None) -> Callable[[Element], int | None]:
    known: dict[str, int] = {}
    based: dict[str, str | None] = {}
    for style in () if styles is None else styles.iter(W + "style"):
        identifier = style.get(W + "styleId") or ""
        based[identifier] = value(style, "basedOn")
        match = re.fullmatch(r"heading (\d)", (value(style, "name") or "").lower())
        outline = value(style, "pPr/outlineLvl") or ""
        if match:
            known[identifier] = int(match[1])
        elif outline.isdigit() and int(outline) < 9:
            known[identifier] = int(outline) + 1

    def level(paragraph: Element) -> int | None:
        outline = value(paragraph, "pPr/outlineLvl") or ""
        if outline.isdigit():
            return int(outline) + 1 if int(outline) < 9 else None
        style = value(paragraph, "pPr/pStyle")
        for _ in range(12):
            if style in known:
                return known[style]
            style = based.get(style or "")
        return None

    return level


def _images(root: Element, zipped: zipfile.ZipFile, folder: str, relations: dict[str, Any]) -> Iterable[str]:
    """A hash for each picture shown; pictures that are only linked are left out: they are dropped on purpose."""
    for one in root.iter(A + "blip", VML + "imagedata"):
        rid = one.get(R + "embed") or one.get(R + "id")
        if rid in relations and relations[rid][2] != "External":
            target = relations[rid][1]
            name = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            if name in zipped.namelist():
                yield hashlib.sha256(zipped.read(name)).hexdigest()


def list_labels(labelled: str, bare: str) -> list[str] | None:
    """Label and beginning of each list item, from LibreOffice's text with and without numbers; any bullet sign is
    one.
    """
    with_labels, without = labelled.splitlines(), bare.splitlines()
    if len(with_labels) != len(without):
        return None
    found = []
    for one, other in zip(with_labels, without, strict=True):
        if one != other and other.strip() and one.endswith(other):
            label = one[: len(one) - len(other)].strip()
            if label:
                bullet = not re.search(r"\w", label) or label in "o§ØüvqÞ"
                found.append(("•" if bullet else label.rstrip(".)").lstrip("(")) + " " + squeezed(other)[:40])
    return found


def kept(before: Iterable[str], after: Iterable[str]) -> float:
    """Share of `before` that `after` has, counting repeats."""
    one, other = Counter(before), Counter(after)
    return sum((one & other).values()) / sum(one.values()) if one else 1.0


def _share(before: dict[str, Any], after: dict[str, Any], kind: str) -> float | None:
    return kept(before[kind], after[kind]) if before[kind] else None


def main() -> None:
    parser = argparse.ArgumentParser(description="How much of real Word files survives import and export.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--only", help="files with this in their name")
    parser.add_argument("--road", choices=list(ROADS), action="append", help="only this road (may be repeated)")
    parser.add_argument("--keep", type=Path, help="write every exported file into this folder")
    arguments = parser.parse_args()
    roads = {name: ROADS[name] for name in arguments.road or ROADS}
    paths = importable(arguments.folder, arguments.only)
    documents: dict[str, Document] = {}
    seconds: dict[str, float] = {}
    for name, path in paths.items():
        start = time.perf_counter()
        try:
            documents[name] = read_docx(path)
        except FabaiError as error:
            print(f"not imported: {error}")
            continue
        seconds[path.name] = time.perf_counter() - start
    originals = {name: paths[name].read_bytes() for name in documents}
    summary: dict[str, Any] = {"files": len(documents)}
    with tempfile.TemporaryDirectory(prefix="fabai-bench-") as place:
        folder = Path(place)
        bare = texts({name: normalised(data, labels=False) for name, data in originals.items()}, folder / "bare")
        labelled = texts({name: normalised(data, labels=True) for name, data in originals.items()}, folder / "labels")
        shapes = {name: shape(data) for name, data in originals.items()}
        for road, export in roads.items():
            exported: dict[str, bytes] = {}
            times: dict[str, float] = {}
            for name, document in documents.items():
                start = time.perf_counter()
                try:
                    data = export(document)
                except FabaiError as error:
                    print(f"{road}: {paths[name].name} is not exported: {error}")
                    data = None
                times[paths[name].name] = time.perf_counter() - start
                if data is not None:
                    exported[name] = data
                if arguments.keep is not None and data is not None:
                    arguments.keep.mkdir(parents=True, exist_ok=True)
                    (arguments.keep / f"{road}-{paths[name].stem}.docx").write_bytes(data)
            now_bare = texts(
                {name: normalised(data, labels=False) for name, data in exported.items()}, folder / f"{road}-b"
            )
            now_labels = texts(
                {name: normalised(data, labels=True) for name, data in exported.items()}, folder / f"{road}-l"
            )
            measures = {}
            for name in exported:
                if name not in bare or name not in now_bare:
                    print(f"{road}: LibreOffice gave no text for {paths[name].name}")
                    continue
                words, now = _WORD.findall(bare[name]), [one for one in _WORD.findall(now_bare[name]) if one != EDIT]
                before, after = shapes[name], shape(exported[name])
                marks = list_labels(labelled.get(name, ""), bare[name])
                now_marks = list_labels(now_labels.get(name, ""), now_bare[name])
                labels = kept(marks, [one.replace(f" {EDIT}", "") for one in now_marks or []]) if marks else None
                measures[name] = Measure(
                    kept(words, now),
                    kept(now, words),
                    _share(before, after, "headings"),
                    labels,
                    _share(before, after, "cells"),
                    _share(before, after, "notes"),
                    _share(before, after, "images"),
                    before["sections"].count("L") == after["sections"].count("L")
                    if "L" in before["sections"]
                    else None,
                    before["sections"] == after["sections"] if len(before["sections"]) > 1 else None,
                    sum((faults(exported[name]) - faults(documents[name].original or originals[name])).values()),
                )
            summary[road] = _summary(road, measures, {name: paths[name].name for name in measures}, times)
    for name in ("memorias-cc0-unidas.docx",):
        if name in seconds:
            summary["long_import_seconds"] = round(seconds[name], 2)
    print(json.dumps(summary, ensure_ascii=False))


def _summary(road: str, measures: dict[str, Measure], names: dict[str, str], times: dict[str, float]) -> dict[str, Any]:
    def counted(field: str, enough: float) -> str:
        values = [getattr(one, field) for one in measures.values()]
        there = [one for one in values if one is not None]
        return f"{sum(one >= enough for one in there)}/{len(there)}"

    for name, one in measures.items():
        if not one.whole:
            print(f"{road}: {names[name]}: {one}")
    out = {
        "whole": f"{sum(one.whole for one in measures.values())}/{len(measures)}",
        "words": counted("words", ENOUGH),
        "headings": counted("headings", 1),
        "labels": counted("labels", ENOUGH),
        "cells": counted("cells", ENOUGH),
        "notes": counted("notes", 1),
        "images": counted("images", 1),
        "landscape": counted("landscape", 1),
        "sections": counted("sections", 1),
        "new_faults": sum(one.faults for one in measures.values()),
    }
    long = times.get("memorias-cc0-unidas.docx")
    if long is not None:
        out["long_export_seconds"] = round(long, 2)
    print(f"{road}: {out}", flush=True)
    return out


if __name__ == "__main__":
    main()
