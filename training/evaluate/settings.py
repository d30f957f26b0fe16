"""What an evaluation looks at, and what fails a Release. Knows numbers and their bounds; docs/releases.md has what the
bounds rest on.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabai.bounds import between


@dataclass(frozen=True, slots=True)
class EvalSettings:
    """sections: held-out ones whose loss is measured; drafts: of them written anew, and as many training ones, to see
    what is copied; remembered: training sections whose loss is measured. each: battery items of a task in a
    language. seed: of every choice.

    A Release fails where, with 95 % certainty: the battery's accuracy falls by more than `accuracy`, or a task's or
    language's by more than `task`, or held-out text became less likely; and where KL to the base on general text is
    above `kl` nats in a language whose text did not become likelier, or a draft shares a run of `copied` words with
    training text that its prompt does not hold, or `copied_share` of all drafted words stand in such runs, or training
    text became likelier than held-out text by more than `gap` nats a token. mix: share of general data advised.
    """

    sections: int = 100
    drafts: int = 6
    remembered: int = 12
    each: int = 225
    seed: int = 0
    accuracy: float = 0.02
    task: float = 0.02
    kl: float = 0.35
    copied: int = 40
    copied_share: float = 0.15
    gap: float = 0.5
    mix: float = 0.1

    def __post_init__(self) -> None:
        between("sections", self.sections, 1, 100_000)
        between("drafts", self.drafts, 0, 10_000)
        between("remembered", self.remembered, 0, 10_000)
        between("each", self.each, 1, 1_000)
        between("seed", self.seed, 0, 2**31)
