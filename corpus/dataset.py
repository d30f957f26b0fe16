"""Examples on disk: one Parquet (or JSONL) file for each split, which Hugging Face `datasets` loads as they are.

Knows columns and files. Does not know how examples are made.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from fabai.errors import UnreadableFile

from .examples import Example
from .split import SPLITS, SplitName

SIDECAR = "examples.json"
_ROWS = 64  # of a row group; each row holds a prompt of some 80 kB


def row(example: Example) -> dict[str, Any]:
    """The columns of an example."""
    return {
        "id": example.id,
        "report": example.report,
        "project": example.project,
        "language": example.language,
        "kind": example.kind,
        "mode": example.mode,
        "tokens": example.tokens,
        "labelled": example.labelled,
        "messages": [message.as_dict() for message in example.messages],
        "target": example.target,
        "masked": [{"start": start, "end": end} for start, end in example.masked],
    }


class Dataset(AbstractContextManager["Dataset"]):
    """The files under way; they take their names when all are whole, and a failure leaves nothing behind."""

    def __init__(self, folder: Path, *, jsonl: bool = False) -> None:
        self._folder = folder
        self._ending = "jsonl" if jsonl else "parquet"
        folder.mkdir(parents=True, exist_ok=True)
        self._stack = ExitStack()
        self._files: dict[SplitName, _Jsonl | _Parquet] = {}
        for name in SPLITS:
            path = folder / f".{name}.{self._ending}.part"
            self._files[name] = _Jsonl(path) if jsonl else _Parquet(path)

    def add(self, split: SplitName, rows: Iterable[Mapping[str, Any]]) -> None:
        """Rows in the order of the file."""
        self._files[split].add(rows)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            file.close()
            if kind is not None:
                file.path.unlink(missing_ok=True)

    def finish(self, sidecar: Mapping[str, Any]) -> dict[str, Any]:
        """Close the files, name them, write examples.json with their sha256 beside them; returns what it says."""
        hashes: dict[str, str] = {}
        for name, file in self._files.items():
            file.close()
            final = self._folder / f"{name}.{self._ending}"
            other = self._folder / f"{name}.{'parquet' if self._ending == 'jsonl' else 'jsonl'}"
            other.unlink(missing_ok=True)
            file.path.replace(final)
            hashes[final.name] = _sha256(final)
        told = {**sidecar, "files": hashes}
        fresh = self._folder / f".{SIDECAR}.part"
        fresh.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        fresh.replace(self._folder / SIDECAR)
        return told


class _Jsonl:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: IO[str] = path.open("w", encoding="utf-8", newline="\n")

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for one in rows:
            self._file.write(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n")

    def close(self) -> None:
        self._file.close()


class _Parquet:
    def __init__(self, path: Path) -> None:
        from pyarrow import parquet

        self.path = path
        self._schema = _schema()
        # the prompts of neighbours share most of their text, which a long window finds
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd", compression_level=1)
        self._rows: list[Mapping[str, Any]] = []
        self._open = True

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for one in rows:
            self._rows.append(one)
            if len(self._rows) >= _ROWS:
                self._write()

    def close(self) -> None:
        if self._open:
            self._write()
            self._file.close()
            self._open = False

    def _write(self) -> None:
        import pyarrow

        if self._rows:
            self._file.write_table(pyarrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


def read_rows(folder: Path) -> Iterator[tuple[SplitName, dict[str, Any]]]:
    """(split, row) of an examples folder; UnreadableFile where it is none."""
    if not (folder / SIDECAR).is_file():
        raise UnreadableFile(f"{folder} holds no examples: make them with 'fabai corpus examples'")
    for name in SPLITS:
        lines, table = folder / f"{name}.jsonl", folder / f"{name}.parquet"
        if lines.is_file():
            with lines.open(encoding="utf-8") as file:
                yield from ((name, json.loads(line)) for line in file)
        elif table.is_file():
            from pyarrow import parquet

            for batch in parquet.ParquetFile(table).iter_batches(batch_size=_ROWS):
                yield from ((name, one) for one in batch.to_pylist())


def _schema() -> Any:
    import pyarrow

    text, number = pyarrow.string(), pyarrow.int32()
    turn = pyarrow.struct([("role", text), ("content", text)])
    span = pyarrow.struct([("start", number), ("end", number)])
    return pyarrow.schema(
        [
            *((name, text) for name in ("id", "report", "project", "language", "kind", "mode")),
            *((name, number) for name in ("tokens", "labelled")),
            ("messages", pyarrow.list_(turn)),
            ("target", text),
            ("masked", pyarrow.list_(span)),
        ]
    )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
