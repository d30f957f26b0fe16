"""Reading a file that a person named: it is an ordinary one of bearable size before a byte of it is read.

A pipe would be waited for without end, and a device never ends. Does not know what the file holds.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from fabai.errors import UnreadableFile


def contents(path: Path, most: int, name: str = "") -> bytes:
    """The bytes of the file; UnreadableFile with one sentence where it is none, or larger than `most` bytes.

    name: how the sentence begins, else with the path.
    """
    shown = name or str(path)
    try:
        # opening a pipe waits for who writes into it, so the question comes first
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise UnreadableFile(f"{shown} is no ordinary file: copy what it holds into one")
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                raise UnreadableFile(f"{shown} is too large ({size / 2**20:,.0f} MiB; {most / 2**20:,.0f} at most)")
            return file.read(most)
    except FileNotFoundError:
        raise UnreadableFile(f"{shown} does not exist") from None
    except OSError as error:
        raise UnreadableFile(f"{shown} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise UnreadableFile(f"{shown!r} is no name that a file can have") from None
