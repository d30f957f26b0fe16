"""Texts as a limit counts them, kept by their words: pandoc is asked once for each text.

Knows how many are kept. Does not know limits.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from fabai.checks.plain import plains


class Plaintexts:
    """most: texts that are kept."""

    def __init__(self, most: int = 4_096) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[str, str] = OrderedDict()

    def of(self, texts: Sequence[str]) -> list[str]:
        """The plain text of each Markdown text; unknown ones are read in one go."""
        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        new = [text for text in dict.fromkeys(texts) if text not in found]
        found |= dict(zip(new, plains(new), strict=True)) if new else {}
        with self._lock:
            for text in dict.fromkeys(texts):
                self._known[text] = found[text]
                self._known.move_to_end(text)
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return [found[text] for text in texts]

    def one(self, text: str) -> str:
        return self.of([text])[0]
