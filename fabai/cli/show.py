"""How commands show what they report: JSON for scripts, a table on a terminal, lines with tabs elsewhere.

Knows widths and control characters. Does not know what is reported.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any, Literal

Align = Literal["left", "right"]

# in columns of a terminal: what the wide column keeps at least, what a wrapped one should, what lies between two
_NARROWEST = 12
_READABLE = 28
_GAP = 3
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def json_option(parser: argparse.ArgumentParser, nested: bool = False) -> None:
    """Add --json. nested: for the parser of an action, so that it leaves the command's own --json as it was given."""
    default = argparse.SUPPRESS if nested else False
    parser.add_argument("--json", action="store_true", default=default, help="print JSON, for scripts")


def as_json(value: Any) -> None:
    """Print a value as JSON, with JSON's own escapes where stdout's encoding cannot show it."""
    text = json.dumps(value, ensure_ascii=False, indent=1)
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        # `say` escapes as Python does, which JSON does not know
        text = "".join(one if one.encode(encoding, "ignore") else json.dumps(one)[1:-1] for one in text)
    say(text)


def say(text: str) -> None:
    """Print to stdout, whatever its encoding can show."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def notice(text: str) -> None:
    """One sentence on stderr that is no error."""
    encoding = sys.stderr.encoding or "utf-8"
    print(f"note: {one_line(text)}".encode(encoding, "backslashreplace").decode(encoding), file=sys.stderr)


def one_line(text: str) -> str:
    """The text without control characters and line ends: a heading cannot move the cursor or colour the screen."""
    return _CONTROL.sub(" ", text).strip()


def printable(text: str) -> str:
    """Running text without control characters but with its line ends: a model cannot move the cursor either."""
    return "\n".join(_CONTROL.sub(" ", line) for line in text.split("\n"))


def table(
    columns: Sequence[tuple[str, Align]], rows: Sequence[Sequence[str]], wide: int | None = None, wrap: bool = False
) -> None:
    """Print rows under column titles. wide: index of the column that takes the room left, cut with '…' if need be.
    wrap: that column goes on in a new line instead, and the widest of the others gives way before it is too narrow to
    read.
    """
    cells = [[one_line(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        say("\n".join("\t".join(row) for row in ([title for title, _ in columns], *cells)))
        return
    from rich.box import SIMPLE_HEAD
    from rich.cells import cell_len
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    # rich shrinks every column alike: the narrow ones hold their width here, and the wide one gives way
    widths = [max(map(cell_len, column)) for column in zip((title for title, _ in columns), *cells, strict=True)]
    if wide is not None:
        others = sum(width for index, width in enumerate(widths) if index != wide)
        room = console.width - others - _GAP * (len(widths) - 1)
        if wrap and room < min(widths[wide], _READABLE):
            widest = max((index for index in range(len(widths)) if index != wide), key=lambda one: widths[one])
            lack = min(min(widths[wide], _READABLE) - room, max(0, widths[widest] - _NARROWEST))
            widths[widest] -= lack
            room += lack
        widths[wide] = min(widths[wide], max(room, _NARROWEST))
    shown = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for index, ((title, align), width) in enumerate(zip(columns, widths, strict=True)):
        shown.add_column(title, justify=align, no_wrap=not wrap or index != wide, overflow="ellipsis", width=width)
    for row in cells:
        shown.add_row(*map(Text, row))
    console.print(shown)


def paragraph(text: str) -> None:
    """Print a text, wrapped to the width of a terminal and indented after its first line; whole elsewhere."""
    text = one_line(text)
    if sys.stdout.isatty():
        width = min(shutil.get_terminal_size().columns, 100)
        text = textwrap.fill(text, width, subsequent_indent="  ")
    say(text)
