"""The second pass: from the cleaned files of all sources to the written corpus.

Knows what needs more than one document: boilerplate, and one key for one value in a whole project. Reads one document
at a time. Does not know how files are read or cleaned.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from fabai.errors import UnreadableFile
from fabai.report import count_words
from fabai.settings import CorpusSettings
from fabai.window.blocks import blocks

from . import cleaned, document
from .cleaned import Cleaned
from .cleaning import paragraph_hash, without_empty
from .document import REFERENCE, CorpusDocument, CorpusSection, DocumentKind
from .sources import Source


@dataclass(frozen=True, slots=True)
class Part:
    """A cleaned file and what the keeper said about it."""

    name: str
    id: str
    source: Source

    @property
    def project(self) -> str:
        """What is kept together when the corpus is split."""
        return self.source.project or self.source.path


@dataclass(slots=True)
class Assembled:
    """What the second pass wrote. entries: of the manifest. replaced: lines of replaced.jsonl."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    replaced: list[dict[str, Any]] = field(default_factory=list)
    boilerplate: int = 0
    missing: list[Part] = field(default_factory=list)


def assemble(
    folder: Path, parts: Sequence[Part], recipe: str, settings: CorpusSettings, done: Callable[[], None]
) -> Assembled:
    """Write the documents of `parts` and return what the manifest and the reports hold. `done` is called after each."""
    ordered = sorted(parts, key=lambda one: (one.project, one.name))
    result = Assembled()
    common = _boilerplate(folder, ordered, recipe, settings.boilerplate)
    keys: dict[str, str] = {}
    counts: Counter[str] = Counter()
    project: str | None = None
    for part in ordered:
        if part.project != project:
            project, keys, counts = part.project, {}, Counter()
        content = cleaned.kept(folder, part.id, recipe)
        if content is None:
            result.missing.append(part)
            continue
        written, dropped = _document(part, content, _renaming(content, keys, counts), common)
        result.boilerplate += dropped
        document.write_document(folder, written)
        result.entries.append(_entry(written))
        result.replaced += _replacements(written)
        done()
    result.entries.sort(key=lambda entry: entry["path"])
    return result


def _boilerplate(folder: Path, parts: Iterable[Part], recipe: str, least: int) -> frozenset[int]:
    """Hashes of the paragraphs that stand in `least` projects or more; parts come project by project."""
    if not least:
        return frozenset()
    seen: dict[int, tuple[int, int]] = {}
    number, project = -1, None
    for part in parts:
        if part.project != project:
            number, project = number + 1, part.project
        content = cleaned.kept(folder, part.id, recipe)
        for one in content.paragraphs if content is not None else ():
            count, last = seen.get(one, (0, -1))
            if last != number:
                seen[one] = (count + 1, number)
    return frozenset(one for one, (count, _) in seen.items() if count >= least)


def _renaming(content: Cleaned, keys: dict[str, str], counts: Counter[str]) -> dict[str, str]:
    """The project's key for each of the document's; new values go on counting."""
    names = {}
    for own, digest in content.values.items():
        if digest not in keys:
            kind = own.rpartition("_")[0]
            counts[kind] += 1
            keys[digest] = f"{kind}_{counts[kind]}"
        names[own] = keys[digest]
    return names


def _document(
    part: Part, content: Cleaned, names: dict[str, str], common: frozenset[int]
) -> tuple[CorpusDocument, int]:
    dropped = 0
    sections: list[CorpusSection] = []
    repeated = common & set(content.paragraphs)
    for one in content.sections:
        text, gone = _without(one.text, repeated) if repeated else (one.text, 0)
        dropped += gone
        tags = tuple(sorted({*one.tags, "boilerplate-removed"})) if gone else one.tags
        sections.append(replace(one, heading=_renamed(one.heading, names), text=_renamed(text, names), tags=tags))
    kind, tags = _kind(part.source, content)
    source = part.source
    language = source.declared or content.language
    if source.declared not in (None, content.language) and content.language is not None:
        tags = (*tags, f"declared-{source.declared}")
        language = content.language
    return (
        CorpusDocument(
            id=part.id,
            sha256=content.sha256,
            path=part.name,
            title=_renamed(content.title, names),
            licence=source.licence,
            consent=source.consent,
            language=language,
            variety=source.variety or content.variety,
            project=part.project,
            year=source.year,
            kind=kind,
            derived_from=source.derived_from,
            sections=tuple(without_empty(sections)),
            tags=tags,
            facts={name: _renamed(value, names) for name, value in content.facts.items()},
        ),
        dropped,
    )


def _kind(source: Source, content: Cleaned) -> tuple[DocumentKind, tuple[str, ...]]:
    """What was declared, unless a report turns out to be a thesis or a law."""
    if source.path.endswith(".fabai"):
        return "project", content.tags
    if content.looks is not None and source.kind in ("report", "memoria", "proposal", "call", "other"):
        if content.looks == source.kind or (source.kind == "call" and content.looks == "thesis"):
            return source.kind, content.tags
        if source.kind == "call":
            return "call", (*content.tags, "law")
        return content.looks, (*content.tags, f"declared-{source.kind}")
    return source.kind, content.tags


def _renamed(text: str, names: dict[str, str]) -> str:
    return REFERENCE.sub(
        lambda match: "{{" + names.get(f"{match[1]}_{match[2]}", f"{match[1]}_{match[2]}") + "}}", text
    )


def _without(text: str, repeated: frozenset[int]) -> tuple[str, int]:
    """The text without the paragraphs of those hashes, and how many they were."""
    kept = []
    gone = 0
    for block in blocks(text):
        piece = text[block.start : block.end]
        if block.kind == "paragraph" and paragraph_hash(piece) in repeated:
            gone += 1
        else:
            kept.append(piece)
    return "\n\n".join(kept), gone


def _entry(written: CorpusDocument) -> dict[str, Any]:
    return {
        "id": written.id,
        "sha256": written.sha256,
        "path": written.path,
        "title": written.title,
        "licence": written.licence,
        "consent": written.consent,
        "language": written.language,
        "variety": written.variety,
        "project": written.project,
        "year": written.year,
        "kind": written.kind,
        "derived_from": list(written.derived_from),
        "tags": list(written.tags),
        "sections": len(written.sections),
        "words": sum(count_words(one.text) for one in written.sections),
    }


def _replacements(written: CorpusDocument) -> Iterator[dict[str, Any]]:
    """What stands replaced in each section; section -1 is the title."""
    texts = [
        (-1, written.title),
        *((number, f"{one.heading}\n{one.text}") for number, one in enumerate(written.sections)),
    ]
    for number, text in texts:
        for (kind, count), times in Counter(REFERENCE.findall(text)).items():
            yield {"id": written.id, "section": number, "kind": kind, "key": f"{kind}_{count}", "count": times}


def write_lines(path: Path, lines: Iterable[dict[str, Any]]) -> None:
    """A .jsonl file, replaced by rename."""
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    document.write_bytes(path, text.encode("utf-8", "replace"))


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a .jsonl file, none where it is missing; UnreadableFile where one is no JSON."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        raise UnreadableFile(f"{path} is damaged: one of its lines is no JSON") from None
