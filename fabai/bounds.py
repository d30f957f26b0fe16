"""Bounds: that a setting lies between them, and what reading, storing and exporting a file may cost.

Knows numbers. Does not know where they are used; fabai.settings hands them on with all other defaults.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabai.errors import BadSetting


def between(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise BadSetting(f"{name} is {value}; it must lie between {low} and {high}")


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """Bounds on what an imported file may cost. Bytes, seconds, MiB. table_bytes: of a TOML or JSON file.

    pdf_seconds: for all pages of a PDF, of which a second holds about five. ocr_seconds: for recognising the text of a
    scanned one.
    """

    file_bytes: int = 200 * 2**20
    unpacked_bytes: int = 1 * 2**30
    parts: int = 20_000
    seconds: float = 50.0
    pandoc_heap_mib: int = 2_048
    table_bytes: int = 16 * 2**20
    pdf_pages: int = 2_000
    pdf_seconds: float = 600.0
    pdf_memory_mib: int = 2_048
    ocr_seconds: float = 3_600.0

    def __post_init__(self) -> None:
        between("seconds", self.seconds, 0.1, 3_600.0)
        between("pdf_pages", self.pdf_pages, 1, 100_000)
        between("pdf_seconds", self.pdf_seconds, 0.1, 36_000.0)
        between("pdf_memory_mib", self.pdf_memory_mib, 256, 1_000_000)
        between("ocr_seconds", self.ocr_seconds, 0.1, 36_000.0)


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """lock_seconds: how long to wait for another program that is writing the same project file."""

    lock_seconds: float = 5.0

    def __post_init__(self) -> None:
        between("lock_seconds", self.lock_seconds, 0.0, 600.0)


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """What a Word file gets. keep_original: a report goes back into the file it was imported from. toc_levels: 1-9."""

    keep_original: bool = True
    cover: bool = True
    toc: bool = True
    toc_levels: int = 3

    def __post_init__(self) -> None:
        between("toc_levels", self.toc_levels, 1, 9)
