"""The pictures of an evaluation: bits per byte before and after, and the battery. Knows matplotlib and the figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fabai.report import Language

from .battery import Score
from .measure import Group
from .words import called, numbers, say

_BEFORE, _AFTER = "#9db4c8", "#24567d"


def losses(groups: Sequence[Group], target: Path, language: Language = "en") -> None:
    """Bits per byte of each group, before and after."""
    figure, axes = _axes((7.5, 0.9 + 0.55 * len(groups)))
    places = list(range(len(groups)))[::-1]
    axes.barh(
        [place + 0.19 for place in places],
        [one.bits_before for one in groups],
        0.36,
        color=_BEFORE,
        label=say(language, "base"),
    )
    axes.barh(
        [place - 0.19 for place in places],
        [one.bits_after for one in groups],
        0.36,
        color=_AFTER,
        label=say(language, "tuned"),
    )
    for place, one in zip(places, groups, strict=True):
        for offset, value in ((0.19, one.bits_before), (-0.19, one.bits_after)):
            axes.annotate(
                numbers(language, f"{value:.3f}"),
                (value, place + offset),
                textcoords="offset points",
                xytext=(4, 0),
                va="center",
                fontsize=8,
            )
    axes.set_yticks(places, [f"{called(language, one.name)} ({one.sections})" for one in groups])
    axes.set_xlabel(say(language, "plot_losses"))
    axes.margins(x=0.12)
    _saved(figure, axes, target)


def forgetting(scores: Sequence[Score], target: Path, language: Language = "en") -> None:
    """The change of the accuracy with its interval."""
    figure, axes = _axes((7.5, 0.9 + 0.42 * len(scores)))
    places = list(range(len(scores)))[::-1]
    axes.axvline(0, color="#4a5568", linewidth=1)
    means = [100 * one.change.mean for one in scores]
    spans = [
        [100 * max(0.0, one.change.mean - one.change.low) for one in scores],
        [100 * max(0.0, one.change.high - one.change.mean) for one in scores],
    ]
    axes.errorbar(means, places, xerr=spans, fmt="o", color=_AFTER, capsize=3, label=say(language, "plot_interval"))
    axes.set_yticks(places, [f"{called(language, one.name)} ({one.items})" for one in scores])
    axes.set_ylim(-0.6, len(scores) - 0.4)
    axes.set_xlabel(say(language, "plot_forgetting"))
    _saved(figure, axes, target)


def _axes(size: tuple[float, float]) -> tuple[Any, Any]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots()


def _saved(figure: Any, axes: Any, target: Path) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, axis="x")
    figure.legend(frameon=False, fontsize=8, loc="outside upper right", ncols=2)
    figure.savefig(target, format="png")
