"""How well real PDFs are read: python -m benches.pdf [FOLDER] [--only NAME]

FOLDER holds pdf/ and calls-es/ (by default ../shared/data). Headings are compared with those that a person read off the
pages (benches/pdf_headings.toml), words with those of pdftotext without lines that many pages repeat and without the
printed table of contents, whose place the outline takes. Scanned files are only counted. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import time
import tomllib
from collections import Counter
from pathlib import Path

from fabai.errors import FabaiError
from fabai.formats.document import Document
from fabai.formats.pdf import parse_pages
from fabai.formats.pdf_headings import bare_key
from fabai.formats.pdf_process import extract
from fabai.formats.pdf_scan import is_garbled, is_scanned
from fabai.formats.read import assemble
from fabai.settings import ReadingLimits

LIMITS = ReadingLimits()
LABELS = Path(__file__).with_name("pdf_headings.toml")
_WORD = re.compile(r"[^\W_]{2,}")
"""Single letters are left out: pdftotext takes spaced code apart into them."""

_LEADER = re.compile(r"(?:[.·…_]\s?){4,}\s*\w{0,7}\s*$")


def expected_words(path: Path) -> Counter[str]:
    """The words of pdftotext, words cut at a line's end made whole, without running lines and leaders."""
    done = subprocess.run(["pdftotext", "-enc", "UTF-8", str(path), "-"], capture_output=True, check=True)  # noqa: S607
    pages = [page.splitlines() for page in done.stdout.decode().split("\f")]
    pages = [[line for line in page if line.strip()] for page in pages]
    seen = Counter(mask for page in pages for mask in {_masked(line) for line in page})
    outer = Counter(mask for page in pages for mask in {_masked(line) for line in [*page[:3], *page[-3:]]})
    running = {mask for mask, on in seen.items() if on >= max(3, 0.3 * len(pages)) or outer[mask] >= 3}
    lines = [line for page in pages for line in page if _masked(line) not in running and not _LEADER.search(line)]
    return _words(re.sub(r"(?<=\w)-\n(?=[^\W\d_])", "", "\n".join(lines)))


def _masked(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.split()))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold().replace("\u00ad", "").replace("ﬁ", "fi").replace("ﬂ", "fl")))


def kept(expected: Counter[str], found: Counter[str]) -> float:
    """The share of the expected words that was found, counting repeats."""
    return sum((expected & found).values()) / max(expected.total(), 1)


def compare(document: Document, labels: str) -> tuple[int, int, int, int]:
    """Headings that are right, found and expected, and those of the right ones whose level is right too."""
    expected = [line.split(" ", 1) for line in labels.strip().splitlines()]
    wanted = Counter((bare_key(title), int(level)) for level, title in expected)
    found = Counter((bare_key(section.heading), section.level) for section in document.sections if section.level)
    right = (Counter(title for title, _ in found.elements()) & Counter(title for title, _ in wanted.elements())).total()
    return right, found.total(), wanted.total(), (found & wanted).total()


def main() -> None:
    parser = argparse.ArgumentParser(description="How well real PDFs are read.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--only", help="files with this in their name")
    arguments = parser.parse_args()
    labels = tomllib.loads(LABELS.read_text(encoding="utf-8"))
    paths = sorted([*(arguments.folder / "pdf").glob("*.pdf"), *(arguments.folder / "calls-es").glob("*.pdf")])
    words: list[float] = []
    totals = Counter[str]()
    seconds = 0.0
    headings: dict[str, str] = {}
    for path in paths:
        if arguments.only and arguments.only not in path.name:
            continue
        start = time.perf_counter()
        try:
            found = extract(path.read_bytes(), path.name, LIMITS)
            if is_scanned(found) or is_garbled(found):
                totals["without_text"] += 1
                print(f"{path.name}: pages without a text that can be read")
                continue
            document = assemble(parse_pages(found), path.stem, LIMITS)
        except FabaiError as error:
            totals["refused"] += 1
            print(f"{path.name}: {error}")
            continue
        took = time.perf_counter() - start
        share = kept(expected_words(path), _words(document.text))
        words.append(share)
        seconds += took
        totals.update(files=1, pages=len(found.pages))
        print(
            f"{path.name}: {len(found.pages)} pages, {took / len(found.pages):.2f} s/page, words {share:.4f}, "
            f"{sum(section.level > 0 for section in document.sections)} headings",
            flush=True,
        )
        if path.name in labels:
            right, given, expected, level = compare(document, labels[path.name]["headings"])
            totals.update(right=right, given=given, expected=expected, level=level)
            headings[path.name] = f"{right} right of {given} found, {expected} expected, {level} levels right"
            print(f"  headings: {headings[path.name]}")
    print(
        json.dumps(
            {
                "files": totals["files"],
                "pages": totals["pages"],
                "without_text": totals["without_text"],
                "refused": totals["refused"],
                "seconds_per_page": round(seconds / max(totals["pages"], 1), 3),
                "words_kept_median": round(sorted(words)[len(words) // 2], 4) if words else None,
                "words_kept_least": round(min(words), 4) if words else None,
                "heading_precision": round(totals["right"] / max(totals["given"], 1), 4),
                "heading_recall": round(totals["right"] / max(totals["expected"], 1), 4),
                "heading_levels": round(totals["level"] / max(totals["right"], 1), 4),
                "headings": headings,
            },
            ensure_ascii=False,
        )
    )


if __name__ == "__main__":
    main()
