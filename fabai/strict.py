"""Strict reading of TOML and JSON tables into frozen dataclasses: an unknown key is an error that names the nearest.

Knows dataclass fields, nested dataclasses, tuples of them, literals, optional values. Does not know any table.
"""

from __future__ import annotations

import dataclasses
import datetime
import tomllib
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from fabai.errors import BadSetting, UnknownName, UnreadableFile
from fabai.ordinary import contents
from fabai.settings import ReadingLimits

T = TypeVar("T")

LIMITS = ReadingLimits()

_KINDS: dict[type, str] = {
    str: "text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
    datetime.date: "a date",
    datetime.datetime: "a date",
}


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file; UnreadableFile with the line at fault where it is not one."""
    try:
        return tomllib.loads(contents(path, LIMITS.table_bytes).decode("utf-8-sig").replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise UnreadableFile(f"{path} is not text in UTF-8: save it as such") from None
    except tomllib.TOMLDecodeError as error:
        raise UnreadableFile(f"{path} is not valid TOML: {error}") from None
    except RecursionError:
        raise UnreadableFile(f"{path} is not valid TOML that can be read: its lists are nested too deeply") from None


def build(cls: type[T], table: Mapping[str, Any], where: str) -> T:
    """An instance of the frozen dataclass `cls` from `table`; `where` names it in messages ("f.toml [limits]")."""
    if not isinstance(table, Mapping):
        raise BadSetting(f"{where} must be a table, not {_name(table)}")
    fields = {field.name: field for field in dataclasses.fields(typing.cast(Any, cls)) if field.init}
    for key in table:
        if key not in fields:
            raise UnknownName.nearest(f"key in {where}", str(key), fields)
    hints = typing.get_type_hints(cls)
    values = {key: _value(hints[key], value, f"{where}: {key}") for key, value in table.items()}
    for name, field in fields.items():
        required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if required and name not in values:
            raise BadSetting(f"{where} lacks the key '{name}'")
    return cls(**values)


def _value(hint: Any, value: Any, where: str) -> Any:
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        options = [option for option in typing.get_args(hint) if option is not type(None)]
        if value is None:
            return None
        for option in options[:-1]:
            try:
                return _value(option, value, where)
            except BadSetting:
                continue
        return _value(options[-1], value, where)
    if origin is typing.Literal:
        allowed = typing.get_args(hint)
        if value not in allowed:
            raise BadSetting(f"{where} is {value!r}; it must be one of {', '.join(map(repr, allowed))}")
        return value
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise BadSetting(f"{where} must be a list, not {_name(value)}")
        item = typing.get_args(hint)[0]
        return tuple(_value(item, one, f"{where}[{index}]") for index, one in enumerate(value))
    if origin in (dict, Mapping) or origin is typing.get_origin(Mapping[str, str]):
        if not isinstance(value, Mapping):
            raise BadSetting(f"{where} must be a table, not {_name(value)}")
        inner = typing.get_args(hint)[1]
        return {str(key): _value(inner, one, f"{where}.{key}") for key, one in value.items()}
    if dataclasses.is_dataclass(hint):
        return build(typing.cast(type[Any], hint), value, where)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if hint is str and isinstance(value, datetime.date):
        # TOML has dates of its own; ours are kept as they are written
        return value.isoformat()
    if hint is Path and isinstance(value, str):
        return Path(value)
    if hint is Any:
        return value
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        raise BadSetting(f"{where} must be {_KINDS.get(hint, hint.__name__)}, not {_name(value)}")
    return value


def _name(value: object) -> str:
    return f"{_KINDS.get(type(value), type(value).__name__)} ({value!r:.40})"
