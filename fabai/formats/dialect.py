"""The one Markdown dialect of section text, and the settling of Markdown that people and models write into it.

Knows what a dollar, a year or a dash at the start of a line means in a report. Does not know pandoc's AST or any file.

pandoc's Markdown makes a formula of two amounts in dollars, a list of a year that opens a line, and one list of two
that stand together. `settle` writes such places so that pandoc reads what was meant; it changes nothing that is
settled already."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

MARKDOWN = (
    "markdown-raw_attribute-raw_html-raw_tex-yaml_metadata_block-pandoc_title_block-latex_macros-native_divs-native_spans"
    "-fenced_divs-smart-example_lists-implicit_header_references-simple_tables-multiline_tables"
)
"""pandoc's name of the dialect: no raw blocks of other formats, no metadata, typography kept as typed, pipe or grid
tables."""

LIST_BREAK = "<!-- -->"
"""A line of its own that keeps two lists apart; Markdown editors show nothing for it."""

EMPTY_SPAN = "[]{.list-break}"

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_CODE = re.compile(
    r"(?ms)^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<![`\\])(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`)"
)
_DISPLAY = re.compile(r"(?s)(?<!\\)\$\$(?!\s*\$)(?:(?!\n[ \t]*\n)[^$]|\\\$)+?\$\$")
_COMMAND = re.compile(r"\\(?:text|mathrm|mathit|operatorname|mbox)\*?\{[^{}]*\}|\\[A-Za-z]+|_\{[^{}]*\}|\^\{[^{}]*\}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_OPERATOR = re.compile(r"[\\^_=<>+{}|]")
_YEAR = re.compile(r"(?m)^([ \t]{0,3}\d{3,})([.)])(?=[ \t])")
_BREAK_LINE = re.compile(r"(?m)^([ \t>]*)<!-- -->[ \t]*$")
_ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d{1,2}[.)])[ \t]+\S")


def xml_safe(text: str) -> str:
    """The text without the characters that XML forbids (form feeds, NULs, lone surrogates); line ends become '\\n'."""
    return _NOT_XML.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def settle(text: str) -> str:
    """Markdown as people and models write it, made unambiguous for pandoc; settled text comes back as it is.

    Amounts in dollars are escaped, formulas left; a year or another number of three digits at the start of a line is
    text; a list right under its introduction gets the blank line that pandoc asks for; `LIST_BREAK` keeps lists apart.
    """
    return outside_code(text, _settle_prose)


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """`change` applied to every stretch of a Markdown text that is not code."""
    return _outside(_CODE, text, change)


def blanked(text: str) -> str:
    """The text with spaces in place of its code, so that every place in it stays what it was."""
    return _CODE.sub(lambda code: " " * len(code.group()), text)


def _outside(pattern: re.Pattern[str], text: str, change: Callable[[str], str]) -> str:
    """`change` applied to the stretches that `pattern` does not match."""
    return "".join(piece if matched else change(piece) for piece, matched in _split(pattern, text))


def _split(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, bool]]:
    end = 0
    for match in pattern.finditer(text):
        yield text[end : match.start()], False
        yield match.group(), True
        end = match.end()
    yield text[end:], False


def _settle_prose(text: str) -> str:
    text = _BREAK_LINE.sub(rf"\1{EMPTY_SPAN}", text)
    text = _YEAR.sub(r"\1\\\2", text)
    text = _outside(_DISPLAY, text, _settle_dollars)
    return _open_lists(text)


def _settle_dollars(text: str) -> str:
    if "$" not in text:
        return text
    out: list[str] = []
    position = 0
    while (start := text.find("$", position)) >= 0:
        out.append(text[position:start])
        if _escaped(text, start):
            out.append("$")
            position = start + 1
            continue
        end = _closing(text, start)
        if end is not None and is_formula(text[start - 1 : start], text[start + 1 : end], text[end + 1 : end + 2]):
            out.append(text[start : end + 1])
            position = end + 1
        else:
            out.append("\\$")
            position = start + 1
    out.append(text[position:])
    return "".join(out)


def _escaped(text: str, position: int) -> bool:
    before = text[:position]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1


def _closing(text: str, start: int) -> int | None:
    """The next dollar that is not escaped, in the same paragraph."""
    stop = re.compile(r"\n[ \t]*\n").search(text, start)
    limit = stop.start() if stop else len(text)
    end = text.find("$", start + 1, limit)
    while end >= 0 and _escaped(text, end):
        end = text.find("$", end + 1, limit)
    return end if end >= 0 else None


def is_formula(before: str, content: str, after: str) -> bool:
    """Whether `$content$` between the characters `before` and `after` is a formula rather than amounts in dollars."""
    if not content or content[0].isspace() or content[-1].isspace() or before.isalnum() or after.isalnum():
        return False
    bare = _COMMAND.sub(" ", content)
    words = _WORD.findall(bare)
    if content[0].isdigit() and " " in content.strip():
        return not words and _OPERATOR.search(content) is not None
    return len(words) < 2 or (" " not in content and _OPERATOR.search(content) is not None)


def _open_lists(text: str) -> str:
    """A blank line between an introduction and the list right under it, where it surely is one."""
    lines = text.split("\n")
    out: list[str] = []
    for index, line in enumerate(lines):
        before = lines[index - 1] if index else ""
        if _ITEM.match(line) and before.strip() and not before.startswith((" ", "\t")) and not _ITEM.match(before):
            introduced = before.rstrip().rstrip("*_").endswith(":")
            follows = index + 1 < len(lines) and _ITEM.match(lines[index + 1]) is not None
            if (introduced or follows) and not before.startswith(("|", "+", ">", ":", "[^")):
                out.append("")
        out.append(line)
    return "\n".join(out)
