"""Whether a Release passes, and if not what to change, in numbers of its own run.

Knows thresholds and recipes. Does not know how anything was measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .battery import Score
from .general import Distance
from .measure import Group
from .quality import Sums
from .settings import EvalSettings

_NAMES = {"es": "Spanish", "ca": "Catalan", "en": "English"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """sentences: what was found, failures first. advice: what to change, "" where nothing fails."""

    passed: bool
    sentences: tuple[str, ...]
    failures: tuple[str, ...]
    advice: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """How much likelier training text became than held-out text: nats a token gained by each, over the base.

    longest: tokens of the longest run of a training target that the model gives word for word when it is led; before:
    of the base.
    """

    sections: int
    gained_trained: float
    gained_held: float
    longest: int
    before: int

    @property
    def gap(self) -> float:
        return self.gained_trained - self.gained_held


def verdict(
    settings: EvalSettings,
    run: Mapping[str, Any],
    loss: Group,
    languages: Sequence[Group],
    forgetting: Sequence[Score],
    distances: Mapping[str, Distance],
    memory: Memory | None,
    drafts: Sums | None,
    from_training: Sums | None,
) -> Verdict:
    """drafts: of held-out sections; from_training: of sections that were trained on."""
    better, worse = _loss(loss, languages)
    lost = _forgotten(settings, forgetting, distances)
    copied = _copied(settings, memory, drafts, from_training)
    failures = [*worse, *lost, *copied]
    whole = forgetting[0]
    said = [
        *failures,
        *better,
        f"forgetting: {whole.accuracy_before:.1%} right before, {whole.accuracy_after:.1%} after, of {whole.items:,} "
        f"items; a change of {whole.change.detectable:.1%} would have been found",
    ]
    if not copied and drafts is not None:
        said.append(
            f"copying: the longest run that a draft shares with training text is {_longest(drafts, from_training)} "
            "words"
        )
    return Verdict(not failures, tuple(said), tuple(failures), tuple(_advice(settings, run, worse, lost, copied)))


def _loss(loss: Group, languages: Sequence[Group]) -> tuple[list[str], list[str]]:
    better, worse = [], []
    for group in (loss, *languages):
        name = "held-out sections" if group.name == "all" else f"{_NAMES.get(group.name, group.name)}"
        said = f"{name}: {group.bits_before:.3f} bits per byte before, {group.bits_after:.3f} after"
        if group.difference is None:
            better.append(f"{said}; too few projects ({group.projects}) to say how sure that is")
            continue
        interval = f"{group.difference.mean:+.3f} ({group.difference.low:+.3f} to {group.difference.high:+.3f})"
        if group.difference.above:
            worse.append(f"{said}: worse than without the adapter, {interval}")
        else:
            sure = "" if group.difference.below else "; the difference may be chance"
            better.append(f"{said}, {interval}{sure}")
    if loss.difference is None and loss.bits_after > loss.bits_before:
        worse.append(
            f"held-out sections became less likely ({loss.bits_before:.3f} to {loss.bits_after:.3f} bits per byte)"
        )
    return better, worse


def _forgotten(settings: EvalSettings, scores: Sequence[Score], distances: Mapping[str, Distance]) -> list[str]:
    found = []
    for score in scores:
        allowed = settings.accuracy if score.name == "all" else settings.task
        if score.change.high < -allowed:
            found.append(
                f"forgotten: {_NAMES.get(score.name, score.name)} fell from {score.accuracy_before:.1%} to "
                f"{score.accuracy_after:.1%} right ({score.change.low:+.1%} to {score.change.high:+.1%})"
            )
    for language, one in distances.items():
        if one.kl > settings.kl:
            found.append(
                f"drifted: {one.kl:.2f} nats a token from the base on general text in "
                f"{_NAMES.get(language, language)}, and {settings.kl:g} are allowed"
            )
    return found


def _copied(
    settings: EvalSettings, memory: Memory | None, drafts: Sums | None, from_training: Sums | None
) -> list[str]:  # fmt: skip
    found = []
    for name, one in (("a held-out section", drafts), ("a section that it was trained on", from_training)):
        if one is None:
            continue
        if one.copied >= settings.copied:
            found.append(
                f"copied: asked for {name}, it wrote {one.copied} words in a row of a training text that its prompt "
                f"does not hold, and {settings.copied} are too many"
            )
        elif one.copied_share > settings.copied_share:
            found.append(
                f"copied: {one.copied_share:.0%} of the words of drafts of {name[2:]}s stand in runs of training "
                f"texts, and {settings.copied_share:.0%} are allowed"
            )
    if memory is not None and memory.gap > settings.gap:
        found.append(
            f"memorised: training text gained {memory.gained_trained:.2f} nats a token and held-out text "
            f"{memory.gained_held:.2f}, a gap of {memory.gap:.2f} where {settings.gap:g} is allowed"
        )
    return found


def _advice(
    settings: EvalSettings, run: Mapping[str, Any], worse: Sequence[str], lost: Sequence[str], copied: Sequence[str]
) -> list[str]:
    """From the run's own numbers, what costs least first."""
    recipe = run["settings"]
    rate, rank, steps = float(recipe["learning_rate"]), int(recipe["rank"]), run.get("steps")
    found = []
    if worse or lost or copied:
        found.append(f"lower learning_rate from {rate:g} to {rate / 3:.1g}")
    if lost or worse:
        if float(recipe["general"]) < settings.mix:
            found.append(
                f"mix in general data: fabai corpus examples --mix FILE:{settings.mix:g} and general = "
                f"{settings.mix:g} (it is {recipe['general']:g})"
            )
        if rank > 4:
            found.append(f"lower rank from {rank} to {max(4, rank // 2)}")
    if copied:
        if steps and int(steps) > 1:
            found.append(f"train for fewer steps: {max(1, int(steps) // 2):,} instead of {int(steps):,}")
        if not recipe["dropout"]:
            found.append("set dropout = 0.05")
        found.append("take out repeated text: fabai corpus check shows near-duplicates")
    return found


def _longest(drafts: Sums, from_training: Sums | None) -> int:
    return max(drafts.copied, 0 if from_training is None else from_training.copied)
