"""Where the model of a recipe lies: a folder, a fetched model, a hub id; and a folder made of a fetched GGUF file.

Knows the folder of models and the hub's cache. Does not know how a model is loaded for training.
"""

from __future__ import annotations

import importlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fabai.errors import TrainingError, UnreadableFile
from fabai.writers.models import MODELS, Model, folder, place

from .recipe import Recipe


def find(recipe: Recipe, fetch: bool = True, tell: Callable[[str], None] | None = None) -> Path | None:
    """The folder of the recipe's slice or model; None where it is not on this machine and `fetch` is False.

    A GGUF file that `fabai get` fetched is turned into a folder once, beside it.
    """
    if recipe.slice:
        path = Path(recipe.slice)
        if not (path / "slice" / "manifest.json").is_file():
            raise UnreadableFile(f"{path} is not a slice: give a folder that fabai slice wrote, or leave slice empty")
        return path
    path = Path(recipe.model)
    if (path / "config.json").is_file():
        return path
    known = next((one for one in MODELS if recipe.model in (one.name, _repository(one))), None)
    if known is not None and known.kind == "folder" and place(known).is_dir():
        return place(known)
    if known is not None and known.kind == "gguf":
        return _of_gguf(known, fetch, tell)
    from .slice.checkpoint import locate

    return locate(recipe.model) if fetch else _cached(recipe.model)


def named(recipe: Recipe, path: Path) -> str:
    """How an adapter names its base: the hub id where the model came from the hub's cache, else the folder's path."""
    return recipe.model if not recipe.slice and "models--" in str(path) else str(path.resolve())


def _repository(model: Model) -> str | None:
    return None if model.hub is None or model.hub.file is not None else model.hub.repository


def _cached(model: str) -> Path | None:
    """A hub model that is in the cache."""
    from huggingface_hub import try_to_load_from_cache

    try:
        found = try_to_load_from_cache(model, "config.json")
    except ValueError:
        return None
    return Path(found).parent if isinstance(found, str) else None


def _of_gguf(model: Model, fetch: bool, tell: Callable[[str], None] | None) -> Path | None:
    target = folder() / f"{model.name.removesuffix('-gguf')}-folder"
    if (target / "config.json").is_file():
        return target
    if not place(model).is_file():
        if not fetch:
            return None
        raise TrainingError(f"the model '{model.name}' is not on this machine; fetch it with: fabai get {model.name}")
    if not fetch:
        return None
    if tell is not None:
        tell(f"reading {place(model).name} once, for training")
    unfinished = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        from_gguf(place(model), unfinished)
        os.replace(unfinished, target)
    except OSError:
        # another process was quicker
        if not (target / "config.json").is_file():
            raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return target


def from_gguf(file: Path, target: Path) -> None:
    """Write a GGUF file's model as a transformers folder in bf16, its weights as they are after rounding."""
    import torch

    transformers: Any = importlib.import_module("transformers")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    loading = transformers.AutoModelForCausalLM
    rounded = loading.from_pretrained(str(file.parent), gguf_file=file.name, dtype=torch.bfloat16)
    config = rounded.config.__class__.from_dict(
        {key: value for key, value in rounded.config.to_dict().items() if key != "quantization_config"}
    )
    # saving a model that came from GGUF is refused, so its tensors move into one that did not
    model = loading.from_config(config, dtype=torch.bfloat16)
    model.load_state_dict(rounded.state_dict())
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name)
    end = tokenizer.eos_token_id
    model.generation_config = transformers.GenerationConfig(bos_token_id=tokenizer.bos_token_id, eos_token_id=end)
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)
