"""References to facts in the place of personal data, one for each value.

Knows how keys count, and what a table needs so that its columns stay where they are. Does not know how data are
recognised. A value is remembered by a keyed hash only.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Sequence

from .document import REFERENCE
from .found import Found, apart

_CELLS = re.compile(r"[ ]*[|+]")


class Placeholders:
    """The keys of one document. values: key -> keyed hash of kind and value."""

    def __init__(self, key: bytes) -> None:
        self.values: dict[str, str] = {}
        self._key = key
        self._names: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def reference(self, kind: str, value: str) -> str:
        """`{{kind_n}}`, the same for the same value."""
        digest = hmac.new(self._key, f"{kind}\0{value}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:24]
        if digest not in self._names:
            self._counts[kind] += 1
            self._names[digest] = f"{kind}_{self._counts[kind]}"
            self.values[self._names[digest]] = digest
        return f"{{{{{self._names[digest]}}}}}"

    def replace(self, text: str, found: Sequence[Found]) -> str:
        """The text with references; references that it held before get keys of their own."""
        old = [Found(match.start(), match.end(), match[1], match[0]) for match in REFERENCE.finditer(text)]
        out: list[str] = []
        end = 0
        for one in apart([*old, *found]):
            out.append(text[end : one.start])
            reference = self.reference(one.kind, one.value)
            end = one.end
            if _CELLS.match(text, text.rfind("\n", 0, one.start) + 1):
                lack = (one.end - one.start) - len(reference)
                reference += " " * max(lack, 0)
                while lack < 0 and text[end : end + 2] == "  ":
                    end, lack = end + 1, lack + 1
            out.append(reference)
        out.append(text[end:])
        return "".join(out)
