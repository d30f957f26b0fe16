"""`fabai corpus stats`: only arguments and printing; the work is in corpus/stats, plots and datasheet."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import fields
from pathlib import Path
from typing import Any

from fabai.cli import show
from fabai.errors import MissingPart


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("corpus", metavar="DIR", type=Path, help="folder of the corpus")
    parser.add_argument(
        "-o", "--output", metavar="OUT", type=Path, help="write pictures (PNG), stats.html and DATASHEET.md there"
    )
    parser.add_argument("--title", default="Datasheet", help="of the page and the datasheet")
    parser.add_argument("--model", help="count sections in its tokens, not in words: a folder, a GGUF file, a name")
    show.json_option(parser, nested=True)


def run(args: argparse.Namespace) -> int:
    """Count, then show and write."""
    try:
        names = ("stats", "plots", "datasheet", "making", "model", "reader")
        stats, plots, datasheet, making, model, reader = (
            importlib.import_module(f"fabai.corpus.{one}") for one in names
        )
        counter = reader.ModelReader(model.model_folder(args.model)) if args.model else None
        counted = Path(args.model).name if args.model else "words"
        found = stats.stats(args.corpus, counter.count if counter else None, counted)
        if args.output is not None:
            pictures = plots.draw(found, args.output)
            (args.output / "stats.html").write_text(plots.page(found, pictures, args.title), encoding="utf-8")
            sheet = datasheet.datasheet(found, args.title, making.corpus_id(args.corpus))
            (args.output / "DATASHEET.md").write_text(sheet, encoding="utf-8")
    except ImportError as error:
        raise MissingPart(f"a corpus needs the package {error.name}; run: pip install 'fabai[corpus]'") from None
    if getattr(args, "json", False):
        # asdict cannot copy a Counter
        table = {one.name: getattr(found, one.name) for one in fields(found)}
        table["groups"] = [
            {"project": one, "licence": other, **numbers} for (one, other), numbers in found.groups.items()
        ]
        show.as_json(table)
        return 0
    _tell(found)
    if args.output is not None:
        show.say(f"{args.output}: stats.html, DATASHEET.md and {len(pictures)} pictures")
    return 0


def _tell(found: Any) -> None:
    columns: list[tuple[str, show.Align]] = [("kind", "left"), ("documents", "right"), ("words", "right")]
    rows = [(kind, f"{number:,}", f"{found.kind_words[kind]:,}") for kind, number in found.kinds.most_common()]
    show.table(columns, [*rows, ("all", f"{found.documents:,}", f"{found.words:,}")])
    languages = ", ".join(f"{name} {words:,}" for name, words in found.languages.most_common())
    show.say(f"words by language: {languages}")
    show.say(
        f"{found.sections:,} sections, of which {found.repeated:,} ({found.repeated_words:,} words) say nearly what "
        "another one says"
    )
    split = ", ".join(f"{name} {number}" for name, number in found.split_documents.items())
    show.say(f"documents in each split: {split}")
