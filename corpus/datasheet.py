"""The datasheet of a corpus, in Markdown: where it comes from, under which licences, how much of what, what it lacks.

After Gebru et al., "Datasheets for Datasets" (2021), cut to what a keeper needs. Knows wording. Does not hold any text
of the corpus.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .stats import NONE, Stats

_MOST = 60  # rows of a table


def datasheet(stats: Stats, title: str, corpus: str) -> str:
    """The page. corpus: the corpus id."""
    return "\n\n".join(part for part in _parts(stats, title, corpus) if part) + "\n"


def _parts(stats: Stats, title: str, corpus: str) -> Iterator[str]:
    yield f"# {title}"
    yield (
        f"Made by `fabai corpus stats`; corpus `{corpus}`. {stats.documents:,} documents, {stats.sections:,} sections, "
        f"{stats.words:,} words. The text itself is not published here."
    )
    yield "## Origin and licences"
    yield _table(("project", "licence", "documents", "words"), _origins(stats))
    yield "Consent: " + "; ".join(f"{one} ({number})" for one, number in stats.consents.most_common()) + "."
    yield "## Languages"
    yield _table(("variety", "words", "share"), _shares(stats.varieties, stats.words))
    yield _table(("language", "words", "share"), _shares(stats.languages, stats.words))
    yield "## Kinds"
    kinds = [(kind, f"{number:,}", f"{stats.kind_words[kind]:,}") for kind, number in stats.kinds.most_common()]
    yield _table(("kind", "documents", "words"), kinds)
    yield "Sections: " + ", ".join(f"{kind} {number:,}" for kind, number in stats.section_kinds.most_common()) + "."
    yield "## Lengths"
    yield _lengths(stats)
    yield "## What was done to it"
    if stats.replaced:
        kinds_of = ", ".join(f"{kind} {number:,}" for kind, number in stats.replaced.most_common())
        yield f"Personal data replaced by references to facts ({{{{persona_1}}}}): {kinds_of}."
    else:
        yield "No personal data were found to replace."
    if stats.tags:
        yield "Tags: " + ", ".join(f"{tag} {number:,}" for tag, number in stats.tags.most_common()) + "."
    yield (
        f"Near-duplicates: {stats.repeated:,} sections ({stats.repeated_words:,} words) say what another section says; "
        f"{stats.within:,} pairs lie within a document, {stats.across:,} across. {stats.left_out:,} sections are left "
        "out of the examples for that."
    )
    yield _refused(stats)
    yield "## Split"
    yield _table(("split", "documents", *sorted(stats.languages)), _splits(stats))
    yield (
        "Projects are never parted, documents that repeat one another are one project, and no section of validation "
        "or test has a near-duplicate that teaches (`fabai corpus check`). Moved to follow another document: "
        f"{stats.moved}."
    )
    for name, told in stats.examples.items():
        yield from _examples(name, told)
    yield "## Known gaps"
    yield "\n".join(f"- {gap}" for gap in _gaps(stats))


def _origins(stats: Stats) -> Sequence[tuple[str, ...]]:
    ones = sorted(stats.groups.items(), key=lambda one: -one[1]["words"])
    rows = [
        (project, licence, f"{numbers['documents']:,}", f"{numbers['words']:,}")
        for (project, licence), numbers in ones[:_MOST]
    ]
    if rest := ones[_MOST:]:
        documents, words = (sum(numbers[key] for _, numbers in rest) for key in ("documents", "words"))
        rows.append((f"{len(rest)} more", "", f"{documents:,}", f"{words:,}"))
    return rows


def _shares(counter: Counter[str], whole: int) -> list[tuple[str, ...]]:
    return [(name, f"{number:,}", f"{number / max(1, whole):.1%}") for name, number in counter.most_common()]


def _lengths(stats: Stats) -> str:
    unit = "words" if stats.counted == "words" else f"tokens of {stats.counted}"
    rows = [("document, words", *_quantiles(stats.lengths)), (f"section, {unit}", *_quantiles(stats.tokens))]
    return _table(("", "10 %", "median", "90 %", "99 %", "longest"), rows)


def _quantiles(values: Sequence[int]) -> tuple[str, ...]:
    ordered = sorted(values)
    if not ordered:
        return ("",) * 5
    places = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.1, 0.5, 0.9, 0.99)]
    return tuple(f"{value:,}" for value in (*places, ordered[-1]))


def _splits(stats: Stats) -> list[tuple[str, ...]]:
    return [
        (name, f"{stats.split_documents[name]:,}", *(f"{stats.split[name][one]:,}" for one in sorted(stats.languages)))
        for name in ("train", "validation", "test")
        if name in stats.split
    ]


def _refused(stats: Stats) -> str:
    if not stats.refused:
        return "No file was refused."
    lines = [f"- {number} × {reason}" for reason, number in stats.refused.most_common(20)]
    return f"Refused: {sum(stats.refused.values())} files.\n\n" + "\n".join(lines)


def _examples(name: str, told: Mapping[str, Any]) -> Iterator[str]:
    counts = told["counts"]
    yield f"## Examples in `{name}`"
    yield (
        f"For {told['model']}, mode {told['mode']}, at most {told['cap']:,} tokens. {counts['supported']:.1%} of the "
        f"{counts['statements']:,} statements with figures or names are held by their prompt; the others have no loss, "
        f"which leaves {counts['with_loss']:.1%} of the text to learn from."
    )
    rows = [
        (split, f"{number:,}", f"{counts['tokens'][split]:,}", f"{counts['labelled'][split]:,}")
        for split, number in counts["examples"].items()
    ]
    yield _table(("split", "examples", "tokens", "with a loss"), rows)


def _gaps(stats: Stats) -> Iterator[str]:
    reports = sum(stats.kinds[kind] for kind in ("report", "memoria", "project"))
    yield (
        f"{reports:,} of {stats.documents:,} documents are reports of funded work; theses, proposals, calls and laws "
        "are tagged as such, so that a recipe can choose what teaches style."
    )
    for language in ("es", "ca", "en"):
        share = stats.languages[language] / max(1, stats.words)
        if share < 0.1:
            yield f"Only {share:.1%} of the words are in '{language}'."
    unknown = stats.varieties[NONE] / max(1, stats.words)
    if unknown > 0.2:
        yield f"The variety of {unknown:.0%} of the words cannot be told from the text."
    for where in ("validation", "test"):
        missing = [one for one in stats.languages if one != NONE and not stats.split.get(where, Counter())[one]]
        if missing:
            yield f"The {where} split has nothing in {', '.join(sorted(missing))}: one project holds too much of it."
    yield (
        "The Briefs are rebuilt from the reports themselves: facts are named after the words around them, numbers "
        "written in words are not read, and names are told by their capital letters."
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---" if index == 0 else "---:" for index in range(len(head))], *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
