"""What a server is shown and nobody else sees: the key that opens it, and the salt that parts one person's prompt cache
from another's.

Knows the environment, the system's keyring where the package is installed, and one file of the user's own. Nothing of
this is ever written into a project. Does not know servers.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import secrets
from pathlib import Path
from typing import Any

import platformdirs

from fabai.errors import WriterError

KEY = "FABAI_API_KEY"
SALT = "FABAI_CACHE_SALT"
SERVICE = "fabai"
"""The name under which the keyring has keys; the server's address is the user there: `keyring set fabai URL`."""


def key_for(url: str) -> str | None:
    """FABAI_API_KEY, else what the keyring has for the address; None where a server must do without."""
    found = os.environ.get(KEY)
    if found or importlib.util.find_spec("keyring") is None:
        return found or None
    keyring: Any = importlib.import_module("keyring")
    faults: Any = importlib.import_module("keyring.errors")
    try:
        kept = keyring.get_password(SERVICE, url)
    except (faults.KeyringError, OSError, RuntimeError):
        # no keyring on this machine, or it stays locked: most servers on it need no key
        return None
    return str(kept) if kept else None


def salt_of_user() -> str | None:
    """A secret of this user, made once: with another salt nobody can find out by the speed of answers what was asked.

    FABAI_CACHE_SALT goes first; set to nothing, it lets all users share what is warm (None).
    """
    chosen = os.environ.get(SALT)
    if chosen is not None:
        return chosen or None
    path = Path(platformdirs.user_config_dir("fabai", appauthor=False)) / "cache-salt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            return path.read_text(encoding="utf-8").strip() or None
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            salt = secrets.token_urlsafe(32)
            file.write(salt)
    except OSError as error:
        raise WriterError(
            f"{path} cannot be read or written ({error.strerror or error}); set {SALT} instead"
        ) from error
    return salt
