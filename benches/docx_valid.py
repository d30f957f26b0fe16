"""What two validators of the format find in Word files: Microsoft's Open XML SDK and ooxml-integrity.

Knows how to run them and how to make findings of two states of a file comparable. `make validators` fetches both; where
one is absent it is named and what the other says counts. Does not know how files were made.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).resolve().parents[1] / "out" / "validators"
_SDK = FOLDER / "node_modules" / "@xarsh" / "ooxml-validator-linux-x64" / "ooxml-validator"
_INTEGRITY = FOLDER / "python" / "ooxml_integrity"
_SECONDS = 600.0
CUT = "sdk: its list ends at 1,000 findings"
"""Stands among the findings of a file that has more: what is new in it cannot be told."""
_MOST = 1000
_PLACES = re.compile(r"\d+|rId\w+")


def absent() -> list[str]:
    """The validators that are not here."""
    return [name for name, path in (("sdk", _SDK), ("integrity", _INTEGRITY)) if not path.exists()]


class Validators:
    """Findings of files, remembered by their bytes, so that an original is looked at once for all roads. memory: the
    folder in which the findings of both validators stay for the next run.
    """

    def __init__(self, memory: Path, workers: int = 2) -> None:
        self._workers = workers
        self.absent = absent()
        self._memory = None if self.absent else memory
        memory.mkdir(parents=True, exist_ok=True)
        kept = () if self._memory is None else memory.glob("*.json")
        self._known = {one.stem: Counter(json.loads(one.read_text("utf-8"))) for one in kept}

    def findings(self, files: Mapping[str, bytes]) -> dict[str, Counter[str]]:
        """What is wrong with each file by its name, counted; places and numbers are left out of each finding."""
        digests = {name: sha256(data).hexdigest() for name, data in files.items()}
        wanted = {digests[name]: data for name, data in files.items() if digests[name] not in self._known}
        with TemporaryDirectory(prefix="fabai-valid-") as place, ThreadPoolExecutor(self._workers) as pool:
            paths = {}
            for digest, data in wanted.items():
                paths[digest] = Path(place) / f"{digest}.docx"
                paths[digest].write_bytes(data)
            for digest, found in zip(paths, pool.map(self._look, paths.values()), strict=True):
                self._known[digest] = found
                if self._memory is not None:
                    (self._memory / f"{digest}.json").write_text(json.dumps(found, ensure_ascii=False), "utf-8")
        return {name: self._known[digest] for name, digest in digests.items()}

    def _look(self, path: Path) -> Counter[str]:
        found: Counter[str] = Counter()
        if "sdk" not in self.absent:
            said = _json([str(_SDK), str(path)])
            for one in said.get("errors", []):
                found[_PLACES.sub("#", f"sdk: {one['path']}: {one['id']}: {one['description']}")] += 1
            if len(said.get("errors", [])) >= _MOST:
                found[CUT] += 1
        if "integrity" not in self.absent:
            said = _json([sys.executable, "-m", "ooxml_integrity", "check", "--json", "--no-config", str(path)])
            for one in [one for file in said.get("files", []) for one in file["findings"]]:
                if one["severity"] == "error":
                    found[_PLACES.sub("#", f"integrity: {one['code']}: {one['message']}")] += 1
        return found


def _json(command: list[str]) -> dict[str, list[dict[str, str]]]:
    """What a validator wrote; one that fails on a file has found something itself."""
    environment = {**os.environ, "PYTHONPATH": str(FOLDER / "python")}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, env=environment, check=False)
        return dict(json.loads(done.stdout))
    except subprocess.TimeoutExpired:
        return {"errors": [{"path": "", "id": "no answer", "description": f"within {_SECONDS:g} s"}]}
    except ValueError:
        said = (done.stderr or done.stdout).strip().splitlines()
        return {"errors": [{"path": "", "id": "no answer", "description": said[-1] if said else "silent"}]}
