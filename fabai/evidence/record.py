"""How AI was used for a report: the disclosure that funders ask for, and its annex.

Knows paragraphs, versions and the chained record. Tells counts of paragraphs, never who wrote or changed how many: no
statistic about a person is made here. Does not know files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabai import __version__
from fabai.evidence.table import inline, markdown_table
from fabai.evidence.trace import titles
from fabai.evidence.wording import EvidenceWords, evidence_words
from fabai.report import Report, Section
from fabai.store.project import Paragraph, Project, Version

_LOCAL = ("llamacpp", "transformers", "scripted", "embedded")
"""Writers that run on the machine itself; a server may stand elsewhere."""
_HASH = 16
_SHOWN = 120
"""Characters of a paragraph by which a person finds it."""


@dataclass(frozen=True, slots=True)
class _Used:
    """A section's paragraphs that go back to a model, and the versions that had them first."""

    paragraphs: int
    ai: tuple[Paragraph, ...]
    versions: tuple[Version, ...]


def disclosure(project: Project) -> str:
    """One paragraph, in the report's language: tool, models, extent, days, review."""
    words = evidence_words(project.language)
    used = _used(project)
    ai = [one for section in used.values() for one in section.ai]
    if not ai:
        return words.none
    versions = [version for section in used.values() for version in section.versions]
    days = sorted(version.made.created[:10] for version in versions)
    models = list(dict.fromkeys(_model_said(version, words) for version in versions))
    named = words.joined.join(part for part in (", ".join(models[:-1]), models[-1]) if part)
    local = all(version.made.writer in _LOCAL for version in versions)
    return words.paragraph.format(
        version=__version__,
        models=named,
        where=words.own if local else "",
        total=sum(section.paragraphs for section in used.values()),
        ai=len(ai),
        when=(words.on if days[0] == days[-1] else words.between).format(first=days[0], last=days[-1]),
        reviewed=sum(one.reviewed_by is not None for one in ai),
    )


def annex(project: Project) -> Report:
    """The disclosure, a row for each section with a model's text, and the head of the chained record."""
    words = evidence_words(project.language)
    used = _used(project)
    parts = [inline(disclosure(project))]
    rows = [list(words.rows)]
    named = titles(project.report())
    for section_id, one in used.items():
        if one.ai:
            rows.append(_row(named[section_id], one))
    if len(rows) > 1:
        parts.append(markdown_table(rows, (14, 8, 8, 8, 14, 10, 14, 16, 10)))
    verdict = project.verify_record()
    if verdict.rows:
        parts.append(inline(words.chain.format(rows=verdict.rows, head=verdict.head)))
    if verdict.faults:
        parts.append(inline(words.broken.format(faults="; ".join(verdict.faults[:3]))))
    return Report(words.record, project.language, (Section("s1", "", 0, "\n\n".join(parts)),))


def by_paragraph(project: Project) -> list[list[str]]:
    """The head and a row of text for each paragraph that goes back to a model, hashes whole; the chain's head last."""
    words = evidence_words(project.language)
    named = titles(project.report())
    rows = [list(words.paragraphs)]
    for section_id, used in _used(project).items():
        versions = {version.id: version for version in used.versions}
        for one in used.ai:
            version = versions.get(one.version)
            rows.append(
                [
                    named[section_id],
                    " ".join(one.text.split())[:_SHOWN],
                    one.hash,
                    *(("", "") if version is None else model_and_release(version)),
                    "" if version is None else str(version.made.settings.get("prompt") or ""),
                    one.window,
                    "" if version is None else _sampling(version.made.settings),
                    "" if version is None else version.made.created,
                    words.yes if one.edited else "",
                    one.reviewed or "",
                ]
            )
    rows.append([words.head, *[""] * (len(rows[0]) - 2), project.verify_record().head])
    return rows


def _used(project: Project) -> dict[str, _Used]:
    found = {}
    for section in project.report():
        paragraphs = project.paragraphs(section.id)
        ai = tuple(one for one in paragraphs if one.origin == "ai")
        wanted = {one.version for one in ai}
        versions = {version.id: version for version in project.versions(section.id)} if wanted else {}
        elsewhere = wanted - versions.keys()
        if elsewhere:
            # a paragraph that was moved here was first written in another section
            versions |= {version.id: version for other in project.report() for version in project.versions(other.id)}
        ones = tuple(versions[one] for one in sorted(wanted) if one in versions)
        found[section.id] = _Used(len(paragraphs), ai, ones)
    return found


def _row(title: str, one: _Used) -> list[str]:
    models = [model_and_release(version) for version in one.versions]
    return [
        title,
        str(one.paragraphs),
        str(len(one.ai)),
        str(sum(paragraph.reviewed_by is not None for paragraph in one.ai)),
        _each(model for model, _ in models),
        _each(release for _, release in models),
        _each((version.made.window or "")[:_HASH] for version in one.versions),
        _each(_settings(version.made.settings) for version in one.versions),
        _each(version.made.created[:10] for version in one.versions),
    ]


def model_and_release(version: Version) -> tuple[str, str]:
    """Model and Release of a version; writers are named "llamacpp:qwen3-4b+memorias-2026:mark"."""
    parts = (version.made.model or version.made.writer).split(":")
    name, _, adapter = (parts[1] if len(parts) > 1 else parts[0]).partition("+")
    return name, str(version.made.settings.get("release") or adapter)


def _model_said(version: Version, words: EvidenceWords) -> str:
    name, release = model_and_release(version)
    return (words.release if release else words.model).format(name=name, release=release)


def _settings(settings: Mapping[str, object]) -> str:
    """What a text is made again with: sampling and window, and the prompt's wording."""
    prompt = settings.get("prompt")
    return ", ".join(part for part in (_sampling(settings), f"prompt {str(prompt)[:_HASH]}" if prompt else "") if part)


def _sampling(settings: Mapping[str, object]) -> str:
    shown: list[str] = []
    for group, keys in (("sampling", ("temperature", "top_p", "seed", "max_tokens")), ("window", ("mode", "cap"))):
        table = settings.get(group)
        if isinstance(table, Mapping):
            shown += [f"{key} {table[key]}" for key in keys if table.get(key) is not None]
    return ", ".join(shown)


def _each(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(text for text in texts if text))
