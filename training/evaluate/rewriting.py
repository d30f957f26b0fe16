"""Held-out and taught sections written anew by both Writers, and what is measured on them.

Knows which sections are drafted, and the order: the tuned Writer first, both kinds, then the base. Does not know how a
section is drafted, or what a figure is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fabai.report import LANGUAGES, Language
from fabai.settings import SamplingSettings, WindowSettings
from fabai.writers.base import Writer

from . import drafting, held
from .copies import Grams
from .drafting import Brief, Drafted
from .held import Held
from .quality import Quality, Sums, quality, sums
from .settings import EvalSettings
from .watch import Watch


@dataclass(slots=True)
class Drafts:
    """before, after: of held-out sections, by the base and by the tuned model; from_training: of taught ones, by it.
    samples: (tuned, base) to show; pairs: all of them, for the blind page.
    """

    before: Sums | None = None
    after: Sums | None = None
    from_training: Sums | None = None
    samples: tuple[tuple[Drafted, Drafted | None], ...] = ()
    pairs: list[tuple[Drafted, Drafted]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Hands:
    """What drafting needs. briefs: of documents by id, as the corpus rebuilds them. tuned, base: make the Writers."""

    briefs: Callable[[set[str]], Mapping[str, Brief]]
    tuned: Callable[[], Writer]
    base: Callable[[], Writer]
    window: WindowSettings
    sampling: SamplingSettings


def drafted(
    hands: Hands | None,
    wanted: Sequence[Held],
    learnt: Sequence[Held],
    settings: EvalSettings,
    watch: Watch,
    notes: list[str],
) -> Drafts:
    """wanted: held-out sections; learnt: taught ones. notes: takes what could not be done, and why."""
    if hands is None or not settings.drafts:
        notes.append("drafts: give the corpus itself with --corpus (the folder with corpus.json), and --drafts above 0")
        return Drafts()
    places = _places(wanted, settings.drafts)
    again = _places(held.chosen(learnt, len(learnt), settings.seed), settings.drafts)
    briefs = hands.briefs({document for document, _ in (*places, *again)})
    places = [one for one in places if one[0] in briefs]
    again = [one for one in again if one[0] in briefs]
    if not places:
        notes.append("drafts: the corpus has none of the documents that these examples are from")
        return Drafts()
    trained = Grams((one.id, one.target) for one in learnt)
    watch.begin("drafts", 2 * len(places) + len(again))
    writer = hands.tuned()
    try:
        after = drafting.write(places, briefs, writer, hands.window, hands.sampling, watch.step, notes.append)
        back = drafting.write(again, briefs, writer, hands.window, hands.sampling, watch.step, notes.append)
    finally:
        writer.close()
    writer = hands.base()
    try:
        before = drafting.write(places, briefs, writer, hands.window, hands.sampling, watch.step, notes.append)
    finally:
        writer.close()
    known = {one.id: one for one in before}
    pairs = [(one, known[one.id]) for one in after if one.id in known]
    return Drafts(
        _summed(before, places, briefs, trained),
        _summed(after, places, briefs, trained),
        _summed(back, again, briefs, trained) if back else None,
        tuple((one, known.get(one.id)) for one in after[:3]),
        pairs,
    )


def _places(wanted: Sequence[Held], most: int) -> list[tuple[str, str]]:
    found = [place for one in wanted if (place := drafting.place_of(one)) is not None]
    return list(dict.fromkeys(found))[:most]


def _summed(
    drafts: Sequence[Drafted], places: Sequence[tuple[str, str]], briefs: Mapping[str, Brief], trained: Grams
) -> Sums | None:
    if not drafts:
        return None
    rows: list[Quality] = []
    for one in drafts:
        brief = briefs[places[int(one.id.partition(":")[0])][0]]
        language: Language = brief.report.language if brief.report.language in LANGUAGES else "en"
        rows.append(quality(one.text, one.human, language, tuple(brief.ledger), one.shown, one.within, trained))
    return sums(rows, [one.seconds for one in drafts], [one.tokens for one in drafts])
