"""A file that a command writes: whole or not at all, and never over somebody's edits.

Knows the disk, and Word files of ours. Does not know what is in the file.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from fabai.errors import ExportError, UnreadableFile
from fabai.store.faults import disk_sentence
from fabai.store.file import is_project


def write(path: Path, data: bytes, keep: bool = True) -> Path | None:
    """Write a file whole or not at all. A file that somebody edited since its export is first copied aside.

    A link stays one, and the file that it leads to is written. A project, a pipe or a device is never replaced.
    Returns the copy ("memoria.bak.docx"), None where none was needed.
    ExportError with one sentence where the disk refuses.
    """
    backup: Path | None = None
    try:
        if path.exists() and not path.is_file():
            raise ExportError(f"'{path}' is no ordinary file: name another one to write")
        if is_project(path):
            raise ExportError(f"'{path}' is a project: name another file to write, nothing was overwritten")
        if path.is_symlink():
            path = Path(os.path.realpath(path))
        path.parent.mkdir(parents=True, exist_ok=True)
        if keep and path.exists():
            old = path.read_bytes()
            if old != data and not _is_ours(path, old):
                backup = _free_name(path)
                _replace(backup, old)
        _replace(path, data)
    except OSError as error:
        raise ExportError(disk_sentence(error, path)) from error
    return backup


def _is_ours(path: Path, data: bytes) -> bool:
    """Whether a Word file is as fabai wrote it: saving it again gives the same bytes, which no other program's
    saving does.
    """
    from fabai.formats.package import Package

    if path.suffix.lower() != ".docx":
        return False
    try:
        return Package(data).save() == data
    except UnreadableFile:
        return False


def _free_name(path: Path) -> Path:
    number = 1
    while True:
        name = path.with_name(f"{path.stem}.bak{number if number > 1 else ''}{path.suffix}")
        if not name.exists():
            return name
        number += 1


def _replace(path: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.stem[:40]}-", suffix=path.suffix, dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            temporary.chmod(path.stat().st_mode & 0o777)
        else:
            mask = os.umask(0)
            os.umask(mask)
            temporary.chmod(0o666 & ~mask)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
