"""Runs the PDF worker in a process of its own, with bounded memory and time, and says in one sentence why it gave
nothing.

Knows the worker's lines. Does not know what is on a page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from fabai.errors import MissingPart, UnreadableFile
from fabai.formats.pdf_page import Bookmark, Extract, Page
from fabai.settings import ReadingLimits

_REFUSED = {
    "password": "{name} is protected by a password: open it in a PDF viewer, print it to a new PDF and import that",
    "damaged": "{name} is damaged or was cut off; get a whole copy, or open it in a viewer and print it to a new PDF",
    "pages": "{name} has more than {pages} pages; split it and import the part that you need",
    "memory": "{name} needs more than {memory} MiB to read; print it to a new PDF, or split it",
    "letters": "{name} holds more text than any report does; split it and import the part that you need",
    "long": "{name} took longer than {seconds:g} s to read; split it, or print it to a new PDF",
    "empty": "{name} has no pages; get a whole copy",
}


def extract(data: bytes, name: str, limits: ReadingLimits) -> Extract:
    """The pages of a PDF; UnreadableFile with one sentence where it cannot be read."""
    lines = _run(data, name, limits)
    about: dict[str, Any] = {}
    pages: list[Page] = []
    faults: list[int] = []
    for line in lines:
        if "refused" in line:
            raise _refusal(line["refused"], name, limits)
        if "document" in line:
            about = line["document"]
        elif "page" in line:
            pages.append(Page.unpacked(line["page"]))
            if line.get("fault"):
                faults.append(pages[-1].number + 1)
    if not lines or "end" not in lines[-1]:
        # a process that ran out of memory inside a library leaves no last line
        raise _refusal("memory" if lines else "damaged", name, limits)
    if not pages:
        raise _refusal("empty", name, limits)
    if len(faults) == len(pages):
        raise _refusal("damaged", name, limits)
    notices = (f"pages that are damaged and were left out: {numbers(faults)}",) if faults else ()
    bookmarks = tuple(Bookmark(*one) for one in about["bookmarks"])
    return Extract(tuple(pages), bookmarks, about["title"], about["language"], about["fields"], notices)


def numbers(pages: list[int]) -> str:
    """Page numbers for a person: the first ten and how many there are."""
    shown = ", ".join(str(one) for one in pages[:10])
    return shown if len(pages) <= 10 else f"{shown} ... ({len(pages)} in all)"


def _refusal(reason: str, name: str, limits: ReadingLimits) -> UnreadableFile:
    return UnreadableFile(
        _REFUSED[reason].format(
            name=name, pages=limits.pdf_pages, memory=limits.pdf_memory_mib, seconds=limits.pdf_seconds
        )
    )


def _run(data: bytes, name: str, limits: ReadingLimits) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "fabai.formats.pdf_worker", str(limits.pdf_pages), str(limits.pdf_memory_mib)]
    # an empty folder to stand in: `-m` looks for modules in the current one first
    with tempfile.TemporaryDirectory(prefix="fabai-pdf-") as folder:
        try:
            done = subprocess.run(  # noqa: S603 - our own argument list, no shell
                command,
                input=data,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=limits.pdf_seconds,
                cwd=folder,
                env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"},
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise _refusal("long", name, limits) from None
        except OSError as error:
            raise MissingPart(f"Python could not be started to read {name} ({error.strerror}); try again") from None
    found: list[dict[str, Any]] = []
    for line in done.stdout.decode("utf-8", "replace").splitlines():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            break
    return found
