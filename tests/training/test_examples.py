"""Examples: what is read, what is refused, what is chosen."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from fabai.training.examples import Examples
from pyarrow import parquet

from fabai.errors import TrainingError, UnreadableFile
from fabai.example import encoder, fingerprint
from tests.training.made import example, write_examples


def read(folder: Path, model: Path) -> Examples:
    return Examples(folder, encoder(model), fingerprint(model))


def ids(found: Any) -> list[str]:
    return [card.id for card in found]


def test_parquet_and_json_lines_give_the_same_examples(tmp_path: Path, byte_model: Path) -> None:
    rows = [example(f"e{number}", "Texto." * (1 + number), masked=[{"start": 0, "end": 2}]) for number in range(3)]
    lines = read(write_examples(tmp_path / "lines", rows), byte_model)
    counted = [row | {"tokens": card.tokens, "labelled": card.labelled} for row, card in zip(rows, lines.train.cards)]  # noqa: B905
    (tmp_path / "tables").mkdir()
    parquet.write_table(pyarrow.Table.from_pylist(counted), tmp_path / "tables" / "train.parquet")
    tables = read(tmp_path / "tables", byte_model)
    assert tables.train.cards == lines.train.cards
    assert tables.train.encoded(2) == lines.train.encoded(2)
    assert lines.train.cards[0].labelled == len("Texto.") - 2 + 1


def test_examples_of_another_tokenizer_are_refused(tmp_path: Path, byte_model: Path) -> None:
    folder = write_examples(tmp_path, [example("a", "Texto.")])
    about = {"tokenizer": fingerprint(byte_model), "model": "byte", "mode": "fill", "cap": 9000, "decay": 0.5}
    (folder / "examples.json").write_text(json.dumps(about), encoding="utf-8")
    assert read(folder, byte_model).about.cap == 9000
    (folder / "examples.json").write_text(json.dumps(about | {"tokenizer": "0" * 64}), encoding="utf-8")
    with pytest.raises(TrainingError, match=r"made for another tokenizer \(byte\).*fabai corpus examples"):
        read(folder, byte_model)


def test_a_file_that_changed_after_it_was_made_is_refused(tmp_path: Path, byte_model: Path) -> None:
    folder = write_examples(tmp_path, [example("a", "Texto.")], [example("b", "Otro.")])
    files = {name: sha256((folder / name).read_bytes()).hexdigest() for name in ("train.jsonl", "validation.jsonl")}
    (folder / "examples.json").write_text(json.dumps({"files": files}), encoding="utf-8")
    assert read(folder, byte_model).sha256 == files
    write_examples(tmp_path, [], [example("b", "Otra.")])
    with pytest.raises(
        UnreadableFile, match=r"validation\.jsonl is not the file that .*examples\.json was written for"
    ):
        read(folder, byte_model)


def test_what_is_over_the_cap_or_has_no_label_is_left_out_by_its_id(tmp_path: Path, byte_model: Path) -> None:
    masked = [{"start": 0, "end": 3}]
    # the end token of the second is masked too: only a dataset made elsewhere can have that
    rows = [
        example("fits", "Sí."),
        example("mute", "No.", masked=masked, labelled=0, tokens=0),
        example("long", "x" * 500),
    ]
    chosen = read(write_examples(tmp_path, rows), byte_model).choose(200, 0.0, 0, seed=1)
    assert ids(chosen.train) == ["fits"]
    assert set(chosen.refused) == {"mute", "long"}
    assert "over the cap of 200" in chosen.refused["long"]
    assert "no labelled token" in chosen.refused["mute"]


def test_no_examples_left_names_some_and_why(tmp_path: Path, byte_model: Path) -> None:
    rows = [example(f"long-{number}", "x" * 500) for number in range(7)]
    with pytest.raises(TrainingError, match=r"no examples are left .*long-0: .* over the cap.* and 2 more; raise"):
        read(write_examples(tmp_path, rows), byte_model).choose(100, 0.0, 0, seed=1)


@pytest.mark.parametrize(("share", "count"), [(0.0, 0), (0.2, 2), (0.5, 5)])
def test_general_examples_make_up_the_share_asked_for(
    tmp_path: Path, byte_model: Path, share: float, count: int
) -> None:
    rows = [example(f"own-{number}", "Texto.") for number in range(8)]
    rows += [example(f"general-{number}", "Texto.", mode="general") for number in range(5)]
    folder = write_examples(tmp_path, rows)
    chosen = read(folder, byte_model).choose(500, share, 0, seed=1)
    assert chosen.general == count
    assert len(chosen.train) == 8 + count
    assert chosen.train == read(folder, byte_model).choose(500, share, 0, seed=1).train


def test_at_most_so_many_held_out_examples_are_looked_at(tmp_path: Path, byte_model: Path) -> None:
    rows = [example(f"e{number}", "Texto.") for number in range(9)]
    examples = read(write_examples(tmp_path, rows[:1], rows), byte_model)
    assert len(examples.choose(500, 0.0, 4, seed=1).validation) == 4
    assert len(examples.choose(500, 0.0, 0, seed=1).validation) == 9


def test_a_count_that_is_not_the_models_is_refused_when_it_is_met(tmp_path: Path, byte_model: Path) -> None:
    folder = write_examples(tmp_path, [example("a", "Texto.", tokens=7, labelled=3)])
    with pytest.raises(TrainingError, match=r"'a' has \d+ tokens and train.jsonl says 7"):
        read(folder, byte_model).train.encoded(0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"id": "a"}\n', "row 1 of .* is not an example"),
        ('{"id": "a", "messages": [], "target": "x"}\n{oops\n', "line 2 of .* is not an example in JSON"),
        ('{"id": "a", "messages": [{"role": "user", "content": "b"}], "target": "x"}\n' * 2, "'a' twice"),
        ("[1]\n", "line 1"),
    ],
)
def test_a_damaged_file_is_answered_with_a_sentence(tmp_path: Path, byte_model: Path, text: str, said: str) -> None:
    (tmp_path / "train.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=said):
        read(tmp_path, byte_model)


def test_a_folder_without_examples_says_how_to_make_them(tmp_path: Path, byte_model: Path) -> None:
    with pytest.raises(UnreadableFile, match="fabai corpus examples"):
        read(tmp_path, byte_model)
    (tmp_path / "train.parquet").write_bytes(b"no table")
    with pytest.raises(UnreadableFile, match="not a parquet file"):
        read(tmp_path, byte_model)
