"""What a base said is found again by what it was asked and how it was computed; a bad file costs time only."""

from __future__ import annotations

from pathlib import Path

from fabai.training.evaluate import known
from fabai.training.evaluate.known import Known

WAY = {"base": "abc", "computed": "float32"}


def test_figures_come_back_to_the_last_digit_for_the_same_base_and_text_only() -> None:
    first = known.of(WAY)
    first.keep(known.key([[1, 2], [1]]), [1 / 3, 7.0])
    first.save()
    again = known.of(WAY)
    assert again.get(known.key([[1, 2], [1]])) == [1 / 3, 7.0]
    assert again.get(known.key([[1, 2], [0]])) is None
    assert again.found == 1
    assert known.of(WAY | {"base": "abd"}).get(known.key([[1, 2], [1]])) is None


def test_nothing_is_kept_where_there_is_no_file_and_a_damaged_one_is_begun_again(models: Path) -> None:
    nowhere = Known(None)
    nowhere.keep("a", [1.0])
    nowhere.save()
    assert not models.exists()
    for damaged in ("{", "[1, 2]", '{"a": ["x"]}'):
        path = models / "evaluated" / f"{known.key(WAY)}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(damaged, encoding="utf-8")
        found = known.of(WAY)
        assert found.get("a") is None
        found.keep("a", [2.0])
        found.save()
        assert known.of(WAY).get("a") == [2.0]


def test_a_folder_that_cannot_be_written_loses_nothing_but_time(models: Path) -> None:
    models.write_text("a file stands in the way", encoding="utf-8")
    found = known.of(WAY)
    found.keep("a", [1.0])
    found.save()
    assert known.of(WAY).get("a") is None
