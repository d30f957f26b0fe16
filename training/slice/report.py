"""The report of a slice: what it saves and what it costs, as Markdown, JSON and a picture.

Does not know files of models or how a slice was chosen.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .measure import LanguageCost, Loss

GIB = 2**30


@dataclass(frozen=True)
class Sizes:
    """Rows before and after; bytes of one row (all its values) of the embedding and of the head (0 where tied)."""

    rows_before: int
    rows_after: int
    tokens_after: int
    embedding_row: int
    head_row: int

    def saved(self, row: int) -> float:
        """GiB that go with the rows."""
        return (self.rows_before - self.rows_after) * row / GIB

    def logits(self, tokens: int, width: int = 4) -> tuple[float, float]:
        """GiB of whole logits for `tokens` positions before and after, at `width` bytes each."""
        return self.rows_before * tokens * width / GIB, self.rows_after * tokens * width / GIB


@dataclass(frozen=True)
class SliceReport:
    """Everything that a report says. curve: (tokens kept, language -> share of tokens segmented identically)."""

    model: str
    family: str
    sizes: Sizes
    languages: Mapping[str, LanguageCost]
    losses: Sequence[Loss]
    lists: Sequence[str]
    notices: Sequence[str]
    held_out: bool
    curve: Sequence[tuple[int, Mapping[str, float]]]
    gguf: str
    proof: Mapping[str, int] | None = None

    def table(self) -> dict[str, Any]:
        """The report for machines."""
        found = asdict(self)
        sizes = self.sizes
        found["saved_gib"] = {"embedding": sizes.saved(sizes.embedding_row), "head": sizes.saved(sizes.head_row)}
        found["logits_gib"] = {
            str(tokens): dict(zip(("before", "after"), sizes.logits(tokens), strict=True)) for tokens in (2_048, 20_480)
        }
        for language, cost in self.languages.items():
            before, after = cost.per_thousand
            found["languages"][language] |= {
                "per_thousand_before": before,
                "per_thousand_after": after,
                "growth": cost.growth,
            }
        return found

    def markdown(self) -> str:
        """The report for people."""
        sizes = self.sizes
        text = "held-out text" if self.held_out else "the counted text (nothing was held out)"
        lines = [
            f"# {self.model}: {sizes.rows_before:,} rows cut to {sizes.rows_after:,}",
            "",
            f"Tokenizer: {self.family}. Tokens kept: {sizes.tokens_after:,}.",
            "",
            "| | before | after | saved GiB |",
            "|---|---|---|---|",
            f"| rows | {sizes.rows_before:,} | {sizes.rows_after:,} | |",
            _saving("embedding", sizes, sizes.embedding_row),
            _saving("head", sizes, sizes.head_row) if sizes.head_row else "| head | tied to the embedding | | |",
            *(
                f"| logits of {tokens:,} tokens, float32 | {before:.2f} GiB | {after:.2f} GiB | {before - after:.2f} |"
                for tokens in (2_048, 20_480)
                for before, after in (sizes.logits(tokens),)
            ),
            "",
            f"Measured on {text}:",
            "",
            "| language | words | tokens segmented identically | text (bytes) segmented identically | tokens per "
            "1,000 words before | after | growth |",
            "|---|---|---|---|---|---|---|",
        ]
        for language, cost in sorted(self.languages.items()):
            before, after = cost.per_thousand
            lines.append(
                f"| {language} | {cost.words:,} | {_share(cost.identical_tokens)} | {_share(cost.identical_text)} "
                f"| {before:,.1f} | {after:,.1f} | {cost.growth:+.3%} |"
            )
        lines += [
            "",
            f"Frequent-word lists: {', '.join(self.lists) or 'none'}.",
            "",
            f"{self.gguf[0].upper()}{self.gguf[1:]}.",
            "",
        ]
        lines += [f"- {notice}" for notice in self.notices] + [""] * bool(self.notices)
        if self.proof:
            lines += [
                "Proven: "
                + ", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in self.proof.items())
                + ".",
                "",
            ]
        lines += [
            f"The {len(self.losses)} most costly losses in all of the text:",
            "",
            "| token | falls into | uses | tokens added |",
            "|---|---|---|---|",
        ]
        lines += [
            f"| {_code(loss.token)} | {' '.join(map(_code, loss.pieces))} | "
            f"{', '.join(f'{language} {times:,}' for language, times in sorted(loss.uses.items()))} | {loss.added:,} |"
            for loss in self.losses
        ]
        return "\n".join(lines) + "\n"

    def write(self, folder: Path, name: str = "report") -> None:
        """report.md, report.json and, where matplotlib is installed, report.png."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_text(
            json.dumps(self.table(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
        (folder / f"{name}.md").write_text(self.markdown(), encoding="utf-8")
        if importlib.util.find_spec("matplotlib") is not None:
            plot(self, folder / f"{name}.png")


def _saving(name: str, sizes: Sizes, row: int) -> str:
    before, after = sizes.rows_before * row / GIB, sizes.rows_after * row / GIB
    return f"| {name} | {before:.2f} GiB | {after:.2f} GiB | {before - after:.2f} |"


def _share(value: float) -> str:
    # rounded down, so that 100 % means all
    return f"{int(value * 1e5) / 1e3:.3f} %"


def _code(text: str) -> str:
    plain = text.encode("unicode_escape").decode() if any(ord(char) < 32 for char in text) else text
    return f"`{plain.replace('|', chr(0x2502)).replace('`', chr(0x2019))}`"


def plot(report: SliceReport, path: Path) -> None:
    """Left: share of tokens segmented identically against the number of tokens kept, by language. Right: memory of the
    matrices.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2, width_ratios=(2, 1))
    for language in sorted(report.languages):
        points = [(kept, 100 * (1 - shares[language])) for kept, shares in report.curve if language in shares]
        left.plot(*zip(*points, strict=True), marker="o", markersize=3, label=language)
    left.axvline(report.sizes.tokens_after, color="0.4", linewidth=1, linestyle="--")
    left.set(xlabel="tokens kept", ylabel="tokens cut differently, %", yscale="symlog", ylim=(0, None))
    left.set_yscale("symlog", linthresh=0.01)
    left.grid(alpha=0.3)
    left.legend(frameon=False)
    sizes = report.sizes
    row = sizes.embedding_row + sizes.head_row
    bars = right.bar(
        ["before", "after"],
        [rows * row / GIB for rows in (sizes.rows_before, sizes.rows_after)],
        color=["0.7", "tab:green"],
    )
    right.bar_label(bars, fmt="%.2f")
    right.set(ylabel="embedding and head, GiB")
    right.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{report.model}: {sizes.rows_before:,} rows cut to {sizes.rows_after:,}", fontsize=10)
    figure.savefig(path)
