"""`fabai corpus check`: what must not be in a corpus before anything is trained on it, each with its place.

Knows the rules and how each is looked at anew, whatever the build and the making of examples believed. Does not know
how findings are shown.

Rules: "licence", "consent", "identifier", "project" (parted between splits), "leak" (a section that is kept apart has a
near-duplicate that teaches), "unsupported" (too much with a loss that the prompt does not hold), "stale" (examples of
documents that are not in the corpus).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.report import LANGUAGES, Language
from fabai.settings import ExampleSettings, SplitSettings

from .commons import commons, own_words
from .contacts import contacts
from .dataset import SIDECAR, read_rows
from .document import CorpusDocument, documents
from .duplicates import Index, Pair, Place
from .identifiers import identifiers
from .split import Split, assign, card, leaks, originals_first, read_split
from .support import Evidence, statements

DEFAULTS = ExampleSettings()

_NONE = re.compile(r"\W*(?:none|unknown|todo|tbd|n/?a|ninguna?|desconocida?|sin|cap|no)?\W*", re.IGNORECASE)
_MARK = re.compile(r"(?m)^[ \t>]*(?:\(?\w{1,3}[.)]|#+)(?=\s)")
_DIGITS = re.compile(r"\d+(?:[.,\u00a0\u202f '’]\d{3})*(?:[.,]\d+)?")
_FENCE = re.compile(r"(?m)^~{4,}$")
_SHOWN = 5  # of the statements that fail


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that must be mended. place: of a section, or a document's id alone. text: a sentence."""

    rule: str
    document: str
    section: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """findings: none where all is well. support: examples folder -> share of supported statements with a loss."""

    findings: tuple[Finding, ...]
    documents: int
    support: dict[str, float]


def check(folder: Path, examples: Iterable[Path] = (), settings: ExampleSettings = DEFAULTS) -> Checked:
    """Look at the corpus and at the examples made of it; those in `folder`/examples always."""
    findings: list[Finding] = []
    headings: dict[Place, str] = {}
    known = read_split(folder)
    index = Index(known.settings if known is not None else SplitSettings(seed=settings.seed))
    pairs: list[Pair] = []
    cards = []
    for document in originals_first(folder):
        cards.append(card(document))
        headings.update((Place(document.id, number), one.heading) for number, one in enumerate(document.sections))
        pairs.extend(index.add(document))
        findings += _rights(document)
        findings += _personal(document)
    split = known if known is not None else assign(cards, pairs, SplitSettings(seed=settings.seed))
    findings += _parted(split, {one.id: one.project for one in cards})
    findings += _leaks(split, pairs, headings)
    support: dict[str, float] = {}
    folders = [one for one in (folder / "examples", *examples) if (one / SIDECAR).is_file()]
    for one in dict.fromkeys(folders):
        share, wrong = _support(folder, one, settings, {card.id for card in cards})
        support[str(one)] = share
        findings += wrong
    return Checked(tuple(findings), len(cards), support)


def _rights(document: CorpusDocument) -> Iterator[Finding]:
    for rule, value, what in (
        ("licence", document.licence, "no licence is stated: write it into SOURCES.toml, or take the document out"),
        ("consent", document.consent, "no consent is stated: write into SOURCES.toml who gave it and when"),
    ):
        if _NONE.fullmatch(value):
            yield Finding(rule, document.id, None, f"{document.path}: {what}")


def _personal(document: CorpusDocument) -> Iterator[Finding]:
    for number, section in enumerate(document.sections):
        kinds: dict[str, int] = defaultdict(int)
        for text in (section.heading, section.text):
            for found in (*identifiers(text), *contacts(text)):
                kinds[found.kind] += 1
        for kind, times in kinds.items():
            often = f"{times} times " if times > 1 else ""
            yield Finding(
                "identifier", document.id, number,
                f"{document.path}, section {number + 1} «{section.heading}»: personal data of kind '{kind}' {often}"
                "stand in the text: build the corpus again, or remove the document",
            )  # fmt: skip


