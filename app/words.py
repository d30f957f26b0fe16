"""The words on the screen, one file per language; no other file of the application holds a sentence for a person.

Knows the files and that the three have the same keys. Does not know where a word stands.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from fabai.report import Language


@cache
def words(language: Language) -> dict[str, str]:
    """Every word of a language by its key."""
    text = resources.files("fabai.app").joinpath("words", f"{language}.toml").read_text(encoding="utf-8")
    return {key: str(value) for key, value in tomllib.loads(text).items()}
