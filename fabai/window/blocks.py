"""The blocks of a Markdown text and the inline spans that no cut may enter, as character ranges.

Knows what pandoc's Markdown looks like: code, equations, tables, lists, footnotes, quotes, headings, paragraphs;
citations, links, images. It is no parser: it only has to know where a cut would break something. Does not know tokens
or sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["paragraph", "heading", "list", "table", "code", "equation", "footnote", "definition", "lines", "fence"]

LONGEST_SPAN = 2_000
"""Characters; a longer pair of brackets or dollars is taken for two stray marks."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DIV = re.compile(r" {0,3}:{3,}")
_HEADING = re.compile(r" {0,3}#{1,6}(?:\s|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)\s*$")
_ITEM = re.compile(r"\s*(?:[-*+•]|\(?\d{1,9}[.)]|\(?[a-z][.)]|\(?[A-Z]\)|\(?[ivxlc]{1,6}[.)]|#\.|\(@\w*\))\s+\S")
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\]\s]+\]:")
_REFERENCE = re.compile(r" {0,3}\[[^\]]+\]:\s")
_PIPE_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:[|+]\s*:?-+:?\s*)*\|?\s*$")
_GRID_RULE = re.compile(r"\s*\+(?:[-=:]+\+)+\s*$")
_DASHES = re.compile(r"\s*-{2,}(?:\s+-{2,})+\s*$")
_RULE = re.compile(r"\s*-{3,}\s*$")
_DEFINITION = re.compile(r" {0,3}[:~]\s{1,3}\S")
_INDENTED = re.compile(r"(?: {4}|\t)")
_EQUATION_OPEN = re.compile(r"\s*(?:(\$\$)|(\\\[)|\\begin\{(\w+\*?)\})")


@dataclass(frozen=True, slots=True)
class MarkdownBlock:
    """text[start:end] is one block, the white space behind it left out. parts: where its items or rows start, the first
    one included; for a table the first part is its header. A block without parts is a paragraph, or is never cut.
    """

    kind: Kind
    start: int
    end: int
    parts: tuple[int, ...] = ()


