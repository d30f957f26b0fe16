"""Media names: two documents may both bring a 'media/image1.png', and both images are kept.

Knows names, hashes and how Markdown refers to a file. Does not know image formats.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import PurePosixPath

from fabai.formats.document import Block, Document


def add(db: sqlite3.Connection, media: Mapping[str, bytes]) -> dict[str, str]:
    """Store the files; returns the new name of each whose name was taken by another file."""
    renamed: dict[str, str] = {}
    for name, data in media.items():
        digest = sha256(data).hexdigest()
        row = db.execute("SELECT sha256 FROM media WHERE name = ?", (name,)).fetchone()
        if row is not None and row[0] == digest:
            continue
        if row is not None:
            path = PurePosixPath(name)
            renamed[name] = str(path.with_name(f"{path.stem}-{digest[:12]}{path.suffix}"))
        db.execute(
            "INSERT OR IGNORE INTO media (name, sha256, data) VALUES (?, ?, ?)", (renamed.get(name, name), digest, data)
        )
    return renamed


def all_of(db: sqlite3.Connection) -> dict[str, bytes]:
    """Every file by name."""
    return dict(db.execute("SELECT name, data FROM media ORDER BY name"))


def rename_in(document: Document, renamed: Mapping[str, str]) -> Document:
    """The document with its references changed to the new names."""
    if not renamed:
        return document
    names = "|".join(re.escape(name) for name in sorted(renamed, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w/.-])(?:{names})(?![\w-]|\.\w)")

    def block(old: Block) -> Block:
        return replace(old, markdown=pattern.sub(lambda match: renamed[match.group()], old.markdown))

    sections = tuple(replace(one, blocks=tuple(map(block, one.blocks))) for one in document.sections)
    media = {renamed.get(name, name): data for name, data in document.media.items()}
    return replace(document, sections=sections, media=media)
