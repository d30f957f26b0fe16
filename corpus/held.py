"""Past reports of a corpus as their writers had them before the text: form, headings, facts and sources, for whoever
drafts them again to see how well that goes.

Knows how a Brief is rebuilt, the same way as for examples. Does not know models or what is measured.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from fabai.settings import ExampleSettings

from .briefs import PastBrief, past_brief
from .commons import commons, own_words
from .document import documents, place, read_document, read_manifest
from .reader import ModelReader
from .split import read_split

_SOURCES = ("proposal", "call")


def briefs(
    folder: Path,
    wanted: Collection[str],
    model: Path,
    cap: int,
    settings: ExampleSettings = ExampleSettings(),  # noqa: B008  (frozen)
) -> Iterator[tuple[str, PastBrief]]:
    """(id, Brief) of each wanted document that the corpus has, in its order. model: whose tokens fill `cap`."""
    entries = read_manifest(folder)["documents"]
    reader = ModelReader(model)
    shared = commons(documents(folder), settings)
    split = read_split(folder)
    for entry in entries:
        if entry["id"] not in wanted:
            continue
        document = read_document(place(folder, entry["id"]))
        if document.language is None:
            continue
        sources = [
            read_document(place(folder, one["id"]))
            for one in entries
            if one["project"] == entry["project"] and one["kind"] in _SOURCES and one["id"] != entry["id"]
        ]
        yield (
            document.id,
            past_brief(
                document,
                document.language,
                room=int(settings.ledger * cap),
                count=reader.count,
                vocabulary=shared.vocabulary | own_words(document),
                others=shared.others(document.project, document.language),
                sources=sources,
                left_out=() if split is None else split.left_out.get(document.id, ()),
                settings=settings,
            ),
        )
