"""What was proposed beside what is reported: one table for each section, paragraph by paragraph, the changes marked.

Knows which section answers which and which words changed. Does not know Word; the comparison is a report of its own.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fabai.checks.plain import plains
from fabai.formats.document import Document
from fabai.report import Language, Report, Section, fold

_ALIKE = 0.75
"""Of two headings: from which they are taken for one section."""
_PAIRED = 0.4
"""Share of words from which two paragraphs stand beside each other."""
_SPECIAL = re.compile(r"([\\`*_~|\[\]<>$^{}#!@])")
_WORDS: dict[Language, dict[str, str]] = {
    "es": {"title": "Comparación", "before": "Propuesta", "after": "Informe", "summary": "Resumen",
           "section": "Apartado", "words": "palabras", "same": "Texto igual (%)", "gone": "no está en el informe",
           "new": "no estaba en la propuesta",
           "how": "Se tacha lo que estaba en la propuesta y ya no está; va en negrita lo que es nuevo."},
    "ca": {"title": "Comparació", "before": "Proposta", "after": "Informe", "summary": "Resum",
           "section": "Apartat", "words": "paraules", "same": "Text igual (%)", "gone": "no és a l'informe",
           "new": "no era a la proposta",
           "how": "Es ratlla el que era a la proposta i ja no hi és; va en negreta el que és nou."},
    "en": {"title": "Comparison", "before": "Proposal", "after": "Report", "summary": "Summary",
           "section": "Section", "words": "words", "same": "Text kept (%)", "gone": "not in the report",
           "new": "not in the proposal",
           "how": "Words of the proposal that are gone are struck through; new ones are bold."},
}  # fmt: skip


def comparison(report: Report, proposal: Document) -> Report:
    """The report against a proposal: a summary, then each section whose text is not the same."""
    words = _WORDS[report.language]
    before = [(one.heading, one.text) for one in proposal.sections if one.heading or one.text.strip()]
    after = [(one.heading, one.text) for one in report if one.heading or one.text.strip()]
    texts = [_lines(text) for text in plains([text for _, text in (*before, *after)])]
    old, new = texts[: len(before)], texts[len(before) :]
    pairs = _pairs([heading for heading, _ in before], [heading for heading, _ in after])
    rows, sections = [], []
    for number, (left, right) in enumerate(pairs, start=1):
        lines = old[left] if left is not None else [], new[right] if right is not None else []
        if not any(lines) and None in (left, right):
            continue
        heading = after[right][0] if right is not None else before[left or 0][0]
        rows.append((heading, *(_count(some) for some in lines), _said(left, right, lines, words)))
        if lines[0] != lines[1]:
            table = _table((words["before"], words["after"]), list(_beside(*lines)))
            sections.append(Section(f"c{number}", heading or words["title"], 1, table))
    heads = (words["section"], *(f"{words[one]} ({words['words']})" for one in ("before", "after")), words["same"])
    summary = f"{words['how']}\n\n{_table(heads, [tuple(map(_plain, row)) for row in rows])}"
    opening = Section("summary", words["summary"], 1, summary)
    return Report(f"{words['title']}: {report.title}", report.language, (opening, *sections))


def _pairs(before: Sequence[str], after: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Numbers of the sections that belong together, in the report's order; those of the proposal alone come last."""
    left = dict(enumerate(map(fold, before)))
    found: list[int | None] = [None] * len(after)
    for exact in (True, False):
        for number, heading in enumerate(map(fold, after)):
            if found[number] is None:
                best = max(left, key=lambda one: _share(left[one], heading), default=None)
                if best is not None and (left[best] == heading if exact else _share(left[best], heading) >= _ALIKE):
                    found[number] = best
                    del left[best]
    return [*((one, number) for number, one in enumerate(found)), *((one, None) for one in left)]


def _lines(text: str) -> list[str]:
    return [line for one in text.split("\n") if (line := " ".join(one.replace("\t", " · ").split()))]


def _count(lines: Sequence[str]) -> str:
    return str(sum(len(line.split()) for line in lines))


def _said(
    left: int | None, right: int | None, lines: tuple[Sequence[str], Sequence[str]], words: dict[str, str]
) -> str:
    if right is None or left is None:
        return words["gone"] if right is None else words["new"]
    return f"{100 * _share(*map(' '.join, lines)):.0f}"


def _beside(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The paragraphs of both sides in rows; what one side alone has stands beside nothing."""
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from ((_plain(line), _plain(line)) for line in old[a:b])
            continue
        waiting = list(new[c:d])
        for line in old[a:b]:
            best = max(range(len(waiting)), key=lambda one: _share(line, waiting[one]), default=None)
            if best is None or _share(line, waiting[best]) < _PAIRED:
                yield f"~~{_plain(line)}~~", ""
                continue
            yield from (("", f"**{_plain(one)}**") for one in waiting[:best])
            yield _marked(line, waiting[best])
            del waiting[: best + 1]
        yield from (("", f"**{_plain(one)}**") for one in waiting)


def _share(one: str, other: str) -> float:
    """Of all words of two texts, those that the other has too, wherever: comparing orders would take minutes."""
    left, right = Counter(one.split()), Counter(other.split())
    return 2 * (left & right).total() / max(left.total() + right.total(), 1)


def _marked(old: str, new: str) -> tuple[str, str]:
    """Two paragraphs with the words that only one of them has marked."""
    before, after = old.split(), new.split()
    left: list[str] = []
    right: list[str] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, came = _plain(" ".join(before[a:b])), _plain(" ".join(after[c:d]))
        left += [gone if kind == "equal" else f"~~{gone}~~"] if gone else []
        right += [came if kind == "equal" else f"**{came}**"] if came else []
    return " ".join(left), " ".join(right)


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table whose first columns are as wide as a page gives them."""
    rule = "|" + "|".join("-" * (60 if len(heads) == 2 or not place else 15) for place in range(len(heads))) + "|"
    return "\n".join((_row(heads), rule, *map(_row, rows)))


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
