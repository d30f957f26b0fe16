"""`fabai release`: a run becomes a folder that can be handed out, whole or not at all.

Each form is written, loaded again and compared before the folder takes its name; a form that does not do what the
adapter does stops the release. Knows the order of the work. Does not know how a form is written or compared.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.training.checkpoint import sha256
from fabai.training.opened import MANIFEST, Opened, digest, opened, portable
from fabai.training.run import now, versions
from fabai.training.slice.manifest import FOLDER as SLICE
from fabai.training.slice.staging import staged

from fabai.errors import ExportError, UnreadableFile
from fabai.example import encoder, fingerprint
from fabai.writers.adapter import CONFIG, RUN, WEIGHTS, json_object
from fabai.writers.models import MODELS

from . import card, compare, gguf, quantise
from .forms import Forms
from .manifest import FORMAT, Form, Manifest

_SPACE = 2**28
_COPIED = (".json", ".jinja", ".safetensors", ".txt")
EVALUATION = "evaluation"


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asked for. corpus: examples or the corpus that holds them. merge: a model folder too. ggufs: kinds
    of numbers. full: merged forms get the full vocabulary of a sliced model; original: where that lies. even_so: keep a
    form that does not agree.
    """

    run: Path
    target: Path
    corpus: Path | None = None
    base: Path | None = None
    any_base: bool = False
    merge: bool = False
    ggufs: tuple[str, ...] = ()
    full: bool = False
    original: Path | None = None
    even_so: bool = False
    seed: int = 0


def make(request: Request, tell: Callable[[str], None]) -> Manifest:
    """Write the Release; FabaiError in a sentence, and no folder, where that cannot be done."""
    found = opened(request.run, request.base, request.any_base)
    _possible(request, found)
    reading = encoder(found.base)
    prompts, source = compare.prompts(reading, fingerprint(found.base), request.corpus, request.seed)
    if not prompts:
        raise ExportError("there is no text to compare the forms on; name a corpus with held-out examples by --corpus")
    size = sum(path.stat().st_size for path in found.base.glob("*.safetensors"))
    needed = _SPACE + size * (bool(request.ggufs or request.merge) * 2 + len(request.ggufs))
    with staged(request.target, needed) as work:
        _adapter(found, work)
        forms = Forms(found, work, prompts, tell, request.even_so)
        made = [_whole_adapter(work), *forms.make(request.merge, request.ggufs, request.full, request.original)]
        if (found.folder / EVALUATION / "evaluation.json").is_file():
            shutil.copytree(found.folder / EVALUATION, work / EVALUATION)
        manifest = _manifest(request, found, made, source, work)
        write(work, manifest)
    return manifest


def write(folder: Path, manifest: Manifest) -> None:
    """release.json and the card; the run's account is there."""
    run = json_object(folder / RUN)
    for name, text in (
        ("README.md", card.text(manifest, run)),
        (MANIFEST, json.dumps(card.as_json(manifest), ensure_ascii=False, indent=1) + "\n"),
    ):
        beside = folder / f".{name}.unfinished"
        beside.write_text(text, encoding="utf-8")
        beside.replace(folder / name)


def _possible(request: Request, found: Opened) -> None:
    """Everything that can be known beforehand."""
    if found.release is not None:
        raise ExportError(f"{request.run} is a release already; name the run that it was made of")
    if found.run.get("state", "finished") != "finished":
        raise ExportError(f"the run {request.run} is not finished: go on with it by fabai train --resume")
    wanted = found.run.get("adapter_sha256")
    if wanted and sha256(found.adapter.folder / WEIGHTS) != wanted:
        raise UnreadableFile(
            f"{found.adapter.folder / WEIGHTS} is not what training wrote; copy the run again, or train it again"
        )
    for numbers in request.ggufs:
        if quantise.is_k_quant(numbers):
            quantise.program(numbers)
    if request.ggufs:
        gguf.check(found.base)


