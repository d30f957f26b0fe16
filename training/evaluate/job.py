"""`fabai eval`: everything that is measured on a trained adapter, in order, into one folder.

Knows the order of the work. Models are loaded one after the other; the drafting is handed in, since it needs the corpus
itself and a Writer.
"""

from __future__ import annotations

import gc
import json
import resource
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabai.training import opened as opening
from fabai.training.opened import Opened
from fabai.training.release.make import EVALUATION, with_evaluation
from fabai.training.run import now, versions

from fabai.errors import TrainingError
from fabai.example import fingerprint
from fabai.report import Language

from . import battery, blind, general, held, measure, plots, report, subject
from .drafting import Drafted
from .held import Held
from .known import Known
from .known import of as known_of
from .rewriting import Hands, drafted
from .settings import EvalSettings
from .subject import Subject
from .verdict import Memory, verdict
from .watch import Watch


@dataclass(frozen=True, slots=True)
class Request:
    """What a person asked for. against: another Release, run or model folder, None for the adapter's own base.
    examples: the folder for this tokenizer; target: where the report goes, None for beside the adapter. afresh: ask the
    base again, though its answers are kept from an earlier evaluation. language: of the report.
    """

    release: Path
    examples: Path
    against: Path | None = None
    target: Path | None = None
    base: Path | None = None
    any_base: bool = False
    afresh: bool = False
    language: Language = "en"
    settings: EvalSettings = field(default_factory=EvalSettings)


def evaluate(request: Request, hands: Hands | None, watch: Watch) -> tuple[report.Findings, Path]:
    """Measure, and write evaluation.json, report.md, report.html, blind.html and the pictures; returns the folder too.

    FabaiError in a sentence where that cannot be done; then nothing was written.
    """
    begun, spent = time.perf_counter(), _spent()
    found = opening.opened(request.release, request.base, request.any_base)
    settings = request.settings
    every, split = held.held_out(request.examples)
    taught = held.trained_on(request.examples)
    documents = set(found.run.get("documents") or ())
    learnt = [one for one in taught if one.report in documents] or _same_file(found, taught)
    every, pairs = held.apart(every, found.run, learnt)
    wanted = held.chosen(every, settings.sections, settings.seed)
    tuned = subject.load(found.settings | {"slice": ""}, found.base, found.adapter.folder, found.dtype)
    other, beside = _other(request, found)
    numbers = _numbers(found, tuned)
    known = Known(None) if request.afresh or other is not None else known_of(_way(found, tuned))
    groups, forgetting, distances, memory, notes = _likelihoods(tuned, other, wanted, learnt, settings, watch, known)
    del tuned, other
    gc.collect()
    if pairs:
        first, second = pairs[0]
        notes.append(f"{len(pairs)} held-out sections that repeat training text ({first} says the same as {second})")
    drafts = drafted(hands, wanted, learnt, settings, watch, notes)
    judged = verdict(
        settings, found.run, groups["all"][0], groups["language"], forgetting, distances, memory, drafts.after,
        drafts.from_training,
    )  # fmt: skip
    findings = report.Findings(
        found.name, now(), request.examples.resolve().name, split, beside, numbers, settings.seed, groups,
        forgetting, distances, memory, drafts.before, drafts.after, drafts.from_training, judged, tuple(notes),
        _spent() - spent, time.perf_counter() - begun, drafts.samples,
    )  # fmt: skip
    target = request.target if request.target is not None else found.folder / EVALUATION
    _write(target, findings, drafts.pairs, request.language)
    if request.target is None:
        with_evaluation(found.folder, findings.as_json())
    return findings, target


def _likelihoods(
    tuned: Subject,
    other: Subject | None,
    wanted: Sequence[Held],
    learnt: Sequence[Held],
    settings: EvalSettings,
    watch: Watch,
    known: Known,
) -> tuple[
    dict[str, list[measure.Group]], list[battery.Score], Mapping[str, general.Distance], Memory | None, list[str]
]:
    notes: list[str] = []
    watch.begin("held-out sections", 2 * len(wanted))
    sections = measure.sections(wanted, tuned, other, watch.step, known)
    groups = measure.groups(sections, settings.seed)
    memory = None
    if learnt and settings.remembered:
        some = held.chosen(learnt, settings.remembered, settings.seed)
        watch.begin("training sections", 2 * len(some))
        memory = _memory(measure.sections(some, tuned, other, watch.step, known), sections)
    else:
        notes.append("memory of training text: the examples that the run learnt from are not in this folder")
    # whoever stops it now does not lose the base's part
    known.save()
    items = battery.items(settings.each)
    watch.begin("forgetting battery", 2 * len(items))
    if other is None:
        with tuned.base():
            before = battery.margins(tuned, items, watch.step, known)
        known.save()
    else:
        before = battery.margins(other, items, watch.step)
    after = battery.margins(tuned, items, watch.step)
    if known.found:
        watch.note("the base's answers are kept from an earlier evaluation; --afresh asks it again")
    forgetting = battery.scores(items, before, after, settings.seed)
    distances: Mapping[str, general.Distance] = {}
    if other is None or len(other.encoder.tokenizer) == len(tuned.encoder.tokenizer):
        watch.begin("general text", 1)
        distances = general.distance(tuned, other)
        watch.step()
    else:
        notes.append("KL to the other model: it has other tokens")
    return groups, forgetting, distances, memory, notes


