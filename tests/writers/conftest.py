"""What the tests of Writers on servers share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fabai.writers.secret import KEY, SALT
from tests.writers.server import Fake, Reply, serving


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fake]:
    """A server that counts and answers as it is told; no key, no salt."""
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.setenv(SALT, "")
    with serving() as one:
        one.other["/tokenize"] = lambda _: Reply(body={"count": 3, "tokens": [1, 2, 3]})
        one.other["/apply-template"] = lambda _: Reply(body={"prompt": "a b c"})
        yield one