def _adapter(found: Opened, work: Path) -> None:
    """The adapter with its tokenizer, the slice's map and the run's account, with no path of this machine in them."""
    base = portable(str(found.run["model"].get("base") or found.adapter.base))
    inside = work / "adapter"
    inside.mkdir()
    for path in sorted(found.adapter.folder.iterdir()):
        if (
            path.is_file()
            and path.name not in (RUN, MANIFEST, "README.md")
            and path.suffix in (".json", ".jinja", ".safetensors", ".txt")
        ):
            shutil.copyfile(path, inside / path.name)
    config = json_object(inside / CONFIG) | {"base_model_name_or_path": base}
    (inside / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja"):
        if not (inside / name).is_file() and (found.base / name).is_file():
            shutil.copyfile(found.base / name, inside / name)
    if (found.base / SLICE / "manifest.json").is_file():
        (work / SLICE).mkdir()
        for name in ("manifest.json", "kept.npy"):
            shutil.copyfile(found.base / SLICE / name, work / SLICE / name)
    settings = found.settings | {"model": portable(found.settings["model"]), "data": Path(found.settings["data"]).name}
    settings["slice"] = Path(settings["slice"]).name if settings["slice"] else ""
    run = dict(found.run) | {"settings": settings, "model": dict(found.run["model"]) | {"base": base}}
    if "recipe" in run:
        run["recipe"] = Path(str(run["recipe"])).name
    if run.get("parent"):
        run["parent"] = dict(run["parent"]) | {"path": Path(str(run["parent"]["path"])).name}
    (work / RUN).write_text(json.dumps(run, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _whole_adapter(work: Path) -> Form:
    file = work / "adapter" / WEIGHTS
    note = "byte for byte the run's; what the others are compared with"
    return Form("adapter", "adapter", "as trained", file.stat().st_size, sha256(file), note=note)


def _manifest(request: Request, found: Opened, made: Sequence[Form], source: str, work: Path) -> Manifest:
    run, shown = found.run, found.shown
    named = portable(str(run["model"].get("base") or found.adapter.base))
    documents = set(run.get("documents") or ())
    entries = [one for one in _corpus_entries(request.corpus) if one.get("id") in documents]
    settings = json_object(work / RUN)["settings"]
    recipe = json.dumps(settings, sort_keys=True, separators=(",", ":"))
    languages = Counter(str(one.get("language")) for one in entries if one.get("language"))
    evaluation = _evaluation(work)
    return Manifest(
        FORMAT,
        request.target.resolve().name,
        now(),
        {
            "name": named, "mark": run["model"].get("mark"), "sha256": digest(found.base),
            "tokenizer": fingerprint(found.base), "positions": run["model"].get("positions"),
            "rope_factor": run["model"].get("rope_factor", 1.0), "quantisation": settings["quantisation"],
            "dtype": found.dtype,
        },
        {
            "id": shown.get("corpus"), "sha256": shown.get("sha256"), "mode": shown.get("mode"),
            "cap": shown.get("cap"), "decay": shown.get("decay"), "train": shown.get("train"),
            "documents": len(documents),
        },
        {
            "name": str(run.get("recipe") or ""), "sha256": hashlib.sha256(recipe.encode()).hexdigest(),
            "settings": settings,
        },
        {"training": int(settings["seed"]), "release": request.seed},
        dict(run.get("versions") or {}) | {"release": versions().get("fabai", "")},
        tuple(name for name, _ in languages.most_common()),
        {"base": _licence(named, found.base), "data": dict(Counter(str(one["licence"]) for one in entries))},
        source,
        tuple(made),
        {str(path.relative_to(work)): sha256(path) for path in sorted(work.rglob("*")) if path.is_file()},
        json_object(work / RUN).get("parent"),
        run["model"].get("slice"),
        evaluation,
    )  # fmt: skip


def _evaluation(work: Path) -> dict[str, Any] | None:
    path = work / EVALUATION / "evaluation.json"
    return evaluated(json_object(path)) if path.is_file() else None


def evaluated(table: Mapping[str, Any]) -> dict[str, Any]:
    """What release.json and the card keep of an evaluation."""
    kept = {key: table["verdict"][key] for key in ("passed", "sentences")}
    return kept | {"figures": table["figures"], "created": table["created"]}


def _corpus_entries(corpus: Path | None) -> list[dict[str, Any]]:
    """The documents of corpus.json in the folder named, or the one above it."""
    if corpus is None:
        return []
    for folder in (corpus, corpus.parent):
        if (folder / "corpus.json").is_file():
            found = json_object(folder / "corpus.json").get("documents")
            return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    return []


def _licence(named: str, base: Path) -> str:
    known = next((one for one in MODELS if named in (one.name, one.hub.repository if one.hub else "")), None)
    if known is not None:
        return f"{known.licence}{f'. {known.terms}' if known.terms else ''}"
    readme = base / "README.md"
    lines = readme.read_text(encoding="utf-8", errors="replace").splitlines()[:60] if readme.is_file() else []
    stated = next((line.partition(":")[2].strip() for line in lines if line.startswith("license:")), "")
    return stated or "not stated in its folder; look it up before you hand this on"


def with_evaluation(folder: Path, table: Mapping[str, Any]) -> None:
    """A Release takes an evaluation into its manifest and card; nothing for other folders."""
    path = folder / MANIFEST
    if not path.is_file():
        return
    from fabai.strict import build

    known = build(Manifest, json_object(path), str(path))
    write(folder, dataclasses.replace(known, evaluation=evaluated(table)))
