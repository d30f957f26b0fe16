"""What a slice remembers about itself, in its sub-folder `slice/`: the id map, where it came from, the original's
small files.

slice/manifest.json       Manifest
slice/kept.npy            original row of each row, int64 [rows]
slice/original/           config and tokenizer files of the original, as they were
slice/dropped.safetensors the rows that were dropped, where asked for
slice/report.{json,md,png}
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from fabai.errors import UnreadableFile
from fabai.strict import build

from .rows import Ids
from .tokenizer import read_json

FOLDER = "slice"
FORMAT = 1
_SMALL = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Manifest:
    """tokens: kept ones; rows: of the matrices, padding included. pre: llama.cpp's name of the pre-tokenizer, None
    where it has none.
    """

    format: int
    original: str
    tokenizer_sha256: str
    family: str
    rows_before: int
    rows: int
    tokens_before: int
    tokens: int
    vocabulary: tuple[str, ...]
    pre: str | None
    gguf: str
    command: str = ""


def write_manifest(folder: Path, source: Path, manifest: Manifest, kept: Ids) -> None:
    """Fill `folder`/slice with the manifest, the map and the original's small files."""
    inside = folder / FOLDER
    (inside / "original").mkdir(parents=True, exist_ok=True)
    (inside / "manifest.json").write_text(
        json.dumps(asdict(manifest), ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
    )
    np.save(inside / "kept.npy", kept)
    for path in sorted(source.iterdir()):
        weights = path.suffix in (".safetensors", ".bin", ".pth", ".gguf", ".index.json") or path.name.endswith(
            ".index.json"
        )
        if path.is_file() and not weights and path.stat().st_size <= _SMALL:
            shutil.copyfile(path, inside / "original" / path.name)


def read_manifest(folder: Path) -> tuple[Manifest, Ids]:
    """(manifest, kept); UnreadableFile where the folder is no slice."""
    inside = folder / FOLDER
    if not (inside / "manifest.json").is_file():
        raise UnreadableFile(
            f"{folder} is not a slice: it has no {FOLDER}/manifest.json; give a folder that fabai slice wrote"
        )
    manifest = build(Manifest, read_json(inside / "manifest.json"), f"{inside / 'manifest.json'}")
    if manifest.format != FORMAT:
        raise UnreadableFile(
            f"{folder} was written by another version of fabai (format {manifest.format}); slice the original again"
        )
    try:
        kept = np.load(inside / "kept.npy", allow_pickle=False).astype(np.int64)
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{inside / 'kept.npy'} cannot be read: {error}") from None
    if kept.shape != (manifest.rows,):
        raise UnreadableFile(
            f"{inside / 'kept.npy'} holds {kept.size:,} ids and the manifest says {manifest.rows:,}; slice again"
        )
    return manifest, kept


def sha256(path: Path) -> str:
    """Of a file's bytes, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_report(folder: Path, suffix: str) -> str:
    """The text of a slice's report ("md" or "json")."""
    read_manifest(folder)
    path = folder / FOLDER / f"report.{suffix}"
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        raise UnreadableFile(f"{path} is missing; slice again to get it") from None
