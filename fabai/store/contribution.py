"""Sections put below another one of the report: what somebody wrote under headings of their own.

Knows order, levels and ids. Does not know whose text it is.
"""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Sequence

from fabai.report import Section, fold
from fabai.store import versions
from fabai.store.record import Made
from fabai.store.unicode import line


def add_below(
    db: sqlite3.Connection, section_id: str, new: Sequence[tuple[int, str, str]], made: Made
) -> tuple[str, ...]:
    """Put (levels deeper, heading, text) below a section, behind what stands there; returns the ids in order.

    A heading that stands there already takes the text as a new version; one that the report has elsewhere is told apart
    by the heading above it, so that no heading stands twice.
    """
    owner = versions.section(db, section_id)
    present = list(versions.sections(db, True))
    start = next(index for index, one in enumerate(present) if one.id == section_id)
    end = start + 1
    while end < len(present) and present[end].level > owner.level:
        end += 1
    inside = {(fold(one.heading), one.level): one.id for one in present[start + 1 : end]}
    elsewhere = {fold(one.heading) for one in (*present[: start + 1], *present[end:])}
    taken = {one.id for one in (*present, *versions.sections(db, False))}
    fresh = (f"s{number}" for number in itertools.count(1) if f"s{number}" not in taken)
    ids: list[str] = []
    added: list[Section] = []
    used: set[str] = set()
    for deeper, heading, text in new:
        level = min(owner.level + max(1, deeper), 9)
        heading = line(heading)
        qualified = f"{heading} ({owner.heading})" if fold(heading) in elsewhere else heading
        known = inside.get((fold(qualified), level))
        if known is None or known in used:
            number = 2
            unique = qualified
            while fold(unique) in {fold(one.heading) for one in added} | (
                {fold(qualified)} if known in used else set()
            ):
                unique = f"{qualified} ({number})"
                number += 1
            known = next(fresh)
            added.append(Section(known, unique, level))
        used.add(known)
        ids.append(known)
        if known in {one.id for one in added}:
            versions.add_sections(db, [added[-1]])
        if text.strip():
            versions.save(db, known, text, made, partial=False)
    order = [*(one.id for one in present[:end]), *(one.id for one in added), *(one.id for one in present[end:])]
    for position, one in enumerate(order):
        db.execute("UPDATE section SET position = ?, in_report = 1 WHERE id = ?", (position, one))
    return tuple(ids)
