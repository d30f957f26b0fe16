"""A corpus in pictures: PNG files, and one HTML page that holds them with the numbers behind.

Knows matplotlib and HTML. Does not know how anything is counted.
"""

from __future__ import annotations

import base64
import html
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .stats import Stats

_INK, _BAR, _SECOND, _GRID = "#1f2933", "#2f6f8f", "#c0763a", "#d9dee3"
_MOST = 14  # bars


def draw(stats: Stats, folder: Path) -> list[Path]:
    """Write the pictures; their paths, in the order of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    unit = "words" if stats.counted == "words" else "tokens"
    pictures = {
        "languages": _bars("Words by variety of the language", _varieties(stats), "words"),
        "kinds": _bars("Documents by kind", dict(stats.kinds.most_common()), "documents"),
        "lengths": _histogram("Length of documents", stats.lengths, "words", "documents"),
        "section-kinds": _bars("Sections by what they consist of", dict(stats.section_kinds.most_common()), "sections"),
        "sections": _histogram(f"Length of sections, in {unit}", stats.tokens, unit, "sections"),
        "duplicates": _duplicates(stats),
        "split": _stacked("Words in each split, by language", stats.split),
    }
    paths: list[Path] = []
    for name, figure in pictures.items():
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=110)
        paths.append(path)
    return paths


def page(stats: Stats, pictures: Sequence[Path], title: str) -> str:
    """One HTML page without anything from outside."""
    images = "\n".join(
        f'<figure><img alt="{html.escape(path.stem)}" '
        f'src="data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"></figure>'
        for path in pictures
    )
    facts = {
        "documents": f"{stats.documents:,}", "words": f"{stats.words:,}", "sections": f"{stats.sections:,}",
        "sections that repeat another": f"{stats.repeated:,} ({stats.repeated_words:,} words)",
        "files refused": f"{sum(stats.refused.values()):,}",
        "personal data replaced": f"{sum(stats.replaced.values()):,}",
    }  # fmt: skip
    rows = "".join(f"<tr><th>{html.escape(key)}</th><td>{value}</td></tr>" for key, value in facts.items())
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(title)}</title>
<style>
body {{ font: 16px/1.5 system-ui, sans-serif; color: {_INK}; background: #fff; max-width: 72rem; margin: 2rem auto;
  padding: 0 1rem; }}
table {{ border-collapse: collapse; margin: 1rem 0 2rem; }}
th {{ text-align: left; font-weight: 500; padding: .3rem 1.5rem .3rem 0; border-bottom: 1px solid {_GRID}; }}
td {{ text-align: right; padding: .3rem 0; border-bottom: 1px solid {_GRID}; font-variant-numeric: tabular-nums; }}
main {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1.5rem; }}
figure {{ margin: 0; }} img {{ max-width: 100%; }}
</style></head><body>
<h1>{html.escape(title)}</h1>
<table>{rows}</table>
<main>
{images}
</main></body></html>
"""


def _varieties(stats: Stats) -> dict[str, int]:
    return dict(Counter({f"{name}": words for name, words in stats.varieties.items()}).most_common())


def _axes(title: str, *, tall: float = 3.6) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, tall), layout="constrained")
    axes = figure.add_subplot()
    axes.set_title(title, loc="left", color=_INK, fontsize=12)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.tick_params(colors=_INK, labelsize=9)
    axes.set_axisbelow(True)
    axes.locator_params(axis="y", integer=True)
    return figure, axes


def _bars(title: str, values: Mapping[str, int], unit: str) -> Any:
    names = list(values)[:_MOST]
    figure, axes = _axes(title, tall=0.7 + 0.34 * len(names))
    bars = axes.barh(names[::-1], [values[name] for name in names[::-1]], color=_BAR, height=0.65)
    axes.bar_label(bars, labels=[f"{values[name]:,}" for name in names[::-1]], padding=4, fontsize=9, color=_INK)
    axes.margins(x=0.16)
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.text(1.0, 1.02, unit, transform=axes.transAxes, ha="right", va="bottom", fontsize=9, color=_INK)
    return figure


def _histogram(title: str, values: Sequence[int], unit: str, what: str) -> Any:
    import numpy

    figure, axes = _axes(title)
    present = [value for value in values if value > 0]
    if present:
        top = max(10, *present)
        bins = numpy.logspace(0, numpy.log10(top), 40)
        axes.hist(present, bins=bins, color=_BAR)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        median, high = numpy.percentile(present, [50, 95])
        axes.margins(y=0.16)
        for value, name, side in ((median, "median", "right"), (high, "95 %", "left")):
            axes.axvline(value, color=_SECOND, linewidth=1.2)
            axes.text(
                value, 0.99, f" {name} {value:,.0f} ", transform=axes.get_xaxis_transform(), fontsize=9, color=_SECOND,
                va="top", ha=side,
            )  # fmt: skip
    axes.set_xlabel(unit, fontsize=9)
    axes.set_ylabel(what, fontsize=9)
    axes.grid(axis="y", color=_GRID, linewidth=0.6)
    return figure


def _duplicates(stats: Stats) -> Any:
    figure, axes = _axes(
        f"Near-duplicate pairs of sections: {stats.within:,} within a document, {stats.across:,} across"
    )
    if stats.alike:
        axes.hist(stats.alike, bins=30, range=(min(0.7, *stats.alike), 1.0), color=_BAR)
    axes.set_xlabel("share of word runs in common", fontsize=9)
    axes.set_ylabel("pairs", fontsize=9)
    axes.grid(axis="y", color=_GRID, linewidth=0.6)
    return figure


def _stacked(title: str, values: Mapping[str, Counter[str]]) -> Any:
    names = [name for name in ("train", "validation", "test") if name in values]
    figure, axes = _axes(title, tall=2.6)
    left = [0] * len(names)
    languages = [name for name, _ in sum((values[name] for name in names), Counter()).most_common()]
    colours = [_BAR, _SECOND, "#6b8f47", "#8d99a6"]
    for language, colour in zip(languages, colours, strict=False):
        widths = [values[name][language] for name in names]
        axes.barh(names, widths, left=left, color=colour, label=language, height=0.6)
        left = [one + width for one, width in zip(left, widths, strict=True)]
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    if languages:
        axes.legend(frameon=False, fontsize=9, ncols=len(languages), loc="lower right")
    axes.locator_params(axis="x", nbins=6)
    axes.set_xlabel("words", fontsize=9)
    return figure
