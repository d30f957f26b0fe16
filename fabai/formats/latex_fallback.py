r"""A Document's tree out of LaTeX that pandoc refuses: what it can read is read by pandoc, the rest becomes plain text.

Knows how to cut a LaTeX body where it can be cut, and how to take the commands out of a paragraph. pandoc gives up on
a whole document for one brace; here one brace costs one paragraph its markup. Does not know files."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from fabai.errors import UnreadableFile
from fabai.formats import pandoc
from fabai.formats.ast import Element
from fabai.formats.latex_source import definitions
from fabai.settings import ReadingLimits

READER = "latex"
_MARK = "fabaistart"
_SECTION = re.compile(r"(?m)^[ \t]*(?=\\(?:part|chapter|section|subsection|subsubsection)\*?\s*[\[{])")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_MENDS = (
    # lengths that TeX knows and pandoc does not
    (re.compile(r"\\[vh](?:skip|space)\*?\s*\\[A-Za-z]+"), " "),
    (re.compile(r"\\(?:global|long|protected)\s*(?=\\)"), ""),
    # a caption set in italics as a whole, and headings with the running head inside
    (re.compile(r"\\text(?:it|bf|sl|tt)\s*\{\s*(\\caption(?:\[[^\]]*\])?\{(?:[^{}]|\{[^{}]*\})*\})\s*\}"), r"\1"),
    (re.compile(r"\\mark(?:both\s*\{[^{}]*\}|right)\s*\{[^{}]*\}"), ""),
    (re.compile(r"\\nocite\s*\*"), ""),
)
_AT_LINE = re.compile(r"\(line (\d+), column \d+\): unexpected (?!end of input)")
_BODY = re.compile(r"\\begin\s*\{document\}(.*)", re.DOTALL)
_TITLE = re.compile(r"\\title\s*(\{(?:[^{}]|\{[^{}]*\})*\})")
_HEADING = re.compile(
    r"\\(part|chapter|section|subsection|subsubsection)\*?\s*(?:\[[^\]]*\])?\s*\{((?:[^{}]|\{[^{}]*\})*)\}?", re.DOTALL
)
_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection")
_DROPPED = re.compile(
    r"(?<!\\)%[^\n]*|\\(?:label|ref|pageref|eqref|cite\w*|bibliography\w*|includegraphics|vspace|hspace|markboth|markright|input|include"
    r"|setlength|addtolength|pagestyle|thispagestyle|addcontentsline|begin|end|usepackage|documentclass)\*?"
    r"(?:\s*\[[^\]]*\])*(?:\s*\{[^{}]*\})*"
)
_ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "c": "\u0327"}
_ACCENT = re.compile(r"\\(['`\"^~])\s*\{?(\\?[A-Za-z])\}?|\\(c)\s*\{([A-Za-z])\}")


@dataclass(slots=True)
class Salvage:
    """The tree that came out, and how many pieces lost their markup."""

    blocks: list[Element] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)
    plain: int = 0


def mend(text: str) -> str:
    """The text without the commonest things that stop pandoc and show nothing on the page."""
    for pattern, replacement in _MENDS:
        text = pattern.sub(replacement, text)
    return text


def salvage(text: str, limits: ReadingLimits) -> Salvage:
    """The tree of a LaTeX text that pandoc refuses as a whole. UnreadableFile only where pandoc cannot run at all."""
    body_match = _BODY.search(text)
    body = body_match[1] if body_match else text
    body = re.split(r"\\end\s*\{document\}", body)[0]
    preamble = text[: body_match.start()] if body_match else ""
    macros = _usable(definitions(preamble), limits)
    tops = [one for one in _LEVELS[:2] if re.search(rf"\\{one}\*?\s*[\[{{]", body)]
    out = Salvage()
    # without the outer divisions in each piece, pandoc would start every piece's headings at level 1
    worker = _Worker("\n".join(macros), "".join(f"\\{one}{{{_MARK}}}\n" for one in tops), len(tops), limits, out)
    worker.pieces(_split(_SECTION, body), 0)
    if title := _TITLE.search(text):
        out.meta["title"] = {"t": "MetaString", "c": detex(title[1])}
    return out


def _usable(macros: list[str], limits: ReadingLimits) -> list[str]:
    """The definitions that pandoc can read."""
    if not macros:
        return []
    try:
        pandoc.to_json("\n".join(macros) + "\n\nx", READER, limits)
    except UnreadableFile:
        if len(macros) == 1:
            return []
        half = len(macros) // 2
        return _usable(macros[:half], limits) + _usable(macros[half:], limits)
    return macros


class _Worker:
    def __init__(self, macros: str, tops: str, skip: int, limits: ReadingLimits, out: Salvage) -> None:
        self.macros, self.tops, self.skip, self.limits, self.out = macros, tops, skip, limits, out

    def pieces(self, pieces: Sequence[str], fineness: int) -> None:
        """Reads the pieces together, else in halves, else each by its paragraphs, else by its words."""
        text = "".join(pieces)
        if not text.strip():
            return
        prefix = f"{self.macros}\n{self.tops}\n"
        try:
            blocks = pandoc.to_json(prefix + text, READER, self.limits)["blocks"]
        except UnreadableFile as error:
            at = _piece_at_fault(pieces, prefix, str(error))
        else:
            self.out.blocks.extend(blocks[self.skip :])
            return
        if len(pieces) > 1:
            first = at if at else (1 if at == 0 else len(pieces) // 2)
            self.pieces(pieces[:first], fineness)
            if at:
                self.pieces(pieces[at : at + 1], fineness)
                first = at + 1
            self.pieces(pieces[first:], fineness)
        elif fineness == 0:
            self.pieces(_paragraphs(text), 1)
        elif fineness == 1:
            self.pieces(_split(_PARAGRAPH, text), 2)
        else:
            self.out.plain += 1
            self.out.blocks.extend(_plain(text, self.skip))


def _piece_at_fault(pieces: Sequence[str], prefix: str, message: str) -> int | None:
    """The piece in whose lines pandoc stopped; None where it only says that something never ends."""
    match = _AT_LINE.search(message)
    if match is None:
        return None
    line = int(match[1]) - 1 - prefix.count("\n")
    for index, piece in enumerate(pieces):
        line -= piece.count("\n")
        if line < 0:
            return index
    return len(pieces) - 1


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    """The text cut before each match; the pieces joined are the text."""
    cuts = [0, *(match.start() for match in pattern.finditer(text) if match.start()), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(cuts) if end > start]


def _paragraphs(text: str) -> list[str]:
    r"""Paragraphs, those inside one environment together: half a list is no list."""
    out: list[str] = []
    depth = 0
    for paragraph in _split(_PARAGRAPH, text):
        if depth > 0 and out:
            out[-1] += paragraph
        else:
            out.append(paragraph)
        depth += len(re.findall(r"\\begin\s*\{", paragraph)) - len(re.findall(r"\\end\s*\{", paragraph))
        depth = max(depth, 0)
    return out


def _plain(text: str, skip: int) -> list[Element]:
    """A piece's headings and words."""
    out: list[Element] = []
    end = 0
    for match in _HEADING.finditer(text):
        out += _paragraph(text[end : match.start()])
        end = match.end()
        words = detex(match[2])
        if words:
            level = max(_LEVELS.index(match[1]) - 1 + skip - (skip == 2), 1) if match[1] not in _LEVELS[:1] else 1
            out.append({"t": "Header", "c": [level, ["", [], []], [{"t": "Str", "c": words}]]})
    return out + _paragraph(text[end:])


