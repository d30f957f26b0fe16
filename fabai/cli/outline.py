"""`fabai outline`: the section tree with words, limits and status.

Tokens are counted by a model's own tokenizer: that of --writer, else (in JSON) that of the default writer where its
model is installed. Elsewhere they are null: an estimate from words would be off by a third.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import Any

from fabai.checks.limits import applying
from fabai.cli import show
from fabai.cli.forms import limit_json, limit_text
from fabai.errors import FabaiError
from fabai.form import Limit
from fabai.report import Section
from fabai.store.project import Project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT", type=Path)
    parser.add_argument("--writer", metavar="W", help="count tokens too, by this writer (fabai doctor lists them)")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    with Project.open(args.project) as project:
        report, form = project.report(), project.form
    limits = {spec.id: applying(spec.limits, report) for spec in form.sections}
    limit = {section.id: limits.get(section.spec or "", ()) for section in report}
    tokens = _tokens(args.writer, report.sections) if args.json or args.writer is not None else {}
    if args.json:
        sections = [
            _as_json(section, number, tokens.get(section.id), limit[section.id])
            for section, number in zip(report, report.numbers(), strict=True)
        ]
        show.as_json({"sections": sections})
        return 0
    if not len(report):
        show.say(f"no sections yet: fabai import {args.project} FILE --as report takes those of a document")
        return 0
    rows = []
    for section, number in zip(report, report.numbers(), strict=True):
        heading = "  " * max(section.level - 1, 0) + (section.heading or "(text in front of the first heading)")
        count = [str(tokens[section.id])] if tokens else []
        bounds = "; ".join(map(limit_text, limit[section.id]))
        rows.append((section.id, number, heading, str(section.words), *count, section.status, bounds))
    counted: list[tuple[str, show.Align]] = [("tokens", "right")] if tokens else []
    columns: list[tuple[str, show.Align]] = [
        ("id", "left"),
        ("no.", "left"),
        ("heading", "left"),
        ("words", "right"),
        *counted,
        ("status", "left"),
        ("limit", "left"),
    ]
    if not any(row[-1] for row in rows):
        columns, rows = columns[:-1], [row[:-1] for row in rows]
    show.table(columns, rows, wide=2)
    words = sum(section.words for section in report)
    done = sum(section.status != "empty" for section in report)
    show.say(f"{len(report)} sections, {done} with text, {words} words")
    return 0


def _tokens(wish: str | None, sections: tuple[Section, ...]) -> dict[str, int]:
    from fabai.writers.choose import choose

    if not sections:
        return {}
    try:
        writer = choose(wish)
    except FabaiError:
        if wish is not None:
            raise
        return {}
    with closing(writer):
        return {section.id: writer.count(section.text) for section in sections}


def _as_json(section: Section, number: str, tokens: int | None, limits: tuple[Limit, ...]) -> dict[str, Any]:
    return {
        "id": section.id,
        "number": number,
        "heading": section.heading,
        "level": section.level,
        "words": section.words,
        "tokens": tokens,
        "status": section.status,
        "limit": limit_json(limits[0]) if limits else None,
    }
