"""Everything a page may ask for, by name. Nothing else can be called from outside.

Knows the names. Does not know what is done (the modules named here do) or how a request comes in (app.server).
"""

from __future__ import annotations

from collections.abc import Callable

from . import dossier, findings, grants, handing, history, material, outline, reading, sections, submission
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
    "figures-only": sections.figures_only,
    "stop": sections.stop,
    "questions": sections.asked,
    "answer": sections.answered,
    "findings": findings.listed,
    "put-aside": findings.put_aside,
    "take-up": findings.taken_up,
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
    "fields": submission.fields,
    "tick": submission.tick,
    "pages": submission.pages,
    "export": submission.export,
    "missing": handing.missing,
    "package": handing.package,
    "presented": handing.presented,
    "presented-file": handing.presented_file,
    "evidence": handing.evidence,
    "record": handing.record,
    **dossier.OPERATIONS,
}
