"""The sections that a document asks for: a template's own headings with their guidance, or the list in a call's annex.

Knows how both look. Does not know limits (fabai.call.limits) or how a form is written down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fabai.call.lines import Line, lines, plain
from fabai.formats.document import Document
from fabai.report import TYPED_NUMBER, fold

_LIST_FOLLOWS = re.compile(
    r"(?i)(?:deber[aá]n? (?:contener|incluir|constar|recoger)|contendr[aá]n?|incluir[aá]n?|constar[aá]n?|"
    r"estructurar[aá]?|"
    r"siguientes? (?:ep[ií]grafes|apartados|secciones|puntos)|"
    r"ha(?:n|ur[aà]n?)? d(?:e |')(?:contenir|incloure)|contindr[aà]n?|inclour[aà]n?|"
    r"seg[uü]ents? (?:ep[ií]grafs|apartats|seccions|punts)|"
    r"must (?:contain|include)|shall (?:contain|include)|should (?:contain|include)|"
    r"following (?:sections|headings|parts))[^.]*[:：]\s*$"
)
_REPORT = re.compile(
    r"(?i)memoria|mem[oò]ria|informe|report|proposal|propuesta|proposta|ep[ií]graf|apartado|apartat|section|heading"
)
_LED_BY = re.compile(
    r"(?i)ep[ií]graf|apartado|apartat|secci[oó]n|section|heading|"
    r"^(?:la|el|l.|the) (?:memoria|mem[oò]ria|informe|report|proposal)"
)
_NOT_OURS = re.compile(
    r"(?i)^(?:art[ií]culo|article|disposici[oó]n?|cap[ií]tulo|cap[ií]tol|chapter|t[ií]tulo|"
    r"preámbulo|pre[aà]mbul)\b|firma|signat|protecci[oó]n de datos"
)
_ANNEX = re.compile(r"(?i)^(?:anexo|annex|ap[eé]ndice|ap[eè]ndix|appendix|plantilla|modelo|model|template|formulari)")
_BRACKETED = re.compile(r"^\s*(?:\[.+\]|<.+>|\{.+\})\s*$", re.DOTALL)
_LONGEST = 140
_TOP_ITEM = re.compile(r"^\(?\d{1,2}[.)º]*$")
_UNDER = re.compile(r"^(\d{1,2})\.(\d{1,2}(?:\.\d{1,2})*)\.?\s+(\S.{2,140})$")
_TRAILING = re.compile(
    r"(?i)[.;:,]?\s*(?:\(?(?:aproximadamente|m[aá]xim|m[aà]x|max|up to|approximately|m[ií]n).*|\[[^\]]*\])$"
)


@dataclass(slots=True)
class Asked:
    """A section that is asked for: heading, level from 1, lines of guidance, column headings of its tables."""

    heading: str
    level: int
    guidance: list[str] = field(default_factory=list)
    tables: list[list[str]] = field(default_factory=list)
    own_words: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One template inside a document: its title, positions of the sections that it covers, what it asks."""

    title: str
    first: int
    last: int
    sections: tuple[Asked, ...]


def parts(document: Document, *, template: bool) -> list[Part]:
    """The templates in a document. template: the whole document is one (a funder's Word file to be filled in)."""
    if template:
        asked = _headings(document, 0, len(document.sections) - 1)
        return [Part(document.title, 0, len(document.sections) - 1, tuple(asked))] if asked else []
    found = list(_listed(document))
    if found:
        return found
    for index, section in enumerate(document.sections):
        if _ANNEX.match(plain(section.heading)) and _REPORT.search(section.heading):
            last = _end(document, index)
            asked = _headings(document, index + 1, last)
            if asked:
                found.append(Part(plain(section.heading), index, last, tuple(asked)))
    return found


def _listed(document: Document) -> list[Part]:
    """Lists that follow 'deberá contener los siguientes epígrafes:'."""
    row = list(lines(document))
    out = []
    for index, line in enumerate(row):
        if not _LIST_FOLLOWS.search(line.text.rstrip("​ ") if line.text.endswith(":") else _as_lead(line.text)):
            continue
        if not _LED_BY.search(line.text) or not _is_about_report(line):
            continue
        asked = _items(row[index + 1 :], line.part)
        if len(asked) >= 2:
            out.append(Part(line.heading or document.title, line.part, _end(document, line.part), tuple(asked)))
    return out


