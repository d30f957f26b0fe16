"""What goes into a checkpoint comes out of it the same, and nothing else goes in."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
import torch
from fabai.training import tree
from hypothesis import given
from hypothesis import strategies as st

from fabai.errors import UnreadableFile

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
TREES = st.recursive(
    PLAIN | st.integers(0, 5).map(lambda size: torch.arange(size)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3)
    ),
    max_leaves=8,
)


def same(left: Any, right: Any) -> bool:
    if isinstance(left, torch.Tensor):
        return isinstance(right, torch.Tensor) and left.dtype == right.dtype and torch.equal(left, right)
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(same(*pair) for pair in zip(left, right, strict=True))
    return bool(left == right)


@given(content=TREES)
def test_a_tree_comes_back_as_it_was(content: Any) -> None:
    plain, tensors = tree.part(content)
    assert same(tree.join(json.loads(json.dumps(plain)), tensors), content)


def test_generators_come_back_as_they_were() -> None:
    plain, tensors = tree.part({"python": random.getstate(), "numpy": np.random.get_state()})
    back = tree.join(json.loads(json.dumps(plain)), tensors)
    random.setstate(back["python"])
    np.random.set_state(back["numpy"])


def test_tensors_that_share_memory_are_kept_apart() -> None:
    one = torch.ones(3)
    _, tensors = tree.part([one, one])
    assert len({tensor.data_ptr() for tensor in tensors.values()}) == 2


def test_what_is_no_plain_value_is_refused() -> None:
    with pytest.raises(TypeError, match="does not hold"):
        tree.part({"a": object()})


def test_a_tensor_that_is_missing_is_an_error() -> None:
    with pytest.raises(UnreadableFile, match=r"lacks the tensor 't\.a'"):
        tree.join({"dict": [["a", {"tensor": "t.a"}]]}, {})
