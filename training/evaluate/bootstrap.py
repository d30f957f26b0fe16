"""How sure a mean difference is, when what was measured comes in groups.

Sections of one project are alike, so projects are drawn first, then sections within each (Davison and Hinkley 1997,
ch. 3.8). Knows numbers and a seed. Does not know what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

DRAWS = 2_000
_POWER = 1.959964 + 0.841621
"""Normal quantiles of a two-sided test at 5 % and of a power of 80 %."""


@dataclass(frozen=True, slots=True)
class Interval:
    """mean: weighted. low, high: 95 % of the draws. deviation: of the mean over the draws."""

    mean: float
    low: float
    high: float
    deviation: float

    @property
    def above(self) -> bool:
        """Surely above 0."""
        return self.low > 0

    @property
    def below(self) -> bool:
        """Surely below 0."""
        return self.high < 0

    @property
    def detectable(self) -> float:
        """The smallest true difference that would be found 80 times in 100."""
        return _POWER * self.deviation


def of_groups(groups: Mapping[str, Sequence[tuple[float, float]]], seed: int, draws: int = DRAWS) -> Interval:
    """The mean of sum / weight over groups of (sum, weight): a loss summed over so many tokens, say."""
    arrays = [np.array(values, np.float64) for _, values in sorted(groups.items()) if len(values)]
    generator = np.random.default_rng(seed)
    found = np.empty(draws)
    for draw in range(draws):
        total = np.zeros(2)
        for group in generator.integers(0, len(arrays), len(arrays)):
            values = arrays[group]
            total += values[generator.integers(0, len(values), len(values))].sum(0)
        found[draw] = total[0] / total[1] if total[1] else 0.0
    every = np.concatenate(arrays).sum(0)
    return _interval(every[0] / every[1] if every[1] else 0.0, found)


def of_items(values: npt.NDArray[np.float64], strata: Sequence[str], seed: int, draws: int = DRAWS) -> Interval:
    """The mean of single values, drawn within each stratum."""
    generator = np.random.default_rng(seed)
    names = np.array(strata)
    sums = np.zeros(draws)
    for name in sorted(set(strata)):
        part = values[names == name]
        sums += part[generator.integers(0, len(part), (draws, len(part)))].sum(1)
    return _interval(float(values.mean()), sums / len(values))


def _interval(mean: float, draws: npt.NDArray[np.float64]) -> Interval:
    low, high = np.percentile(draws, (2.5, 97.5))
    return Interval(float(mean), float(low), float(high), float(draws.std(ddof=1)))
