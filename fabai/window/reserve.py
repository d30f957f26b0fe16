"""How many tokens to keep for the answer, from the form's limit.

Knows limits and how many tokens a word takes in a language. Never looks at the text that is to be written: in training
that would tell the model how long it is.
"""

from __future__ import annotations

from collections.abc import Sequence

from fabai.form import Limit
from fabai.report import count_words
from fabai.settings import WindowSettings
from fabai.window.counts import Counts


def reserve(limits: Sequence[Limit], sample: str, counts: Counts, settings: WindowSettings) -> int:
    """Tokens for the answer: what the tightest maximum can take, with some room; `settings.reserve` where there is
    none.

    sample: running text in the language of the report that is the same for every section (the rules); it gives tokens
    per word and per character. A minimum alone raises the default. Never more than half of the cap.
    """
    words = max(1, count_words(sample))
    per_word = max(1.0, counts.count(sample) / words)
    per_character = max(0.1, counts.count(sample) / max(1, len(sample)))
    rates = {
        "words": per_word,
        "pages": per_word * settings.words_per_page,
        "characters": per_character,
        "characters_without_spaces": per_character * 1.2,
    }
    most = [rates[limit.unit] * limit.maximum for limit in limits if limit.maximum is not None]
    least = [rates[limit.unit] * limit.minimum for limit in limits if limit.minimum is not None]
    if most:
        wanted = int(min(most) * settings.reserve_room) + 32
    else:
        wanted = max([settings.reserve, *(int(one * settings.reserve_room) + 32 for one in least)])
    return max(16, min(wanted, settings.cap // 2))
