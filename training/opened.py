"""A trained adapter from the disk, with all that it needs to run again: of a Release, a run, or a folder of PEFT's.

Knows where each part lies, and that an adapter runs only on the base that it was trained on: the base is looked for,
its digest compared, and the shapes of both. Does not load weights into a model.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fabai.errors import FabaiError, UnreadableFile
from fabai.writers.adapter import CONFIG, RUN, WEIGHTS, Adapter, json_object, read_adapter
from fabai.writers.models import MODELS, folder, place

from .prepare import mark
from .recipe import Recipe
from .slice.checkpoint import read_header
from .source import find

MANIFEST = "release.json"
_LAYER = re.compile(r"base_model\.model\.(.+)\.lora_([AB])\.weight")
_VOLATILE = ("transformers_version", "_name_or_path", "torch_dtype", "dtype", "use_cache")


@dataclass(frozen=True, slots=True)
class Opened:
    """folder: as named. run: run.json, or what the adapter tells where there is none. base: the base's folder here.
    release: release.json, None where the folder is no Release.
    """

    folder: Path
    adapter: Adapter
    run: Mapping[str, Any]
    base: Path
    release: Mapping[str, Any] | None

    @property
    def settings(self) -> dict[str, Any]:
        """Of the recipe."""
        return dict(self.run["settings"])

    @property
    def dtype(self) -> str:
        """What training computed in."""
        return str(self.run["model"].get("dtype") or "float32")

    @property
    def name(self) -> str:
        return str(self.release["name"]) if self.release is not None else self.adapter.name

    @property
    def shown(self) -> Mapping[str, Any]:
        """Of the examples that it learnt from: corpus, mode, cap, decay, sha256 ..."""
        found: Mapping[str, Any] = self.run.get("examples") or {}
        return found


def opened(path: Path, base: Path | None = None, any_base: bool = False) -> Opened:
    """What a person named. base: where the base lies; any_base: take it though it is not the one trained on.

    UnreadableFile in a sentence where the adapter is damaged, or the base missing, changed, or of another shape.
    """
    if not path.is_dir():
        raise UnreadableFile(f"there is no release or run at {path}; fabai releases lists those that were made here")
    unfinished = path / RUN
    found = read_adapter(path) if not _running(unfinished) else None
    if found is None:
        raise UnreadableFile(f"the run {path} is not finished: go on with it by fabai train --resume")
    if found.unusual:
        raise UnreadableFile(
            f"the adapter in {found.folder} holds {' and '.join(found.unusual)}, which fabai neither trains nor "
            "releases"
        )
    run = _run(found)
    release = json_object(path / MANIFEST) if (path / MANIFEST).is_file() else None
    where = base if base is not None else _base(found, run)
    if not (where / "config.json").is_file():
        raise UnreadableFile(f"{where} is no model folder: it has no config.json; name the base with --base FOLDER")
    if not any_base:
        _same(where, run, release)
    _fits(found, where)
    return Opened(path, found, run, where, release)


def digest(base: Path) -> str:
    """sha256 over a model's configuration and every byte of its weights; what the last program that saved the
    configuration happened to note in it does not count.
    """
    config = {key: value for key, value in json_object(base / "config.json").items() if key not in _VOLATILE}
    whole = hashlib.sha256(json.dumps(config, sort_keys=True).encode())
    for path in sorted(base.glob("*.safetensors")):
        with path.open("rb") as stream:
            whole.update(f"{path.name}:".encode() + hashlib.file_digest(stream, "sha256").digest())
    return whole.hexdigest()


def portable(base: str) -> str:
    """How a base is named to other machines: a fetched model's name, a hub id; a folder of this machine's by its last
    part.
    """
    path = Path(base)
    for model in MODELS:
        made = folder() / f"{model.name.removesuffix('-gguf')}-folder"
        if path in (place(model), made):
            return model.name
    return path.name if path.is_absolute() else base


def _running(run: Path) -> bool:
    """Whether a run was begun here and has left no adapter yet."""
    return run.is_file() and not (run.parent / "adapter" / CONFIG).is_file() and not (run.parent / CONFIG).is_file()


def _run(adapter: Adapter) -> Mapping[str, Any]:
    for where in (adapter.folder, adapter.folder.parent):
        if (where / RUN).is_file():
            run = json_object(where / RUN)
            if not isinstance(run.get("settings"), dict) or not isinstance(run.get("model"), dict):
                raise UnreadableFile(f"{where / RUN} is not a run's account; copy the run again")
            unknown = set(run["settings"]) - set(Recipe.__dataclass_fields__)
            if unknown:
                raise UnreadableFile(
                    f"{where / RUN} has the settings {', '.join(sorted(unknown))}, which this version of fabai does "
                    "not know: update fabai"
                )
            return run
    made = Recipe(
        model=adapter.base, quantisation="none", rank=adapter.rank, alpha=max(1, round(adapter.alpha)),
        rank_stabilised=adapter.rank_stabilised, rope_factor=1.0,
    )  # fmt: skip
    settings = asdict(made)
    return {"settings": settings, "model": {"base": adapter.base, "dtype": "float32", "slice": None}, "documents": []}


def _base(adapter: Adapter, run: Mapping[str, Any]) -> Path:
    """The folder of the base; UnreadableFile where it is not on this machine."""
    found = adapter.base_folder()
    if found is not None:
        return found
    settings = run["settings"]
    for model in dict.fromkeys((settings["model"], adapter.base, str(run["model"].get("base") or ""))):
        if not model or settings["slice"]:
            continue
        try:
            here = find(Recipe(model=model), fetch=False)
        except FabaiError:
            here = None
        if here is None and any(one.name == model and place(one).exists() for one in MODELS):
            here = find(Recipe(model=model))
        if here is not None:
            return here
    raise UnreadableFile(
        f"the base of {adapter.folder}, {adapter.base or 'which it does not name'}, is not on this machine: fetch it "
        "(fabai get lists models), copy it here, or name its folder with --base"
    )


def _same(base: Path, run: Mapping[str, Any], release: Mapping[str, Any] | None) -> None:
    said = (release or {}).get("base") or {}
    if said.get("sha256"):
        if digest(base) == said["sha256"]:
            return
    elif not run["model"].get("mark") or mark(base) == run["model"]["mark"]:
        return
    raise UnreadableFile(
        f"{base} is not the base that the adapter was trained on: its weights or its config.json differ; name the "
        "right one with --base, or take this one all the same with --any-base"
    )


def _fits(adapter: Adapter, base: Path) -> None:
    """Refuse an adapter of another architecture."""
    from safetensors import SafetensorError, safe_open

    file = adapter.folder / WEIGHTS
    if "quantization_config" in json_object(base / "config.json"):
        # the shapes of packed weights say nothing
        return
    tensors = {one.name: one for path in sorted(base.glob("*.safetensors")) for one in read_header(path)[1]}
    try:
        with safe_open(str(file), "pt") as weights:
            shapes = {name: tuple(weights.get_slice(name).get_shape()) for name in weights.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise UnreadableFile(f"{file} cannot be read ({error}); train or copy the adapter again") from None
    for name, shape in shapes.items():
        match = _LAYER.fullmatch(name)
        if match is None:
            raise UnreadableFile(f"{file} holds {name}, which is no part of a LoRA adapter; train or copy it again")
        weight = tensors.get(f"{match[1]}.weight")
        outer = None if weight is None else weight.shape[1 if match[2] == "A" else 0]
        if outer != shape[1 if match[2] == "A" else 0]:
            why = "which the model has not" if weight is None else "which has another size there"
            raise UnreadableFile(
                f"the adapter in {adapter.folder} is of another architecture than {base}: it changes {match[1]}, "
                f"{why}; name its own base with --base"
            )
