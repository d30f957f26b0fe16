"""`fabai eval`: only arguments, the corpus and the Writers handed in, and printing. Exit 3 where the release fails."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

from fabai import releases
from fabai.cli import show
from fabai.errors import MissingPart, UnknownName, UnreadableFile
from fabai.report import LANGUAGES
from fabai.settings import SamplingSettings, WindowSettings


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "release", metavar="RELEASE", help="a release, by name or folder, or the folder of a finished run"
    )
    parser.add_argument(
        "--corpus",
        metavar="DIR",
        type=Path,
        required=True,
        help="the corpus with its examples for this model; with a folder of examples alone, nothing is drafted",
    )
    parser.add_argument("--examples", metavar="DIR", type=Path, help="the examples, where they are not in the corpus")
    parser.add_argument(
        "--against", metavar="BASE", help="another release, run or model folder; without it the adapter's own base"
    )
    parser.add_argument(
        "-o", "--output", metavar="DIR", type=Path, help="the report; default: evaluation/ in the release"
    )
    parser.add_argument("--base", metavar="FOLDER", type=Path, help="where the base lies, if not where it was")
    parser.add_argument("--any-base", action="store_true", help="take that base although it is not the one trained on")
    parser.add_argument(
        "--afresh",
        action="store_true",
        help="ask the base again, though its answers are kept from an earlier evaluation",
    )
    parser.add_argument("--sections", type=int, help="held-out sections whose loss is measured; default: 100")
    parser.add_argument("--drafts", type=int, help="sections written anew, held-out and trained; default: 6 of each")
    parser.add_argument(
        "--writer", metavar="W", help="who writes them; default: llama.cpp where it can, else transformers"
    )
    parser.add_argument("--base-writer", metavar="W", help="the base beside it")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the report; default: en")
    parser.add_argument("--seed", type=int, help="of every choice; the same seed gives the same figures; default: 0")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    try:
        from fabai.training import opened as opening
        from fabai.training.evaluate import job, rewriting
        from fabai.training.evaluate.settings import EvalSettings
    except ImportError as error:
        raise MissingPart(f"an evaluation needs the package {error.name}; run: pip install 'fabai[train]'") from None
    given = {key: getattr(args, key) for key in ("sections", "drafts", "seed") if getattr(args, key) is not None}
    settings = replace(EvalSettings(), **given)
    path = _folder(args.release)
    found = opening.opened(path, args.base, args.any_base)
    examples = job.examples_for(args.examples if args.examples is not None else args.corpus, found.base)
    if examples is None:
        shown = found.shown
        raise UnreadableFile(
            f"{args.corpus} holds no examples for this model's tokenizer: make them with fabai corpus examples "
            f"{args.corpus} --model {found.base} --mode {shown.get('mode') or 'fill'} --cap {shown.get('cap') or 4096}"
        )
    hands = None
    if settings.drafts and (args.corpus / "corpus.json").is_file():
        hands = _hands(args, found, rewriting.Hands)
    against = None if args.against is None else _folder(args.against)
    with _Watching(args.json) as watch:
        request = job.Request(
            path, examples, against, args.output, args.base, args.any_base, args.afresh, args.lang, settings
        )
        findings, folder = job.evaluate(request, hands, watch)
    if args.json:
        show.as_json(findings.as_json())
    else:
        for sentence in findings.verdict.sentences:
            show.say(f"- {sentence}")
        for sentence in findings.verdict.advice:
            show.say(f"advice: {sentence}")
        for sentence in findings.notes:
            show.notice(f"not measured: {sentence}")
        verdict = "passes" if findings.verdict.passed else "fails"
        show.say(
            f"{findings.name} {verdict}; the report: {folder / 'report.html'} ({findings.cpu_seconds:.0f} s of "
            "processor)"
        )
        if (folder / "blind.html").is_file():
            show.say(f"judge drafts yourself, without knowing whose they are: {folder / 'blind.html'}")
    return 0 if findings.verdict.passed else 3


def _folder(wish: str) -> Path:
    path = Path(wish).expanduser()
    if path.exists():
        return path
    try:
        found = releases.find(wish)
    except UnknownName:
        raise UnreadableFile(
            f"there is no release or run at {wish}; fabai releases lists those that were made here"
        ) from None
    if found.path is None:
        raise UnreadableFile(f"the folder of the release {found.name} has gone: bring it back, or name another one")
    return found.path


def _hands(args: argparse.Namespace, found: Any, kind: Any) -> Any:
    """Drafting with the product's own means: the corpus's Briefs, Writers, and the windows of the release."""
    from fabai.writers.choose import choose

    usual = WindowSettings()
    shown = found.shown
    window = replace(
        usual,
        mode=shown.get("mode") or usual.mode,
        cap=shown.get("cap") or usual.cap,
        decay=shown.get("decay") or usual.decay,
    )
    # short answers on a processor; the reserve that the windows were made with, where the cap is small
    window = replace(window, reserve=min(window.reserve, max(64, window.cap // 5)), retrieval=0.0)
    sampling = SamplingSettings(seed=args.seed or 0, temperature=0.0)
    gguf = found.adapter.base_gguf()
    beside = f"llamacpp:{gguf}+{found.adapter.folder}" if gguf is not None else ""
    tuned = args.writer or beside or f"transformers:{found.adapter.folder}"
    base = args.base_writer or (f"llamacpp:{gguf}" if gguf is not None else f"transformers:{found.base}")

    def briefs(documents: set[str]) -> Mapping[str, Any]:
        try:
            module = importlib.import_module("fabai.corpus.held")
        except ImportError as error:
            raise MissingPart(f"a corpus needs the package {error.name}; run: pip install 'fabai[corpus]'") from None
        return dict(module.briefs(args.corpus, documents, found.base, window.cap))

    return kind(briefs, lambda: choose(tuned), lambda: choose(base), window, sampling)


class _Watching:
    """The work on stderr: a bar on a terminal, a line for each part elsewhere."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet

    def __enter__(self) -> _Watching:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._terminal = sys.stderr.isatty() and not self._quiet
        columns = (
            TextColumn("{task.description}"),
            MofNCompleteColumn(),
            BarColumn(bar_width=24),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=Console(stderr=True), disable=not self._terminal)
        self._task: Any = None
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def begin(self, what: str, count: int) -> None:
        if self._terminal:
            self._task = self._progress.add_task(what, total=count)
        elif not self._quiet:
            show.notice(f"{what}: {count}")

    def step(self, count: int = 1) -> None:
        if self._task is not None:
            self._progress.advance(self._task, count)

    def note(self, text: str) -> None:
        if not self._quiet:
            show.notice(text)
