"""The split: which documents teach, which are looked at while teaching, which are kept for the end.

A project is never parted, documents that repeat one another are one project, and no section that is kept apart has a
near-duplicate among those that teach. What was decided stays: a corpus that grows keeps its test documents. Knows
groups, shares and duplicates. Does not know examples.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

from fabai.errors import UnreadableFile
from fabai.report import count_words
from fabai.settings import SplitSettings
from fabai.strict import build

from .document import CorpusDocument, place, read_document, read_manifest, write_json
from .duplicates import Index, Pair, Place

SplitName = Literal["train", "validation", "test"]
SPLITS: tuple[SplitName, ...] = get_args(SplitName)
FILE = "split.json"
DEFAULTS = SplitSettings()

_NOT_TAUGHT = ("call", "law", "other")


@dataclass(frozen=True, slots=True)
class Split:
    """documents: id -> split. left_out: id -> positions of sections that teach nothing, since their text teaches (or is
    tested) elsewhere. moved: documents that had to follow another one into its split. groups: id -> the project or, of
    several that repeat one another, the first.
    """

    settings: SplitSettings
    documents: dict[str, SplitName]
    groups: dict[str, str]
    left_out: dict[str, tuple[int, ...]] = field(default_factory=dict)
    moved: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """What the split knows of a document. teaching: words, where it is of a kind that examples are made of."""

    id: str
    path: str
    project: str
    language: str
    words: int
    derived_from: tuple[str, ...]
    teaching: int


def card(document: CorpusDocument) -> Card:
    """The card of a document."""
    words = sum(count_words(section.text) for section in document.sections)
    return Card(
        document.id, document.path, document.project, document.language or "", words, document.derived_from,
        words if document.kind not in _NOT_TAUGHT else 0,
    )  # fmt: skip


def split(folder: Path, settings: SplitSettings = DEFAULTS, known: Split | None = None) -> Split:
    """The split of a corpus. known: an earlier one, which stands wherever it can."""
    index = Index(settings)
    cards: list[Card] = []
    pairs: list[Pair] = []
    for document in originals_first(folder):
        cards.append(card(document))
        pairs.extend(index.add(document))
    return assign(cards, pairs, settings, known)


def originals_first(folder: Path) -> Iterator[CorpusDocument]:
    """The documents of a corpus, those that repeat others behind, the shortest of them first."""
    entries = read_manifest(folder)["documents"]
    for entry in sorted(
        entries, key=lambda one: (bool(one["derived_from"]), one["words"] if one["derived_from"] else 0)
    ):
        yield read_document(place(folder, entry["id"]))


def assign(
    cards: Sequence[Card], pairs: Sequence[Pair], settings: SplitSettings = DEFAULTS, known: Split | None = None
) -> Split:
    """The split of these documents with these near-duplicates; the same arguments give the same split."""
    groups = _groups(cards, pairs, settings)
    before = {} if known is None else known.documents
    chosen, moved = _chosen(cards, groups, settings, before)
    left_out = _left_out(pairs, chosen)
    return Split(settings, chosen, groups, left_out, moved)


def leaks(split: Split, pairs: Iterable[Pair]) -> list[tuple[Place, Place]]:
    """(kept apart, teaching): sections of validation and test, not left out, with a near-duplicate that teaches."""
    found: list[tuple[Place, Place]] = []
    for pair in pairs:
        for apart, teaching in ((pair.first, pair.second), (pair.second, pair.first)):
            if split.documents.get(apart.document, "train") == "train" or _out(split, apart):
                continue
            if split.documents.get(teaching.document) == "train" and not _out(split, teaching):
                found.append((apart, teaching))
    return found


def read_split(folder: Path) -> Split | None:
    """The split that `write_split` left in the corpus, None where there is none yet."""
    path = folder / FILE
    try:
        table = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise UnreadableFile(f"{path} cannot be read ({error}): delete it, and a new split is made") from None
    return build(Split, table, str(path))


def write_split(folder: Path, split: Split) -> None:
    """Write split.json into the corpus, whole or not at all."""
    table: dict[str, Any] = dataclasses.asdict(split)
    write_json(folder / FILE, table)


def _out(split: Split, one: Place) -> bool:
    return one.section in split.left_out.get(one.document, ())


def _groups(cards: Sequence[Card], pairs: Sequence[Pair], settings: SplitSettings) -> dict[str, str]:
    """Document id -> name of its group."""
    parent: dict[str, str] = {}

    def find(one: str) -> str:
        while parent.setdefault(one, one) != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    def join(one: str, other: str) -> None:
        first, second = sorted((find(one), find(other)))
        parent[second] = first

    project = {one.id: f"project {one.project}" for one in cards}
    for one in cards:
        for origin in one.derived_from:
            for other in cards:
                # a joined file may name folders or projects
                if origin in (other.path, other.project) or other.path.startswith(f"{origin.rstrip('/')}/"):
                    join(project[one.id], project[other.id])
    shared: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        if pair.first.document != pair.second.document:
            shared[pair.first.document, pair.second.document] += pair.words
    words = {one.id: one.words for one in cards}
    for (first, second), repeated in shared.items():
        if repeated >= settings.merge * min(words[first], words[second]):
            join(project[first], project[second])
    return {identity: find(name).removeprefix("project ") for identity, name in project.items()}


def _chosen(
    cards: Sequence[Card], groups: Mapping[str, str], settings: SplitSettings, before: Mapping[str, SplitName]
) -> tuple[dict[str, SplitName], tuple[str, ...]]:
    """Split of each document, and the documents that had another one before."""
    members: dict[str, list[Card]] = defaultdict(list)
    total: Counter[str] = Counter()
    for one in cards:
        members[groups[one.id]].append(one)
        total[one.language] += one.teaching
    chosen: dict[str, SplitName] = {}
    filled: Counter[tuple[str, str]] = Counter()

    def settle(group: str, where: SplitName) -> None:
        for one in members[group]:
            chosen[one.id] = where
            filled[one.language, where] += one.teaching

    fresh: list[str] = []
    for group, ones in members.items():
        had = {before[one.id] for one in ones if one.id in before}
        if not had:
            fresh.append(group)
        elif len(had) == 1:
            settle(group, had.pop())
        else:
            # a model may have learnt from it already, and that cannot be undone
            settle(group, "train" if "train" in had else "validation")
    fresh.sort(key=lambda group: sha256(f"{settings.seed} {group}".encode("utf-8", "surrogatepass")).digest())
    for group in fresh:
        settle(group, _where(members[group], total, filled, settings))
    moved = tuple(one.id for one in cards if before.get(one.id, chosen[one.id]) != chosen[one.id])
    return chosen, moved


def _where(
    ones: Sequence[Card], total: Mapping[str, int], filled: Mapping[tuple[str, str], int], settings: SplitSettings
) -> SplitName:
    """The split that lacks most of what this group brings, so long as it does not overfill it."""
    words: Counter[str] = Counter()
    for one in ones:
        words[one.language] += one.teaching
    for where, share in (("test", settings.test), ("validation", settings.validation)):
        room = all(
            filled[language, where] + brought <= 1.5 * share * total[language] for language, brought in words.items()
        )
        lacking = any(
            brought and filled[language, where] < share * total[language] for language, brought in words.items()
        )
        if room and lacking:
            return "test" if where == "test" else "validation"
    return "train"


def _left_out(pairs: Sequence[Pair], chosen: Mapping[str, SplitName]) -> dict[str, tuple[int, ...]]:
    """Of two sections that are the same the one kept apart goes, else the later one."""
    out: set[Place] = set()
    for pair in sorted(pairs, key=lambda pair: (pair.second, pair.first)):
        sides = chosen[pair.first.document], chosen[pair.second.document]
        if sides[0] == sides[1]:
            if pair.first not in out:
                out.add(pair.second)
        elif sides[0] == "train":
            out.add(pair.second)
        elif sides[1] == "train":
            out.add(pair.first)
        else:
            out.add(pair.second)
    found: dict[str, list[int]] = defaultdict(list)
    for one in sorted(out):
        found[one.document].append(one.section)
    return {document: tuple(sections) for document, sections in found.items()}
