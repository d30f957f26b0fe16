"""The picture of a run: loss of each step, held-out loss, learning rate. Knows matplotlib and the lines of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_SMOOTH = 0.85
_LEAST = 12


def draw(lines: Sequence[Mapping[str, Any]], title: str, target: Path) -> None:
    """Write the PNG; nothing where there is no step yet."""
    steps = [line for line in lines if "loss" in line]
    if not steps:
        return
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    held = [line for line in lines if "eval_loss" in line]
    figure = Figure(figsize=(8, 6), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
    at, losses = [line["step"] for line in steps], [line["loss"] for line in steps]
    many = len(losses) >= _LEAST
    upper.plot(at, losses, color="#9db4c8" if many else "#24567d", linewidth=1, label="loss of the step")
    if many:
        upper.plot(at, _smoothed(losses), color="#24567d", linewidth=2, label="the same, smoothed")
    if held:
        places, values = [line["step"] for line in held], [line["eval_loss"] for line in held]
        upper.plot(places, values, "o-", color="#c05621", linewidth=1.5, markersize=5, label="held-out loss")
        for place, value in ((places[0], values[0]), (places[-1], values[-1])):
            upper.annotate(f"{value:.3f}", (place, value), textcoords="offset points", xytext=(4, 7), color="#8a3b12")
    upper.set_ylabel("loss per labelled token")
    upper.legend(frameon=False)
    upper.set_title(title, loc="left")
    lower.plot(at, [line["learning_rate"] for line in steps], color="#4a5568")
    lower.set_ylabel("learning rate")
    lower.set_xlabel("step")
    lower.set_ylim(bottom=0)
    lower.ticklabel_format(axis="y", style="sci", scilimits=(0, 0))
    lower.xaxis.set_major_locator(MaxNLocator(integer=True))
    for axes in (upper, lower):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.25)
        axes.margins(x=0.03)
    beside = target.with_name(f".{target.name}.unfinished")
    figure.savefig(beside, format="png")
    beside.replace(target)


def _smoothed(values: Sequence[float]) -> list[float]:
    found, weight, total = [], 0.0, 0.0
    for value in values:
        total = _SMOOTH * total + (1 - _SMOOTH) * value
        weight = _SMOOTH * weight + (1 - _SMOOTH)
        found.append(total / weight)
    return found
