"""Pictures that Word does not show (PDF, SVG, WebP) as PNG, which it does; photographs no larger than a page needs.

Knows how to run pdftoppm, bounded in time, on a file of its own. Does not know where pictures stand.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Container, Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from fabai.formats.drawn import drawn
from fabai.formats.media import picture_type
from fabai.formats.photo import as_png, opens, scaled

_DPI = "200"
_SECONDS = 20
_NAMED = re.compile(r"!\[[^\]]*\]\((media/[^\s)]+)")


def shown_media(
    media: Mapping[str, bytes], text: str, notices: list[str], held: Container[str] = ()
) -> dict[str, bytes]:
    """The pictures of a report as Word can show them: those that `text` names, as PNG where need be, what cannot be
    shown left out. Drawings that could not be made into PNG stay as they are: newer Word shows them. held: hashes of
    the pictures that the file has already, which a smaller copy would only make larger.

    A sentence is added to `notices` that names what was left out, and one for names that the project has no picture of.
    """
    absent = [name for name in dict.fromkeys(_NAMED.findall(text)) if name not in media]
    if absent:
        notices.append(
            f"pictures that the text names and the project does not have: {_some(absent)}; "
            "take them out of the text or import the report again"
        )
    out = dict(media)
    lost: list[str] = []
    drawings = [name for name, data in media.items() if picture_type(data) == "svg" and name in text]
    undrawn: list[str] = []
    for name, png in zip(drawings, drawn([media[one] for one in drawings]), strict=True):
        if png is None:
            undrawn.append(name)
        else:
            out[name] = png
    if undrawn:
        notices.append(
            f"drawings that only newer Word shows, and no PDF: {_some(undrawn)}; "
            "save them as PNG and import the report again"
        )
    for name, data in media.items():
        kind = picture_type(data)
        if kind == "svg":
            continue
        made = _fit(data, kind, held) if name in text else None
        if made is not None:
            out[name] = made
        else:
            del out[name]
            if name in text:
                lost.append(name)
    if lost:
        notices.append(
            f"pictures that Word does not show were left out: {_some(lost)}; "
            "save them as PNG and import the report again"
        )
    return out


def _some(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join([*shown[:5], *(["..."] if len(shown) > 5 else [])])


def _fit(data: bytes, kind: str | None, held: Container[str]) -> bytes | None:
    """The picture as a page needs it, of a PDF its first page; None where it cannot be read, or pdftoppm is missing."""
    if kind == "eps":
        return None
    if kind == "webp":
        return as_png(data)
    if kind == "pdf":
        return _page(data)
    if sha256(data).hexdigest() in held:
        return data
    return scaled(data) if opens(data) else None


def _page(pdf: bytes) -> bytes | None:
    program = shutil.which("pdftoppm")
    if program is None:
        return None
    with tempfile.TemporaryDirectory(prefix="fabai-picture-") as name:
        folder = Path(name)
        (folder / "in.pdf").write_bytes(pdf)
        command = [program, "-png", "-r", _DPI, "-singlefile", "-scale-to", "2400", "in.pdf", "out"]
        try:
            subprocess.run(command, cwd=folder, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
        except (subprocess.TimeoutExpired, OSError):
            return None
        made = folder / "out.png"
        return made.read_bytes() if made.is_file() else None