def blocks(text: str) -> list[MarkdownBlock]:
    """The blocks of `text` in order; what lies between them is white space."""
    return list(_Scanner(text).scan())


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.starts: list[int] = []
        self.lines: list[str] = []
        position = 0
        for line in text.split("\n"):
            self.starts.append(position)
            self.lines.append(line.rstrip())
            position += len(line) + 1
        self.starts.append(len(text))

    def scan(self) -> list[MarkdownBlock]:
        found: list[MarkdownBlock] = []
        line = 0
        while line < len(self.lines):
            if not self.lines[line]:
                line += 1
                continue
            block, line = self._block(line)
            found.append(block)
        return found

    def _block(self, first: int) -> tuple[MarkdownBlock, int]:
        line = self.lines[first]
        for reader in (self._fenced, self._equation, self._table, self._list):
            read = reader(first)
            if read is not None:
                return read
        if _DIV.match(line):
            return self._make("fence", first, first + 1)
        if _HEADING.match(line):
            return self._make("heading", first, first + 1)
        if _UNDERLINE.match(self._line(first + 1)) and not _INDENTED.match(line):
            return self._make("heading", first, first + 2)
        if _FOOTNOTE.match(line):
            return self._make("footnote", first, self._indented_end(first + 1))
        if _REFERENCE.match(line):
            return self._make("footnote", first, first + 1)
        if _INDENTED.match(line):
            return self._make("code", first, self._indented_end(first))
        if line.startswith("| "):
            end = self._while(first, lambda text: text.startswith(("|", " ")))
            return self._make("lines", first, end, tuple(range(first, end)))
        return self._paragraph(first)

    def _paragraph(self, first: int) -> tuple[MarkdownBlock, int]:
        end = first + 1
        while self._line(end) and not _FENCE.match(self.lines[end]) and not _DIV.match(self.lines[end]):
            end += 1
        after = end + 1 if not self._line(end) else end
        if any(_DEFINITION.match(self.lines[line]) for line in range(first + 1, end)):
            return self._make("definition", first, self._indented_end(end))
        if end == first + 1 and _DEFINITION.match(self._line(after)):
            return self._make("definition", first, self._indented_end(after + 1))
        return self._make("paragraph", first, end)

    def _fenced(self, first: int) -> tuple[MarkdownBlock, int] | None:
        opening = _FENCE.match(self.lines[first])
        if opening is None:
            return None
        mark = opening[1]
        if mark[0] == "`" and "`" in self.lines[first][opening.end() :]:
            return None
        closing = re.compile(rf" {{0,3}}{re.escape(mark[0])}{{{len(mark)},}}\s*$")
        for line in range(first + 1, len(self.lines)):
            if closing.match(self.lines[line]):
                return self._make("code", first, line + 1)
        return self._make("code", first, len(self.lines))

    def _equation(self, first: int) -> tuple[MarkdownBlock, int] | None:
        opening = _EQUATION_OPEN.match(self.lines[first])
        if opening is None:
            return None
        closing = "$$" if opening[1] else "\\]" if opening[2] else f"\\end{{{opening[3]}}}"
        line, behind = first, opening.end()
        while self._line(line):
            where = self.lines[line].find(closing, behind)
            if where >= 0:
                rest = self.lines[line][where + len(closing) :].strip()
                # text behind it makes it part of a paragraph, where spans() protects it
                return (
                    None
                    if rest.strip(".,;{}#:=-_\"' ") and not rest.startswith("{")
                    else self._make("equation", first, line + 1)
                )
            line, behind = line + 1, 0
        return None

    def _table(self, first: int) -> tuple[MarkdownBlock, int] | None:
        line, following = self.lines[first], self._line(first + 1)
        if "|" in line and _PIPE_RULE.match(following) and "|" in following:
            end = self._while(first + 2, lambda text: "|" in text)
            return self._make("table", first, end, (first, *range(first + 2, end)))
        if _GRID_RULE.match(line):
            end = self._while(first, lambda text: text.lstrip().startswith(("+", "|")))
            rules = [number for number in range(first, end) if _GRID_RULE.match(self.lines[number])]
            header = next((number for number in rules if "=" in self.lines[number]), first)
            return self._make("table", first, end, (first, *(r + 1 for r in (header, *rules) if header <= r < end - 1)))
        if _DASHES.match(following) and line and not _ITEM.match(line):
            end = self._while(first + 2, bool)
            return self._make("table", first, end, (first, *range(first + 2, end)))
        if _DASHES.match(line):
            end = self._while(first + 1, bool)
            return self._make("table", first, end, tuple(range(first, end)))
        if _RULE.match(line) and following:
            return self._multiline(first)
        return None

    def _multiline(self, first: int) -> tuple[MarkdownBlock, int] | None:
        header = next(
            (n for n in range(first + 1, min(first + 20, len(self.lines))) if _DASHES.match(self.lines[n])), None
        )
        if header is None or not all(self.lines[first + 1 : header]):
            return None
        closing = next((n for n in range(header + 1, len(self.lines)) if _RULE.match(self.lines[n])), None)
        if closing is None:
            return None
        rows = [n for n in range(header + 1, closing) if self.lines[n] and (n == header + 1 or not self.lines[n - 1])]
        return self._make("table", first, closing + 1, (first, *rows))

    def _list(self, first: int) -> tuple[MarkdownBlock, int] | None:
        if not _ITEM.match(self.lines[first]) or _INDENTED.match(self.lines[first]):
            return None
        items, line = [first], first + 1
        while line < len(self.lines):
            text = self.lines[line]
            if not text:
                following = self._next_filled(line)
                if following is None or (
                    not (text := self.lines[following]).startswith((" ", "\t")) and not _ITEM.match(text)
                ):
                    break
                line = following
                continue
            fenced = self._fenced_inside(line)
            if fenced > line:
                line = fenced
                continue
            if _ITEM.match(text):
                items.append(line)
            elif not text.startswith((" ", "\t")) and (
                _HEADING.match(text) or _DIV.match(text) or not self._line(line - 1)
            ):
                break
            line += 1
        return self._make("list", first, line, tuple(items))

    def _fenced_inside(self, line: int) -> int:
        """Behind a code block that an item holds; `line` itself where there is none."""
        opening = re.match(r"\s+(`{3,}|~{3,})", self.lines[line])
        if opening is None:
            return line
        for end in range(line + 1, len(self.lines)):
            if self.lines[end].strip().startswith(opening[1]):
                return end + 1
        return line

    def _line(self, number: int) -> str:
        return self.lines[number] if 0 <= number < len(self.lines) else ""

    def _next_filled(self, number: int) -> int | None:
        return next((n for n in range(number, len(self.lines)) if self.lines[n]), None)

    def _while(self, number: int, holds: Callable[[str], bool]) -> int:
        while self._line(number) and holds(self.lines[number]):
            number += 1
        return number

    def _indented_end(self, number: int) -> int:
        """Behind the lines that belong to a note, a definition or indented code: indented ones, or not parted by a
        blank line.
        """
        while number < len(self.lines):
            if not self.lines[number]:
                following = self._next_filled(number)
                if following is None or not _INDENTED.match(self.lines[following]):
                    break
                number = following
            number += 1
        return number

    def _make(self, kind: Kind, first: int, end: int, parts: tuple[int, ...] = ()) -> tuple[MarkdownBlock, int]:
        start = self.starts[first]
        stop = start + len(self.text[start : self.starts[end]].rstrip())
        starts = tuple(dict.fromkeys(self.starts[number] for number in parts if self.starts[number] < stop))
        return MarkdownBlock(kind, start, stop, starts), end


