"""What a report may cite, as the pages show it: references brought from a bibliography, and the style of citations.

Knows how a reference is named in a line. Does not know how bibliographies are read or how citations are worded in the
document (fabai.dossier.references, fabai.formats.bibliography).
"""

from __future__ import annotations

from pathlib import Path

from fabai.dossier.publication import Publication
from fabai.dossier.publications import works_of
from fabai.dossier.references import add_references, keep_style, literature, read_references

from .call import Answer, Call


def listed(call: Call) -> Answer:
    """Every reference by its words: key, short as in a sentence, whole; styled: a style was brought."""
    with call.project() as project:
        found = literature(project)
    rows = [
        {"key": key, "short": _short(one) or key, "words": one.citation() or key}
        for key, one in works_of(found).items()
    ]
    return {"references": sorted(rows, key=lambda row: row["words"].casefold()), "styled": bool(found.style)}


def add_file(call: Call, path: Path) -> Answer:
    """Take a bibliography in; a record whose key is known takes its new content."""
    read = read_references(path)
    with call.project() as project:
        new, replaced = add_references(project, read.entries)
    call.tell("references")
    count = len(read.entries)
    return {
        "filename": path.name, "count": count, "new": new, "replaced": replaced, "notices": list(read.notices),
    }  # fmt: skip


def add_style(call: Call, path: Path) -> Answer:
    """Word the citations of all further documents by a CSL style."""
    with call.project() as project:
        keep_style(project, path)
    call.tell("references")
    return {"filename": path.name, "notices": []}


def _short(one: Publication) -> str:
    """'García et al., 2021'."""
    families = [author.partition(",")[0] for author in one.authors]
    people = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
    return ", ".join(part for part in (people or one.title[:40], str(one.year or "")) if part)
