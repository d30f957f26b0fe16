"""One thing with two values: a figure that two sections call by the same words and write one slip apart.

Needs no ledger. Knows slips only: figures that differ by more are two things to it. Does not know which one is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from fabai.checks.claimed import Claim, claims
from fabai.checks.reading import Reading
from fabai.checks.slip import distance
from fabai.checks.violation import Violation

_NAMED = 3
"""Words in front of a figure that must be the same."""


def check_pairs(readings: Sequence[tuple[str, Reading]]) -> Iterator[Violation]:
    """The later of two figures of one name. readings: by section, in order."""
    seen: dict[tuple[object, ...], list[tuple[str, Claim]]] = defaultdict(list)
    for section, reading in readings:
        for claim in claims(reading):
            if (
                claim.figure.kind not in ("amount", "percent")
                or len(claim.before) < _NAMED
                or reading.in_table(claim.start)
            ):
                continue
            key = (claim.figure.kind, claim.figure.noun, *claim.before[-_NAMED:])
            for other, earlier in seen[key]:
                if other != section and _slip(earlier.figure.value, claim.figure.value):
                    yield Violation(
                        *(
                            "figure-differs",
                            section,
                            "warning",
                            claim.quote,
                            other,
                            claim.quote,
                            claim.start,
                            claim.end,
                        ),
                        evidence=earlier.quote,
                        suggestion=earlier.quote,
                    )
                    break
            seen[key].append((section, claim))


def _slip(one: str, other: str) -> bool:
    return one != other and len(one) == len(other) and len(one) > 3 and distance(one, other) == 1
