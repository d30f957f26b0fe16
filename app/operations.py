"""Everything a page may ask for, by name. Nothing else can be called from outside.

Knows the names. Does not know what is done (the modules named here do) or how a request comes in (app.server).
"""

from __future__ import annotations

from collections.abc import Callable

from . import grants, handing, history, intake, material, outline, reading, sections, submission
from .call import Answer, Call

OPERATIONS: dict[str, Callable[[Call], Answer]] = {
    "grants": grants.listed,
    "forms": grants.forms,
    "create": grants.create,
    "describe": grants.describe,
    "open": grants.opened,
    "discard": grants.discard,
    "copy": grants.copy,
    "outline": outline.outline,
    "section": sections.opened,
    "paragraphs": sections.paragraphs,
    "save": sections.save,
    "take": sections.take,
    "settle": sections.settle,
    "keep": sections.keep,
    "lock": sections.lock,
    "accept": sections.accept,
    "review": sections.review,
    "draft": sections.draft,
    "draft-all": sections.draft_all,
    "rewrite": sections.rewrite,
    "stop": sections.stop,
    "questions": sections.asked,
    "answer": sections.answered,
    "findings": sections.findings,
    "versions": history.listed,
    "version": history.text,
    "compare": history.compared,
    "diff": history.two,
    "restore": history.restored,
    "label": history.labelled,
    "facts": material.facts,
    "set-fact": material.set_fact,
    "remove-fact": material.remove_fact,
    "decide": material.decide,
    "sources": material.sources,
    "source": material.source,
    "notes": material.notes,
    "add-note": material.add_note,
    "close-note": material.close_note,
    "window": reading.drawn,
    "pin": reading.pin,
    "save-import": intake.save,
    "fields": submission.fields,
    "tick": submission.tick,
    "pages": submission.pages,
    "export": submission.export,
    "package": handing.package,
    "record": handing.record,
}
