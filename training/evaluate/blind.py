"""The blind page: two drafts of one section side by side, and a person says which is better without knowing whose it
is.

One HTML file, in Spanish, Catalan and English (blind.toml), with its script (blind.js). Which side is whose is settled
by a seed and kept out of sight until the votes are in; votes stay in the browser, and the person saves them as a JSON
file. Knows drafts. Does not know who votes.
"""

from __future__ import annotations

import base64
import html
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from fabai.report import LANGUAGES
from fabai.strict import build, read_toml

from .drafting import Drafted
from .report import document, prose

_HERE = Path(__file__).parent
_NAMES = {"es": "castellano", "ca": "català", "en": "English"}


@dataclass(frozen=True, slots=True)
class Words:
    """What the page says in one language."""

    title: str
    explain: str
    count: str
    left: str
    right: str
    same: str
    back: str
    save: str
    sum: str
    empty: str
    heading: str
    language: str


def words() -> dict[str, Words]:
    """By language."""
    path = _HERE / "blind.toml"
    table = read_toml(path)
    return {language: build(Words, table[language], f"{path.name} [{language}]") for language in LANGUAGES}


def page(name: str, pairs: Sequence[tuple[Drafted, Drafted]], seed: int) -> str:
    """pairs: (tuned, base) of the same sections. The same arguments give the same page."""
    draw = random.Random(f"{seed}:blind")  # noqa: S311 - an order of texts, not a secret
    order = list(pairs)
    draw.shuffle(order)
    key: dict[str, dict[str, str]] = {}
    cards = []
    for number, (tuned, base) in enumerate(order, 1):
        swapped = draw.random() < 0.5
        left, right = (base, tuned) if swapped else (tuned, base)
        key[str(number)] = {"left": "base" if swapped else "tuned", "right": "tuned" if swapped else "base"}
        heading = f"<h2>{html.escape(tuned.heading)}</h2>" if tuned.heading else "<h2 data-say=heading></h2>"
        section = html.escape(tuned.id, quote=True)
        cards.append(
            f"<article class=card data-id='{number}' data-section='{section}' hidden>{heading}"
            f"<div class=sides>{_side(1, left)}{_side(2, right)}</div></article>"
        )
    said = json.dumps({language: asdict(one) for language, one in words().items()}, ensure_ascii=False)
    # nothing in a word ends the script
    said = said.replace("<", "\\u003c")
    hidden = base64.b64encode(json.dumps(key).encode()).decode()
    switch = "".join(f"<button data-language={one} lang={one}>{_NAMES[one]}</button>" for one in LANGUAGES)
    body = (
        f"<nav class=bar>{switch}</nav><h1 data-say=title></h1><p class=quiet><span data-say=explain></span> "
        f"<b id=count aria-live=polite></b></p>{''.join(cards)}"
        "<div class=bar><button data-vote=left data-say=left></button><button data-vote=same data-say=same></button>"
        "<button data-vote=right data-say=right></button><button id=back data-say=back></button></div>"
        "<div id=end hidden><button id=save data-say=save></button> <span id=sum></span></div>"
        f"<script type='text/plain' id=key>{hidden}</script>"
        f"<script type='application/json' id=words>{said}</script>"
    )
    script = f"<script>{(_HERE / 'blind.js').read_text(encoding='utf-8')}</script>"
    return document(f"Blind: {name}", body, script).replace(
        "<body>", f"<body data-set='{html.escape(name, quote=True)}'>", 1
    )


def _side(number: int, one: Drafted) -> str:
    return f"<section><h3>{number}</h3>{prose(one.text) or '<p data-say=empty></p>'}</section>"
