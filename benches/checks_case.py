"""A planted document beside its control, and the places of a real document where something can be put.

Knows Markdown as text. Does not know the rules, nor what is planted.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benches.checks_documents import Sample
from fabai.ledger import Fact
from fabai.report import Language

Sections = tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """sections: the planted document; clean: the control. spots: what each must be found at, (section, start, end).

    base: the document before anything was put in, where the control has something of its own. calm: places of the control that were changed without harm. facts, sources: the brief of both.
    """

    sections: Sections
    clean: Sections
    spots: tuple[tuple[int, int, int], ...]
    facts: tuple[Fact, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    note: str = ""
    calm: tuple[tuple[int, int, int], ...] = field(default=())
    base: Sections = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """Where something is planted. sections: some neighbouring ones of the document. others: all documents."""

    document: Sample
    sections: Sections
    others: Sequence[Sample]


Maker = Callable[[Ground, random.Random], Case | None]
"""None where the ground offers no place."""
TELLING: dict[Language, frozenset[str]] = {
    "es": frozenset(
        ["y", "con", "los", "las", "del", "una", "por", "para", "su", "sus", "como", "más", "fue", "está", "lo"]
    ),
    "ca": frozenset(
        ["i", "amb", "els", "dels", "una", "per", "seva", "seu", "com", "més", "va", "està", "aquest", "aquesta", "pel"]
    ),
    "en": frozenset(["the", "and", "of", "to", "in", "is", "for", "with", "that", "are", "was", "this", "by", "on"]),
}
SENTENCE = re.compile(r"(?:(?<=\n\n)|(?<=[.!?] ))[A-ZÁÉÍÓÚÀÈÒÇ][^\n.!?|`$\\\[\]<>{}]{70,400}[.](?=\s|$)")


def neighbours(one: Sample, rng: random.Random, most: int) -> Sections | None:
    """Some neighbouring sections with text in them, as a document of their own."""
    filled = [number for number, (_, level, text) in enumerate(one.sections) if level and 300 < len(text) < 15_000]
    if not filled:
        return None
    at = rng.choice(filled)
    return one.sections[at : at + most]


def put(sections: Sections, number: int, start: int, end: int, text: str) -> Sections:
    heading, level, old = sections[number]
    return (*sections[:number], (heading, level, old[:start] + text + old[end:]), *sections[number + 1 :])


def whole_text(one: Sample) -> str:
    return "\n\n".join(f"{heading}\n\n{text}" for heading, _, text in one.sections)


def in_code(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return (
        text[:at].count("```") % 2 == 1
        or line.count("`") % 2 == 1
        or "http" in line[-80:]
        or line.startswith(("    ", "\t"))
    )


def end_of_paragraph(text: str, rng: random.Random) -> int | None:
    ends = [
        match.start()
        for match in re.finditer(r"(?<=[a-záéíóúàèòçñ][.])(?=\n\n[A-ZÁÉÍÓÚ]|\Z)", text)
        if not in_code(text, match.start())
    ]
    return rng.choice(ends) if ends else None


def paragraph(samples: Sequence[Sample], rng: random.Random) -> str | None:
    for _ in range(30):
        one = rng.choice(samples)
        _, level, text = rng.choice(one.sections)
        found = [
            match[0].strip()
            for match in re.finditer(
                r"(?:(?<=\n\n)|\A)[A-ZÁÉÍÓÚÀÈÒÇ][^\n|`$\\\[\]<>{}#+«»“”\"]{120,700}\.(?=\n\n|\Z)", text
            )
        ]
        # a Spanish report may have an English abstract: the paragraph itself tells
        found = [text for text in found if _in(one.language, text)]
        if found and level:
            return rng.choice(found)
    return None


def _in(language_: Language, text: str) -> bool:
    words = re.findall(r"[a-zà-ÿ]+", text.lower())
    counts = {other: sum(word in tells for word in words) for other, tells in TELLING.items()}
    return counts[language_] >= 3 and all(
        counts[language_] > 2 * counts[other] for other in counts if other != language_
    )
