"""A Form as a TOML file that a person can read and correct, with the words that each part was read from as comments.

Knows the keys of a form. Does not know how a form is read from a document.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from fabai.call.proposal import Proof
from fabai.form import Form, SectionSpec

_QUOTE = 150
_INLINE = ("name", "notice", "heading", "guidance", "criteria", "text", "evidence", "title", "header", "footer")
_TABLES = ("rules", "limits", "sections", "annexes", "deadlines", "values", "tables", "columns")
_SINGLE = ("font", "page", "file")


def toml(form: Form, proofs: Sequence[Proof] = (), doubts: Sequence[str] = ()) -> str:
    """The file's text. `fabai.form.read_form` gives the same Form from it."""
    lines = []
    if proofs or doubts:
        lines += [
            "# Proposed from a document: look at every line before you use it. What was read, and the words "
            "that say so:"
        ]
        lines += [
            f"#   {proof.what}: «{_short(proof.quote)}»" for proof in proofs if not proof.what.startswith("section ")
        ]
        lines += [f"# TO SETTLE: {doubt}" for doubt in doubts]
    table = _filled(form)
    lines += [f"{key} = {_value(one)}" for key, one in table.items() if not _is_table(key, one)]
    for key in _SINGLE:
        if key in table:
            lines += ["", f"[{key}]", *(f"{name} = {_value(one)}" for name, one in table[key].items())]
    for key in ("limits", "rules", "deadlines", "values", "annexes"):
        for one in table.get(key, ()):
            lines += ["", f"[[{key}]]", *(f"{name} = {_value(part)}" for name, part in one.items())]
    for spec in form.sections:
        lines += ["", *_section(spec)]
    return "\n".join(lines) + "\n"


def _section(spec: SectionSpec) -> list[str]:
    table = _filled(spec)
    tables = table.pop("tables", ())
    lines = ["[[sections]]", *(f"{key} = {_value(one)}" for key, one in table.items())]
    for one in tables:
        columns = one.pop("columns")
        lines += ["[[sections.tables]]", *(f"{key} = {_value(part)}" for key, part in one.items())]
        for column in columns:
            lines += ["[[sections.tables.columns]]", *(f"{key} = {_value(part)}" for key, part in column.items())]
    return lines


def _filled(record: Any) -> dict[str, Any]:
    """The fields that differ from their default, dataclasses inside as dictionaries, in the order of the class."""
    out: dict[str, Any] = {}
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if field.default is not dataclasses.MISSING and value == field.default:
            continue
        if dataclasses.is_dataclass(value):
            out[field.name] = _filled(value)
        elif isinstance(value, tuple) and value and dataclasses.is_dataclass(value[0]):
            out[field.name] = [_filled(one) for one in value]
        else:
            out[field.name] = value
    return out


def _is_table(key: str, value: Any) -> bool:
    return key in (*_SINGLE, *_TABLES) and not (isinstance(value, Mapping) and key in _INLINE)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(one)}" for key, one in value.items()) + " }"
    return "[" + ", ".join(_value(one) for one in value) + "]"


def _string(text: str) -> str:
    # JSON's escapes are TOML's; DEL is the one character that differs
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _short(text: str) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _QUOTE else line[: _QUOTE - 1].rstrip() + "…"
