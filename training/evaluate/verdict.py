"""Whether a Release passes, and if not what to change, in numbers of its own run.

Knows thresholds and recipes. Does not know how anything was measured, or how a sentence is worded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabai.report import LANGUAGES

from .battery import TASKS, Score
from .general import Distance
from .measure import KINDS, Group
from .quality import Sums
from .settings import EvalSettings
from .words import Said


@dataclass(frozen=True, slots=True)
class Verdict:
    """said: what was found, failures first. failed: why it does not pass. change: what to change, empty where nothing
    fails.
    """

    passed: bool
    said: tuple[Said, ...]
    failed: tuple[Said, ...]
    change: tuple[Said, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """`said` in English, as programs and the card have it; `failures` and `advice` likewise."""
        return tuple(one.told() for one in self.said)

    @property
    def failures(self) -> tuple[str, ...]:
        return tuple(one.told() for one in self.failed)

    @property
    def advice(self) -> tuple[str, ...]:
        return tuple(one.told() for one in self.change)

    def as_json(self) -> dict[str, Any]:
        """In English."""
        return {
            "passed": self.passed, "sentences": self.sentences, "failures": self.failures, "advice": self.advice,
        }  # fmt: skip


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
    drifted, learnt = _moved(settings, distances)
    lost = [*_forgotten(settings, forgetting), *drifted]
    copied = _copied(settings, memory, drafts, from_training)
    failures = [*worse, *lost, *copied]
    whole = forgetting[0]
    right = {
        "before": f"{whole.accuracy_before:.1%}", "after": f"{whole.accuracy_after:.1%}", "items": f"{whole.items:,}",
        "detectable": f"{whole.change.detectable:.1%}",
    }  # fmt: skip
    said = [*failures, *better, *learnt, Said("forgetting", right)]
    if not copied and drafts is not None:
        said.append(Said("copying", {"words": f"{_longest(drafts, from_training):,}"}))
    return Verdict(not failures, tuple(said), tuple(failures), tuple(_advice(settings, run, worse, lost, copied)))


def named(part: str) -> str:
    """A language, task or kind for Said, by what the figures call it; anything else as it is."""
    return f"@{part}" if part in (*LANGUAGES, *TASKS, *KINDS, "all") else part


def _loss(loss: Group, languages: Sequence[Group]) -> tuple[list[Said], list[Said]]:
    better, worse = [], []
    for group in (loss, *languages):
        values = {
            "name": "@held_out" if group.name == "all" else named(group.name), "before": f"{group.bits_before:.3f}",
            "after": f"{group.bits_after:.3f}",
        }  # fmt: skip
        if group.difference is None:
            better.append(Said("loss_few", values | {"projects": str(group.projects)}))
            continue
        found = group.difference
        values |= {"mean": f"{found.mean:+.3f}", "low": f"{found.low:+.3f}", "high": f"{found.high:+.3f}"}
        if found.above:
            worse.append(Said("loss_worse", values))
        else:
            better.append(Said("loss_sure" if found.below else "loss_chance", values))
    if loss.difference is None and loss.bits_after > loss.bits_before:
        values = {"before": f"{loss.bits_before:.3f}", "after": f"{loss.bits_after:.3f}"}
        worse.append(Said("less_likely", values))
    return better, worse


def _forgotten(settings: EvalSettings, scores: Sequence[Score]) -> list[Said]:
    found = []
    for score in scores:
        allowed = settings.accuracy if score.name == "all" else settings.task
        if score.change.high < -allowed:
            values = {
                "name": named(score.name), "before": f"{score.accuracy_before:.1%}",
                "after": f"{score.accuracy_after:.1%}", "low": f"{score.change.low:+.1%}",
                "high": f"{score.change.high:+.1%}",
            }  # fmt: skip
            found.append(Said("forgotten", values))
    return found


def _moved(settings: EvalSettings, distances: Mapping[str, Distance]) -> tuple[list[Said], list[Said]]:
    """(languages in which it drifted, those in which the distance comes of knowing them better)."""
    drifted, learnt = [], []
    for language, one in distances.items():
        if one.kl <= settings.kl:
            continue
        values = {
            "kl": f"{one.kl:.2f}", "name": named(language), "before": f"{one.base:.2f}", "after": f"{one.tuned:.2f}",
        }  # fmt: skip
        if one.gained:
            learnt.append(Said("learnt", values))
        else:
            drifted.append(Said("drifted", values | {"most": f"{settings.kl:g}"}))
    return drifted, learnt


def _copied(
    settings: EvalSettings, memory: Memory | None, drafts: Sums | None, from_training: Sums | None
) -> list[Said]:  # fmt: skip
    found = []
    for where, one in (("held", drafts), ("taught", from_training)):
        if one is None:
            continue
        if one.copied >= settings.copied:
            found.append(Said(f"copied_{where}", {"words": str(one.copied), "most": str(settings.copied)}))
        elif one.copied_share > settings.copied_share:
            values = {"share": f"{one.copied_share:.0%}", "most": f"{settings.copied_share:.0%}"}
            found.append(Said(f"share_{where}", values))
    if memory is not None and memory.gap > settings.gap:
        values = {
            "taught": f"{memory.gained_trained:.2f}", "held": f"{memory.gained_held:.2f}", "gap": f"{memory.gap:.2f}",
            "most": f"{settings.gap:g}",
        }  # fmt: skip
        found.append(Said("memorised", values))
    return found


def _advice(
    settings: EvalSettings, run: Mapping[str, Any], worse: Sequence[Said], lost: Sequence[Said], copied: Sequence[Said]
) -> list[Said]:
    """From the run's own numbers, what costs least first."""
    recipe = run["settings"]
    rate, rank, steps = float(recipe["learning_rate"]), int(recipe["rank"]), run.get("steps")
    found = []
    if worse or lost or copied:
        found.append(Said("advise_rate", {"before": f"{rate:g}", "after": f"{rate / 3:.1g}"}))
    if lost or worse:
        if float(recipe["general"]) < settings.mix:
            found.append(Said("advise_mix", {"mix": f"{settings.mix:g}", "now": f"{recipe['general']:g}"}))
        if rank > 4:
            found.append(Said("advise_rank", {"before": str(rank), "after": str(max(4, rank // 2))}))
    if copied:
        if steps and int(steps) > 1:
            found.append(Said("advise_steps", {"before": str(int(steps)), "after": str(max(1, int(steps) // 2))}))
        if not recipe["dropout"]:
            found.append(Said("advise_dropout"))
        found.append(Said("advise_repeated"))
    return found


def _longest(drafts: Sums, from_training: Sums | None) -> int:
    return max(drafts.copied, 0 if from_training is None else from_training.copied)
