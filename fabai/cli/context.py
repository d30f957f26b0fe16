"""`fabai context`: what the model is shown for a section, and why.

In the modes that remember (tiers, warm) it is the window that `fabai draft` would use now: planned on from the last
section drafted with the same settings, if there was one.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from fabai.cli import finding, show
from fabai.cli.finding import finder
from fabai.draft import prepare
from fabai.report import Report
from fabai.settings import Mode, WindowSettings
from fabai.states import kept
from fabai.store.project import Project
from fabai.window.piece import Piece, Window
from fabai.writers.choose import HELP, choose

_DEFAULTS = WindowSettings()
_NAMES = {
    "rules": "rules and style",
    "form": "form and instructions",
    "glossary": "official terms",
    "headings": "headings only",
    "ledger": "facts",
    "changes": "facts, new or changed",
    "retrieved": "found",
    "pinned": "pinned",
    "needed": "needed",
    "guidance": "guidance and limit",
    "last": "last paragraph",
    "instruction": "instruction",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument("section", metavar="SECTION", help="id, outline number or heading")
    parser.add_argument("--mode", choices=get_args(Mode), default=_DEFAULTS.mode, help=f"default: {_DEFAULTS.mode}")
    parser.add_argument(
        "--cap", type=int, default=_DEFAULTS.cap, help=f"tokens of prompt and answer; default: {_DEFAULTS.cap}"
    )
    parser.add_argument(
        "--decay",
        type=float,
        default=_DEFAULTS.decay,
        help=f"weight per section of distance; default: {_DEFAULTS.decay}",
    )
    parser.add_argument("--writer", metavar="W", help=HELP)
    parser.add_argument("--embedder", metavar="MODEL", help=finding.HELP)
    parser.add_argument("--all", action="store_true", help="list the sections that are not shown, too")
    parser.add_argument("--text", action="store_true", help="print the prompt itself")
    parser.add_argument("--html", metavar="FILE", type=Path, help="write a page that draws the window")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    settings = replace(_DEFAULTS, mode=args.mode, cap=args.cap, decay=args.decay)
    with (
        Project.open(args.project) as project,
        closing(choose(args.writer)) as writer,
        finder(project, args.embedder) as found,
    ):
        report = project.report()
        section = report.find(args.section)
        prepared = prepare(project, section.id, writer, settings, kept(project, writer, settings), finder=found)
    window = prepared.window
    if args.html is not None:
        _write(args.html, report, window)
    if args.json:
        show.as_json(_as_json(window))
        return 0
    for notice in window.notices:
        show.notice(notice)
    if args.text:
        show.say("\n\n".join(message.content for message in prepared.messages))
        return 0
    _table(report, window, everything=args.all)
    return 0


def _as_json(window: Window) -> dict[str, Any]:
    """tokens stand behind the pieces, so that two windows with the same beginning have the same beginning here too."""
    return {
        "section": window.section,
        "mode": window.mode,
        "cap": window.cap,
        "reserve": window.reserve,
        "pieces": [
            {
                "kind": piece.kind,
                "section": piece.section,
                "source": piece.source,
                "state": piece.state,
                "tokens": piece.tokens,
                "of": piece.of,
                "reason": piece.reason,
                "text": piece.text,
            }
            for piece in window.pieces
        ],
        "tokens": window.tokens,
        "notices": list(window.notices),
    }


def _table(report: Report, window: Window, *, everything: bool) -> None:
    columns: list[tuple[str, show.Align]] = [
        ("what", "left"), ("shown", "left"), ("tokens", "right"), ("of", "right"), ("why", "left"),
    ]  # fmt: skip
    headings = dict(zip((section.id for section in report), _headings(report), strict=True))
    rows: list[tuple[str, ...]] = []
    hidden: list[Piece] = []
    for piece in window.pieces:
        if not piece.text and not everything:
            hidden.append(piece)
            continue
        name = headings.get(piece.section or "", "") or piece.source or ""
        what = _NAMES.get(piece.kind, "")
        rows.append((" ".join(filter(None, (what and f"[{what}]", name))), piece.state, *_sizes(piece), piece.reason))
    show.table(columns, rows, wide=4, wrap=True)
    if hidden:
        one = sum(piece.state == "heading" for piece in hidden)
        show.say(f"{len(hidden)} sections show no text, {one} of them a heading in the list (--all names them)")
    show.say(
        f"{window.tokens} tokens of prompt and {window.reserve} kept for the answer, of {window.cap} "
        f"({(window.tokens + window.reserve) / window.cap:.0%})"
    )


def _sizes(piece: Piece) -> tuple[str, str]:
    return str(piece.tokens), str(piece.of)


def _headings(report: Report) -> list[str]:
    return [
        f"{number} {section.heading}".strip() or "(text in front of the first heading)"
        for section, number in zip(report, report.numbers(), strict=True)
    ]


def _write(path: Path, report: Report, window: Window) -> None:
    from fabai.cli.outfile import write
    from fabai.window.drawing import html

    write(path, html(window, report, report.language).encode("utf-8", "replace"), keep=False)