def _parted(split: Split, projects: Mapping[str, str]) -> Iterator[Finding]:
    homes: dict[str, dict[str, str]] = defaultdict(dict)
    for identity, project in projects.items():
        where = split.documents.get(identity)
        if where is not None:
            homes[project].setdefault(where, identity)
    for project, found in homes.items():
        if len(found) > 1:
            places = ", ".join(f"{identity} in {where}" for where, identity in sorted(found.items()))
            yield Finding(
                "project", next(iter(found.values())), None, f"the project '{project}' is parted: {places}; "
                "make the examples again"
            )  # fmt: skip


def _leaks(split: Split, pairs: Iterable[Pair], headings: Mapping[Place, str]) -> Iterator[Finding]:
    for apart, teaching in leaks(split, pairs):
        yield Finding(
            "leak", apart.document, apart.section,
            f"section {apart.section + 1} «{headings[apart]}» of {apart.document} is kept for "
            f"{split.documents[apart.document]}, and section {teaching.section + 1} «{headings[teaching]}» of "
            f"{teaching.document}, which teaches, says nearly the same: make the examples again",
        )  # fmt: skip


def _support(folder: Path, examples: Path, settings: ExampleSettings, present: set[str]) -> tuple[float, list[Finding]]:
    """Share of the statements with a loss, among those with figures or names, that the prompt holds."""
    known = {one.id: own_words(one) for one in documents(folder)}
    common = commons(documents(folder), settings).vocabulary
    evidence = {language: Evidence(language) for language in LANGUAGES}
    said = held = 0
    wrong: list[Finding] = []
    gone: set[str] = set()
    for _, row in read_rows(examples):
        if row["mode"] == "general":
            continue
        report = str(row["report"])
        if report not in present:
            gone.add(report)
            continue
        language: Language = row["language"]
        for text, fine in _statements(row, language, common | known[report], evidence[language]):
            said += 1
            held += fine
            if not fine and len(wrong) < _SHOWN:
                shown = " ".join(text.split())[:160]
                wrong.append(
                    Finding("unsupported", report, None, f"{row['id']}: the prompt does not hold what «{shown}» says")
                )
    share = held / said if said else 1.0
    findings = [
        Finding("stale", one, None, f"{examples} holds examples of {one}, which is not in the corpus: make them again")
        for one in sorted(gone)
    ]
    if share < settings.support:
        sentence = (
            f"{examples}: only {share:.1%} of the statements with a loss are held by their prompts, and "
            f"{settings.support:.0%} must be: make the examples again"
        )
        findings += [Finding("unsupported", "", None, sentence), *wrong]
    return share, findings


def _statements(
    row: Mapping[str, Any], language: Language, vocabulary: frozenset[str], evidence: Evidence
) -> Iterator[tuple[str, bool]]:
    """Each statement with a loss that says a figure or a name, and whether the prompt holds it, by two readings: the
    one that examples are made with, and plain digits.
    """
    target = row["target"]
    spans = [(one["start"], one["end"]) for one in row["masked"]]
    # what stands between tildes is fenced for the model, and evidence all the same
    contents = [_FENCE.sub("", message["content"]) for message in row["messages"]]
    known = evidence.sets(contents)
    digits: set[str] | None = None
    for one in statements(target, language, vocabulary):
        text = target[one.start : one.end]
        own = _digits(text)
        if any(start < one.end and one.start < end for start, end in spans) or not (own or one.claims or one.opaque):
            continue
        if own and digits is None:
            digits = set().union(*map(_digits, contents))
        fine = not one.opaque and not evidence.missing(one, known) and own <= (digits or set())
        yield text, fine


def _digits(text: str) -> set[str]:
    """The numbers of a text as bare digits, cents of nought left out; list marks are none."""
    return {re.sub(r"\D", "", re.sub(r"[.,]0{1,2}$", "", match[0])) for match in _DIGITS.finditer(_MARK.sub(" ", text))}
