"""Water-filling, and which sections are present."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fabai.settings import WindowSettings
from fabai.window import basin
from fabai.window.candidates import candidates
from fabai.window.counts import Counts
from fabai.window.fill import budgets, pour

from . import made

SIZES = st.lists(
    st.tuples(st.integers(0, 200), st.integers(0, 3_000), st.floats(1e-6, 1.0)), min_size=1, max_size=30
).map(lambda ones: [(least, least + more, weight) for least, more, weight in ones])


@given(SIZES, st.integers(0, 20_000))
def test_pouring_stays_between_floor_and_ceiling_and_spends_the_body_to_a_token_each(
    sizes: list[tuple[int, int, float]], body: int
) -> None:
    floors, tops, weights = ([one[at] for one in sizes] for at in range(3))
    poured = pour(floors, tops, weights, body)
    assert all(least <= got <= top for least, got, top in zip(floors, poured, tops, strict=True))
    if sum(floors) <= body:
        assert sum(poured) <= body
        assert sum(poured) >= min(body, sum(tops)) - len(sizes)


@given(SIZES, st.integers(0, 20_000), st.integers(0, 5_000))
def test_a_larger_body_gives_nobody_less(sizes: list[tuple[int, int, float]], body: int, more: int) -> None:
    floors, tops, weights = ([one[at] for one in sizes] for at in range(3))
    before, after = pour(floors, tops, weights, body), pour(floors, tops, weights, body + more)
    assert all(one <= other for one, other in zip(before, after, strict=True))


@given(st.lists(st.integers(1, 3_000), min_size=1, max_size=30), st.integers(0, 20_000), st.floats(0.3, 0.99))
def test_the_quick_pouring_of_the_search_agrees_with_the_one_of_fill(sizes: list[int], room: int, decay: float) -> None:
    weights = [decay**distance for distance in range(len(sizes) - 1, -1, -1)]
    slow = pour([0] * len(sizes), sizes, weights, room)
    quick = basin.pour(sizes, weights, room)
    assert all(abs(one - other) <= 1 for one, other in zip(slow, quick, strict=True))


def test_shares_fall_by_the_decay_where_no_ceiling_holds() -> None:
    report = made.report([4_000] * 6 + [0])
    ones = candidates(report, "s6", Counts(made.COUNTER), made.parts(report, "s6"))
    shares = budgets(ones, 4_000, WindowSettings())
    assert all(abs(older / newer - 0.75) < 0.01 for older, newer in pairwise(shares))


def test_summaries_keep_far_sections_present_within_their_share() -> None:
    report = made.report([300] * 40)
    parts = made.parts(report, "s39")
    summaries = {section.id: f"Resumen del {section.heading}." for section in report}
    ones = candidates(report, "s39", Counts(made.COUNTER), parts, summaries=summaries)
    shares = budgets(ones, 4_000, WindowSettings())
    assert all(shares)
    assert sum(shares) <= 4_000
    assert sum(one.floor for one, share in zip(ones, shares, strict=True) if share == one.floor) <= 1_000


@given(st.lists(st.integers(20, 400), min_size=4, max_size=14), st.integers(200, 4_000), st.integers(0, 2_000))
def test_text_that_is_due_to_be_replaced_has_a_small_share_until_the_others_are_whole(
    sizes: list[int], body: int, more: int
) -> None:
    report = made.report(sizes)
    here = len(sizes) // 2
    sections = [replace(one, status="drafted" if at < here else "imported") for at, one in enumerate(report.sections)]
    report = replace(report, sections=tuple(sections))
    section = f"s{here}"
    ones = candidates(report, section, Counts(made.COUNTER), made.parts(report, section))
    assert [one.due for one in ones] == [one.later for one in ones]
    settings = WindowSettings()
    tokens, wider = budgets(ones, body, settings), budgets(ones, body + more, settings)
    assert sum(tokens) <= body
    assert {at for at, one in enumerate(tokens) if one} <= {at for at, one in enumerate(wider) if one}
    old = sum(share for share, one in zip(tokens, ones, strict=True) if one.due)
    new = sum(share for share, one in zip(tokens, ones, strict=True) if not one.due)
    assert old <= max(settings.due * body, body - new)
    if sum(one.tokens for one in ones) <= body:
        assert tokens == [one.tokens for one in ones]
