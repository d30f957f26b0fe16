"""Looking ahead: which course through the next sections keeps most of the prompt, at full windows that keep to the
decay.

A beam search over sizes alone. A step either grows the prompt at its end, or leaves its first sections as they stand
and pours the room behind them over the rest (fabai.window.steps). Sections to come are taken to be as long as the mean
of those there are: their true length must not count, for in drafting nobody knows it. All sums are of integers and the
order is fixed, so that the same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fabai.window.basin import pour
from fabai.window.steps import Ground, Scene, Step


@dataclass(frozen=True, slots=True)
class Course:
    """The first step of the best course: leave `intact` sections, pour all but `slack` over the rest, by their weights
    to this power.
    """

    intact: int
    slack: int
    power: float


def course(
    ground: Ground,
    sizes: Sequence[int],
    weights: Sequence[float],
    ideal: Sequence[int],
    standing: Sequence[int],
) -> Course:
    """The course for sections of these sizes, weights and shares under `fill`, the first of them standing as given.

    The last one is the newest: it is never shown below its share.
    """
    live = [i for i, share in enumerate(ideal) if share or (i < len(standing) and standing[i])]
    mean = max(1, sum(sizes) // max(1, len(sizes)))
    stood = [standing[i] for i in live if i < len(standing)]
    lengths, plain = [sizes[i] for i in live], [weights[i] for i in live]
    steep = [weight**ground.settings.steep for weight in plain]
    first = Scene(ground, mean, lengths, (plain, steep), [ideal[i] for i in live], len(stood)).best([(0.0, stood)])
    chosen = _follow(ground, mean, lengths, first)
    # what is no longer live in front of what stays, stays too
    intact = live[chosen.intact] if chosen.intact < len(live) else len(standing)
    return Course(min(intact, len(standing)), chosen.slack, ground.settings.steep if chosen.steep else 1.0)


def _follow(ground: Ground, mean: int, sizes: list[int], first: list[Step]) -> Step:
    """The first step whose best continuation is worth most."""
    settings = ground.settings
    beam, origins = first, first
    falling: tuple[list[float], list[float]] | None = None
    for _ in range(settings.steps):
        if all(origin is origins[0] for origin in origins):
            # whatever follows, the first step is settled
            break
        if falling is None:
            powers = [ground.decay**distance for distance in range(len(sizes) + settings.steps)]
            falling = powers, [power**settings.steep for power in powers]
        standing = len(sizes)
        sizes = [*sizes, mean]
        plain, steep = (powers[standing::-1] for powers in falling)
        scene = Scene(ground, mean, sizes, (plain, steep), pour(sizes, plain, ground.body), standing)
        beam = scene.best([(step.worth, step.tokens) for step in beam])
        origins = [origins[step.course] for step in beam]
    return origins[0]
