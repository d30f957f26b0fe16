"""`fabai corpus remove`: a report leaves the corpus for good, and who has learnt from it is named.

Knows the files that a document stands in, and the manifest that a training run or a Release keeps (run.json: corpus,
documents). A Release cannot forget: what was trained on the report must be trained again without it. Does not know how
models are trained.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fabai.errors import UnknownName, UnreadableFile

from .cleaned import WORK
from .dataset import SIDECAR
from .document import MANIFEST, REMOVED, REPLACED, place, read_manifest, write_bytes, write_json
from .split import read_split, write_split

_RUN = ("run.json", "release.json")
_DEEP = 4
"""Folders below the one that is searched for runs."""


@dataclass(frozen=True, slots=True)
class Removed:
    """path: of the document in its sources. releases: folders of runs and Releases trained on it. examples: folders of
    examples that hold it.
    """

    id: str
    path: str
    releases: tuple[Path, ...]
    examples: tuple[Path, ...]


def remove(folder: Path, wish: str, searched: Iterable[Path] = ()) -> Removed:
    """Take the document with this id (or this path) out. searched: folders under which runs, Releases and examples lie.

    Its source is remembered by sha256 in removed.jsonl, so that the next build leaves it out. UnknownName where there
    is no such document.
    """
    manifest = read_manifest(folder)
    entries: list[dict[str, Any]] = manifest["documents"]
    entry = next((one for one in entries if wish in (one["id"], one["path"])), None)
    if entry is None:
        raise UnknownName.nearest(f"document of {folder}", wish, (one["id"] for one in entries))
    identity = str(entry["id"])
    # first what keeps it out, then what takes it out: a power cut in between leaves nothing behind that comes back
    _append(folder / REMOVED, {"id": identity, "sha256": entry["sha256"], "path": entry["path"]})
    write_json(folder / MANIFEST, {**manifest, "documents": [one for one in entries if one is not entry]})
    place(folder, identity).unlink(missing_ok=True)
    # what the first pass of a build kept of it
    (folder / WORK / f"{identity}.json").unlink(missing_ok=True)
    _without(folder / REPLACED, identity)
    split = read_split(folder)
    if split is not None:
        write_split(
            folder,
            replace(
                split,
                documents={key: value for key, value in split.documents.items() if key != identity},
                groups={key: value for key, value in split.groups.items() if key != identity},
                left_out={key: value for key, value in split.left_out.items() if key != identity},
                moved=tuple(one for one in split.moved if one != identity),
            ),
        )
    places = [folder, *searched]
    return Removed(
        identity,
        str(entry["path"]),
        tuple(sorted({one.parent for one in _naming(places, _RUN, identity)})),
        tuple(sorted({one.parent for one in _naming(places, (SIDECAR,), identity)})),
    )


def _naming(folders: Iterable[Path], names: Iterable[str], identity: str) -> Iterator[Path]:
    """Manifests under the folders whose `documents` hold the id."""
    for folder in folders:
        for name in names:
            for depth in range(_DEEP + 1):
                for path in folder.glob("/".join(["*"] * depth + [name])):
                    if identity in _documents(path):
                        yield path


def _documents(path: Path) -> list[str]:
    try:
        found = json.loads(path.read_bytes()).get("documents", [])
    except (OSError, ValueError, AttributeError) as error:
        raise UnreadableFile(
            f"{path} cannot be read ({error}), so it is not known whether it was trained on this report"
        ) from None
    return [str(one) for one in found] if isinstance(found, list) else []


def _append(path: Path, line: dict[str, Any]) -> None:
    before = path.read_bytes() if path.exists() else b""
    write_bytes(path, before + json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def _without(path: Path, identity: str) -> None:
    if path.exists():
        lines = path.read_bytes().splitlines(keepends=True)
        write_bytes(path, b"".join(line for line in lines if json.loads(line).get("id") != identity))