def _memory(learnt: Sequence[measure.Section], apart: Sequence[measure.Section]) -> Memory:
    def gained(part: Sequence[measure.Section]) -> float:
        tokens = sum(one.tokens for one in part)
        return (sum(one.other for one in part) - sum(one.loss for one in part)) / max(1, tokens)

    runs = max(one.run for one in learnt), max(one.other_run for one in learnt)
    return Memory(len(learnt), gained(learnt), gained(apart), *runs)


def _other(request: Request, found: Opened) -> tuple[Subject | None, str]:
    """What the tuned model is compared with, and its name; None for its own base."""
    if request.against is None:
        return None, f"its base {opening.portable(str(found.run['model'].get('base') or found.base))}"
    where = request.against
    if (where / "config.json").is_file():
        settings = found.settings | {"slice": "", "model": str(where), "rope_factor": 1.0}
        return subject.load(settings, where, None, found.dtype), where.resolve().name
    rival = opening.opened(where, None)
    loaded = subject.load(
        rival.settings | {"slice": ""}, rival.base, rival.adapter.folder, rival.dtype, found.settings["quantisation"]
    )
    return loaded, rival.name


def _same_file(found: Opened, taught: Sequence[Held]) -> list[Held]:
    """Training examples of a run that names no documents, where its file is the one beside the held-out ones."""
    return list(taught) if not found.run.get("documents") and found.shown.get("sha256") else []


def _way(found: Opened, tuned: Subject) -> dict[str, Any]:
    """All that the base's answers depend on but the texts."""
    used = versions()
    return {
        "base": opening.digest(found.base), "tokenizer": fingerprint(found.base), "computed": tuned.computed_in,
        "machine": tuned.machine, "versions": {name: used.get(name) for name in ("torch", "transformers", "fabai")},
        "settings": {
            name: found.settings[name]
            for name in ("quantisation", "double_quantisation", "rope_factor", "max_tokens", "packing")
        },
    }  # fmt: skip


def _numbers(found: Opened, tuned: Subject) -> str:
    kind = found.settings["quantisation"]
    return f"{'not quantised' if kind == 'none' else kind.upper()}, computed in {tuned.computed_in}"


def _write(target: Path, found: report.Findings, pairs: Sequence[tuple[Drafted, Drafted]], language: Language) -> None:
    """The folder takes its name when it is whole; an older one goes then."""
    work, old = (target.with_name(f".{target.name}.{name}") for name in ("unfinished", "old"))
    shutil.rmtree(work, ignore_errors=True)
    try:
        work.mkdir(parents=True)
        if old.exists() and not target.exists():
            # killed between the two names
            old.rename(target)
        groups = [*found.groups["all"], *found.groups["language"], *found.groups["kind"]]
        plots.losses(groups, work / "losses.png", language)
        plots.forgetting(found.forgetting, work / "forgetting.png", language)
        names = ["losses.png", "forgetting.png"]
        texts: dict[str, str] = {
            "evaluation.json": json.dumps(found.as_json(), ensure_ascii=False, indent=1) + "\n",
            "report.md": report.markdown(found, names, language),
            "report.html": report.page(found, [work / name for name in names], language),
        }
        if pairs:
            texts["blind.html"] = blind.page(found.name, pairs, found.seed)
        for name, text in texts.items():
            (work / name).write_text(text, encoding="utf-8")
        shutil.rmtree(old, ignore_errors=True)
        if target.exists():
            target.rename(old)
        work.rename(target)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise TrainingError(f"the report cannot be written to {target}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def examples_for(corpus: Path, base: Path) -> Path | None:
    """The examples in a corpus that were made for this base's tokenizer; None where there are none."""
    return held.examples_in(corpus, fingerprint(base))
