"""Texts as a limit counts them, kept by their words: pandoc is asked once for each text.

Knows that texts which were typed over are not asked for again. Does not know limits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from fabai.checks.plain import plains
from fabai.dossier.references import literature
from fabai.formats.bibliography import in_words
from fabai.remembered import MOST, Kept
from fabai.report import Section
from fabai.store.project import Project


class Plaintexts:
    """most: characters of the texts that are kept."""

    def __init__(self, most: int = MOST) -> None:
        self._plain, self._worded = Kept[str](most), Kept[str](most)

    def of(self, texts: Sequence[str]) -> list[str]:
        """The plain text of each Markdown text; unknown ones are read in one go."""
        return _of(self._plain, texts, "", plains)

    def sections(self, project: Project, sections: Sequence[Section]) -> list[str]:
        """The plain text of each section, its citations in the words that documents show."""
        cited = [one.text for one in sections if "@" in one.text]
        if not cited:
            return self.of([one.text for one in sections])
        known, language = literature(project), project.language
        mark = sha256(repr((known, language)).encode("utf-8", "surrogatepass")).hexdigest()
        words = _of(self._worded, cited, mark, lambda texts: in_words(texts, known, language))
        shown = dict(zip(cited, words, strict=True))
        return self.of([shown.get(one.text, one.text) for one in sections])

    def forget(self, text: str) -> None:
        """A text was typed over."""
        self._plain.forget(text)
        self._worded.forget(text)


def _of(kept: Kept[str], texts: Sequence[str], mark: str, make: Callable[[list[str]], Sequence[str]]) -> list[str]:
    """What is made of each text, the unknown ones in one go."""
    found = {text: made for text in texts if (made := kept.get(text, mark)) is not None}
    new = [text for text in dict.fromkeys(texts) if text not in found]
    for text, made in zip(new, make(new) if new else (), strict=True):
        kept.put(text, mark, made)
        found[text] = made
    return [found[text] for text in texts]
