"""Reads LaTeX documents: one file or many in a folder.

Knows what a report in LaTeX needs beyond pandoc: its own commands, picture paths, language. Which files are read says
`fabai.formats.latex_source`; what happens where pandoc refuses, `fabai.formats.latex_fallback`.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from fabai.errors import UnreadableFile
from fabai.formats import ast, latex_fallback, pandoc
from fabai.formats.ast import Element
from fabai.formats.dialect import xml_safe
from fabai.formats.encoding import decode
from fabai.formats.folder import Folder
from fabai.formats.latex_source import Source, flatten
from fabai.formats.parsed import Parsed
from fabai.settings import ReadingLimits

READER = "latex"
_PICTURES = ("", ".png", ".jpg", ".jpeg", ".pdf", ".svg", ".eps", ".PNG", ".JPG", ".gif")
_GRAPHICS_PATH = re.compile(r"\\graphicspath\s*\{((?:\s*\{[^{}]*\})+)\s*\}")
_BABEL = re.compile(
    r"\\usepackage\s*\[([^\]]*)\]\s*\{(?:babel|polyglossia)\}|\\set(?:default|main)language(?:\[[^\]]*\])?\{([^{}]*)\}"
)
_IMAGE = [{"t": "Str", "c": "image"}]
_CLASS_OPTIONS = re.compile(r"\\documentclass\s*\[([^\]]*)\]")
_LANGUAGES = {
    "spanish": "es",
    "spanishmx": "es",
    "castilian": "es",
    "catalan": "ca",
    "english": "en",
    "british": "en",
    "american": "en",
    "ukenglish": "en",
    "usenglish": "en",
}
_DRAWING = re.compile(
    r"\\begin\{(tikzpicture|pgfpicture|ganttchart|pspicture|circuitikz|forest)\}.*?\\end\{\1\}", re.DOTALL
)
_CALL = re.compile(r"\\([A-Za-z]+)\*?\s*(\[[^\]]*\])?((?:\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})+)\s*", re.DOTALL)
_GROUP = re.compile(r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", re.DOTALL)
_WORDS = re.compile(r"[^\W\d_]{2,}")
_LAYOUT = """
fancyhead fancyfoot lhead chead rhead lfoot cfoot rfoot markboth markright addcontentsline addtocontents hypersetup
lstset lstdefinestyle titleformat titlespacing pdfbookmark bookmarksetup tikzset pgfplotsset captionsetup index sindex
newglossaryentry newacronym glossaryentry nomenclature DeclareAcronym fontsize selectlanguage
"""
_NO_TEXT = frozenset(_LAYOUT.split())


def parse_latex(path: Path, data: bytes, limits: ReadingLimits) -> Parsed:
    """The tree of a LaTeX document whose main file is `path`; parts and pictures come from its folder and from
    nowhere else."""
    folder = Folder(path.parent, limits)
    source = flatten(xml_safe(decode(data)), folder, path)
    text, drawings = _DRAWING.subn(" ", source.text)
    notices = list(source.notices)
    if drawings:
        notices.append(
            f"drawings written in LaTeX (TikZ) were left out: {drawings}; export as pictures those that you need"
        )
    try:
        reading = _read(text, limits)
    except UnreadableFile as error:
        saved = latex_fallback.salvage(latex_fallback.mend(text), limits)
        if not saved.blocks:
            raise error from None
        reading = pandoc.Reading({"blocks": saved.blocks, "meta": saved.meta})
        notices.append(
            "the LaTeX has faults, so the document was read in parts; "
            f"paragraphs that lost their markup: {saved.plain}; look them over"
        )
    notices += reading.notices
    blocks, meta = reading.ast["blocks"], dict(reading.ast["meta"])
    language = _language(source.text)
    if language:
        meta["lang"] = {"t": "MetaString", "c": language}
    return Parsed(_settle(blocks), meta, _Pictures(folder, source).find, notices)


def _read(text: str, limits: ReadingLimits) -> pandoc.Reading:
    try:
        reading = pandoc.read(text, READER, limits)
    except UnreadableFile:
        text = latex_fallback.mend(text)
        reading = pandoc.read(text, READER, limits)
    shims = _shims(text, reading.log)
    return pandoc.read(shims + text, READER, limits) if shims else reading


def _shims(text: str, log: tuple[pandoc.Message, ...]) -> str:
    """Definitions for commands that pandoc does not know and whose last argument is prose, so that it survives."""
    begin = text.find("\\begin{document}")
    first = text.count("\n", 0, begin) + 1 if begin >= 0 else 0
    found: dict[str, str] = {}
    for message in log:
        if message["type"] != "SkippedContent" or message.get("line", 0) < first:
            continue
        match = _CALL.fullmatch(message["contents"])
        if match is None or match[1] in _NO_TEXT or match[1] in found:
            continue
        groups = _GROUP.findall(match[3])
        if len(groups) > 8 or "=" in groups[-1] or len(_WORDS.findall(groups[-1])) < 2:
            continue
        count = len(groups) + (match[2] is not None)
        option = "[]" if match[2] is not None else ""
        found[match[1]] = f"\\newcommand{{\\{match[1]}}}[{count}]{option}{{#{count}}}\n"
    return "".join(found.values())


def _settle(blocks: list[Element]) -> list[Element]:
    """Without what pandoc's reader adds: a word for a picture that has none, space between the items of any list."""

    def change(element: Element) -> list[Element] | None:
        if element["t"] == "Image":
            attributes, words, target = element["c"]
            return [{"t": "Image", "c": [attributes, [], target]}] if words == _IMAGE else None
        items = element["c"] if element["t"] == "BulletList" else element["c"][1]
        if any(sum(block["t"] == "Para" for block in item) > 1 for item in items):
            return None
        tight = [[{"t": "Plain", "c": b["c"]} if b["t"] == "Para" else b for b in item] for item in items]
        return [{"t": element["t"], "c": tight if element["t"] == "BulletList" else [element["c"][0], tight]}]

    settled: list[Element] = ast.rewrite(blocks, change, frozenset({"Image", "BulletList", "OrderedList"}))
    return settled


def _language(text: str) -> str:
    """The language tag of babel's or polyglossia's main language, "" where there is none."""
    for match in (*_BABEL.finditer(text), *_CLASS_OPTIONS.finditer(text)):
        options = [option.strip() for option in (match[1] or (match[2] if match.re is _BABEL else "") or "").split(",")]
        main = [option.partition("=")[2].strip() for option in options if option.startswith("main")]
        known = [_LANGUAGES[option.lower()] for option in main or reversed(options) if option.lower() in _LANGUAGES]
        if known:
            return known[0]
    return ""


class _Pictures:
    r"""Looks for pictures as \includegraphics does: without an ending, along \graphicspath, beside the file that
    shows them."""

    def __init__(self, folder: Folder, source: Source) -> None:
        self._folder = folder
        named = [
            path for match in _GRAPHICS_PATH.finditer(source.text) for path in re.findall(r"\{([^{}]*)\}", match[1])
        ]
        self._places = list(dict.fromkeys(["", *named, *source.folders, *_joined(source.folders, named)]))

    def find(self, address: str) -> bytes | None:
        for place in self._places:
            for ending in _PICTURES:
                name = str(PurePosixPath(place) / f"{address}{ending}") if place else f"{address}{ending}"
                if self._folder.path(name) is not None:
                    return self._folder.find(name)
        return None


def _joined(folders: list[str], named: list[str]) -> list[str]:
    return [str(PurePosixPath(folder) / name) for folder in folders for name in named]