_SPANS = re.compile(
    r"(?P<code>(?<!`)(`+)(?!`).{1,1000}?(?<!`)\2(?!`))"
    r"|\$\$.{1,1000}?\$\$"
    r"|(?<![\\$\w])\$(?=[^\s$])[^$\n]{0,400}?(?<=[^\s\\])\$(?!\d)"
    r"|\\\(.{1,400}?\\\)"
    r"|<[^<>\s][^<>\n]{0,400}>"
    r"|https?://\S+"
    r"|-?@\w[\w:.#$%&+?~/-]*(?:\s\[[^\]\n]{0,200}\])?"
    r"|\*\*(?=\S)[^*\n]{1,400}?(?<=\S)\*\*"
    r"|(?<![\w*])\*(?=[^\s*])[^*\n]{1,400}?(?<=\S)\*(?![\w*])"
    r"|(?<![\w_])_(?=[^\s_])[^_\n]{1,400}?(?<=\S)_(?![\w_])"
    r"|~~(?=\S)[^~\n]{1,400}?~~",
    re.DOTALL,
)
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)
_TAIL = re.compile(
    r"(?:\((?:[^()\\]|\\.|\([^()]{0,200}\)){0,600}\)|\[[^\[\]]{0,400}\])?(?:\{[^{}]{0,400}\})?", re.DOTALL
)


def spans(text: str) -> list[tuple[int, int]]:
    """Ranges that a cut may not enter, in order and apart: code, maths, links, images, citations, notes, addresses,
    emphasis.
    """
    found = [match.span() for match in _SPANS.finditer(text)]
    opened: list[int] = []
    for match in _BRACKET.finditer(text):
        if match[0] == "[":
            opened.append(match.start())
        elif match[0] == "]" and opened:
            start = opened.pop()
            if match.end() - start > LONGEST_SPAN:
                continue
            tail = _TAIL.match(text, match.end())
            if start and text[start - 1] in "!^":
                start -= 1
            found.append((start, match.end() if tail is None else tail.end()))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