def _as_lead(text: str) -> str:
    """'… los siguientes epígrafes, con el número de páginas que se indica' without a colon leads a list too."""
    return text if text.endswith(":") else text + ("" if text.endswith(".") else ":")


def _is_about_report(line: Line) -> bool:
    return re.search(r"(?i)memoria|mem[oò]ria|informe|report|proposal", f"{line.heading} {line.text}") is not None


def _items(row: Sequence[Line], part: int) -> list[Asked]:
    """The numbered items of one list, '1.', '2.' … with '1.1.' under them; a list inside an item is guidance."""
    out: list[Asked] = []
    expected, nested = 1, 0
    for line in row:
        if line.part != part:
            break
        number = re.fullmatch(r"\(?(\d{1,2})[.)º]*", line.item)
        under = _UNDER.match(line.text)
        if number is not None and int(number[1]) == nested + 1 and out and (nested or int(number[1]) == 1 < expected):
            nested += 1
            out[-1].guidance.append(line.text)
        elif number is not None and int(number[1]) == expected and len(_bare(line.text)) <= _LONGEST:
            out.append(_asked(line.text, line.text, 1))
            expected, nested = expected + 1, 0
        elif under is not None and int(under[1]) == expected - 1 and out:
            depth = under[2].count(".") + 1
            out.append(_asked(under[3], line.text, min(1 + depth, out[-1].level + 1)))
            nested = 0
        elif out:
            nested = nested if number is not None else 0
            out[-1].guidance.append(line.text)
    return out


def _asked(text: str, own_words: str, level: int) -> Asked:
    heading = _bare(text)
    asked = Asked(heading, level, own_words=own_words)
    rest = _after_heading(text, heading)
    if rest:
        asked.guidance.append(rest)
    return asked


def _bare(text: str) -> str:
    """The heading at the start of an item: up to its first full stop or colon, hints of length taken off."""
    head = re.split(r"(?<=\w\w)[.:](?:\s|$)", text, maxsplit=1)[0]
    return _TRAILING.sub("", head).strip(" .;:,")


def _after_heading(text: str, heading: str) -> str:
    return text[text.find(heading) + len(heading) :].strip(" .;:,") if heading in text else ""


def _end(document: Document, index: int) -> int:
    """The last section that stands under the one at `index`."""
    level = document.sections[index].level
    for later in range(index + 1, len(document.sections)):
        if document.sections[later].level <= level:
            return later - 1
    return len(document.sections) - 1


def _headings(document: Document, first: int, last: int) -> list[Asked]:
    out: list[Asked] = []
    sections = document.sections[first : last + 1]
    top = min((one.level for one in sections if one.level > 0 and one.heading), default=1)
    for section in sections:
        heading = TYPED_NUMBER.sub("", plain(section.heading)).strip()
        heading = _TRAILING.sub("", heading).strip() or heading
        if not heading or section.level == 0 or _NOT_OURS.search(heading) or not fold(heading):
            continue
        level = min(max(section.level - top + 1, 1), 9)
        level = min(level, out[-1].level + 1) if out else 1
        asked = Asked(heading, level, own_words=plain(section.heading))
        for block in section.blocks:
            if columns := _columns(block.markdown):
                asked.tables.append(columns)
            elif words := plain(block.markdown.strip("[]<>{}")):
                asked.guidance.append(words)
        out.append(asked)
    return out


def _columns(markdown: str) -> list[str]:
    """The column headings of a table, none where the block is no table with a heading row."""
    rows = [line for line in markdown.split("\n") if line.strip().startswith("|")]
    if not markdown.lstrip().startswith(("|", "+")) or not rows:
        return []
    cells = [plain(cell) for cell in re.split(r"(?<!\\)\|", rows[0])[1:-1]]
    return cells if len(cells) >= 2 and all(cells) else []
