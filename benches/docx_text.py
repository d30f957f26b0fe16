"""The text that LibreOffice shows of many Word files, in batches that cannot hang, and the labels of their lists.

Knows how to run LibreOffice by the dozen: each batch has a time limit, its whole process group is ended, and the files
that it left are tried one by one. Does not know what the text is compared with.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import shutil
import signal
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

from lxml import etree

from benches.docx_shape import accepted, main_part, parse
from fabai.formats.wordml import W, remove, squeezed

BATCH = 12
PER_FILE, ALONE, START = 6.0, 60.0, 25.0
"""Seconds: for each file of a batch, for a file tried alone, for LibreOffice to begin."""


def normalised(data: bytes, labels: bool) -> bytes:
    """The file with revisions accepted and, unless `labels`, without list numbers: what the text is taken from."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as zipped, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
        main = main_part(zipped)
        for name in dict.fromkeys(zipped.namelist()):
            part = zipped.read(name)
            if name == main or re.search(r"(styles|footnotes|endnotes)\d*\.xml$", name):
                root = accepted(parse(part))
                if not labels:
                    for one in list(root.iter(W + "numPr")):
                        remove(one)
                part = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
            written.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), part)
    return out.getvalue()


class Office:
    """LibreOffice's text of files, remembered by their bytes: what two roads have in common is laid out once. memory:
    the folder in which texts stay for the next run.
    """

    def __init__(self, folder: Path, memory: Path, workers: int = 2) -> None:
        self._folder, self._memory, self._workers = folder, memory, workers
        memory.mkdir(parents=True, exist_ok=True)
        self._known: dict[str, str] = {one.stem: one.read_text("utf-8") for one in memory.glob("*.txt")}
        self._runs = count()
        self.silent: list[str] = []
        """Files for which LibreOffice gave no text, alone and within its time."""

    def texts(self, files: Mapping[str, bytes]) -> dict[str, str]:
        """The text of each file by its name; a file that LibreOffice cannot lay out is left out and named."""
        digests = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
        wanted = {digests[name]: data for name, data in files.items() if digests[name] not in self._known}
        row = list(wanted)
        batches = [row[start : start + BATCH] for start in range(0, len(row), BATCH)]
        with ThreadPoolExecutor(self._workers) as pool:
            for found in pool.map(lambda batch: self._batch({one: wanted[one] for one in batch}), batches):
                self._known.update(found)
        absent = [name for name, digest in digests.items() if digest not in self._known]
        for name in absent:
            print(f"LibreOffice gave no text for {name} within {ALONE:g} s", flush=True)
        self.silent += absent
        return {name: self._known[digest] for name, digest in digests.items() if digest in self._known}

    def _batch(self, files: Mapping[str, bytes]) -> dict[str, str]:
        found = self._convert(files, START + PER_FILE * len(files))
        for name in files.keys() - found.keys():
            found |= self._convert({name: files[name]}, ALONE)
        return found

    def _convert(self, files: Mapping[str, bytes], seconds: float) -> dict[str, str]:
        folder = self._folder / f"run{next(self._runs)}"
        (folder / "in").mkdir(parents=True)
        for name, data in files.items():
            (folder / "in" / f"{name}.docx").write_bytes(data)
        run_office(["txt:Text (encoded):UTF8"], sorted((folder / "in").iterdir()), folder, seconds)
        found = {one.stem: one.read_text("utf-8-sig", "replace") for one in (folder / "out").glob("*.txt")}
        for digest, text in found.items():
            (self._memory / f"{digest}.txt").write_text(text, "utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        return found


def run_office(target: Sequence[str], files: Sequence[Path], folder: Path, seconds: float) -> None:
    """Convert files into `folder`/out with a profile of its own; after `seconds` everything it started is ended."""
    command = ["soffice", f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless", "--norestore"]
    command += ["--convert-to", *target, "--outdir", str(folder / "out"), *map(str, files)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            print(f"LibreOffice took longer than {seconds:g} s for {len(files)} files", flush=True)
        finally:
            # soffice starts soffice.bin, which outlives it
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def list_labels(labelled: str, bare: str) -> list[str] | None:
    """Label and beginning of each list item, from LibreOffice's text with and without numbers; any bullet sign is
    one.
    """
    with_labels, without = labelled.splitlines(), bare.splitlines()
    if len(with_labels) != len(without):
        return None
    found = []
    for one, other in zip(with_labels, without, strict=True):
        if one != other and other.strip() and one.endswith(other):
            label = one[: len(one) - len(other)].strip()
            if label:
                bullet = not re.search(r"\w", label) or label in "o§ØüvqÞ"
                found.append(("•" if bullet else label.rstrip(".)").lstrip("(")) + " " + squeezed(other)[:40])
    return found
