"""What a report is written from, as the pages show it: verified data, sources, notes of colleagues, pictures.

Knows what may be changed and who is told. Does not know how documents are read (app.intake).
"""

from __future__ import annotations

import dataclasses
from hashlib import sha256
from typing import Any

from fabai.errors import BadSetting
from fabai.ledger import Fact

from .call import Answer, Call
from .places import Places

PICTURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF8": "gif", b"RIFF": "webp"}
"""First bytes of the pictures that a report may hold; others are refused, SVG too, which can carry scripts."""


def facts(call: Call) -> Answer:
    """The verified data, and those that wait for somebody to confirm them."""
    with call.project() as project:
        places = Places.of(project)
        return {
            "facts": [_fact(one, places) for one in project.ledger()],
            "proposals": [
                {"id": one.id, "context": one.context, **_fact(one.fact, places)} for one in project.proposals()
            ],
        }


def _fact(one: Fact, places: Places) -> dict[str, Any]:
    """With where it was read from, as a page can open it."""
    return {**dataclasses.asdict(one), **places.of_origin(one.origin)}


def set_fact(call: Call) -> Answer:
    """Add a datum or change one."""
    with call.project() as project:
        name, value, source = (call.text(key).strip() for key in ("name", "value", "source"))
        old = project.ledger().get(name)
        fact = Fact(name, value, source, confirmed_by=call.shown)
        if old is not None:
            fact = dataclasses.replace(old, value=value, source=source, confirmed_by=call.shown)
        project.set_fact(fact)
    changed(call, "facts")
    return facts(call)


def remove_fact(call: Call) -> Answer:
    with call.project() as project:
        project.remove_fact(call.text("name"))
    changed(call, "facts")
    return facts(call)


def decide(call: Call) -> Answer:
    """Proposed data are confirmed, or are none."""
    with call.project() as project:
        wanted = set(call.numbers("ids"))
        found = {one.id: one.fact for one in project.proposals() if one.id in wanted}
        if call.flag("confirmed"):
            if not call.shown:
                raise BadSetting("say who you are first: your name stands under what you confirm")
            project.confirm(found, call.shown)
        else:
            project.reject(found, call.shown)
    changed(call, "facts")
    return facts(call)


def sources(call: Call) -> Answer:
    """The documents, without their texts."""
    with call.project() as project:
        ones = [
            {"id": one.id, "name": one.name, "kind": one.kind, "words": len(one.text.split())}
            for one in project.sources()
        ]
        imported = project.imported()
        return {"sources": ones, "report": "" if imported is None else imported.filename}


def source(call: Call) -> Answer:
    """The text of a document, as it was read."""
    with call.project() as project:
        found = {one.id: one for one in project.sources()}
        one = found.get(call.number("id"))
        if one is None:
            raise BadSetting("this document is not here any more: reload the page")
        return {"name": one.name, "text": one.text}


def notes(call: Call) -> Answer:
    with call.project() as project:
        return {"notes": [dataclasses.asdict(one) for one in project.workbench.notes()]}


def add_note(call: Call) -> Answer:
    with call.project() as project:
        project.workbench.add_note(call.text("section"), call.shown or "—", call.text("text"), call.text("quote", ""))
    call.tell("notes")
    return notes(call)


def close_note(call: Call) -> Answer:
    with call.project() as project:
        project.workbench.close_note(call.number("id"), call.flag("done"))
    call.tell("notes")
    return notes(call)


def add_picture(call: Call, data: bytes) -> str:
    """Keep a picture that was pasted or dropped; its name for the Markdown."""
    kind = picture_kind(data)
    if kind is None:
        raise BadSetting("this is no picture that a report can hold: take PNG, JPEG, GIF or WebP")
    name = f"media/{sha256(data).hexdigest()[:12]}.{kind}"
    with call.project() as project:
        return project.workbench.add_media(name, data)


def picture(call: Call, name: str) -> tuple[bytes, str] | None:
    """A picture of the project and its kind, None where there is none or it is of another kind."""
    with call.project() as project:
        data = project.workbench.one_media(name)
    kind = None if data is None else picture_kind(data)
    return None if data is None or kind is None else (data, f"image/{kind}")


def picture_kind(data: bytes) -> str | None:
    return next((kind for first, kind in PICTURES.items() if data.startswith(first)), None)


def changed(call: Call, kind: str) -> None:
    """Something that texts are held against changed: pages are told, and the findings looked up anew."""
    call.tell(kind)
    call.house.watch.look(call.space, call.name, call.place)
