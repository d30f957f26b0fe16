"""Whatever a page sends, an operation answers or refuses with a sentence; it never breaks."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from fabai.app.operations import OPERATIONS

from fabai.errors import FabaiError

from .conftest import Desk
from .test_operations import put

JUNK: tuple[Any, ...] = (
    None, -1, 10**30, True, "", "no-such", "\ud800", "x" * 20_000, [None], [{}], ["a"], [{"name": 1}], {"a": []},
)  # fmt: skip
NAMES = (
    "text", "token", "version", "paragraph", "locked", "accepted", "hash", "wish", "instruction", "answers", "proof",
    "name", "value", "source", "label", "id", "ids", "kind", "plan", "refused", "rule", "reason", "digest", "old",
    "new", "state", "title", "form", "deadline", "language", "job", "on", "now", "confirmed", "columns", "number",
    "key", "rows", "numbers", "period", "terms", "partner", "sections", "all", "fact", "file", "choice",
)  # fmt: skip
# they make files with LibreOffice, ask the model, or begin a project from a form
SLOW = {
    "package", "pages", "export", "draft", "draft-all", "annexes-pdf", "record", "evidence", "pack", "forms", "create",
}  # fmt: skip


@pytest.mark.parametrize("junk", JUNK, ids=range(len(JUNK)))
def test_no_request_breaks_an_operation(desk: Desk, junk: Any) -> None:
    section = put(desk, "Se celebraron 12 talleres.", 1)
    # the project is put away at the end, so that every other one finds it
    for name in sorted(set(OPERATIONS) - SLOW, key=lambda one: (one == "discard", one)):
        for args in (dict.fromkeys((*NAMES, "section"), junk), {**dict.fromkeys(NAMES, junk), "section": section}, {}):
            with suppress(FabaiError):
                OPERATIONS[name](desk.call("memoria", **args))
