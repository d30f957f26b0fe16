"""Errors planted in real documents, each beside a clean control: one maker per rule, the same for every language.

Knows in how many neighbouring sections each maker plants, and which of the product's rules are to find it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from benches.checks_case import Case, Ground, Maker, neighbours
from benches.checks_documents import Sample
from benches.checks_figures import figures, swaps
from benches.checks_sentences import duplicates, language
from benches.checks_tables import arithmetic
from benches.checks_words import names, placeholders
from fabai.report import Language

MAKERS: dict[str, Maker] = {
    "figures": figures,
    "swaps": swaps,
    "arithmetic": arithmetic,
    "names": names,
    "placeholders": placeholders,
    "language": language,
    "duplicates": duplicates,
}
_SECTIONS = {"names": 5, "duplicates": 4}
"""Of other rules three."""
FAMILIES: dict[str, tuple[str, ...]] = {
    "figures": ("figure-unknown", "figure-varies"),
    "swaps": ("figure-swapped",),
    "arithmetic": ("table-total", "table-row", "table-percent", "table-deviation"),
    "names": ("name-varies",),
    "placeholders": ("placeholder", "hole", "reference-left", "model-talk"),
    "language": ("language-paragraph",),
    "duplicates": ("repeated-sentence", "repeated-across"),
}


def cases(
    rule: str, language_: Language, samples: Sequence[Sample], count: int, seed: str
) -> list[tuple[Sample, Case]]:
    """As many cases of a rule in a language as asked for, or as the documents allow; the same for the same seed."""
    rng = random.Random(f"{seed} {rule} {language_}")
    own = [one for one in samples if one.language == language_]
    found: list[tuple[Sample, Case]] = []
    for _ in range(60 * count):
        if len(found) == count:
            break
        one = rng.choice(own)
        sections = neighbours(one, rng, _SECTIONS.get(rule, 3))
        case = None if sections is None else MAKERS[rule](Ground(one, sections, samples), rng)
        if case is not None:
            found.append((replace(one, sections=case.sections), case))
    return found
