"""What is measured on one drafted section: length, repetition, figures, coverage, language, likeness, copying.

Knows texts, facts and figures. Does not know models, or which of two texts a person would rather have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fabai.figures import accepted, figures, marks
from fabai.ledger import Fact
from fabai.report import Language, count_words
from fabai.window.words import language_of, words

from .copies import Copy, Grams, folded, repeated, rouge_l

_TOLD = 20
"""Words from which a text's language is told."""


@dataclass(frozen=True, slots=True)
class Quality:
    """words: of the draft; wanted: of the human text. length: LongBench-Write's S_l, 0 to 100. within: whether it keeps
    the form's limit, None where there is none. repetition: share of runs of four words that stood before. figures: in
    the text; supported: of them, those that a fact, a source or the window holds. facts: of the ledger that the human
    text states; covered: of them, those that the draft states. right_language: None for a text too short to tell.
    rouge: ROUGE-L to the human text. copy: the longest run shared with training texts.
    """

    words: int
    wanted: int
    length: float
    within: bool | None
    repetition: float
    figures: int
    supported: int
    facts: int
    covered: int
    right_language: bool | None
    rouge: float
    copy: Copy


def quality(
    text: str,
    human: str,
    language: Language,
    facts: Sequence[Fact],
    shown: Sequence[str],
    within: bool | None,
    trained: Grams,
) -> Quality:
    """shown: texts that the model could know figures from: the window's pieces, sources, the ledger."""
    told = [fact for fact in facts if states(human, fact, language)]
    found = figures(text, language)
    known = {mark for one in shown for figure in figures(one, language) for mark in marks(figure)}
    supported = sum(any(mark in known for mark in accepted(figure)) for figure in found)
    heard = words(text)
    return Quality(
        count_words(text),
        count_words(human),
        length_score(count_words(text), count_words(human)),
        within,
        repeated(text),
        len(found),
        supported,
        len(told),
        sum(states(text, fact, language) for fact in told),
        language_of(heard, language) == language if len(heard) >= _TOLD else None,
        rouge_l(text, human),
        trained.longest(text, shown),
    )


def length_score(words: int, wanted: int) -> float:
    """S_l of LongBench-Write (Bai et al. 2024, arXiv:2408.07055): 100 at the length wanted, 0 at four times or a
    third.
    """
    if not words or not wanted:
        return 100.0 if words == wanted else 0.0
    if words > wanted:
        return 100.0 * max(0.0, 1.0 - (words / wanted - 1.0) / 3.0)
    return 100.0 * max(0.0, 1.0 - (wanted / words - 1.0) / 2.0)


def states(text: str, fact: Fact, language: Language) -> bool:
    """Whether a text says a fact's value: its figures, or its words in a row."""
    value = figures(fact.value, language)
    if value:
        have = {mark for figure in figures(text, language) for mark in marks(figure)}
        return all(any(mark in have for mark in accepted(figure)) for figure in value)
    wanted, said = folded(fact.value), folded(text)
    size = len(wanted)
    return bool(wanted) and any(said[place : place + size] == wanted for place in range(len(said) - size + 1))


@dataclass(frozen=True, slots=True)
class Sums:
    """Of many drafted sections. Shares are None where nothing could be counted."""

    sections: int
    words: float
    length: float
    limits: int
    within: float | None
    repetition: float
    figures: int
    supported: float | None
    facts: int
    covered: float | None
    right_language: float | None
    rouge: float
    copied: int
    copied_share: float
    seconds: float
    tokens: float


def sums(found: Iterable[Quality], seconds: Sequence[float], tokens: Sequence[int]) -> Sums:
    """Means over sections; figures and facts over all of them. copied: words of the longest run of any section;
    copied_share: of all words, those in runs of training texts.
    """
    every = list(found)
    limits = [one.within for one in every if one.within is not None]
    told = [one.right_language for one in every if one.right_language is not None]
    said, facts = sum(one.figures for one in every), sum(one.facts for one in every)
    count = max(1, len(every))
    return Sums(
        len(every),
        sum(one.words for one in every) / count,
        sum(one.length for one in every) / count,
        len(limits),
        sum(limits) / len(limits) if limits else None,
        sum(one.repetition for one in every) / count,
        said,
        sum(one.supported for one in every) / said if said else None,
        facts,
        sum(one.covered for one in every) / facts if facts else None,
        sum(told) / len(told) if told else None,
        sum(one.rouge for one in every) / count,
        max((one.copy.words for one in every), default=0),
        sum(one.copy.share * one.words for one in every) / max(1, sum(one.words for one in every)),
        sum(seconds) / count,
        sum(tokens) / count,
    )
