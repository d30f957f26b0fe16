"""Pictures made for print (PDF, EPS) as PNG, which Word shows: from LaTeX reports mostly; photographs no larger than
a page needs.

Knows how to run pdftoppm, bounded in time, on a file of its own. Does not know where pictures stand.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from fabai.formats.media import picture_type
from fabai.formats.photo import scaled

_DPI = "200"
_SECONDS = 20
_NAMED = re.compile(r"!\[[^\]]*\]\((media/[^\s)]+)")
PRINTED = ("pdf", "eps")


def shown_media(media: Mapping[str, bytes], text: str, notices: list[str]) -> dict[str, bytes]:
    """The pictures of a report as Word can show them: PDFs that `text` names as PNG, what cannot be shown left out.

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
    for name, data in media.items():
        kind = picture_type(data)
        if kind not in PRINTED:
            out[name] = scaled(data)
            continue
        made = _png(data) if kind == "pdf" and name in text else None
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


def _png(pdf: bytes) -> bytes | None:
    """The first page; None where pdftoppm is missing or cannot."""
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
