"""Who may come in: a TOML file of names with argon2 hashes of their passwords.

Knows the file and how a password is checked. Does not know sessions or pages.

    [ana]
    shown = "Ana Ferrer"                  # the name that stands under what she reviewed
    workspace = "fundacio"                # people with the same workspace share its projects
    password = "$argon2id$v=19$..."
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fabai.errors import BadSetting, UsageError
from fabai.strict import build, read_toml

_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,31}")
_LEAST = 10  # characters of a password
# of a password that nobody has: an unknown name takes as long to refuse as a wrong password
_NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$5gMoVQGNOjfZLFb9xlOJgA$ggEZMWVHfPzE+5Ad4O6u2LqOaKPXtSDXWIzpjA2rYH0"


@dataclass(frozen=True, slots=True)
class User:
    """password: its argon2 hash. workspace "": one of the user's own."""

    password: str
    shown: str = ""
    workspace: str = ""


class Users:
    """The users of a file, which is read anew whenever it changes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = -1
        self._known: dict[str, User] = {}
        self._read()
        if not self._known:
            raise BadSetting(f"{path} names no user; add one: fabai app user add NAME --auth {path}")

    def check(self, name: str, password: str) -> bool:
        """Whether the password is the user's."""
        from argon2 import PasswordHasher
        from argon2.exceptions import InvalidHashError, VerificationError

        self._read()
        user = self._known.get(name.strip().lower())
        try:
            right = PasswordHasher().verify(_NOBODY if user is None else user.password, password)
        except (VerificationError, InvalidHashError):
            return False
        return right and user is not None

    def known(self, name: str) -> bool:
        """Whether the user still stands in the file."""
        self._read()
        return name in self._known

    def shown(self, name: str) -> str:
        return self._known[name].shown or name

    def workspace(self, name: str) -> str:
        return self._known[name].workspace or name

    def _read(self) -> None:
        try:
            stamp = self._path.stat().st_mtime_ns
        except OSError:
            raise BadSetting(f"{self._path} cannot be read; make it with: fabai app user add NAME") from None
        if stamp == self._stamp:
            return
        known = {
            name: build(User, table, f"{self._path.name} [{name}]") for name, table in read_toml(self._path).items()
        }
        for name, user in known.items():
            _checked(name)
            _checked(user.workspace or name)
        self._known, self._stamp = known, stamp


def add_user(path: Path, name: str, password: str, shown: str = "", workspace: str = "") -> None:
    """Write a user, or a new password of one, into the file, which only its owner may read."""
    from argon2 import PasswordHasher

    name = _checked(name)
    if len(password) < _LEAST:
        raise UsageError(f"the password has {len(password)} characters; take {_LEAST} at least")
    known = {one: build(User, table, path.name) for one, table in read_toml(path).items()} if path.exists() else {}
    known[name] = User(PasswordHasher().hash(password), shown, _checked(workspace) if workspace else "")
    lines = []
    for one, user in sorted(known.items()):
        lines.append(f"[{one}]")
        lines += [
            f"{key} = {_quoted(getattr(user, key))}" for key in ("shown", "workspace", "password") if getattr(user, key)
        ]
        lines.append("")
    path.parent.mkdir(parents=True, exist_ok=True)
    # mkstemp's files are for their owner alone
    handle, temporary = tempfile.mkstemp(prefix=".users-", dir=path.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    os.replace(temporary, path)


def _quoted(text: str) -> str:
    return '"' + re.sub(r"[\x00-\x1f\x7f]", " ", text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(f"'{name}' is no user name: take small letters, digits, '-', '_' and '.', 32 at most")
    return name
