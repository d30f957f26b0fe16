"""A long bench in parts, several processes at a time; each part's counts are kept, so a run that was stopped goes on.

Knows files and processes. Does not know what a part does: that is a function of the module, called with one part.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, TypeVar

P = TypeVar("P")
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def folder(out: Path, asked: Sequence[object], code: Sequence[Path]) -> Path:
    """Where the parts of this run are kept: another question, or other code in these folders, has another place."""
    digest = hashlib.sha256(repr(tuple(asked)).encode())
    for path in sorted(file for one in code for file in ([one] if one.is_file() else one.rglob("*.py"))):
        digest.update(path.read_bytes())
    found = out / digest.hexdigest()[:12]
    found.mkdir(parents=True, exist_ok=True)
    return found


def run(work: Callable[[P], dict[str, Any]], parts: Mapping[str, P], kept: Path, jobs: int) -> dict[str, Any]:
    """What `work` says of each part, by the part's name and in their order. What it says goes through JSON."""
    begun, cost = time.monotonic(), 0.0
    files = {name: kept / f"{name.replace(' ', '-')}.json" for name in parts}
    open_parts = {name: part for name, part in parts.items() if not files[name].exists()}
    # a fork has what was loaded before, documents and vocabularies too
    with ProcessPoolExecutor(max(1, jobs), multiprocessing.get_context("fork")) as pool:
        waiting = {pool.submit(_timed, work, part): name for name, part in open_parts.items()}
        for number, one in enumerate(as_completed(waiting), 1):
            said, seconds = one.result()
            cost += seconds
            _write(files[waiting[one]], said)
            print(
                f"{number} of {len(open_parts)}: {waiting[one]}, {seconds:.0f} s of a core, "
                f"{time.monotonic() - begun:.0f} s in all",
                flush=True,
            )
    print(f"{len(parts) - len(open_parts)} parts were done before, {cost / 60:.1f} core-minutes for the others")
    return {name: json.loads(file.read_text(encoding="utf-8")) for name, file in files.items()}


def _timed(work: Callable[[P], dict[str, Any]], part: P) -> tuple[dict[str, Any], float]:
    begun = time.process_time()
    said = work(part)
    return said, time.process_time() - begun


def _write(file: Path, said: dict[str, Any]) -> None:
    beside = file.with_suffix(".part")
    beside.write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
    beside.replace(file)
