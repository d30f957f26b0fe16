"""`fabai doctor`: what can run on this machine, why not where it cannot, and how to get it.

It looks for packages, programs and files and loads none of them, so it answers at once and cannot break.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

from fabai.cli import show
from fabai.errors import MissingPart, UsageError
from fabai.settings import WriterSettings
from fabai.writers.models import MODELS, folder, place

_TRAIN = "pip install 'fabai[train]'"
_FONTS = (
    ("Arial, Times New Roman", "Liberation", "fonts-liberation"),
    ("Calibri", "Carlito", "fonts-crosextra-carlito"),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """ready: it can be used now. why: what was found, or what is missing. how: how to get it, "" where it is here."""

    ready: bool
    why: str
    how: str = ""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--record",
        metavar="PROJECT",
        type=Path,
        help="check instead that a project's record of AI use is as it was written; exit 3 where it is not",
    )
    parser.add_argument("--head", default="", metavar="HASH", help="with --record: a head that was handed out before")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.record is not None:
        return _record(args)
    if args.head:
        raise UsageError("--head goes with --record PROJECT")
    card = _card()
    groups = {"writers": writers(card), "servers": servers(), "engines": engines(card), "parts": parts(card)}
    if args.json:
        show.as_json({group: {name: asdict(one) for name, one in found.items()} for group, found in groups.items()})
        return 0
    titles = {"writers": "writer", "servers": "server", "engines": "training engine", "parts": "part"}
    for group, found in groups.items():
        rows = [
            (name, "ready" if one.ready else "no", f"{one.why}{f'; {one.how}' if one.how else ''}")
            for name, one in found.items()
        ]
        show.table([(titles[group], "left"), ("", "left"), ("why, and how to get it", "left")], rows, wide=2)
    return 0


def _record(args: argparse.Namespace) -> int:
    from fabai.store.project import Project

    head = args.head.strip().lower()
    if head and not re.fullmatch(r"[0-9a-f]{12,64}", head):
        raise UsageError("a head is 12 to 64 digits and letters from a to f: copy it from the exported record")
    with Project.open(args.record) as project:
        verdict = project.verify_record(head)
    if args.json:
        show.as_json({"ok": not verdict.faults, **asdict(verdict)})
    else:
        for fault in verdict.faults:
            show.say(show.one_line(fault))
        if not verdict.faults:
            show.say(f"the record is as it was written: {verdict.rows} rows, head {verdict.head or 'none yet'}")
            show.say("it proves the order of what happened, not who did it; a head kept elsewhere proves more later")
    return 3 if verdict.faults else 0


def writers(card: str | None) -> dict[str, Finding]:
    """The Writers, by the name that --writer takes."""
    lacking = _lacking("torch", "transformers")
    where = f"on {card}" if card is not None else "on the processor (no NVIDIA card was found)"
    key = "FABAI_API_KEY is set"
    if not os.environ.get("FABAI_API_KEY"):
        ring = (
            "the keyring may have keys (keyring set fabai URL)"
            if not _lacking("keyring")
            else "fabai[keyring] is missing"
        )
        key = f"FABAI_API_KEY is not set, which many local servers do not need; {ring}"
    return {
        "llamacpp": _embedded(),
        "transformers": Finding(False, f"{lacking} missing", _TRAIN)
        if lacking
        else Finding(True, f"torch {_version('torch')}, transformers {_version('transformers')}, {where}"),
        "openai": Finding(True, f"any OpenAI-compatible server, as openai:URL; {key}"),
        "scripted": Finding(True, "recites prepared texts for trials; it is not a model"),
    }


def servers() -> dict[str, Finding]:
    """What `fabai serve` can start."""
    from fabai.serving.card import cards
    from fabai.serving.vllm import OLDEST, PYTHON, find_python

    old = next((card for card in cards() if (0, 0) < card.capability < OLDEST), None)
    try:
        vllm = Finding(True, f"found with {find_python(None)}{'' if cards() else '; slow without an NVIDIA card'}")
    except MissingPart:
        how = f"python -m venv vllm; vllm/bin/pip install vllm; then set {PYTHON} to vllm/bin/python"
        vllm = Finding(False, "vLLM is not installed, or lies in an environment that fabai was not told of", how)
    if old is not None:
        vllm = Finding(False, f"{old.name} is too old for vLLM", "serve a GGUF file with llama.cpp")
    return {"vllm": vllm, "llama.cpp": _embedded()}


def engines(card: str | None) -> dict[str, Finding]:
    """The training engines."""
    lacking = _lacking("torch", "transformers", "peft", "bitsandbytes")
    base = Finding(False, f"{lacking} missing", _TRAIN) if lacking else None
    slow = "" if card is not None else "; without an NVIDIA card only for small models"
    found = {
        "plain": base or Finding(True, f"peft {_version('peft')}, bitsandbytes {_version('bitsandbytes')}{slow}"),
        "fabai": base or Finding(True, f"torch {_version('torch')}{slow}"),
    }
    for name, package, how in (
        ("liger", "liger_kernel", "pip install liger-kernel"),
        ("unsloth", "unsloth", "pip install unsloth, in an environment of its own"),
    ):
        if card is None:
            found[name] = Finding(False, "it needs an NVIDIA card, and none was found", "use another machine for it")
        elif importlib.util.find_spec(package) is None:
            found[name] = Finding(False, f"{package} missing", how)
        else:
            found[name] = base or Finding(True, f"{package} is installed")
    return found


def parts(card: str | None) -> dict[str, Finding]:
    """Programs and files that some commands use."""
    here = [model.name for model in MODELS if place(model).exists()]
    fonts = _output("fc-list")
    found = {
        "pandoc": _pandoc(),
        "libreoffice": _program(
            "soffice",
            "LibreOffice",
            "apt-get install libreoffice-writer libreoffice-math",
            "for .doc files and page counts",
        ),
        "pdftoppm": _program("pdftoppm", "Poppler", "apt-get install poppler-utils", "for pictures of pages"),
    }
    for family, substitute, package in _FONTS:
        there = substitute in fonts
        found[f"font {substitute}"] = Finding(
            there,
            f"page counts of documents in {family} are {'right' if there else 'wrong without it'}",
            "" if there else f"apt-get install {package}",
        )
    found["card"] = Finding(
        card is not None, card or "no NVIDIA card was found", "" if card else "small models run without one"
    )
    found["models"] = Finding(
        bool(here),
        f"{', '.join(here)} in {folder()}" if here else f"none in {folder()}",
        "" if here else "fabai get lists them",
    )
    return found


def _embedded() -> Finding:
    if importlib.util.find_spec("xllamacpp") is None:
        return Finding(False, "xllamacpp is missing", "pip install xllamacpp")
    here = [model.name for model in MODELS if model.kind == "gguf" and place(model).exists()]
    default = WriterSettings().model
    what = f"xllamacpp {_version('xllamacpp')}, {os.cpu_count() or 1} cores"
    if not here:
        return Finding(False, f"{what}, but no model", f"fabai get {default}")
    return Finding(
        True, f"{what}, {', '.join(here)}", "" if default in here else f"fabai get {default} brings the default model"
    )


def _pandoc() -> Finding:
    from fabai.formats.pandoc import executable

    try:
        return Finding(True, f"pypandoc-binary {_version('pypandoc-binary')} at {executable()}")
    except MissingPart as error:
        return Finding(False, str(error), "pip install --force-reinstall pypandoc-binary")


def _program(name: str, title: str, how: str, use: str) -> Finding:
    path = shutil.which(name)
    return Finding(True, f"{title} at {path}, {use}") if path else Finding(False, f"{title} is missing, {use}", how)


def _card() -> str | None:
    """Name and memory of the first NVIDIA card, None where there is none."""
    lines = _output("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader").strip().splitlines()
    return lines[0].strip() if lines else None


def _output(program: str, *arguments: str) -> str:
    path = shutil.which(program)
    if path is None:
        return ""
    try:
        # a program of the system, by its full path, with words of our own
        done = subprocess.run([path, *arguments], capture_output=True, text=True, timeout=20, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def _lacking(*packages: str) -> str:
    return ", ".join(name for name in packages if importlib.util.find_spec(name) is None)


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "of unknown version"
