"""Errors: exit codes and the nearest name."""

from __future__ import annotations

import pytest

from fabai import errors
from fabai.errors import FabaiError, UnknownName, UsageError


def test_every_error_is_a_fabai_error_and_ends_with_1_or_2() -> None:
    classes = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, Exception)]
    assert len(classes) > 5
    assert all(issubclass(one, FabaiError) for one in classes)
    assert {one.exit_code for one in classes} == {1, 2}
    assert [one for one in classes if one.exit_code == 2] == [UsageError]


def test_the_hierarchy_that_is_drawn_is_the_one_that_exists() -> None:
    drawn = [
        name for name in vars(errors) if isinstance(getattr(errors, name), type) and name in (errors.__doc__ or "")
    ]
    defined = [
        name for name, one in vars(errors).items() if isinstance(one, type) and one.__module__ == errors.__name__
    ]
    assert drawn == defined


def test_the_nearest_name_is_offered() -> None:
    assert (
        str(UnknownName.nearest("form", "genric", ["generic", "aei"]))
        == "unknown form 'genric'; did you mean 'generic'?"
    )


def test_without_a_near_name_the_known_ones_are_listed() -> None:
    assert str(UnknownName.nearest("form", "zzz", ["b", "a"])) == "unknown form 'zzz'; known: a, b"


@pytest.mark.parametrize("name", ["", "x" * 10_000, "con\nlínea"])
def test_without_known_names_only_the_wrong_one_is_named(name: str) -> None:
    assert str(UnknownName.nearest("form", name, [])).startswith("unknown form '")
