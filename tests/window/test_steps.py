"""The search's short cut: steps that are passed over by their bound would not have been chosen."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from fabai.settings import WarmSettings
from fabai.window.basin import enough, pour
from fabai.window.steps import Ground, Likely, Scene

DECAY = 0.75


class Thorough(Scene):
    """Works every step out."""

    def likely(self, course: int, worth: float, standing: list[int], place: int) -> Iterator[Likely]:
        return (one._replace(bound=float("inf")) for one in super().likely(course, worth, standing, place))


def falling(count: int) -> tuple[list[float], list[float]]:
    plain = [DECAY**distance for distance in range(count - 1, -1, -1)]
    return plain, [weight ** WarmSettings().steep for weight in plain]


@settings(max_examples=60)
@given(
    st.lists(st.integers(40, 3_000), min_size=4, max_size=40),
    st.integers(2_000, 16_000),
    st.integers(0, 2_000),
    st.sampled_from([0, 1]),
)
def test_the_best_step_is_worth_what_working_every_step_out_finds(
    sizes: list[int], body: int, end: int, way: int
) -> None:
    ground = Ground(body, 3_000, end, DECAY, WarmSettings())
    before = sizes[:-1]
    stood = pour(before, falling(len(before))[way], body - 64)
    weights = falling(len(sizes))
    given_ = (ground, sum(sizes) // len(sizes), sizes, weights, pour(sizes, weights[0], body), len(before))
    quick, slow = (kind(*given_).best([(0.0, stood), (0.1, [*stood[:-1], 0])]) for kind in (Scene, Thorough))
    # the bound leaves aside what two pourings share by chance: a step that hardly differs from a shallower one
    assert slow[0].worth - quick[0].worth <= 0.005


@given(st.lists(st.integers(1, 3_000), min_size=1, max_size=30), st.integers(1, 3_000), st.sampled_from([0, 1]))
def test_the_room_that_is_enough_brings_the_last_section_to_its_tokens(sizes: list[int], newest: int, way: int) -> None:
    newest = min(newest, sizes[-1])
    weights = falling(len(sizes))[way]
    rooms = enough(sizes, weights, newest)
    for count, room in enumerate(rooms, 1):
        assert pour(sizes[-count:], weights[-count:], int(room) + 1)[-1] >= newest
        if room > 1:
            assert pour(sizes[-count:], weights[-count:], int(room) - 1)[-1] < newest
