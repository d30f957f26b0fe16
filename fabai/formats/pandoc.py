"""The one place that runs pandoc: in its sandbox, with bounded memory and time, warnings and failures as sentences.

Knows how to start pandoc and how to read what it says. Does not know sections, projects or Word's packages; the
sandbox means that pandoc opens no file and no address: text goes in, text comes out."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

from fabai.errors import FabaiError, MissingPart, UnreadableFile
from fabai.formats import ast
from fabai.formats.dialect import EMPTY_SPAN, MARKDOWN, settle, xml_safe
from fabai.formats.pandoc_kept import Died, Failed, Kept, Late
from fabai.settings import ReadingLimits

__all__ = ["MARKDOWN", "Reading", "abreast", "from_json", "kept", "read", "to_json", "to_markdown"]

Ast = dict[str, Any]
"""pandoc's JSON: {"pandoc-api-version": [...], "meta": {...}, "blocks": [...]}."""

Message = dict[str, Any]
T = TypeVar("T")
Made = TypeVar("Made")

_LIMITS = ReadingLimits()
_WRITE_MARKDOWN = ("--wrap=none", "--reference-location=block", "--markdown-headings=atx")
_KEPT_WRITERS = ("json", MARKDOWN)
_BINARY = ("docx", "odt", "json")
_kept: list[Kept] = []
_OUT_OF_MEMORY = 251
_PARTS = 4
"""Processes at a time."""
_WORTHWHILE = 100_000
"""Letters that take longer to convert than another process takes to start."""
_LOG = "log.json"
_NAMES = {
    "odt": "OpenDocument",
    "html": "HTML",
    "latex": "LaTeX",
    "docx": "Word",
    "markdown": "Markdown",
    "json": "JSON",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What pandoc made of a document: its tree, a sentence for each kind of warning, and its log.

    log: pandoc's messages as it writes them with --log ({"type": "SkippedContent", "contents", "line" ...}).
    """

    ast: Ast
    notices: tuple[str, ...] = ()
    log: tuple[Message, ...] = ()


def read(data: bytes | str, reader: str, limits: ReadingLimits = _LIMITS, options: Sequence[str] = ()) -> Reading:
    """The tree of a document and pandoc's warnings. `reader` is a pandoc format with its extensions, MARKDOWN for
    section text (which is settled first). UnreadableFile where pandoc fails, in one sentence."""
    if reader == MARKDOWN:
        text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
        data = settle(xml_safe(text))
    output, log = _run(["-f", reader, "-t", "json", *options], _bytes(data), limits, reader)
    tree: Ast = json.loads(output)
    if reader == MARKDOWN and EMPTY_SPAN.encode() in _bytes(data):
        tree["blocks"] = ast.without_list_breaks(tree["blocks"])
    return Reading(tree, notices(log), tuple(log))


def to_json(data: bytes | str, reader: str, limits: ReadingLimits = _LIMITS, options: Sequence[str] = ()) -> Ast:
    """The tree of a document, as `read`, without the warnings."""
    return read(data, reader, limits, options).ast


def from_json(tree: Ast, writer: str, limits: ReadingLimits = _LIMITS, options: Sequence[str] = ()) -> bytes:
    """A tree written in a pandoc format. MARKDOWN is written without wrapping, notes right under their block, plain
    code fenced. Images must be data URIs where the format embeds them: the sandbox opens no file."""
    if writer == MARKDOWN:
        tree = {**tree, "blocks": ast.for_writer(tree["blocks"])}
        options = (*_WRITE_MARKDOWN, *options)
    data = json.dumps(tree, ensure_ascii=False).encode("utf-8", "replace")
    output, _ = _run(["-f", "json", "-t", writer, *options], data, limits, writer)
    return ast.finish_markdown(output.decode()).encode() if writer == MARKDOWN else output


def to_markdown(blocks: list[Any], limits: ReadingLimits = _LIMITS) -> str:
    """Blocks of a tree as one Markdown text in the dialect."""
    return from_json(ast.document(blocks), MARKDOWN, limits).decode().strip("\n")


def notices(log: Sequence[Message]) -> tuple[str, ...]:
    """One sentence for each thing in pandoc's log that a person should know."""
    found: list[str] = []
    notes = sum(message["type"] == "DuplicateNoteReference" for message in log)
    if notes:
        found.append(f"footnotes that share their mark with another: {notes}; the last text of each mark was kept")
    absent = [message["path"] for message in log if message["type"] == "CouldNotLoadIncludeFile"]
    absent = list(dict.fromkeys(path for path in absent if not path.endswith((".sty", ".cls"))))
    if absent:
        shown = ", ".join([*absent[:3], *(["..."] if len(absent) > 3 else [])])
        found.append(f"files that the document names and that were not read: {len(absent)} ({shown})")
    return tuple(found)


def abreast(convert: Callable[[list[T]], Made], items: Sequence[T], sizes: Sequence[int]) -> Iterator[Made]:
    """What `convert` makes of a row of items, in order: one result, or of a long row one for each of the parts that it
    is cut into, for pandoc uses one processor. While one result is used the next are made. sizes: of each item, in
    letters."""
    parts = 1 if _kept else min(_PARTS, os.cpu_count() or 1, sum(sizes) // _WORTHWHILE)
    if parts <= 1:
        yield convert(list(items))
        return
    share = sum(sizes) / parts
    rows: list[list[T]] = [[] for _ in range(parts)]
    for item, end in zip(items, accumulate(sizes), strict=True):
        rows[min(int((end - 1) / share), parts - 1)].append(item)
    with ThreadPoolExecutor(parts) as pool:
        yield from pool.map(convert, filter(None, rows))


@contextmanager
def kept() -> Iterator[None]:
    """While it lasts, one pandoc process reads document after document: for many in a row, in one thread."""
    _kept.append(Kept(executable()))
    try:
        yield
    finally:
        _kept.pop().close()


def _run(arguments: Sequence[str], data: bytes, limits: ReadingLimits, fmt: str) -> tuple[bytes, list[Message]]:
    name = _NAMES.get(re.split(r"[+-]", fmt)[0], fmt)
    _, reader, _, writer, *options = arguments
    if _kept and writer in _KEPT_WRITERS and (not options or tuple(options) == _WRITE_MARKDOWN):
        return _run_kept(reader, writer, data, limits, name)
    command = [executable(), "+RTS", f"-M{limits.pandoc_heap_mib}m", "-RTS", "--sandbox", f"--log={_LOG}", *arguments]
    with tempfile.TemporaryDirectory(prefix="fabai-pandoc-") as folder:
        # its own empty folder as home: the person's pandoc defaults and templates must not change a report
        environment = {"HOME": folder, "XDG_DATA_HOME": folder, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        try:
            done = subprocess.run(  # noqa: S603 - our own argument list, no shell
                command,
                input=data,
                capture_output=True,
                timeout=limits.seconds,
                cwd=folder,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _late(name, limits) from None
        except OSError as error:
            raise MissingPart(f"pandoc could not be started ({error.strerror}); reinstall it: {_INSTALL}") from None
        said = done.stderr.decode("utf-8", "replace")
        if done.returncode == _OUT_OF_MEMORY or "Heap exhausted" in said:
            raise _too_large(name, limits)
        if done.returncode != 0:
            raise _failure(said, name)
        log = Path(folder, _LOG)
        return done.stdout, json.loads(log.read_bytes()) if log.exists() else []


def _run_kept(reader: str, writer: str, data: bytes, limits: ReadingLimits, name: str) -> tuple[bytes, list[Message]]:
    if b"\t" in data and reader not in _BINARY:
        # the program does this before its readers see a text
        data = data.decode("utf-8", "replace").expandtabs(4).encode()
    try:
        output, log = _kept[-1].convert(data, reader, writer, limits.pandoc_heap_mib, limits.seconds)
    except Late:
        raise _late(name, limits) from None
    except Died:
        raise _too_large(name, limits) from None
    except Failed as error:
        raise _failure(str(error), name) from None
    return output, json.loads(log)


def _late(name: str, limits: ReadingLimits) -> UnreadableFile:
    return UnreadableFile(
        f"the {name} text took longer than {limits.seconds:g} s to convert; split the document and try again"
    )


def _too_large(name: str, limits: ReadingLimits) -> UnreadableFile:
    return UnreadableFile(
        f"the {name} text needs more than {limits.pandoc_heap_mib} MiB to convert; split it and try again"
    )


def _failure(said: str, name: str) -> FabaiError:
    lines = [
        line.strip() for line in said.splitlines() if line.strip() and not line.startswith(("[WARNING]", "[INFO]"))
    ]
    reason = re.sub(r"\s+", " ", " ".join(lines[:3])).rstrip(".:") or "no reason given"
    return UnreadableFile(
        f"the {name} text cannot be converted ({reason[:200]}); open it in its own program and save it again"
    )


_INSTALL = "pip install --force-reinstall pypandoc-binary"


@functools.cache
def executable() -> str:
    """The pandoc that came with pypandoc-binary; never one from PATH, whose version we do not know."""
    spec = importlib.util.find_spec("pypandoc")
    if spec is not None and spec.origin is not None:
        for candidate in sorted((Path(spec.origin).parent / "files").glob("pandoc*")):
            if candidate.is_file():
                return str(candidate)
    raise MissingPart(f"the bundled pandoc is missing; install it: {_INSTALL}")


def _bytes(data: bytes | str) -> bytes:
    return data if isinstance(data, bytes) else data.encode("utf-8", "replace")
