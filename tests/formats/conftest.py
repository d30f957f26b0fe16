"""What tests of file formats may ask for."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from fabai.formats import libreoffice
from fabai.formats.document import Document
from fabai.formats.docx_in import read_docx


@pytest.fixture(scope="session")
def office() -> Callable[[bytes, str, str], bytes]:
    """LibreOffice's conversion of bytes from one format to another; where it is missing the test is skipped, under
    CI it fails.
    """
    if libreoffice.executable() is None:
        sentence = f"LibreOffice is not installed: {libreoffice.INSTALL}"
        if os.environ.get("CI"):
            pytest.fail(sentence)
        pytest.skip(sentence)
    return libreoffice.convert


@pytest.fixture(scope="session")
def chess(shared: Path) -> Document:
    """A real memoria with pictures, tables, a table of contents and a cover, read once."""
    return read_docx(shared / "data" / "docx-memorias" / "MasterCloudApps-Projects__chess__memoria.docx")


@pytest.fixture(scope="session")
def long_memoria(shared: Path) -> Document:
    """The long document of 476 sections, read once."""
    return read_docx(shared / "data" / "long-es" / "memorias-cc0-unidas.docx")
