"""What a corpus is made of, in numbers: documents, languages, kinds, lengths, duplicates, refusals, replacements.

Knows counting. Does not know plots or pages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabai.report import count_words
from fabai.settings import SplitSettings

from .dataset import SIDECAR
from .document import REFUSALS, REPLACED
from .duplicates import Index, Pair
from .split import Split, assign, card, originals_first, read_split

NONE = "unknown"
"""How a language or variety that is not known is called."""


@dataclass(slots=True)
class Stats:
    """Counters by name. tokens: of each section, words where no model counts them (`counted` says which). groups:
    (project, licence) -> documents, words. repeated: positions of sections that say what another one says. split: split
    -> language -> words; the words of a document that no example is made of count too.
    """

    counted: str = "words"
    documents: int = 0
    words: int = 0
    sections: int = 0
    languages: Counter[str] = field(default_factory=Counter)
    varieties: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    kind_words: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    consents: Counter[str] = field(default_factory=Counter)
    years: Counter[str] = field(default_factory=Counter)
    section_kinds: Counter[str] = field(default_factory=Counter)
    tags: Counter[str] = field(default_factory=Counter)
    groups: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    within: int = 0
    across: int = 0
    repeated: int = 0
    repeated_words: int = 0
    alike: list[float] = field(default_factory=list)
    split: dict[str, Counter[str]] = field(default_factory=dict)
    split_documents: Counter[str] = field(default_factory=Counter)
    moved: int = 0
    left_out: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    replaced: Counter[str] = field(default_factory=Counter)
    examples: dict[str, dict[str, Any]] = field(default_factory=dict)


def stats(folder: Path, count: Callable[[str], int] | None = None, counted: str = "words") -> Stats:
    """One pass over a corpus. count: tokens of a text, by the model named `counted`."""
    found = Stats(counted)
    known = read_split(folder)
    settings = known.settings if known is not None else SplitSettings()
    index, pairs, cards = Index(settings), [], []
    sizes: dict[tuple[str, int], int] = {}
    for document in originals_first(folder):
        own = card(document)
        cards.append(own)
        pairs += list(index.add(document))
        found.documents += 1
        found.words += own.words
        found.lengths.append(own.words)
        found.languages[document.language or NONE] += own.words
        found.varieties[document.variety or NONE] += own.words
        found.kinds[document.kind] += 1
        found.kind_words[document.kind] += own.words
        found.licences[document.licence or NONE] += 1
        found.consents[document.consent or NONE] += 1
        found.years[str(document.year or NONE)] += 1
        found.tags.update(document.tags)
        group = found.groups.setdefault((document.project, document.licence), Counter())
        group.update(documents=1, words=own.words)
        for number, section in enumerate(document.sections):
            found.sections += 1
            found.section_kinds[section.kind] += 1
            found.tags.update(section.tags)
            sizes[document.id, number] = count_words(section.text)
            if section.text.strip():
                found.tokens.append(sizes[document.id, number] if count is None else count(section.text))
    _duplicates(found, pairs, sizes)
    _split(found, known if known is not None else assign(cards, pairs, settings), {one.id: one for one in cards})
    found.refused = Counter(_reason(line) for line in _lines(folder / REFUSALS))
    for line in _lines(folder / REPLACED):
        found.replaced[str(line["kind"])] += int(line["count"])
    for path in sorted(folder.glob(f"*/{SIDECAR}")):
        found.examples[path.parent.name] = json.loads(path.read_bytes())
    return found


def _duplicates(found: Stats, pairs: list[Pair], sizes: dict[tuple[str, int], int]) -> None:
    again = {(pair.second.document, pair.second.section) for pair in pairs}
    found.repeated = len(again)
    found.repeated_words = sum(sizes[one] for one in again)
    found.within = sum(pair.first.document == pair.second.document for pair in pairs)
    found.across = len(pairs) - found.within
    found.alike = [pair.alike for pair in pairs]


def _split(found: Stats, split: Split, cards: dict[str, Any]) -> None:
    for identity, where in split.documents.items():
        if identity in cards:
            found.split_documents[where] += 1
            found.split.setdefault(where, Counter())[cards[identity].language or NONE] += cards[identity].words
    found.moved = len(split.moved)
    found.left_out = sum(map(len, split.left_out.values()))


def _reason(line: dict[str, Any]) -> str:
    """The reason without the file's own name in front, so that like counts with like."""
    reason, path = str(line["reason"]), str(line["path"])
    for name in (path, path.rpartition("/")[2]):
        reason = reason.removeprefix(name).lstrip(" :")
    return reason


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield json.loads(line)
