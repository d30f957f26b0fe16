"""The long benches of the lock in parts: what was done before is not done again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benches.shards import folder, run


def doubled(part: int) -> dict[str, Any]:
    if part < 0:
        raise ValueError("no part")
    return {"found": 2 * part}


def test_parts_are_told_in_their_order_and_those_that_are_kept_are_not_done_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(doubled, {"a 1": 1, "a 2": 2}, tmp_path, 2) == {"a 1": {"found": 2}, "a 2": {"found": 4}}
    (tmp_path / "a-1.json").write_text('{"found": 7}')
    assert list(run(doubled, {"a 3": 3, "a 1": 1}, tmp_path, 1).items()) == [
        ("a 3", {"found": 6}),
        ("a 1", {"found": 7}),
    ]
    assert "1 parts were done before" in capsys.readouterr().out


def test_a_part_that_fails_leaves_those_that_were_done(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no part"):
        run(doubled, {"good": 1, "bad": -1}, tmp_path, 1)
    assert [file.name for file in tmp_path.iterdir()] == ["good.json"]


def test_another_question_or_other_code_is_kept_in_another_place(tmp_path: Path) -> None:
    code = tmp_path / "code.py"
    code.write_text("a = 1")
    first = folder(tmp_path, [1], [code])
    assert folder(tmp_path, [1], [code]) == first
    assert folder(tmp_path, [2], [code]) != first
    code.write_text("a = 2")
    assert folder(tmp_path, [1], [tmp_path]) != first
    assert folder(tmp_path, [1], [code]) != first
