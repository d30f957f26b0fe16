"""Sessions end by time and by disuse; wrong passwords make a name and an address wait."""

from __future__ import annotations

from fabai.app.sessions import Attempts, Sessions

from fabai.settings import AppSettings

SETTINGS = AppSettings(session_hours=2, idle_hours=1, attempts=3, attempt_minutes=10)


class Clock:
    """A fake clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_session_ends_when_nobody_uses_it() -> None:
    clock = Clock()
    sessions = Sessions(SETTINGS, clock)
    token = sessions.begin("ana")
    clock.now = 3_599
    assert sessions.user(token) == "ana"
    clock.now += 3_601
    assert sessions.user(token) is None


def test_a_session_in_use_ends_all_the_same() -> None:
    clock = Clock()
    sessions = Sessions(SETTINGS, clock)
    token = sessions.begin("ana")
    for _ in range(7):
        clock.now += 1_000
        assert sessions.user(token) == "ana"
    clock.now += 1_000
    assert sessions.user(token) is None


def test_a_session_that_was_left_is_gone_and_a_made_up_token_never_was() -> None:
    sessions = Sessions(SETTINGS, Clock())
    token = sessions.begin("ana")
    sessions.end(token)
    assert sessions.user(token) is None
    assert sessions.user("x" * 43) is None
    assert sessions.user("\ud800") is None


def test_after_some_wrong_passwords_the_name_waits_and_others_do_not() -> None:
    clock = Clock()
    attempts = Attempts(SETTINGS, clock)
    for _ in range(3):
        assert attempts.allowed("name ana", "address 1")
        attempts.failed("name ana", "address 1")
    assert not attempts.allowed("name ana", "address 2")
    assert not attempts.allowed("name pep", "address 1")
    assert attempts.allowed("name pep", "address 2")
    clock.now = 601
    assert attempts.allowed("name ana", "address 1")


def test_the_right_password_forgives_the_wrong_ones() -> None:
    attempts = Attempts(SETTINGS, Clock())
    for _ in range(3):
        attempts.failed("name ana")
    attempts.forgive("name ana")
    assert attempts.allowed("name ana")
