"""Records of the dossier as JSON and back: dataclasses with amounts, dates, places and tuples.

Knows types. Does not know what a record means.
"""

from __future__ import annotations

import dataclasses
import datetime
import types
import typing
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeVar

T = TypeVar("T")


def as_json(record: Any) -> dict[str, Any]:
    """The fields that differ from their defaults, as JSON can hold them."""
    return {
        name: _plain(value) for name, default in _defaults(type(record)) if (value := getattr(record, name)) != default
    }


def build(cls: type[T], table: Mapping[str, Any]) -> T:
    """The record that `as_json` wrote; a field of a later version is left out."""
    readers = _readers(cls)
    return cls(**{name: readers[name](value) for name, value in table.items() if name in readers})


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal | datetime.date):
        return str(value)
    if dataclasses.is_dataclass(value):
        return as_json(value)
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return value


_DEFAULTS: dict[type[Any], tuple[tuple[str, Any], ...]] = {}
_READERS: dict[type[Any], dict[str, Callable[[Any], Any]]] = {}


def _defaults(cls: type[Any]) -> tuple[tuple[str, Any], ...]:
    if cls not in _DEFAULTS:
        _DEFAULTS[cls] = tuple(
            (one.name, one.default_factory() if one.default_factory is not dataclasses.MISSING else one.default)
            for one in dataclasses.fields(cls)
        )
    return _DEFAULTS[cls]


def _readers(cls: type[Any]) -> dict[str, Callable[[Any], Any]]:
    if cls not in _READERS:
        hints = typing.get_type_hints(cls)
        _READERS[cls] = {one.name: _reader(hints[one.name]) for one in dataclasses.fields(cls) if one.init}
    return _READERS[cls]


def _reader(hint: Any) -> Callable[[Any], Any]:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        inner = _reader(next(one for one in typing.get_args(hint) if one is not type(None)))
        return lambda value: None if value is None else inner(value)
    if hint is Decimal:
        return Decimal
    if hint is datetime.date:
        return datetime.date.fromisoformat
    if origin is tuple:
        inner = _reader(typing.get_args(hint)[0])
        return lambda value: tuple(inner(one) for one in value)
    if dataclasses.is_dataclass(hint):
        return lambda value: build(typing.cast(type[Any], hint), value)
    return lambda value: value
