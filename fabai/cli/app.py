"""`fabai app`: the browser application; `fabai app user add NAME`: who may log in."""

from __future__ import annotations

import argparse
import getpass
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabai.cli import show
from fabai.cli.draft import trained_window
from fabai.errors import MissingPart, UsageError
from fabai.settings import AppSettings
from fabai.writers.choose import HELP, choose

if TYPE_CHECKING:
    from fabai.writers.base import Writer

_SETTINGS = AppSettings()


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", metavar="user add NAME", nargs="*", help="add a user, or give one a new password")
    parser.add_argument("--host", default=_SETTINGS.host, help=f"address to listen at; default: {_SETTINGS.host}")
    parser.add_argument(
        "--port", type=int, default=_SETTINGS.port, help=f"default: {_SETTINGS.port}; 0 takes a free one"
    )
    parser.add_argument(
        "--workspace", metavar="DIR", type=Path, help="folder of the projects; default: the user's data folder"
    )
    parser.add_argument(
        "--auth", metavar="users.toml", type=Path, help="who may log in; needed where --host is not this machine alone"
    )
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        help="a name by which browsers reach the server (memorias.example.org); give it for each",
    )
    parser.add_argument("--root-path", metavar="/PATH", default="", help="where a reverse proxy puts the application")
    parser.add_argument("--tls", action="store_true", help="it is reached over TLS: cookies go no other way")
    parser.add_argument("--writer", metavar="W", help=HELP)
    parser.add_argument(
        "--slots", type=int, default=_SETTINGS.slots, help=f"texts written at a time; default: {_SETTINGS.slots}"
    )
    parser.add_argument("--shown", metavar="NAME", default="", help="with user add: the name under what they review")
    parser.add_argument(
        "--shared", metavar="WORKSPACE", default="", help="with user add: people with the same one share its projects"
    )
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.words:
        return _user(args)
    try:
        import gradio  # noqa: F401 - the room needs it, and says so here in one sentence
        import uvicorn
    except ImportError:
        raise MissingPart("the application needs its own packages: pip install 'fabai[app]'") from None
    from fabai.app.guard import is_local

    if not is_local(args.host) and args.auth is None:
        raise UsageError(
            f"--host {args.host} lets other machines in: give --auth users.toml (fabai app user add NAME makes it)"
        )
    if args.root_path and not args.root_path.startswith("/"):
        raise UsageError(f"--root-path begins with a slash: /{args.root_path}")
    application = _built(args)
    config = uvicorn.Config(
        application, host=args.host, port=args.port, log_level="warning", proxy_headers=True, server_header=False
    )
    server = uvicorn.Server(config)
    address = f"http://{args.host if args.host != '::1' else '[::1]'}:{args.port}{args.root_path}/"
    if args.json:
        show.as_json({"address": address})
    else:
        show.say(f"fabai is at {address} (Ctrl-C ends it; what is being written is kept)")
    sys.stdout.flush()
    server.run()
    return 0


def _built(args: argparse.Namespace) -> Any:
    from fabai.app.server import Options, build
    from fabai.app.users import Users

    settings = replace(_SETTINGS, host=args.host, port=args.port, slots=args.slots)
    users = None if args.auth is None else Users(args.auth)
    scripted = (args.writer or "").startswith("scripted")
    options = Options(
        workspace=_folder(args),
        users=users,
        hosts=args.allow_host,
        root_path=args.root_path.rstrip("/"),
        secure=args.tls,
        notice="scripted" if scripted else "",
        settings=settings,
        window=trained_window(args.writer),
    )

    def writer() -> Writer:
        return choose(args.writer, parallel=args.slots)

    return build(options, writer)


def _folder(args: argparse.Namespace) -> Path:
    if args.workspace is not None:
        return Path(args.workspace)
    from platformdirs import user_data_path

    return user_data_path("fabai", appauthor=False) / "projects"


def _user(args: argparse.Namespace) -> int:
    if len(args.words) != 3 or args.words[:2] != ["user", "add"]:
        raise UsageError("say: fabai app user add NAME [--auth users.toml]")
    try:
        import argon2  # noqa: F401
    except ImportError:
        raise MissingPart("passwords need the application's packages: pip install 'fabai[app]'") from None
    from fabai.app.users import add_user

    path = args.auth if args.auth is not None else Path("users.toml")
    if sys.stdin.isatty():
        password = getpass.getpass(f"Password of {args.words[2]}: ")
        if getpass.getpass("Once more: ") != password:
            raise UsageError("the two passwords are not the same: nothing was changed")
    else:
        password = sys.stdin.readline().rstrip("\r\n")
    add_user(path, args.words[2], password, args.shown, args.shared)
    if args.json:
        show.as_json({"user": args.words[2], "file": str(path)})
    else:
        show.say(f"{args.words[2]} may log in; start with: fabai app --auth {path}")
    return 0
