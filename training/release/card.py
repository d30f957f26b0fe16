"""The model card, README.md of a Release: what it is, what it is for, where it fails, whose rights are in it, how it
was measured.

Knows the manifest and Markdown. Does not know models or corpora.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from .manifest import Form, Manifest

_NAMES = {"es": "Spanish", "ca": "Catalan", "en": "English"}


def text(manifest: Manifest, run: Mapping[str, Any]) -> str:
    """The whole card."""
    settings, model = run["settings"], run["model"]
    parts = [
        _front(manifest),
        f"# {manifest.name}\n",
        f"A LoRA adapter of **{manifest.base['name']}** that drafts sections of grant reports (memorias "
        "justificativas, memòries, final reports) section by section, from a window of the rest of the report, the "
        "facts of its ledger and the funder's guidance. Made by fabai "
        f"{manifest.versions.get('fabai', '')} on {manifest.created[:10]}.\n",
        "## Intended use\n",
        "To draft text that a person checks, corrects and signs. It is loaded by fabai (`fabai draft --writer`, `fabai "
        f"serve`), which shows it {_windows(manifest.corpus)}.\n",
        "## Limits\n",
        "- It can state figures, names and dates that are in no source. Nothing that it writes is true because it "
        "wrote it: fabai check compares figures with the ledger, and a person answers for the report.\n"
        "- It knows the kinds of report that it learnt from (below) and no law, call or deadline.\n"
        "- It may repeat phrases of the reports that it was trained on; fabai eval counts long common runs of words.\n"
        f"- Languages: {_languages(manifest)}. In others it is untested.\n",
        "## Training\n",
        "| | |\n|---|---|",
        f"| base | {manifest.base['name']}, sha256 {manifest.base['sha256'][:16]}… |",
        *([_slice(manifest.slice)] if manifest.slice else []),
        f"| rank, alpha | {settings['rank']}, {settings['alpha']}, scaled by "
        f"{'alpha / sqrt(rank)' if settings['rank_stabilised'] else 'alpha / rank'} |",
        f"| base's numbers | {_numbers(settings['quantisation'])}, computed in {model.get('dtype')} |",
        f"| examples | {_number(manifest.corpus.get('train'))} of {manifest.corpus.get('documents', 0)} documents, "
        f"corpus {manifest.corpus.get('id') or 'unknown'} |",
        f"| steps, learning rate | {_number(run.get('steps'))}, {settings['learning_rate']:g} |",
        f"| seed | {manifest.seeds['training']} |",
        f"| positions | {_positions(model)} |",
        "",
        "## Licences\n",
        f"- base: {manifest.licences['base']}",
        *_data(manifest.licences["data"]),
        "- the adapter may be handed on only as both allow.\n",
        "## Forms\n",
        f"Each was loaded again and compared on {manifest.prompts}, with the adapter on a base of the same "
        "precision.\n",
        "| form | numbers | MiB | beside | same likeliest token | where it leads by 0.1 nats | KL, nats | "
        "loss (reference; as trained) |",
        "|---|---|---:|---|---:|---:|---:|---|",
        *map(_form, manifest.forms),
        "",
        *_evaluation(manifest.evaluation),
    ]
    return "\n".join(parts).rstrip() + "\n"


def as_json(manifest: Manifest) -> dict[str, Any]:
    """For release.json."""
    return asdict(manifest)


def _front(manifest: Manifest) -> str:
    lines = ["---", *(["language:", *(f"- {one}" for one in manifest.languages)] if manifest.languages else [])]
    if "/" in manifest.base["name"]:
        lines.append(f"base_model: {manifest.base['name']}")
    return "\n".join([*lines, "library_name: peft", "pipeline_tag: text-generation", "---\n"])


def _windows(corpus: Mapping[str, Any]) -> str:
    mode, cap, decay = (corpus.get(one) for one in ("mode", "cap", "decay"))
    if not mode:
        return "the windows of its own defaults: those that it was trained on are not recorded"
    faded = "" if decay is None else f", decay {decay}"
    return f"the windows that it was trained on: mode `{mode}`, at most {_number(cap)} tokens{faded}"


def _numbers(quantisation: str) -> str:
    return "not quantised" if quantisation == "none" else quantisation.upper()


def _positions(model: Mapping[str, Any]) -> str:
    factor = float(model.get("rope_factor") or 1)
    return "the base's own" if factor <= 1 else f"YaRN, stretched {factor:g} times"


def _languages(manifest: Manifest) -> str:
    return ", ".join(_NAMES.get(one, one) for one in manifest.languages) or "not recorded"


def _slice(cut: Mapping[str, Any]) -> str:
    return f"| vocabulary | cut to {cut['rows']:,} of {cut['rows_before']:,} rows; the adapter fits the full one too |"


def _data(data: Mapping[str, int]) -> list[str]:
    if not data:
        return ["- training data: not recorded (give the corpus to fabai release --corpus)"]
    return [
        f"- training data: {licence} ({count} document{'' if count == 1 else 's'})" for licence, count in data.items()
    ]


def _form(form: Form) -> str:
    size = f"{form.size / 2**20:.1f}"
    head = f"| `{form.file}` | {form.numbers} | {size} "
    if form.compared is None:
        return f"{head}| {form.note or 'not compared'} | | | | |"
    found = form.compared
    clear = "" if found.clear_top1 is None else f"{found.clear_top1:.1%} of {found.clear:,}"
    return (
        f"{head}| {found.beside} | {found.top1:.1%} of {found.positions:,} | {clear} | {found.kl:.4f} | "
        f"{found.loss:.4f} ({found.reference_loss:.4f}; {found.trained_loss:.4f}) |"
    )


def _evaluation(found: Mapping[str, Any] | None) -> list[str]:
    if found is None:
        return ["## Evaluation\n", "Not evaluated yet: `fabai eval RELEASE --corpus DIR`.\n"]
    verdict = "passed" if found["passed"] else "**failed**"
    lines = ["## Evaluation\n", f"By fabai eval, {verdict} (the whole report is in `evaluation/`).\n"]
    return [*lines, *(f"- {one}" for one in found["sentences"]), ""]


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) and value else "unknown"
