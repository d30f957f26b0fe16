"""A window drawn as one self-contained page: the document as a row of columns, what part of each was shown, and why.

Knows HTML and the words of the page (drawing.toml) in the report's language. Does not know how pieces were chosen: it
reads their kind, state and tokens. The page asks nothing of the network and holds no script.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources

from fabai.report import Language, Report, Section
from fabai.strict import build
from fabai.window.piece import Piece, State, Window

STATES: tuple[State, ...] = ("full", "cut", "summary", "heading", "dropped")
GROUPS = {
    "rules": ("rules", "form", "glossary", "headings", "guidance", "instruction"),
    "facts": ("ledger", "changes"),
    "sections": ("section", "last"),
    "passages": ("retrieved",),
    "again": ("pinned", "needed"),
}
ROW = 120
"""Most sections in one row of columns."""
_AMOUNT = 2
"""The column of the tables that holds a number."""


@dataclass(frozen=True, slots=True)
class DrawingWords:
    """The words of one language, as drawing.toml has them."""

    page: str
    lead: str
    here: str
    document: str
    document_note: str
    budget: str
    budget_note: str
    sections: str
    others: str
    section: str
    shown: str
    why: str
    what: str
    unit: str
    tokens_of: str
    none: str
    empty: str
    front: str
    states: dict[str, str]
    groups: dict[str, str]
    kinds: dict[str, str]
    reasons: dict[str, str]


@cache
def drawing_words(language: Language) -> DrawingWords:
    """The words of a language; an unknown or missing key is an error that names it."""
    tables = tomllib.loads(_file("drawing.toml"))
    return build(DrawingWords, tables[language], f"drawing.toml [{language}]")


def html(window: Window, report: Report, language: Language) -> str:
    """The whole page."""
    words = drawing_words(language)
    title = escape(f"{words.page}: {_heading(report.sections[report.index(window.section)], words)}")
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\nhtml {{ background: #fdfdfc; }}\nbody {{ margin: 0; }}\n"
        "@media (prefers-color-scheme: dark) { html { background: #14181f; } }\n</style>\n"
        f"</head>\n<body>\n{fragment(window, report, language)}\n</body>\n</html>\n"
    )


def fragment(window: Window, report: Report, language: Language) -> str:
    """The drawing alone with its style, to stand inside another page."""
    drawing = _Drawing(window, report, language)
    return f"<style>\n{_file('drawing.css')}</style>\n{drawing.body()}"


class _Drawing:
    def __init__(self, window: Window, report: Report, language: Language) -> None:
        self.window, self.report, self.language = window, report, language
        self.words = drawing_words(language)
        self.numbers = report.numbers()
        self.here = report.index(window.section)
        self.again = {piece.section: piece for piece in window.pieces if piece.kind in GROUPS["again"]}
        own = {piece.section: piece for piece in window.pieces if piece.kind == "section"}
        # a section that is shown only once more at the end counts as shown there
        self.pieces = {key: piece if piece.text else self.again.get(key, piece) for key, piece in own.items()}
        self.ranks = self._ranks()

    def body(self) -> str:
        words, window = self.words, self.window
        lead = words.lead.format(
            heading=self._name(self.here), tokens=self._n(window.tokens), cap=self._n(window.cap), unit=words.unit
        )
        notices = "".join(f'<p class="notice">{escape(notice)}</p>' for notice in window.notices)
        return "\n".join(
            (
                '<main class="fabai-window">',
                f"<h1>{escape(words.page)}</h1>",
                f'<p class="lead">{escape(lead)}</p>',
                f'<p class="of">{escape(self.report.title)}</p>{notices}',
                f'<h2>{escape(words.document)}</h2><p class="note">{escape(words.document_note)}</p>',
                self._map(),
                f"<h2>{escape(words.budget)}</h2>",
                self._gauge(),
                f"<h2>{escape(words.sections)}</h2>",
                self._sections(),
                f"<h2>{escape(words.others)}</h2>",
                self._others(),
                "</main>",
            )
        )

    def _map(self) -> str:
        shown = [index for index in range(len(self.report)) if index == self.here or self._piece(index) is not None]
        rows = "".join(self._row(row, len(shown) > ROW) for row in _rows(shown))
        return f'<div class="map">{rows}{self._legend()}</div>'

    def _row(self, indexes: Sequence[int], tight: bool) -> str:
        return f'<div class="row{" tight" if tight else ""}">{"".join(map(self._column, indexes))}</div>'

    def _column(self, index: int) -> str:
        if index == self.here:
            return f'<span class="here" title="{escape(self.words.here)}: {escape(self._name(index))}"></span>'
        piece = self.pieces[self.report.sections[index].id]
        name, facts, reason = self._name(index), self._facts(piece), self._reason(index, piece)
        label = escape(f"{name}. {facts}. {reason}")
        side = _side(piece, index > self.here)
        width = f' style="width:{100 * piece.tokens / max(1, piece.of):.1f}%"' if piece.state == "cut" else ""
        return (
            f'<a class="col {piece.state} {side}{_again(piece)}" style="flex-grow:{max(1, piece.of)}" href="#s{index}"'
            f' title="{label}" aria-label="{label}"><span class="ink"><i{width}></i></span>'
            f'<span class="tip" aria-hidden="true"><b>{escape(name)}</b>{escape(facts)} · {escape(reason)}</span></a>'
        )

    def _legend(self) -> str:
        found = [piece for piece in self.pieces.values() if piece.kind == "section"]
        items = []
        for state in STATES:
            ones = [piece for piece in found if piece.state == state]
            if ones:
                tokens = self.words.tokens_of.format(
                    tokens=self._n(sum(piece.tokens for piece in ones)), of=self._n(sum(piece.of for piece in ones))
                )
                count = f"{len(ones)} · {tokens}" if state != "dropped" else f"{len(ones)}"
                items.append(
                    f'<li><span class="key {state} end"><i></i></span>{escape(self.words.states[state])}'
                    f' <span class="soft">{count}</span></li>'
                )
        again = [piece for piece in self.pieces.values() if piece.kind != "section"]
        if again:
            items.append(
                f'<li><span class="key full again"><i></i></span>{escape(self.words.groups["again"])}'
                f' <span class="soft">{len(again)} · {self._n(sum(piece.tokens for piece in again))}</span></li>'
            )
        items.append(f'<li><span class="key here"></span>{escape(self.words.here)}</li>')
        return f'<ul class="legend">{"".join(items)}</ul>'

    def _gauge(self) -> str:
        window, words = self.window, self.words
        shares = {
            group: sum(piece.tokens for piece in window.pieces if piece.kind in kinds and piece.text)
            for group, kinds in GROUPS.items()
        }
        shares["frame"] = max(0, window.tokens - sum(shares.values()))
        shares["reserve"] = window.reserve
        free = max(0, window.cap - window.tokens - window.reserve)
        note = words.budget_note.format(
            tokens=self._n(window.tokens), reserve=self._n(window.reserve), free=self._n(free), cap=self._n(window.cap)
        )
        bars = "".join(
            f'<span class="g-{group}" style="flex:{tokens} 0 0"'
            f' title="{escape(words.groups[group])}: {self._n(tokens)}"></span>'
            for group, tokens in shares.items()
            if tokens
        )
        keys = "".join(
            f'<li><span class="key g-{group}"></span>{escape(words.groups[group])}'
            f' <span class="soft">{self._n(tokens)}</span></li>'
            for group, tokens in {**shares, "free": free}.items()
            if tokens
        )
        return (
            f'<p class="note">{escape(note)}</p><div class="gauge">{bars}<span style="flex:{free} 0 0"></span></div>'
            f'<ul class="legend">{keys}</ul>'
        )

    def _sections(self) -> str:
        words = self.words
        if not self.pieces:
            return f'<p class="note">{escape(words.none)}</p>'
        rows = "".join(map(self._section_row, range(len(self.report))))
        return _table((words.section, words.shown, words.unit, words.why), rows)

    def _section_row(self, index: int) -> str:
        section = self.report.sections[index]
        indent = f' style="padding-left:{14 * max(0, section.level - 1)}px"' if section.level > 1 else ""
        name = f"<td{indent}>{escape(self._name(index))}</td>"
        piece = self._piece(index)
        if index == self.here:
            return f'<tr class="now" id="s{index}">{name}<td colspan="3">{escape(self.words.here)}</td></tr>'
        if piece is None:
            return f'<tr class="quiet" id="s{index}">{name}<td colspan="3">{escape(self.words.empty)}</td></tr>'
        quiet = ' class="quiet"' if piece.state in ("heading", "dropped") else ""
        return (
            f'<tr{quiet} id="s{index}">{name}<td>{self._state(piece, index)}</td>'
            f"{self._cell(piece)}"
            f"<td>{escape(self._reason(index, piece))}</td></tr>"
        )

    def _others(self) -> str:
        rows = []
        for piece in self.window.pieces:
            if piece.kind == "section" or not piece.text:
                continue
            name = escape(self.words.kinds.get(piece.kind, piece.kind))
            source = f'<span class="source">{escape(piece.source)}</span>' if piece.source else ""
            rows.append(
                f"<tr><td>{name}{source}</td><td>{self._state(piece, 0)}</td>{self._cell(piece)}"
                f"<td>{escape(self._why(piece))}</td></tr>"
            )
        return _table((self.words.what, self.words.shown, self.words.unit, self.words.why), "".join(rows))

    def _state(self, piece: Piece, index: int) -> str:
        side = _side(piece, index > self.here)
        key = f'<span class="key {piece.state} {side}{_again(piece)}"><i></i></span>'
        return f'<span class="state">{key}{escape(self.words.states[piece.state])}</span>'

    def _cell(self, piece: Piece) -> str:
        # where the page is too narrow for columns, the unit stands beside the number
        return f'<td class="n" data-unit="{escape(self.words.unit)}">{self._amount(piece)}</td>'

    def _amount(self, piece: Piece) -> str:
        if piece.tokens == piece.of:
            return self._n(piece.of)
        return escape(self.words.tokens_of.format(tokens=self._n(piece.tokens), of=self._n(piece.of)))

    def _facts(self, piece: Piece) -> str:
        return f"{self.words.states[piece.state]}, {self._amount(piece)} {self.words.unit}"

    def _reason(self, index: int, piece: Piece) -> str:
        reasons = self.words.reasons
        if "exclude" in piece.reason:
            return reasons["excluded"]
        if piece.kind != "section":
            return reasons[piece.kind]
        again = self.again.get(piece.section)
        side = "after" if index > self.here else "before"
        rank = self.ranks[index]
        where = reasons[f"{side}_one"] if rank == 1 else reasons[side].format(n=rank)
        key = piece.state if piece.state != "cut" else "cut_start" if side == "after" else "cut_end"
        return "; ".join((*((reasons[again.kind],) if again is not None else ()), where, reasons[key]))

    def _why(self, piece: Piece) -> str:
        reasons = self.words.reasons
        if piece.kind == "retrieved":
            return reasons["found_cut" if piece.state == "cut" else "found"]
        if piece.kind in GROUPS["again"]:
            return reasons[piece.kind]
        return reasons["headings_cut" if piece.kind == "headings" and piece.state == "cut" else "always"]

    def _ranks(self) -> dict[int, int]:
        """How many sections with text away each one stands, 1 for the nearest on either side."""
        having = [index for index in range(len(self.report)) if index != self.here and self._piece(index) is not None]
        before = [index for index in having if index < self.here]
        after = [index for index in having if index > self.here]
        return {
            **{index: rank for rank, index in enumerate(reversed(before), 1)},
            **{index: rank for rank, index in enumerate(after, 1)},
        }

    def _piece(self, index: int) -> Piece | None:
        return self.pieces.get(self.report.sections[index].id)

    def _name(self, index: int) -> str:
        heading = _heading(self.report.sections[index], self.words)
        return f"{self.numbers[index]} {heading}".strip()

    def _n(self, number: int) -> str:
        plain = f"{number:,}"
        return plain if self.language == "en" else plain.replace(",", ".")


def _rows(indexes: Sequence[int]) -> Iterator[Sequence[int]]:
    count = -(-len(indexes) // ROW) or 1
    size = -(-len(indexes) // count)
    for start in range(0, len(indexes), max(1, size)):
        yield indexes[start : start + size]


def _side(piece: Piece, later: bool) -> str:
    """Which end of a section was kept: the one nearer to the section being written; of a repeated one the start."""
    return "start" if later or piece.kind != "section" else "end"


def _again(piece: Piece) -> str:
    return "" if piece.kind == "section" else " again"


def _table(head: Sequence[str], rows: str) -> str:
    cells = "".join(
        f'<th{" class=n" if column == _AMOUNT else ""} scope="col">{escape(cell)}</th>'
        for column, cell in enumerate(head)
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>"


def _heading(section: Section, words: DrawingWords) -> str:
    return section.heading.strip() or words.front


def _file(name: str) -> str:
    return resources.files("fabai.window").joinpath(name).read_text(encoding="utf-8")
