"""A body after elements were taken out of it: fields and bookmarks that lost one end are mended.

Knows what Word calls corrupt. Does not know why elements went.
"""

from __future__ import annotations

from fabai.formats.wordml import Element, W, remove

_FIELD_PARTS = (W + "fldChar", W + "instrText")


def mend_body(body: Element) -> None:
    """Take out, in place, field marks and bookmarks whose other end is gone."""
    _mend_fields(body)
    _mend_bookmarks(body)


def _mend_fields(body: Element) -> None:
    open_fields: list[list[Element]] = []
    loose: list[Element] = []
    for one in body.iter(*_FIELD_PARTS):
        if one.tag == W + "instrText":
            (open_fields[-1] if open_fields else loose).append(one)
            continue
        kind = one.get(W + "fldCharType")
        if kind == "begin":
            open_fields.append([one])
        elif not open_fields:
            loose.append(one)
        elif kind == "end":
            open_fields.pop()
        else:
            open_fields[-1].append(one)
    for one in [*loose, *(mark for field in open_fields for mark in field)]:
        remove(one)


def _mend_bookmarks(body: Element) -> None:
    starts: dict[str | None, Element] = {}
    ended: set[str | None] = set()
    for one in list(body.iter(W + "bookmarkStart", W + "bookmarkEnd")):
        identifier = one.get(W + "id")
        if one.tag == W + "bookmarkStart":
            starts[identifier] = one
        elif identifier in starts:
            ended.add(identifier)
        else:
            remove(one)
    for identifier, start in starts.items():
        if identifier not in ended:
            remove(start)
