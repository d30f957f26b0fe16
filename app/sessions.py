"""Logins: who is in, until when, and who has to wait after wrong passwords.

Knows tokens and clocks. Does not know passwords or cookies.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from fabai.settings import AppSettings


@dataclass(slots=True)
class _Session:
    user: str
    began: float
    used: float


class Sessions:
    """Tokens are kept as hashes, in memory: a restart of the server asks for a new login."""

    def __init__(self, settings: AppSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._whole, self._idle = settings.session_hours * 3600, settings.idle_hours * 3600
        self._clock = clock
        self._lock = threading.Lock()
        self._open: dict[str, _Session] = {}

    def begin(self, user: str) -> str:
        """A new session's token."""
        token = secrets.token_urlsafe(32)
        now = self._clock()
        with self._lock:
            self._open = {key: one for key, one in self._open.items() if self._lives(one, now)}
            self._open[_key(token)] = _Session(user, now, now)
        return token

    def user(self, token: str) -> str | None:
        """Whose session it is; None where there is none or it has ended."""
        now = self._clock()
        with self._lock:
            session = self._open.get(_key(token))
            if session is None:
                return None
            if not self._lives(session, now):
                del self._open[_key(token)]
                return None
            session.used = now
            return session.user

    def end(self, token: str) -> None:
        with self._lock:
            self._open.pop(_key(token), None)

    def _lives(self, session: _Session, now: float) -> bool:
        return now - session.began < self._whole and now - session.used < self._idle


class Attempts:
    """Wrong passwords of late, by name and by address."""

    def __init__(self, settings: AppSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._span = settings.attempts, settings.attempt_minutes * 60
        self._clock = clock
        self._lock = threading.Lock()
        self._failed: dict[str, deque[float]] = {}

    def allowed(self, *keys: str) -> bool:
        """Whether one more try is let through."""
        now = self._clock()
        with self._lock:
            for key in list(self._failed):
                times = self._failed[key]
                while times and now - times[0] > self._span:
                    times.popleft()
                if not times:
                    del self._failed[key]
            return all(len(self._failed.get(key, ())) < self._most for key in keys)

    def failed(self, *keys: str) -> None:
        with self._lock:
            for key in keys:
                self._failed.setdefault(key, deque(maxlen=self._most)).append(self._clock())

    def forgive(self, *keys: str) -> None:
        """The right password came."""
        with self._lock:
            for key in keys:
                self._failed.pop(key, None)


def _key(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
