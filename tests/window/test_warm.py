"""The modes that remember: what stays at the front of the prompt, and what it costs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import pytest

from benches.window import run
from benches.window_cases import Case, synthetic
from fabai import prompt
from fabai.errors import WindowError
from fabai.ledger import Fact
from fabai.report import Report
from fabai.settings import Mode, WarmSettings, WindowSettings
from fabai.tokens import ModelCounter
from fabai.window.foresight import course
from fabai.window.piece import Window
from fabai.window.plan import plan
from fabai.window.prefetch import opening
from fabai.window.state import WindowState
from fabai.window.steps import Ground

from . import made

SMALL = WindowSettings(cap=3_000, reserve=300, last=40)


def replay(report: Report, settings: WindowSettings) -> list[Window]:
    state: WindowState | None = None
    windows: list[Window] = []
    for index, section in enumerate(report.sections):
        window, state = made.window(made.as_drafted(report, index), section.id, settings, state)
        windows.append(window)
    return windows


def common(one: Window, other: Window) -> float:
    before, after = made.text(one), made.text(other)
    same = next(
        (at for at, (x, y) in enumerate(zip(before, after, strict=False)) if x != y), min(len(before), len(after))
    )
    return same / len(after)


@pytest.mark.parametrize("mode", ["tiers", "warm"])
def test_more_of_the_prompt_stays_at_its_front_than_in_fill(mode: Mode) -> None:
    report = made.report([150] * 30)
    kept = {
        one: sum(common(*pair) for pair in pairwise(replay(report, replace(SMALL, mode=one)))) / 29
        for one in ("fill", mode)
    }
    assert kept[mode] > kept["fill"] + 0.15


@pytest.mark.slow
@pytest.mark.parametrize(("tail", "edits", "reuse"), [(0, 0, 0.70), (1_300, 5, 0.62)])
def test_warm_reaches_its_targets_over_sixty_sections(
    qwen3_counter: ModelCounter, tail: int, edits: int, reuse: float
) -> None:
    case = Case("synthetic", synthetic(qwen3_counter), front=3_000, tail=tail, edits=edits)
    found = run(case, "warm", qwen3_counter, WindowSettings(cap=22_000, reserve=2_000, last=0))
    assert found["reuse"] >= reuse
    assert found["used"] >= 0.90
    assert found["fidelity"] >= 0.75
    assert found["click"] <= 2_000
    assert found["cuts"] == 0
    assert found["headless"] == 0


def test_the_newest_section_is_never_below_its_share() -> None:
    for window in replay(made.report([150] * 25), replace(SMALL, mode="warm"))[1:]:
        newest = [piece for piece in window.pieces if piece.kind == "section"][-1]
        assert newest.state == "full"


def test_a_step_that_fits_only_grows_the_prompt() -> None:
    windows = replay(made.report([60] * 5), replace(SMALL, mode="warm", cap=6_000))
    for before, after in pairwise(windows):
        shown = [piece.text for piece in before.pieces if piece.kind == "section"]
        assert [piece.text for piece in after.pieces if piece.kind == "section"][: len(shown)] == shown


def test_planning_the_same_section_again_changes_nothing_in_front() -> None:
    report = made.report([170] * 20)
    state: WindowState | None = None
    for index in range(19):
        _, state = made.window(made.as_drafted(report, index), f"s{index}", replace(SMALL, mode="warm"), state)
    drafted = made.as_drafted(report, 19)
    first, state = made.window(drafted, "s19", replace(SMALL, mode="warm"), state)
    edited = made.LEDGER.with_fact(Fact("talleres", "14", "Acta"))
    again, _ = made.window(drafted, "s19", replace(SMALL, mode="warm"), state, edited)
    front = opening(first, made.parts(drafted, "s19").labels)
    assert opening(again, made.parts(drafted, "s19").labels) == front
    assert made.text(again).startswith("\n".join(message.content for message in front))
    assert "- talleres: 14 (sustituye a 12)" in made.text(again)


def test_a_changed_fact_stands_at_the_end_and_the_old_one_keeps_its_place_in_front() -> None:
    report = made.report([100, 0])
    settings = replace(SMALL, mode="warm")
    _, state = made.window(report, "s1", settings)
    edited = made.LEDGER.with_fact(Fact("talleres", "14", "Acta")).with_fact(Fact("aulas", "3", "Acta"))
    window, _ = made.window(report, "s1", settings, state, edited)
    by_kind = {piece.kind: piece.text for piece in window.pieces}
    assert by_kind["ledger"] == "- importe concedido: 18.500,00 €\n- talleres: 12"
    assert by_kind["changes"] == "- talleres: 14 (sustituye a 12)\n- aulas: 3"


def test_an_edited_section_is_shown_as_it_is_now() -> None:
    report = made.report([100, 100, 100, 0])
    settings = replace(SMALL, mode="warm")
    _, state = made.window(report, "s3", settings)
    edited = report.with_section(replace(report.sections[1], text="Texto nuevo de la sección. Y ya está."))
    window, _ = made.window(edited, "s3", settings, state)
    assert "Texto nuevo de la sección." in made.text(window)


def test_a_state_of_another_mode_is_not_carried_on() -> None:
    report = made.report([100] * 12)
    _, state = made.window(report, "s11", replace(SMALL, mode="tiers"))
    fresh, _ = made.window(report, "s11", replace(SMALL, mode="warm"))
    carried, _ = made.window(report, "s11", replace(SMALL, mode="warm"), state)
    assert carried == fresh


def test_the_search_gives_the_same_course_for_the_same_question_and_leaves_room_only_when_it_goes_deep() -> None:
    ground = Ground(3_200, 600, 100, 0.75, WarmSettings())
    sizes = [500] * 12
    weights = [0.75**distance for distance in range(11, -1, -1)]
    ideal = [20, 30, 50, 80, 120, 180, 270, 360, 420, 470, 500, 500]
    standing = [*ideal[1:], 500][:11]
    found = course(ground, sizes, weights, ideal, standing)
    assert found == course(ground, sizes, weights, ideal, standing)
    assert 0 <= found.intact < 11
    assert found.slack == 64 or found.intact <= 9


def test_sections_behind_the_one_being_written_do_not_stop_the_search() -> None:
    report = made.report([200] * 30)
    settings = replace(SMALL, mode="warm")
    _, state = made.window(report, "s29", settings)
    window, _ = plan(report, "s4", made.parts(report, "s4"), made.COUNTER, settings, state=state)
    near = [piece.section for piece in window.pieces if piece.kind == "section" and piece.text]
    assert {"s3", "s5"} <= set(near)
    assert window.tokens == made.COUNTER.count_messages(prompt.messages(window, "es"))


@pytest.mark.parametrize("mode", ["tiers", "warm"])
@pytest.mark.parametrize("cap", range(560, 760, 8))
def test_a_cap_that_leaves_the_sections_next_to_nothing_is_no_trouble(mode: Mode, cap: int) -> None:
    report = made.report([150] * 6)
    settings = replace(SMALL, mode=mode, cap=cap, reserve=16)
    state: WindowState | None = None
    for section in report.sections:
        # below some cap the fixed parts alone are too much
        with suppress(WindowError):
            window, state = made.window(report, section.id, settings, state)
            assert window.tokens + window.reserve <= cap


def rewritten(report: Report, settings: WindowSettings) -> list[Window]:
    """A past report whose sections are written anew in order, the rest with their old text still."""
    state: WindowState | None = None
    windows: list[Window] = []
    for index, section in enumerate(report.sections):
        now = [
            replace(one, status="drafted" if at < index else "imported", text=f"{'Nuevo. ' * (at < index)}{one.text}")
            for at, one in enumerate(report.sections)
        ]
        window, state = made.window(replace(report, sections=tuple(now)), section.id, settings, state)
        windows.append(window)
    return windows


@pytest.mark.parametrize(("mode", "least"), [("tiers", 0.4), ("warm", 0.5)])
def test_a_past_report_rewritten_in_order_keeps_its_prompts_warm_too(mode: Mode, least: float) -> None:
    windows = rewritten(made.report([150] * 30), replace(SMALL, mode=mode))
    assert sum(common(*pair) for pair in pairwise(windows)) / 29 >= least
    for window in windows[14:]:
        used = {piece.section: piece.tokens for piece in window.pieces if piece.kind == "section"}
        here = int(window.section.removeprefix("s"))
        old = sum(tokens for section, tokens in used.items() if int(str(section).removeprefix("s")) > here)
        assert old <= 0.12 * sum(used.values())


def test_where_a_single_section_of_a_past_report_is_rewritten_both_sides_count_alike() -> None:
    report = made.report([150] * 9)
    old = replace(report, sections=tuple(replace(one, status="imported") for one in report.sections))
    window, _ = made.window(old, "s4", replace(SMALL, mode="warm"))
    used = {piece.section: piece.tokens for piece in window.pieces if piece.kind == "section"}
    assert used["s5"] >= 0.8 * used["s3"]


def test_planning_a_section_amid_others_again_changes_nothing_before_its_own_part() -> None:
    report = made.report([150] * 20)
    settings = replace(SMALL, mode="warm")
    first, state = made.window(report, "s9", settings)
    again, _ = made.window(report, "s9", settings, state, made.LEDGER.with_fact(Fact("talleres", "14", "Acta")))
    labels = made.parts(report, "s9").labels
    assert opening(again, labels) == opening(first, labels)
