"""The folder of a document: the only place where its reader may open other files.

Knows paths and bounds. Does not know formats. A path is followed only while it stays inside: no absolute path, no
'..' that leaves, no link that points out."""

from __future__ import annotations

from pathlib import Path

from fabai.settings import ReadingLimits


class Folder:
    """Reads files under `root`; the bytes of all files together are bounded by the limits."""

    def __init__(self, root: Path, limits: ReadingLimits) -> None:
        self.root = root.resolve()
        self._left = limits.file_bytes

    def path(self, name: str) -> Path | None:
        """The file of that relative name, None where it is outside, missing, or no file."""
        if not name or "\x00" in name or Path(name).is_absolute() or name.startswith(("~", "\\")):
            return None
        try:
            path = (self.root / name.replace("\\", "/")).resolve()
            return path if path.is_relative_to(self.root) and path.is_file() else None
        except (OSError, RuntimeError, ValueError):
            return None

    def find(self, name: str) -> bytes | None:
        """The bytes of the file of that relative name; None as in `path`, or where the bound is used up."""
        path = self.path(name)
        if path is None:
            return None
        try:
            if path.stat().st_size > self._left:
                return None
            data = path.read_bytes()
        except OSError:
            return None
        self._left -= len(data)
        return data
