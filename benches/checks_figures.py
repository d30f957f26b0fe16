"""Figures planted in real documents: one with another digit, and two counts that changed places.

Reads figures with patterns of its own, not with those of the product. Does not know the rules.
"""

from __future__ import annotations

import random
import re

from benches.checks_case import Case, Ground, Sections, end_of_paragraph, in_code, put, whole_text
from benches.checks_documents import Sample
from benches.checks_forms import FORMS, NEUTRAL
from fabai.ledger import Fact
from fabai.report import Language

_MONEY = re.compile(
    r"(?<![\w.,/-])\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{2})?(?=[ \u00a0]?(?:€|euros?\b|EUR\b|USD\b))|(?<=[$£€])\d{1,3}(?:,\d{3})+(?:\.\d\d)?(?![\d.,]*[/\w])|(?<![\w.,/-])\d{3,6}(?:,\d\d)?(?=[ \u00a0]?(?:€|euros?\b))"
)
_PERCENT = re.compile(r"(?<![\w.,/-])\d{1,3}(?:[.,]\d{1,2})?(?=[ \u00a0]?%(?![\w%]))")
_COUNT = re.compile(
    r"(?<![\w.,/:#()\[\]@-])(?<![\w][ ])(?:1[3-9]|[2-9]\d|[1-9]\d\d)(?=[ \u00a0](?!de |del |d'|por |per |y |i |o |and |to |or |h\b)[a-záéíóúàèòçñ]{5,}\b)"
)
_COUNTED = re.compile(r"(?<![\w.,/:#()\[\]@-])(?P<number>[2-9]|[1-9]\d{1,2})[ ](?P<noun>[a-záéíóúàèòçñ]{4,}s)\b")


def figures(ground: Ground, rng: random.Random) -> Case | None:
    """A figure with another digit; the document as it was is its source. Control: the figure written in another way."""
    one, sections = ground.document, ground.sections
    number = rng.randrange(len(sections))
    text = sections[number][2]
    kind, pattern = rng.choice((("money", _MONEY), ("percent", _PERCENT), ("count", _COUNT)))
    places = [match for match in pattern.finditer(text) if not in_code(text, match.start())]
    if not places:
        return None
    place = rng.choice(places)
    whole = whole_text(one)
    for _ in range(20):
        wrong = slip(place[0], rng)
        if re.sub(r"\D", "", wrong) not in re.sub(r"(?<=\d)[.,  ](?=\d)", "", whole):
            break
    else:
        return None
    planted = put(sections, number, *place.span(), wrong)
    other = _rewritten(place[0], kind, one.language, rng)
    clean = put(sections, number, *place.span(), other)
    spot = (number, place.start(), place.start() + len(wrong))
    calm = (number, place.start(), place.start() + len(other))
    return Case(planted, clean, (spot,), (), (("fuente", whole),), f"{place[0]} -> {wrong} | {other}", (calm,))


def slip(written: str, rng: random.Random) -> str:
    digits = [place for place, sign in enumerate(written) if sign.isdigit()]
    at = rng.choice(digits)
    first = at == digits[0]
    new = rng.choice([one for one in ("123456789" if first else "0123456789") if one != written[at]])
    return written[:at] + new + written[at + 1 :]


def _rewritten(written: str, kind: str, language: Language, rng: random.Random) -> str:
    """The same number with other marks of thousands and decimals."""
    if kind != "money":
        return written
    tail = re.search(r"[.,](\d\d)$", written)
    whole = re.sub(r"\D", "", written[: tail.start()] if tail is not None else written)
    grouped = [f"{int(whole):,}".replace(",", mark) for mark in (("," if language == "en" else "."), " ", "\u00a0")]
    body = rng.choice([*grouped, whole])
    if tail is not None and tail[1] == "00" and rng.random() < 0.5:
        return body
    cents = tail[1] if tail is not None else "00" if rng.random() < 0.5 else ""
    return f"{body}{'.' if language == 'en' else ','}{cents}" if cents else body


def swaps(ground: Ground, rng: random.Random) -> Case | None:
    """Two counts that changed places. Control: the counts where they belong, one of them with an adjective."""
    one, sections = ground.document, ground.sections
    number = rng.randrange(len(sections))
    text = sections[number][2]
    places = [match for match in _COUNTED.finditer(text) if not in_code(text, match.start())]
    rng.shuffle(places)
    pair = next(
        (
            sorted((first, second), key=lambda match: match.start())
            for first in places
            for second in places
            if first["number"] != second["number"]
            and first["noun"][:4] != second["noun"][:4]
            and first["noun"] not in NEUTRAL[one.language]
            and second["noun"] not in NEUTRAL[one.language]
            and _single(text, first)
            and _single(text, second)
        ),
        None,
    )
    if pair is None:
        return _swapped_sentence(one, sections, number, rng)
    first, second = pair
    facts = tuple(Fact(f"{match['noun']}", f"{match['number']} {match['noun']}", "Acta") for match in pair)
    planted = put(sections, number, *second.span("number"), first["number"])
    planted = put(planted, number, *first.span("number"), second["number"])
    shift = len(second["number"]) - len(first["number"])
    spots = (
        (number, first.start(), first.start() + len(second["number"])),
        (number, second.start() + shift, second.start() + shift + len(first["number"])),
    )
    calm = tuple((number, *match.span("number")) for match in pair)
    return Case(planted, sections, spots, facts, (), f"{first[0]} <-> {second[0]}", calm)


def _single(text: str, one: re.Match[str]) -> bool:
    """Whether what is counted is counted once in the section, so that the ledger's fact is plain."""
    return len(re.findall(rf"\d+ {one['noun']}\b", text)) == 1


def _swapped_sentence(one: Sample, sections: Sections, number: int, rng: random.Random) -> Case | None:
    words = FORMS[one.language]
    first, second = rng.sample(words["counted"], 2)
    low, high = rng.sample(range(3, 900), 2)
    frame = rng.choice(words["frames"])
    adjective = rng.choice(words["adjectives"])
    stop = end_of_paragraph(sections[number][2], rng)
    if stop is None:
        return None

    def sentence(one_value: int, other: int, extra: str) -> tuple[str, int, int]:
        body = frame.format(a=f"{one_value} {extra}{first}", b=f"{other} {second}")
        return body, body.index(f"{one_value} {extra}{first}"), body.index(f"{other} {second}")

    extra = f"{adjective} " if rng.random() < 0.4 else ""
    right, here, there = sentence(low, high, extra)
    wrong, at, to = sentence(high, low, extra)
    facts = (Fact(first, f"{low} {first}", "Acta"), Fact(second, f"{high} {second}", "Acta"))
    planted = put(sections, number, stop, stop, f" {wrong}")
    clean = put(sections, number, stop, stop, f" {right}")
    base = stop + 1
    spots = ((number, base + at, base + at + len(str(high))), (number, base + to, base + to + len(str(low))))
    calm = ((number, base + here, base + here + len(str(low))), (number, base + there, base + there + len(str(high))))
    return Case(planted, clean, spots, facts, (), wrong, calm)