def _paragraph(text: str) -> list[Element]:
    return [{"t": "Para", "c": [{"t": "Str", "c": words}]} for one in _PARAGRAPH.split(text) if (words := detex(one))]


def detex(text: str) -> str:
    """The words of a piece of LaTeX: commands that show nothing go with what they hold, others leave it."""
    text = _ACCENT.sub(_accented, text)
    text = _DROPPED.sub(" ", text)
    text = re.sub(r"\\[,;:! ]", " ", text)
    text = re.sub(r"\\item(?![A-Za-z])", " - ", text)
    text = re.sub(r"\\([%&$#_{}])", lambda match: chr(0xE100 + ord(match[1])), text)
    text = re.sub(r"\\\\(?:\[[^\]]*\])?|~|(?<!\\)&", " ", text)
    text = re.sub(r"\\[A-Za-z@]+\*?(?:\[[^\]]*\])?|[{}$\\]", " ", text)
    text = re.sub("[\ue100-\ue17f]", lambda match: chr(ord(match[0]) - 0xE100), text)
    text = text.replace("``", "“").replace("''", "”").replace("---", "—").replace("--", "–")
    return re.sub(r"\s+([.,;:)])", r"\1", " ".join(text.split()))


def _accented(match: re.Match[str]) -> str:
    import unicodedata

    sign, letter = match[1] or match[3], (match[2] or match[4]).lstrip("\\")
    return unicodedata.normalize("NFC", letter + _ACCENTS[sign])
