"""Texts as a limit counts them, kept by their words: pandoc is asked once for each text.

Knows how many are kept. Does not know limits.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from hashlib import sha256

from fabai.checks.plain import plains
from fabai.dossier.references import literature
from fabai.formats.bibliography import in_words
from fabai.report import Section
from fabai.store.project import Project


class Plaintexts:
    """most: texts that are kept."""

    def __init__(self, most: int = 4_096) -> None:
        self._plain, self._worded = _Kept(most), _Kept(most)

    def of(self, texts: Sequence[str]) -> list[str]:
        """The plain text of each Markdown text; unknown ones are read in one go."""
        return self._plain.of(texts, "", plains)

    def sections(self, project: Project, sections: Sequence[Section]) -> list[str]:
        """The plain text of each section, its citations in the words that documents show."""
        cited = [one.text for one in sections if "@" in one.text]
        if not cited:
            return self.of([one.text for one in sections])
        known, language = literature(project), project.language
        mark = sha256(repr((known, language)).encode("utf-8", "surrogatepass")).hexdigest()
        words = self._worded.of(cited, mark, lambda texts: in_words(texts, known, language))
        shown = dict(zip(cited, words, strict=True))
        return self.of([shown.get(one.text, one.text) for one in sections])


class _Kept:
    """What was made of texts, by text and mark; the oldest give way."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], str] = OrderedDict()

    def of(self, texts: Sequence[str], mark: str, make: Callable[[list[str]], Sequence[str]]) -> list[str]:
        with self._lock:
            found = {text: self._known[text, mark] for text in texts if (text, mark) in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        found |= dict(zip(new, make(new), strict=True)) if new else {}
        with self._lock:
            for text in dict.fromkeys(texts):
                self._known[text, mark] = found[text]
                self._known.move_to_end((text, mark))
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return [found[text] for text in texts]
