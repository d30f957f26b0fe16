"""Strict tables: an unknown key is an error that names the nearest one, and each value has its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from fabai.errors import BadSetting, FabaiError, UnknownName, UnreadableFile
from fabai.strict import build, read_toml


@pytest.mark.parametrize("data", [b"a = " + b"[" * 100_000, "a = '\u00f1'".encode("latin-1"), b"a = [", b"\x00"])
def test_a_file_that_is_no_toml_is_one_sentence(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "f.toml").write_bytes(data)
    with pytest.raises(UnreadableFile, match=r"f\.toml is not"):
        read_toml(tmp_path / "f.toml")


def test_the_mark_that_a_text_editor_of_windows_puts_in_front_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    assert read_toml(tmp_path / "f.toml") == {"a": 1, "b": 2}


@dataclass(frozen=True)
class Inner:
    size: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outer:
    title: str
    ratio: float = 0.5
    mode: Literal["fill", "tiers"] = "fill"
    seed: int | None = 0
    inner: Inner | None = None
    many: tuple[Inner, ...] = ()
    texts: Mapping[str, str] | None = None
    free: Any = None
    path: Path | None = None
    exact: bool = True


def test_every_kind_of_value_is_read() -> None:
    table = {
        "title": "t",
        "ratio": 1,
        "mode": "tiers",
        "seed": None,
        "inner": {"size": 3, "names": ["a", "b"]},
        "many": [{"size": 1}, {"size": 2}],
        "texts": {"es": "hola"},
        "free": [1, "x"],
        "path": "a/b",
        "exact": False,
    }
    assert build(Outer, table, "f.toml") == Outer(
        "t",
        1.0,
        "tiers",
        None,
        Inner(3, ("a", "b")),
        (Inner(1), Inner(2)),
        {"es": "hola"},
        [1, "x"],
        Path("a/b"),
        False,
    )


def test_what_is_left_out_keeps_its_default_and_zero_is_a_value() -> None:
    assert build(Outer, {"title": "t"}, "f.toml") == Outer("t")
    assert build(Outer, {"title": "t", "ratio": 0, "seed": 0}, "f.toml") == Outer("t", 0.0, seed=0)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"title": "t", "ration": 1}, "unknown key in f.toml 'ration'; did you mean 'ratio'?"),
        ({"title": "t", "inner": {"siz": 1}}, "unknown key in f.toml: inner 'siz'; did you mean 'size'?"),
        (
            {"title": "t", "many": [{"size": 1}, {"size": "x"}]},
            "f.toml: many[1]: size must be a whole number, not text in quotes",
        ),
        ({}, "f.toml lacks the key 'title'"),
        ({"title": 3}, "f.toml: title must be text in quotes, not a whole number (3)"),
        ({"title": "t", "seed": True}, "f.toml: seed must be a whole number, not true or false (True)"),
        ({"title": "t", "exact": 1}, "f.toml: exact must be true or false, not a whole number (1)"),
        ({"title": "t", "mode": "fil"}, "f.toml: mode is 'fil'; it must be one of 'fill', 'tiers'"),
        ({"title": "t", "many": {"size": 1}}, "f.toml: many must be a list, not a table"),
        ({"title": "t", "texts": "hola"}, "f.toml: texts must be a table, not text in quotes ('hola')"),
        ({"title": "t", "inner": 3}, "f.toml: inner must be a table, not a whole number (3)"),
        ("title", "f.toml must be a table, not text in quotes ('title')"),
    ],
)
def test_a_wrong_key_or_value_is_named(table: Any, message: str) -> None:
    with pytest.raises(FabaiError) as caught:
        build(Outer, table, "f.toml")
    assert isinstance(caught.value, BadSetting | UnknownName)
    assert str(caught.value).startswith(message)


def test_a_date_may_be_written_without_quotes(tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_text("title = 2026-11-29\n")
    assert build(Outer, read_toml(tmp_path / "f.toml"), "f.toml").title == "2026-11-29"


def test_a_file_that_is_no_toml_is_answered_with_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("title = \n")
    (tmp_path / "b.toml").write_bytes(b"title = '\xff'\n")
    (tmp_path / "c.toml").mkdir()
    (tmp_path / "d.toml").write_bytes(bytes(1000))
    for name, words in (
        ("a", "line 1"),
        ("b", "not text in UTF-8"),
        ("c", "cannot be read"),
        ("d", "not valid"),
        ("e", "exist"),
    ):
        with pytest.raises(UnreadableFile, match=words) as caught:
            read_toml(tmp_path / f"{name}.toml")
        assert "\n" not in str(caught.value)
