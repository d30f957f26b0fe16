"""A tiny model with a byte tokenizer, its examples, and a server that forks processes with the libraries loaded."""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from fabai.writers.models import find_model, place
from tests.training import made
from tests.writers import tiny


@pytest.fixture(scope="session")
def byte_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random Llama of 2 layers whose tokens are bytes."""
    return tiny.make(tmp_path_factory.mktemp("byte") / "model")


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six examples, two of them held out too."""
    return made.examples(tmp_path_factory.mktemp("examples"))


@pytest.fixture(scope="session")
def forked() -> ForkServerContext:
    """Processes that can be killed, without waiting for the libraries in each."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["fabai.training.trainer", "fabai.training.train", "datasets", "peft"])
    return context


@pytest.fixture(scope="session")
def smollm2(english_model: Path) -> Path:
    """SmolLM2 135M Instruct as a folder to train."""
    from fabai.training.recipe import load
    from fabai.training.source import find

    assert place(find_model("smollm2-135m")) == english_model
    folder = find(load("smollm2-cpu"))
    assert folder is not None
    return folder
