"""A tree of plain values and tensors <-> JSON and safetensors, so that nothing that is read back can run code.

Knows dictionaries with any plain keys, lists, tuples, tensors and numpy arrays. Does not know what is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from fabai.errors import UnreadableFile

Plain = Any
"""What json.dumps takes."""


def part(tree: Any, name: str = "") -> tuple[Plain, dict[str, Tensor]]:
    """(JSON, tensors by name) of a tree; the tensors are copies on the processor."""
    tensors: dict[str, Tensor] = {}
    return _part(tree, name or "t", tensors), tensors


def join(plain: Plain, tensors: Mapping[str, Tensor]) -> Any:
    """The tree again; UnreadableFile where a tensor is missing."""
    if not isinstance(plain, dict):
        return plain
    (kind, content), *_ = plain.items()
    if kind in ("tensor", "array"):
        if content not in tensors:
            raise UnreadableFile(f"the checkpoint lacks the tensor '{content}'")
        return tensors[content] if kind == "tensor" else tensors[content].numpy()
    if kind == "dict":
        return {join(key, tensors): join(value, tensors) for key, value in content}
    found = [join(one, tensors) for one in content]
    return tuple(found) if kind == "tuple" else found


def _part(tree: Any, name: str, tensors: dict[str, Tensor]) -> Plain:
    if isinstance(tree, Tensor):
        tensors[name] = tree.detach().cpu().contiguous().clone()
        return {"tensor": name}
    if isinstance(tree, np.ndarray):
        tensors[name] = torch.from_numpy(tree.copy())
        return {"array": name}
    if isinstance(tree, Mapping):
        return {
            "dict": [
                [_part(key, f"{name}.key", tensors), _part(value, f"{name}.{key}", tensors)]
                for key, value in tree.items()
            ]
        }
    if isinstance(tree, list | tuple):
        content = [_part(one, f"{name}.{place}", tensors) for place, one in enumerate(tree)]
        return {"tuple" if isinstance(tree, tuple) else "list": content}
    if isinstance(tree, np.generic):
        return tree.item()
    if tree is None or isinstance(tree, str | int | float | bool):
        return tree
    raise TypeError(f"{name} is a {type(tree).__name__}, which a checkpoint does not hold")
