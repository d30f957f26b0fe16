"""Errors planted in real documents, each beside a clean control: one maker per rule, the same for every language.

A maker takes a document and a source of chance and gives a Case, or None where the document offers no place. Knows which
of the product's rules are to find what each maker plants.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from benches.checks_case import Case, Maker
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
        case = MAKERS[rule](one, samples, rng)
        if case is not None:
            found.append((replace(one, sections=case.sections), case))
    return found
