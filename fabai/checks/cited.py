"""Citations whose reference nobody has: a key in square brackets that is none of the project's.

Knows the keys. Does not know references, nor how a citation is worded at the export.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from fabai.checks.reading import Reading
from fabai.checks.violation import Violation
from fabai.formats.citation import citations

_QUOTE = 120
_LIKE = 0.8
"""How alike a known key must be to be proposed."""


def check_cited(section: str, reading: Reading, keys: frozenset[str]) -> Iterator[Violation]:
    """Each key without its reference, once for every citation, with the sentence that cites."""
    for one in citations(reading.text):
        for key in dict.fromkeys(one.keys) if one.bracketed else ():
            if key not in keys:
                cited = reading.text[one.start : one.end]
                sentence = reading.sentence(one.start)
                quote = " ".join(reading.text[sentence.start : sentence.end].split())[:_QUOTE]
                near = difflib.get_close_matches(key, keys, 1, _LIKE)
                suggestion = cited.replace(f"@{key}", f"@{near[0]}") if near else None
                yield Violation(
                    *("citation-unknown", section, "error", key, "", quote, one.start, one.end), suggestion=suggestion
                )
