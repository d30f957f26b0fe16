"""Users: passwords are kept as hashes, wrong ones are refused, the file is one person's to read."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from fabai.app.users import Users, add_user

from fabai.errors import BadSetting, UsageError

PASSWORD = "una frase bastante larga"  # noqa: S105 - of a person who is not


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "users.toml"
    add_user(path, "ana", PASSWORD, shown='Ana "la de los números" Ferrer', workspace="fundacio")
    return path


def test_the_right_password_is_let_in_and_every_other_is_not(file: Path) -> None:
    users = Users(file)
    assert users.check("ana", PASSWORD)
    assert users.check(" ANA ", PASSWORD)
    assert not users.check("ana", PASSWORD + "x")
    assert not users.check("pep", PASSWORD)
    assert not users.check("", "")


def test_the_file_holds_an_argon2_hash_and_never_the_password(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert PASSWORD not in text
    assert "$argon2id$" in text
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_user_has_a_shown_name_and_a_workspace(file: Path) -> None:
    add_user(file, "pep", PASSWORD)
    users = Users(file)
    assert users.shown("ana") == 'Ana "la de los números" Ferrer'
    assert users.workspace("ana") == "fundacio"
    assert users.shown("pep") == users.workspace("pep") == "pep"


def test_a_new_password_counts_at_once_and_the_old_one_no_more(file: Path) -> None:
    users = Users(file)
    add_user(file, "ana", "otra frase bien larga")
    assert users.check("ana", "otra frase bien larga")
    assert not users.check("ana", PASSWORD)


@pytest.mark.parametrize("name", ["../etc", "Ana", "", "a b", "a/b", ".", "x" * 40])
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="user name"):
        add_user(tmp_path / "u.toml", name, PASSWORD)
    with pytest.raises(UsageError, match="user name"):
        add_user(tmp_path / "u.toml", "ana", PASSWORD, workspace=name or "..")


def test_a_short_password_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="10 at least"):
        add_user(tmp_path / "u.toml", "ana", "corta")


def test_a_file_without_users_starts_no_server(tmp_path: Path) -> None:
    (tmp_path / "u.toml").write_text("", encoding="utf-8")
    with pytest.raises(BadSetting, match="names no user"):
        Users(tmp_path / "u.toml")
    with pytest.raises(BadSetting, match="cannot be read"):
        Users(tmp_path / "none.toml")
