"""The evidence of a report as a table: rows of words for Markdown, Word and a spreadsheet.

Knows columns and their order. Does not know how figures are traced.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from fabai.evidence.trace import Line
from fabai.evidence.wording import evidence_words
from fabai.report import Language, Report, Section

_SHOWN = 12
"""Letters of a hash that stand on paper; the spreadsheet has the whole."""


def rows(lines: Sequence[Line], language: Language) -> list[list[str]]:
    """The head and a row of text for each figure."""
    words = evidence_words(language)
    found = [list(words.columns)]
    for one in lines:
        found.append(
            [
                one.heading or words.unassigned,
                one.figure,
                one.sentence,
                one.section,
                words.kinds[one.kind],
                one.fact,
                one.source,
                one.place,
                one.sha256,
                one.confirmed_by,
                one.confirmed[:10],
                one.reviewed_by,
                one.reviewed[:10],
            ]
        )
    return found


def document(lines: Sequence[Line], title: str, language: Language) -> Report:
    """The table as a document: figures without evidence first, then a part for each heading of the budget."""
    words = evidence_words(language)
    missing = sum(one.kind == "none" for one in lines)
    counts = words.counts.format(total=len(lines), missing=missing, title=inline(title))
    sections = [Section("s0", "", 0, counts)]
    for number, (name, ones) in enumerate(groupby(lines, key=lambda one: _part(one, language)), start=1):
        sections.append(Section(f"s{number}", name, 1, _table(list(ones), language)))
    return Report(words.evidence, language, tuple(sections))


def markdown_table(rows: Sequence[Sequence[str]], widths: Sequence[int] | None = None) -> str:
    """A pipe table; the first row is its head. widths: shares of the columns on paper."""
    lines = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    shares = widths if widths is not None else [3] * len(rows[0])
    rule = "|" + "|".join("-" * share for share in shares) + "|"
    return "\n".join([lines[0], rule, *lines[1:]])


def _part(line: Line, language: Language) -> str:
    words = evidence_words(language)
    return words.missing if line.kind == "none" else line.heading or words.unassigned


def _table(lines: Sequence[Line], language: Language) -> str:
    """Six columns that fit on a page: what belongs together stands in one."""
    words = evidence_words(language)
    # heading, figure, sentence, section, kind, fact, source, place, hash, confirmed by, on, reviewed by, on
    found = [[words.columns[number] for number in (1, 2, 4, 6, 9, 11)]]
    for one in lines:
        hashes = " ".join(digest[:_SHOWN] for digest in one.sha256.split())
        where = " · ".join(part for part in (one.source, one.place, hashes) if part)
        rests = " · ".join(part for part in (words.kinds[one.kind], one.fact) if part)
        found.append(
            [
                one.figure,
                f"{one.sentence} ({one.section})",
                rests,
                where,
                " · ".join(part for part in (one.confirmed_by, one.confirmed[:10]) if part),
                " · ".join(part for part in (one.reviewed_by, one.reviewed[:10]) if part),
            ]
        )
    return markdown_table(found, (8, 24, 14, 20, 10, 10))


def inline(text: str) -> str:
    """Text that Markdown takes for nothing but text."""
    plain = " ".join(text.split())
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>|#~$^@" else one for one in plain)


def _cell(text: str) -> str:
    return inline(text) or " "
