"""`fabai serve`: a model, or a trained adapter on its base, for all who draft: vLLM on a card, else llama.cpp."""

from __future__ import annotations

import argparse
import os
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast, get_args

from fabai.cli import show
from fabai.errors import MissingPart, UsageError
from fabai.settings import ServeSettings

if TYPE_CHECKING:
    from fabai.serving.card import Card
    from fabai.serving.launch import Launch
    from fabai.serving.served import Served

Engine = Literal["auto", "vllm", "llamacpp"]

_DEFAULTS = ServeSettings()
_KEY = "FABAI_API_KEY"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "release",
        metavar="RELEASE",
        help="folder of a trained adapter or of a model, sliced or full; a .gguf file; a model that fabai get fetched",
    )
    parser.add_argument("--base", metavar="MODEL", help="the adapter's base, where the adapter names another place")
    parser.add_argument(
        "--engine", choices=get_args(Engine), default="auto", help="auto: vLLM where there is an NVIDIA card"
    )
    parser.add_argument("--host", default=_DEFAULTS.host, help=f"address to listen at; default: {_DEFAULTS.host}")
    parser.add_argument("--port", type=int, default=_DEFAULTS.port, help=f"default: {_DEFAULTS.port}")
    parser.add_argument(
        "--context",
        type=int,
        default=_DEFAULTS.context,
        help=f"tokens of prompt and answer together; default: {_DEFAULTS.context}",
    )
    parser.add_argument(
        "--memory", type=float, default=_DEFAULTS.memory, help=f"share of the card to use; default: {_DEFAULTS.memory}"
    )
    parser.add_argument(
        "--quantisation",
        choices=("auto", "none", "bitsandbytes"),
        default="auto",
        help="auto: 16 bits where they fit, else 4",
    )
    parser.add_argument("--tensor-parallel", type=int, default=1, metavar="N", help="part each layer over N cards")
    parser.add_argument("--pipeline-parallel", type=int, default=1, metavar="N", help="layers in a row over N cards")
    parser.add_argument("--ray-address", metavar="HOST:PORT", help="a Ray cluster of several machines")
    parser.add_argument(
        "--slots", type=int, default=_DEFAULTS.slots, help=f"answers at a time in llama.cpp; default: {_DEFAULTS.slots}"
    )
    parser.add_argument("--threads", type=int, help="of the processor, for llama.cpp; default: all cores")
    parser.add_argument(
        "--lock",
        action="store_true",
        help="let vLLM lock figures (fabai draft --lock), which makes it a little slower; llama.cpp always can",
    )
    parser.add_argument("--with-python", metavar="PYTHON", help="the Python whose environment has vLLM")
    parser.add_argument("--log", type=Path, metavar="FILE", help="where the server's own words go")
    parser.add_argument("--dry-run", action="store_true", help="print the command and end")
    parser.add_argument(
        "--more", metavar="WORDS", default="", help="further words for vLLM, as in --more='--kv-cache-dtype fp8'"
    )


def run(args: argparse.Namespace) -> int:
    from fabai.serving.card import cards
    from fabai.serving.served import served

    settings = replace(
        _DEFAULTS, host=args.host, port=args.port, context=args.context, memory=args.memory, slots=args.slots
    )
    if min(args.tensor_parallel, args.pipeline_parallel) < 1:
        raise UsageError("--tensor-parallel and --pipeline-parallel are 1 or more")
    what, found = served(args.release, args.base), cards()
    if not what.base and not args.dry_run:
        raise UsageError(f"the adapter in {args.release} does not name its base: give --base FOLDER")
    engine = _engine(args, what, found)
    own = os.environ.get(_KEY)
    key = own or secrets.token_urlsafe(24)
    launch = _launch(args, engine, what, found, settings, key)
    for note in launch.notes:
        show.notice(note)
    if args.dry_run:
        show.say(launch.shown())
        return 0
    from fabai.serving.supervisor import Supervisor

    told: set[str] = set()

    def ready(url: str) -> None:
        _guide(url, launch, what, settings, None if own else key, again=bool(told))
        told.add(url)

    supervisor = Supervisor(launch, settings, show.notice, log=args.log, ready=ready)
    show.notice(f"{launch.server} is started; its log is {supervisor.log}")
    supervisor.run()
    return 0


def _engine(args: argparse.Namespace, what: Served, found: Sequence[Card]) -> Engine:
    """Which server. An adapter's rank is looked at by vLLM's part first, card or not: case of a dry run elsewhere."""
    wish = cast(Engine, args.engine)
    if wish != "auto":
        return wish
    if what.gguf is not None and (what.adapter is None and isinstance(what.base, str)):
        return "llamacpp"
    if found or args.with_python or args.ray_address or what.gguf is None:
        return "vllm"
    return "llamacpp"


def _launch(
    args: argparse.Namespace, engine: Engine, what: Served, found: Sequence[Card], settings: ServeSettings, key: str
) -> Launch:
    try:
        more = shlex.split(args.more)
    except ValueError as error:
        raise UsageError(f"--more cannot be parted into words ({error})") from error
    if engine == "llamacpp":
        from fabai.serving import embedded

        if more or args.ray_address or args.tensor_parallel * args.pipeline_parallel > 1:
            raise UsageError("llama.cpp takes no --more and runs on one machine: give --engine vllm")
        return embedded.launch(what, settings, key, args.threads)
    from fabai.serving import vllm

    if what.gguf is not None and isinstance(what.base, str) and what.adapter is None:
        raise UsageError("vLLM serves model folders; a .gguf file is for --engine llamacpp")
    spread = vllm.Spread(args.tensor_parallel, args.pipeline_parallel, args.ray_address)
    try:
        python = vllm.find_python(args.with_python)
    except MissingPart:
        if not args.dry_run:
            # what is wrong with the adapter or the cards is told first: it needs more than an installation
            vllm.launch(what, found, settings, key, spread=spread, quantisation=args.quantisation, lock=args.lock)
            raise
        python = "python"
    return vllm.launch(
        what,
        found,
        settings,
        key,
        python=python,
        spread=spread,
        quantisation=args.quantisation,
        lock=args.lock,
        more=more,
    )


def _guide(url: str, launch: Launch, what: Served, settings: ServeSettings, key: str | None, again: bool) -> None:
    """How to point fabai at it; the key, where it was made here, once."""
    from fabai.serving.cache import kept_warm

    if again:
        show.notice(f"{launch.server} answers again at {url}")
        return
    shown = f"http://{_this_machine()}:{settings.port}" if settings.host in ("0.0.0.0", "::") else url  # noqa: S104
    show.say(f"{launch.server} serves {' and '.join(launch.models)} at {shown}")
    if key is not None:
        show.say(f"  export {_KEY}={key}")
    show.say(f"  fabai draft PROJECT --all{_windows(what)} --writer openai:{shown}#{launch.models[0]}")
    if warm := kept_warm(url, launch, settings):
        show.say(f"  {warm}")
    if settings.host not in ("127.0.0.1", "localhost", "::1"):
        show.notice("it is open to other machines, and speaks http: let them reach it through a trusted network only")


def _windows(what: Served) -> str:
    """The words that give the adapter the windows it was trained on."""
    if what.adapter is None:
        return ""
    run = what.adapter.trained
    return f"{f' --mode {run.mode}' if run.mode else ''}{f' --cap {run.cap}' if run.cap else ''}"


def _this_machine() -> str:
    import socket

    return socket.gethostname()
