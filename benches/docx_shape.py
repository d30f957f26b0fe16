"""What a Word file is made of, counted in its XML: headings, cells, notes, pictures, lists, page sections.

Knows WordprocessingML. Does not know fabai's reader and accepts revisions in its own, plainest way.
"""

from __future__ import annotations

import hashlib
import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterable
from typing import Any

from lxml import etree

from fabai.formats.strict import transitional
from fabai.formats.wordml import MC, VML, A, Element, R, W, child, remove, squeezed, text_of, unwrap, value


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


def parse(data: bytes) -> Element:
    return etree.fromstring(transitional(data), etree.XMLParser(huge_tree=True, recover=True, resolve_entities=False))


def main_part(zipped: zipfile.ZipFile) -> str:
    for one in parse(zipped.read("_rels/.rels")):
        if (one.get("Type") or "").endswith("/officeDocument"):
            return (one.get("Target") or "").lstrip("/")
    return "word/document.xml"


def shape(data: bytes) -> dict[str, Any]:
    """Headings, list items, tables, cells, notes, pictures and page sections of a file."""
    zipped = zipfile.ZipFile(io.BytesIO(data))
    main = main_part(zipped)
    folder = posixpath.dirname(main)
    root = accepted(parse(zipped.read(main)))
    for one in list(root.iter(MC + "Fallback")):
        remove(one)
    relations = _relations(zipped, main)

    def related(kind: str) -> Element | None:
        for found, target, _ in relations.values():
            if found == kind:
                name = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
                return parse(zipped.read(name)) if name in zipped.namelist() else None
        return None

    styles = related("styles")
    level, listed = _levels(styles), _listed(styles)
    notes: list[str] = []
    for kind in ("footnotes", "endnotes"):
        part = related(kind)
        if part is not None:
            used = {one.get(W + "id") for one in root.iter(f"{W}{kind[:-1]}Reference")}
            notes += [_text(one) for one in accepted(part).iter(W + kind[:-1]) if one.get(W + "id") in used]
    sections = [child(one, "pgSz") for one in root.iter(W + "sectPr")]
    return {
        "headings": [f"{found} {_text(one)}" for one in root.iter(W + "p") if (found := level(one)) and _text(one)],
        "lists": [_text(one) for one in root.iter(W + "p") if level(one) is None and listed(one) and _text(one)],
        "tables": ["table" for _ in root.iter(W + "tbl")],
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
        for one in parse(zipped.read(name))
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


def _listed(styles: Element | None) -> Callable[[Element], bool]:
    """Whether a paragraph has a bullet or number, its own or its style's."""
    by_id = {one.get(W + "styleId"): one for one in (() if styles is None else styles.iter(W + "style"))}

    def listed(paragraph: Element) -> bool:
        number = value(paragraph, "pPr/numPr/numId")
        style = by_id.get(value(paragraph, "pPr/pStyle"))
        for _ in range(12):
            if number is not None or style is None:
                break
            number = value(style, "pPr/numPr/numId")
            style = by_id.get(value(style, "basedOn"))
        return number not in (None, "0")

    return listed


def _images(root: Element, zipped: zipfile.ZipFile, folder: str, relations: dict[str, Any]) -> Iterable[str]:
    """A hash for each picture shown; pictures that are only linked are left out: they are dropped on purpose."""
    for one in root.iter(A + "blip", VML + "imagedata"):
        rid = one.get(R + "embed") or one.get(R + "id")
        if rid in relations and relations[rid][2] != "External":
            target = relations[rid][1]
            name = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
            if name in zipped.namelist():
                yield hashlib.sha256(zipped.read(name)).hexdigest()
