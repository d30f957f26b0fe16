"""What is said of a version or a writing, as a key of app/words, for each page has its own language.

Knows the sentences that `fabai.draft` and the server record. Does not know languages.
"""

from __future__ import annotations

from fabai import shortening
from fabai.attempt import NOTES

STOPPED = "the server ended while this was being written; what had come until then is kept"
_KNOWN = {**NOTES, **shortening.NOTES, "server": STOPPED}


def remark(said: str) -> dict[str, str]:
    """key: of the word "said_KEY", "" where the sentence is of another origin and stands in `what` as it is. what: what
    the sentence is about.
    """
    for key, sentence in _KNOWN.items():
        before, hole, after = sentence.partition("{0}")
        if said == sentence:
            return {"key": key, "what": ""}
        if hole and said.startswith(before) and said.endswith(after):
            return {"key": key, "what": said[len(before) : len(said) - len(after)]}
    return {"key": "", "what": said}
