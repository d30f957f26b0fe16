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
    scanned one. cells: of one sheet of a spreadsheet, empty ones inside its table included.
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
    cells: int = 4_000_000

    def __post_init__(self) -> None:
        between("seconds", self.seconds, 0.1, 3_600.0)
        between("pdf_pages", self.pdf_pages, 1, 100_000)
        between("pdf_seconds", self.pdf_seconds, 0.1, 36_000.0)
        between("pdf_memory_mib", self.pdf_memory_mib, 256, 1_000_000)
        between("ocr_seconds", self.ocr_seconds, 0.1, 36_000.0)
        between("cells", self.cells, 1, 100_000_000)


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


@dataclass(frozen=True, slots=True)
class AppSettings:
    """How `fabai app` serves.

    slots: answers that the model writes at a time. upload_bytes: largest file that is taken in. session_hours: until a
    login ends; idle_hours: until one that is not used ends. attempts: wrong passwords within attempt_minutes before a
    name and an address must wait. keep_seconds: between two savings of what a model is writing. open_projects: files
    held open at a time. page_dpi: of the pages that are shown before the download. questions: most asked of a section.
    """

    host: str = "127.0.0.1"
    port: int = 7860
    slots: int = 2
    upload_bytes: int = 100 * 2**20
    session_hours: float = 12.0
    idle_hours: float = 3.0
    attempts: int = 5
    attempt_minutes: float = 15.0
    keep_seconds: float = 0.5
    open_projects: int = 64
    page_dpi: int = 70
    questions: int = 7

    def __post_init__(self) -> None:
        between("port", self.port, 0, 65_535)
        between("slots", self.slots, 1, 1_024)
        between("upload_bytes", self.upload_bytes, 1_024, 2**31)
        between("session_hours", self.session_hours, 0.01, 24 * 365)
        between("idle_hours", self.idle_hours, 0.01, 24 * 365)
        between("attempts", self.attempts, 1, 1_000)
        between("attempt_minutes", self.attempt_minutes, 0.01, 24 * 60)
        between("keep_seconds", self.keep_seconds, 0.01, 60)
        between("open_projects", self.open_projects, 1, 10_000)
        between("page_dpi", self.page_dpi, 20, 300)
        between("questions", self.questions, 1, 7)
