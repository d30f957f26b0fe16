"""The report of an evaluation: one table of figures, as JSON, Markdown and a page that needs no other file.

Knows how figures are told. Does not know how they were measured, nor which are good.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fabai.report import Language

from . import words
from .battery import Score
from .bootstrap import Interval
from .drafting import Drafted
from .general import Distance
from .measure import Group
from .quality import Sums
from .verdict import Memory, Verdict

_ROWS: tuple[tuple[str, str], ...] = (
    ("sections", "d"), ("words", ".0f"), ("length", ".1f"), ("within", "%"), ("repetition", "%"), ("supported", "%"),
    ("covered", "%"), ("right_language", "%"), ("rouge", ".3f"), ("copied", "d"), ("copied_share", "%"),
    ("seconds", ".1f"), ("tokens", ".0f"),
)  # fmt: skip
"""Of Sums: each is told as "row_" and its name."""


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
        table["verdict"] = self.verdict.as_json()
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


def markdown(found: Findings, pictures: Sequence[str], language: Language = "en") -> str:
    """The report as Markdown; pictures: files beside it."""
    say = partial(words.say, language)
    parts = [
        f"# {say('title', name=found.name, verdict=_verdict(found))}\n",
        f"{_where(found, language)}\n",
        *(f"- {one.told(language)}" for one in found.verdict.said),
        "",
    ]
    if found.verdict.change:
        parts += [f"## {say('change')}\n", *(f"- {one.told(language)}" for one in found.verdict.change), ""]
    if found.notes:
        parts += [f"## {say('missing')}\n", *(f"- {one}" for one in found.notes), ""]
    for title, text, header, rows in _tables(found, language):
        parts += [f"## {title}\n", *([text, ""] if text else []), _row(header), _row("---" for _ in header)]
        parts += [*map(_row, rows), ""]
    parts += [f"![{Path(one).stem}]({one})\n" for one in pictures]
    for tuned, base in found.samples:
        parts += [f"## {say('sample', heading=tuned.heading or tuned.id)}\n"]
        for label, text in _texts(tuned, base):
            parts += [f"**{say(label)}**\n", *(f"> {line}" for line in text.splitlines() or [""]), ""]
    parts.append(_cost(found, language))
    return "\n".join(parts) + "\n"


def page(found: Findings, pictures: Sequence[Path], language: Language = "en") -> str:
    """The report as one HTML file, pictures inside."""
    say = partial(words.say, language)
    verdict = "passed" if found.verdict.passed else "failed"
    body = [
        f"<h1>{_e(found.name)} <span class='{verdict}'>{_e(say(verdict))}</span></h1>",
        f"<p class=quiet>{_e(found.created[:10])} · {_e(_where(found, language))}</p>",
        _list(one.told(language) for one in found.verdict.said),
    ]
    if found.verdict.change:
        body += [f"<h2>{_e(say('change'))}</h2>", _list(one.told(language) for one in found.verdict.change)]
    if found.notes:
        body += [f"<h2>{_e(say('missing'))}</h2>", _list(found.notes)]
    shown = [f"<img alt='{_e(one.stem)}' src='data:image/png;base64,{_data(one)}'>" for one in pictures]
    for number, (title, text, header, rows) in enumerate(_tables(found, language)):
        body.append(f"<h2>{_e(title)}</h2>")
        if text:
            body.append(f"<p>{_e(text)}</p>")
        head = "".join(f"<th>{_e(cell)}</th>" for cell in header)
        lines = "".join("<tr>" + "".join(f"<td>{_e(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        body.append(f"<div class=wide><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>")
        if number < len(shown):
            body.append(shown[number])
    for tuned, base in found.samples:
        body.append(f"<h2>{_e(say('sample', heading=tuned.heading or tuned.id))}</h2><div class=sides>")
        for label, text in _texts(tuned, base):
            body.append(f"<section><h3>{_e(say(label))}</h3>{prose(text)}</section>")
        body.append("</div>")
    body.append(f"<p class=quiet>{_e(_cost(found, language))}</p>")
    return document(say("title", name=found.name, verdict=_verdict(found)), "\n".join(body), language=language)


def document(title: str, body: str, script: str = "", language: Language = "en") -> str:
    """A whole HTML file in the look of these reports."""
    return (
        f"<!doctype html><html lang={language}><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{_e(title)}</title><style>{_STYLE}</style><body><main>{body}</main>{script}</body></html>\n"
    )


def prose(text: str) -> str:
    """Paragraphs of a Markdown text, its marks left as they are."""
    return "".join(f"<p>{_e(part).replace(chr(10), '<br>')}</p>" for part in re.split(r"\n{2,}", text.strip()) if part)


def _where(found: Findings, language: Language) -> str:
    return words.say(
        language, "where", corpus=found.corpus, split=found.split, beside=found.beside, numbers=found.numbers,
        seed=str(found.seed),
    )  # fmt: skip


def _verdict(found: Findings) -> str:
    return "@passed" if found.verdict.passed else "@failed"


def _tables(found: Findings, language: Language) -> Iterable[tuple[str, str, Sequence[str], list[list[str]]]]:
    """(title, text, header, rows) of each."""
    say, write = partial(words.say, language), partial(words.numbers, language)
    header = ("", *map(say, ("sections", "projects", "perplexity", "bits", "difference")))
    groups = [*found.groups["all"], *found.groups["language"], *found.groups["kind"]]
    yield say("held_title"), say("held_text"), header, [_group(one, language) for one in groups]
    whole = found.forgetting[0]
    yield (
        say("forgetting_title"),
        say(
            "forgetting_text", items=f"{whole.items:,}", detectable=f"{whole.change.detectable:.1%}",
            margin=f"{whole.margin.detectable:.2f}",
        ),
        ("", *map(say, ("items", "right", "change_column", "margin_column"))),
        [_score(one, language) for one in found.forgetting],
    )  # fmt: skip
    yield (
        say("general_title"),
        say("general_text"),
        ("", *map(say, ("tokens_column", "kl_column", "loss_column"))),
        [
            [
                words.called(language, name),
                *map(write, (f"{one.tokens:,}", f"{one.kl:.3f}", _turn(one.base, one.tuned))),
            ]
            for name, one in found.distances.items()
        ],
    )
    if found.memory is not None:
        one = found.memory
        cells = (
            str(one.sections), f"{one.gained_trained:.3f}", f"{one.gained_held:.3f}", f"{one.gap:.3f}",
            f"{one.longest} ({one.before})",
        )  # fmt: skip
        yield (
            say("memory_title"),
            say("memory_text"),
            tuple(map(say, ("sections", "taught_column", "held_column", "gap_column", "run_column"))),
            [list(map(write, cells))],
        )
    named = {"base": found.before, "tuned": found.after, "tuned_again": found.from_training}
    columns = [(name, sums) for name, sums in named.items() if sums is not None]
    if columns:
        yield (
            say("drafts_title"),
            say("drafts_text"),
            ("", *(say(name) for name, _ in columns)),
            [
                [say(f"row_{key}"), *(_value(getattr(sums, key), form, language) for _, sums in columns)]
                for key, form in _ROWS
            ],
        )


def _group(one: Group, language: Language) -> list[str]:
    interval = one.difference
    cells = [str(one.sections), str(one.projects), _turn(one.perplexity_before, one.perplexity_after, 2)]
    cells.append(_turn(one.bits_before, one.bits_after))
    if interval is not None:
        cells.append(_interval(interval, "+.3f"))
    found = [words.called(language, one.name), *(words.numbers(language, cell) for cell in cells)]
    return found if interval is not None else [*found, words.say(language, "too_few")]


def _score(one: Score, language: Language) -> list[str]:
    cells = (
        f"{one.items:,}", f"{one.accuracy_before:.1%} → {one.accuracy_after:.1%}", _interval(one.change, "+.1%"),
        _interval(one.margin, "+.3f"),
    )  # fmt: skip
    return [words.called(language, one.name), *(words.numbers(language, cell) for cell in cells)]


def _turn(before: float, after: float, digits: int = 3) -> str:
    return f"{before:.{digits}f} → {after:.{digits}f}"


def _interval(one: Interval, form: str) -> str:
    return f"{one.mean:{form}} ({one.low:{form}} … {one.high:{form}})"


def _texts(tuned: Drafted, base: Drafted | None) -> list[tuple[str, str]]:
    """(key of who wrote it, text)."""
    found = [("person", tuned.human)]
    if base is not None:
        found.append(("base", base.text))
    return [*found, ("tuned", tuned.text)]


def _cost(found: Findings, language: Language) -> str:
    return words.say(language, "cost", seconds=f"{found.seconds:.0f}", cpu=f"{found.cpu_seconds:.0f}")


def _value(value: Any, form: str, language: Language) -> str:
    if value is None:
        return words.say(language, "nothing")
    return words.numbers(language, f"{value:.1%}" if form == "%" else format(value, form))


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
button[aria-pressed=true]{background:#e3edf5;border-color:#24567d}button:disabled{opacity:.45;cursor:default}
.bar{display:flex;gap:.7rem;flex-wrap:wrap;margin:1.2rem 0}
"""
