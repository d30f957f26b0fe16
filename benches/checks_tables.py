"""Tables planted in real documents: they sum, but for one result.

Knows two ways of writing a table in Markdown. Does not know the rules.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from benches.checks_case import Case, Ground, end_of_paragraph, put
from benches.checks_figures import slip
from benches.checks_forms import TABLE


def arithmetic(ground: Ground, rng: random.Random) -> Case | None:
    """A table that sums, put behind a paragraph, with one result changed by a digit. Control: the table as it sums."""
    one, sections = ground.document, ground.sections
    number = rng.randrange(len(sections))
    text = sections[number][2]
    stop = end_of_paragraph(text, rng)
    words = re.findall(r"(?<![\w*_`/])[A-ZÁÉÍÓÚ]?[a-záéíóúàèòçñ]{5,12}(?![\w*_`/])", text)
    if stop is None or len(words) < 10:
        return None
    head, rows, results = TABLE(one.language, rng, words)
    row, column = rng.choice(results)
    right = rows[row][column]
    for _ in range(30):
        wrong = slip(right, rng)
        if (
            wrong != right
            and re.search(r"\d", wrong) is not None
            and abs(_plain(wrong) - _plain(right)) > (2 if "%" in right else 0)
        ):
            break
    else:
        return None
    changed = [list(one_row) for one_row in rows]
    changed[row][column] = wrong
    write = rng.choice((_pipe, _grid))
    planted, clean = (f"\n\n{write(head, one_table)}\n" for one_table in (changed, rows))
    sections_wrong = put(sections, number, stop, stop, planted)
    at = stop + _cell_at(planted, wrong, row, column)
    return Case(
        sections_wrong, put(sections, number, stop, stop, clean), ((number, at, at + len(wrong)),), (), (),
        f"{head[column]}: {right} -> {wrong}", ((number, stop, stop + len(clean)),),
    )  # fmt: skip


def _plain(written: str) -> float:
    return float(re.sub(r"\D", "", written) or 0)


def _pipe(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join('---:' if at else '---' for at in range(len(head)))}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[at]) for row in (head, *rows)) + 2 for at in range(len(head))]

    def rule(sign: str) -> str:
        return "+" + "+".join(sign * width for width in widths) + "+"

    def line(row: Sequence[str]) -> str:
        return "|" + "|".join(f" {cell:<{width - 1}}" for cell, width in zip(row, widths, strict=True)) + "|"

    return "\n".join([rule("-"), line(head), rule("="), *(part for row in rows for part in (line(row), rule("-")))])


def _cell_at(table: str, cell: str, row: int, column: int) -> int:
    """Where the cell of a row stands in the table's text."""
    place = 0
    seen = -2
    for text_line in table.split("\n"):
        if text_line.startswith("|") and not re.match(r"^\|[-:|]+\|$", text_line):
            seen += 1
            if seen == row:
                bars = [match.start() for match in re.finditer(r"\|", text_line)]
                return place + text_line.index(cell, bars[column])
        place += len(text_line) + 1
    raise ValueError("the table lacks its row")
