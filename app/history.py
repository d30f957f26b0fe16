"""The versions of a section: who wrote each, what differs, bringing one back, giving it a name.

Knows how two texts are laid side by side. Does not know how versions are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from fabai.draft import note
from fabai.errors import FabaiError
from fabai.releases import wrote
from fabai.store.record import Version

from .call import Answer, Call
from .remarks import remark
from .rewriting import paragraphs

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")
_MOST = 4_000  # words of a pair of paragraphs; longer ones are shown whole


def listed(call: Call) -> Answer:
    """Every version of a section, newest first, without their texts."""
    with call.project() as project:
        labels = project.workbench.labels()
        standing = project.workbench.standing(call.text("section"))
        ones = project.versions(call.text("section"))
        releases = {model: release_of(model) for model in {one.made.model for one in ones} if model}
        rows = [
            _row(one, labels.get(one.id, ""), one.text == standing.text, releases.get(one.made.model or "", ""))
            for one in reversed(ones)
        ]
        return {"versions": rows, "typed_by": standing.author, "typed": standing.changed}


def text(call: Call) -> Answer:
    """One version's text."""
    with call.project() as project:
        found = {one.id: one for one in project.versions(call.text("section"))}
        return {"text": found[call.number("version")].text if call.number("version") in found else ""}


def compared(call: Call) -> Answer:
    """A version beside the text that stands, paragraph by paragraph."""
    with call.project() as project:
        found = {one.id: one for one in project.versions(call.text("section"))}
        old = found[call.number("version")].text if call.number("version") in found else ""
        new = project.workbench.standing(call.text("section")).text
    return {"rows": list(rows_of(old, new))}


def two(call: Call) -> Answer:
    """Two texts that the page has, side by side."""
    return {"rows": list(rows_of(call.text("old"), call.text("new")))}


def restored(call: Call) -> Answer:
    """An old version is the section's text again; what stood there is a version too."""
    with call.project() as project:
        project.restore(call.number("version"))
        call.tell("section", section=call.text("section"))
    return listed(call)


def labelled(call: Call) -> Answer:
    """A version gets a name, or loses it."""
    with call.project() as project:
        project.workbench.label(call.number("version"), call.text("label"))
    return listed(call)


def rows_of(old: str, new: str) -> Iterator[dict[str, Any]]:
    """Pairs of paragraphs: same, changed (with the pieces that differ), gone, added."""
    before, after = paragraphs(old), paragraphs(new)
    for kind, a, b, c, d in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from ({"kind": "same", "old": [["", one]], "new": [["", one]]} for one in before[a:b])
            continue
        pairs = max(b - a, d - c)
        for index in range(pairs):
            left = before[a + index] if a + index < b else None
            right = after[c + index] if c + index < d else None
            yield _pair(left, right)


def _pair(left: str | None, right: str | None) -> dict[str, Any]:
    if left is None or right is None:
        kind = "added" if left is None else "gone"
        return {
            "kind": kind,
            "old": [] if left is None else [["-", left]],
            "new": [] if right is None else [["+", right]],
        }
    a, b = _TOKEN.findall(left), _TOKEN.findall(right)
    if max(len(a), len(b)) > _MOST:
        return {"kind": "changed", "old": [["-", left]], "new": [["+", right]]}
    old: list[list[str]] = []
    new: list[list[str]] = []
    for kind, i, j, k, m in SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes():
        same = kind == "equal"
        if i < j:
            old.append(["" if same else "-", "".join(a[i:j])])
        if k < m:
            new.append(["" if same else "+", "".join(b[k:m])])
    return {"kind": "changed", "old": old, "new": new}


def release_of(model: str) -> str:
    """The name of the Release that a model's name speaks of, "" where it speaks of none or the list cannot be read."""
    try:
        found = wrote(model)
    except FabaiError:
        return ""
    return "" if found is None else found.name


def _row(one: Version, label: str, current: bool, release: str) -> dict[str, Any]:
    by = one.made.settings.get("by", "")
    return {
        "id": one.id,
        "number": one.number,
        "words": one.words,
        "status": one.status,
        "partial": one.partial,
        "writer": one.made.writer,
        "model": one.made.model or "",
        "release": release,
        "lock": bool(one.made.settings.get("lock")),
        "by": by if isinstance(by, str) else "",
        "created": one.made.created,
        "note": remark(note(one)),
        "label": label,
        "current": current,
    }
