"""PDFs whose pages are pictures: recognising them, and having ocrmypdf read them where it is installed.

Knows how to run ocrmypdf. Does not know what is on a page."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from fabai.errors import MissingPart, UnreadableFile
from fabai.formats.pdf_page import Extract
from fabai.formats.pdf_process import extract
from fabai.formats.program import run
from fabai.settings import ReadingLimits

_FEW = 20
"""Letters per page: a scanned document has its stamp and no more."""

INSTALL = "apt-get install ocrmypdf tesseract-ocr-spa tesseract-ocr-cat"
_LANGUAGES = ("spa", "cat", "eng")


_GARBLED = 0.15
"""Of all letters: where the fonts do not say which so many are, the text is of no use."""


def is_scanned(found: Extract) -> bool:
    """Whether the pages are pictures of text."""
    return found.letters < _FEW * len(found.pages) and any(page.images for page in found.pages)


def is_garbled(found: Extract) -> bool:
    """Whether the fonts do not say which letters stand on the pages, so that only their shapes can be read."""
    return sum(page.unmapped for page in found.pages) > max(_GARBLED * found.letters, 100)


def recognised(data: bytes, name: str, limits: ReadingLimits) -> tuple[Extract, str]:
    """The pages as ocrmypdf reads their pictures, and the sentence that says so; MissingPart where it is not
    installed."""
    program = shutil.which("ocrmypdf")
    if program is None:
        raise MissingPart(
            f"{name} has pages without a text that can be read, as scanned ones have; make it readable with "
            f"'ocrmypdf --force-ocr in.pdf out.pdf' and import out.pdf ({INSTALL})"
        )
    languages = _languages()
    with tempfile.TemporaryDirectory(prefix="fabai-ocr-", ignore_cleanup_errors=True) as place:
        folder = Path(place)
        (folder / "in.pdf").write_bytes(data)
        command = [program, "--force-ocr", "--output-type", "pdf", "--optimize", "0", "--quiet"]
        command += ["-l", "+".join(languages)] if languages else []
        what = f"reading {name}, which is scanned,"
        run([*command, "in.pdf", "out.pdf"], folder, limits.ocr_seconds, what, "split it and try again")
        result = folder / "out.pdf"
        found = extract(result.read_bytes(), name, limits) if result.is_file() else None
    if found is None or found.letters < _FEW:
        raise UnreadableFile(f"{name} is scanned and ocrmypdf finds no text in it; scan it again at 300 dpi")
    spoken = "+".join(languages) or "eng"
    return found, f"the pages of {name} are pictures: ocrmypdf read them ({spoken}), so look for misread letters"


def _languages() -> list[str]:
    """Those of our languages that tesseract has."""
    program = shutil.which("tesseract")
    if program is None:
        return []
    done = subprocess.run([program, "--list-langs"], capture_output=True, text=True, check=False)  # noqa: S603
    return [one for one in _LANGUAGES if one in done.stdout.split()]
