"""`fabai get`: fetch a model by name, checked and whole or not at all; without a name, the list of models."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from fabai.cli import show
from fabai.writers.fetch import Progress, fetch
from fabai.writers.models import MODELS, Model, find_model, folder, place

_EVERY = 5.0  # seconds between two lines where there is no terminal


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model", metavar="MODEL", nargs="?", help="a name from the list; without one, the list is shown"
    )
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.model is None:
        _list(args.json)
        return 0
    model = find_model(args.model)
    here = place(model).exists()
    if not here:
        announce(model)
    with Bar(model, quiet=here) as bar:
        path = fetch(model, bar.seen)
    if args.json:
        show.as_json({**_as_json(model), "path": str(path), "fetched": not here})
    else:
        show.say(f"{model.name} {'was here already' if here else 'is ready'}: {path}")
    return 0


def announce(model: Model) -> None:
    """What a person should know before a download: its size, and the terms of use."""
    show.notice(f"fetching {model.name}, {_size(model.size)}; licence: {model.licence}")
    if model.terms:
        show.notice(model.terms)


class Bar:
    """Progress on stderr: a bar on a terminal, now and then a line elsewhere."""

    def __init__(self, model: Model, quiet: bool = False) -> None:
        self._model, self._quiet = model, quiet
        self._said = time.monotonic()
        self.seen: Progress = self._line
        self._close: Callable[[], None] | None = None

    def __enter__(self) -> Bar:
        if sys.stderr.isatty() and not self._quiet:
            from rich.console import Console
            from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

            columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            task = bar.add_task(self._model.name, total=self._model.size)
            bar.start()
            self.seen = lambda done, total: bar.update(task, completed=done, total=max(done, total))
            self._close = bar.stop
        return self

    def __exit__(self, *_: object) -> None:
        if self._close is not None:
            self._close()

    def _line(self, done: int, total: int) -> None:
        if not self._quiet and time.monotonic() - self._said >= _EVERY:
            self._said = time.monotonic()
            show.notice(f"{self._model.name}: {_size(done)} of {_size(total)}")


def _list(json: bool) -> None:
    if json:
        show.as_json({"folder": str(folder()), "models": [_as_json(model) for model in MODELS]})
        return
    rows = [
        (model.name, _size(model.size), "yes" if place(model).exists() else "", model.licence, model.about)
        for model in MODELS
    ]
    show.table(
        [("model", "left"), ("size", "right"), ("here", "left"), ("licence", "left"), ("about", "left")], rows, wide=4
    )
    show.say(f"models lie in {folder()} (FABAI_MODELS says otherwise)")


def _as_json(model: Model) -> dict[str, object]:
    return {
        "model": model.name,
        "kind": model.kind,
        "about": model.about,
        "bytes": model.size,
        "licence": model.licence,
        "terms": model.terms,
        "languages": list(model.languages),
        "sha256": model.sha256,
        "here": place(model).exists(),
    }


def _size(size: int) -> str:
    return f"{size / 10**9:.1f} GB" if size >= 10**9 else f"{size / 10**6:.0f} MB"
