"""The report of an evaluation: one table of figures, as JSON, Markdown and a page that needs no other file.

Knows how figures are told. Does not know how they were measured, nor which are good.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .battery import Score
from .drafting import Drafted
from .general import Distance
from .measure import Group
from .quality import Sums
from .verdict import Memory, Verdict

_NAMES = {"es": "Spanish", "ca": "Catalan", "en": "English", "all": "all"}
_ROWS: tuple[tuple[str, str, str], ...] = (
    ("sections", "sections drafted", "d"),
    ("words", "words", ".0f"),
    ("length", "length score S_l (100 is the human length)", ".1f"),
    ("within", "kept the form's limit", "%"),
    ("repetition", "repeated runs of four words", "%"),
    ("supported", "figures that the prompt or a source holds", "%"),
    ("covered", "facts of the human text that it states", "%"),
    ("right_language", "in the right language", "%"),
    ("rouge", "ROUGE-L to the human text", ".3f"),
    ("copied", "longest run of training text, words", "d"),
    ("copied_share", "words in runs of training text", "%"),
    ("seconds", "seconds a section", ".1f"),
    ("tokens", "tokens a section", ".0f"),
)


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that was measured. beside: what the tuned model is compared with. notes: what could not be
    measured.
    """

    name: str
    created: str
    corpus: str
    split: str
    beside: str
    numbers: str
    seed: int
    groups: Mapping[str, Sequence[Group]]
    forgetting: Sequence[Score]
    distances: Mapping[str, Distance]
    memory: Memory | None
    before: Sums | None
    after: Sums | None
    from_training: Sums | None
    verdict: Verdict
    notes: tuple[str, ...]
    cpu_seconds: float
    seconds: float
    samples: tuple[tuple[Drafted, Drafted | None], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Without the samples' texts; times stand apart, since all else is the same on a second run."""
        table = asdict(self)
        table.pop("samples")
        times = {key: table.pop(key) for key in ("cpu_seconds", "seconds", "created")}
        for key in ("before", "after", "from_training"):
            if table[key] is not None:
                times[f"{key}_seconds"] = table[key].pop("seconds")
        return {"format": 1, **table, "figures": self.figures(), "created": self.created, "times": times}

    def figures(self) -> dict[str, Any]:
        """The few that two releases are compared by."""
        whole = self.groups["all"][0]
        found: dict[str, Any] = {"bits per byte, base": whole.bits_before, "bits per byte": whole.bits_after}
        found |= {f"bits per byte, {one.name}": one.bits_after for one in self.groups["language"]}
        found["battery right"] = self.forgetting[0].accuracy_after
        found |= {f"KL, {language}": one.kl for language, one in self.distances.items()}
        if self.after is not None:
            found |= {"length score": self.after.length, "figures supported": self.after.supported}
        return found


def markdown(found: Findings, pictures: Sequence[str]) -> str:
    """The report as Markdown; pictures: files beside it."""
    parts = [
        f"# Evaluation of {found.name}: {'passed' if found.verdict.passed else 'failed'}\n",
        f"On {found.corpus} ({found.split}), beside {found.beside}, numbers {found.numbers}, seed {found.seed}.\n",
        *(f"- {one}" for one in found.verdict.sentences),
        "",
    ]
    if found.verdict.advice:
        parts += ["## What to change\n", *(f"- {one}" for one in found.verdict.advice), ""]
    if found.notes:
        parts += ["## Not measured\n", *(f"- {one}" for one in found.notes), ""]
    for title, text, header, rows in _tables(found):
        parts += [f"## {title}\n", *([text, ""] if text else []), _row(header), _row("---" for _ in header)]
        parts += [*map(_row, rows), ""]
    parts += [f"![{Path(one).stem}]({one})\n" for one in pictures]
    for tuned, base in found.samples:
        parts += [f"## Sample: {tuned.heading or tuned.id}\n"]
        for label, text in _texts(tuned, base):
            parts += [f"**{label}**\n", *(f"> {line}" for line in text.splitlines() or [""]), ""]
    parts.append(_cost(found))
    return "\n".join(parts) + "\n"


def page(found: Findings, pictures: Sequence[Path]) -> str:
    """The report as one HTML file, pictures inside."""
    verdict = "passed" if found.verdict.passed else "failed"
    body = [
        f"<h1>{_e(found.name)} <span class='{verdict}'>{verdict}</span></h1>",
        f"<p class=quiet>{_e(found.created[:10])} · {_e(found.corpus)} ({_e(found.split)}) · beside {_e(found.beside)} "
        f"· numbers {_e(found.numbers)} · seed {found.seed}</p>",
        _list(found.verdict.sentences),
    ]
    if found.verdict.advice:
        body += ["<h2>What to change</h2>", _list(found.verdict.advice)]
    if found.notes:
        body += ["<h2>Not measured</h2>", _list(found.notes)]
    shown = [f"<img alt='{_e(one.stem)}' src='data:image/png;base64,{_data(one)}'>" for one in pictures]
    for number, (title, text, header, rows) in enumerate(_tables(found)):
        body.append(f"<h2>{_e(title)}</h2>")
        if text:
            body.append(f"<p>{_e(text)}</p>")
        head = "".join(f"<th>{_e(cell)}</th>" for cell in header)
        lines = "".join("<tr>" + "".join(f"<td>{_e(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        body.append(f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>")
        if number < len(shown):
            body.append(shown[number])
    for tuned, base in found.samples:
        body.append(f"<h2>Sample: {_e(tuned.heading or tuned.id)}</h2><div class=sides>")
        for label, text in _texts(tuned, base):
            body.append(f"<section><h3>{_e(label)}</h3>{prose(text)}</section>")
        body.append("</div>")
    body.append(f"<p class=quiet>{_e(_cost(found))}</p>")
    return document(f"{found.name}: {verdict}", "\n".join(body))


def document(title: str, body: str, script: str = "") -> str:
    """A whole HTML file in the look of these reports."""
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{_e(title)}</title><style>{_STYLE}</style><body><main>{body}</main>{script}</body></html>\n"
    )


def prose(text: str) -> str:
    """Paragraphs of a Markdown text, its marks left as they are."""
    return "".join(f"<p>{_e(part).replace(chr(10), '<br>')}</p>" for part in re.split(r"\n{2,}", text.strip()) if part)


def _tables(found: Findings) -> Iterable[tuple[str, str, Sequence[str], list[list[str]]]]:
    header = ("", "sections", "projects", "perplexity", "bits per byte", "difference (95 %)")
    groups = [*found.groups["all"], *found.groups["language"], *found.groups["kind"]]
    yield (
        "Held-out sections",
        "Base before the arrow, with the adapter behind it. Intervals: bootstrap over projects and their sections.",
        header,
        [_group(one) for one in groups],
    )
    whole = found.forgetting[0]
    yield (
        "Forgetting",
        f"{whole.items:,} questions with a right and a wrong answer, judged by likelihood. A change of "
        f"{whole.change.detectable:.1%} in right answers, or of {whole.margin.detectable:.2f} nats in the margin, "
        "would have been found 80 times in 100.",
        ("", "items", "right", "change (95 %)", "margin, nats (95 %)"),
        [_score(one) for one in found.forgetting],
    )
    yield (
        "General text",
        "How far the model moved from its base on texts that have nothing to do with reports.",
        ("", "tokens", "KL, nats a token", "loss"),
        [
            [_NAMES.get(name, name), f"{one.tokens:,}", f"{one.kl:.3f}", f"{one.base:.3f} → {one.tuned:.3f}"]
            for name, one in found.distances.items()
        ],
    )
    if found.memory is not None:
        one = found.memory
        yield (
            "Memory of training text",
            "How much likelier the adapter made its own training text and held-out text.",
            ("sections", "training, nats a token", "held out", "gap", "longest run given back, tokens (base)"),
            [
                [
                    str(one.sections), f"{one.gained_trained:.3f}", f"{one.gained_held:.3f}", f"{one.gap:.3f}",
                    f"{one.longest} ({one.before})",
                ]
            ],
        )  # fmt: skip
    named = {"base": found.before, "tuned": found.after, "tuned, on training prompts": found.from_training}
    columns = [(name, sums) for name, sums in named.items() if sums is not None]
    if columns:
        yield (
            "Drafts",
            "Sections written anew by the product's own drafting.",
            ("", *(name for name, _ in columns)),
            [[label, *(_value(getattr(sums, key), form) for _, sums in columns)] for key, label, form in _ROWS],
        )


def _group(one: Group) -> list[str]:
    interval = one.difference
    return [
        _NAMES.get(one.name, one.name),
        str(one.sections),
        str(one.projects),
        f"{one.perplexity_before:.2f} → {one.perplexity_after:.2f}",
        f"{one.bits_before:.3f} → {one.bits_after:.3f}",
        "too few projects"
        if interval is None
        else f"{interval.mean:+.3f} ({interval.low:+.3f} to {interval.high:+.3f})",
    ]


def _score(one: Score) -> list[str]:
    return [
        _NAMES.get(one.name, one.name),
        f"{one.items:,}",
        f"{one.accuracy_before:.1%} → {one.accuracy_after:.1%}",
        f"{one.change.mean:+.1%} ({one.change.low:+.1%} to {one.change.high:+.1%})",
        f"{one.margin.mean:+.3f} ({one.margin.low:+.3f} to {one.margin.high:+.3f})",
    ]


def _texts(tuned: Drafted, base: Drafted | None) -> list[tuple[str, str]]:
    found = [("person", tuned.human)]
    if base is not None:
        found.append(("base", base.text))
    return [*found, ("with the adapter", tuned.text)]


def _cost(found: Findings) -> str:
    return f"Measured in {found.seconds:.0f} s, {found.cpu_seconds:.0f} s of processor time."


def _value(value: Any, form: str) -> str:
    if value is None:
        return "nothing to count"
    return f"{value:.1%}" if form == "%" else format(value, form)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _list(items: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{_e(one)}</li>" for one in items) + "</ul>"


def _data(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def _e(text: str) -> str:
    return html.escape(text, quote=True)


_STYLE = """
body{margin:0;background:#f6f7f9;color:#1c2733;font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:62rem;margin:0 auto;padding:2rem 1.25rem 4rem;background:#fff;min-height:100vh}
h1{font-size:1.6rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2.2rem 0 .5rem}h3{font-size:.95rem;margin:.2rem 0 .6rem}
.passed,.failed{font-size:.85rem;padding:.2rem .7rem;border-radius:1rem;vertical-align:middle;margin-left:.5rem}
.passed{background:#dcf2e4;color:#14532d}.failed{background:#fde2e0;color:#7f1d1d}
.quiet{color:#5b6b7b;font-size:.9rem}.wide{overflow-x:auto}img{max-width:100%;height:auto;margin:.8rem 0}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.35rem .8rem .35rem 0;text-align:left;border-bottom:1px solid #e3e8ee;vertical-align:top}
th{color:#5b6b7b;font-weight:600}.sides{display:flex;gap:1.2rem;flex-wrap:wrap}
.sides section{flex:1 1 17rem;min-width:0;background:#f6f7f9;border-radius:.5rem;padding:.9rem 1rem;font-size:.92rem;
overflow-wrap:anywhere}button{font:inherit;padding:.55rem 1.1rem;border:1px solid #b8c4d0;border-radius:.4rem;
background:#fff;cursor:pointer}button:hover,button:focus-visible{border-color:#24567d;outline:2px solid #9db4c8}
.bar{display:flex;gap:.7rem;flex-wrap:wrap;margin:1.2rem 0}
"""
