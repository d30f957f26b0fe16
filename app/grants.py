"""The list of grants: what each is, how far it has come, how many days are left; new ones, and those put away.

Knows a project's frame. Does not know its texts.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

from fabai.dossier.lists import set_term
from fabai.dossier.period import carry, period_of
from fabai.dossier.written import typed_date
from fabai.errors import BadSetting, FabaiError
from fabai.form import built_in, find_form, in_language
from fabai.report import LANGUAGES, Language
from fabai.store.file import check_header
from fabai.store.project import Project

from .call import Answer, Call
from .said import said
from .terms import take_deadline


def listed(call: Call) -> Answer:
    """Every project, the one with the fewest days left first, those without a date last."""
    today = date.today()
    rows = [_row(call.space.path(name), name, call.language, today) for name in call.space.names()]
    rows.sort(key=lambda row: (row["days"] is None, row["days"] if row["days"] is not None else 0, row["title"]))
    return {"grants": rows}


def forms(call: Call) -> Answer:
    """What a new grant can be started from."""
    return {
        "forms": [
            {
                "id": form.id,
                "name": in_language(form.name, call.language),
                "languages": list(form.languages),
                "sections": len(form.sections),
                "own": form.own_sections,
                "source": form.source,
                "date": form.date,
                "notice": in_language(form.notice, call.language),
            }
            for form in built_in()
        ]
    }


def create(call: Call) -> Answer:
    """A new grant from a built-in template."""
    title = call.text("title").strip()
    if not title:
        raise BadSetting("give the grant a title: it is how you find it again")
    form = find_form(call.text("form"))
    language = call.report_language(form.languages[0])
    name = call.space.free_name(title)
    deadline = _date(call.text("deadline", ""))
    instructions = call.text("instructions", "")
    with Project.create(call.space.path(name), form, language, title, instructions) as project:
        if deadline:
            project.workbench.describe(deadline=deadline)
        take_deadline(project)
    return {"project": name}


def next_period(call: Call) -> Answer:
    """A grant for the period after another one: structure, texts to be reviewed, data, commitments, partners."""
    title = call.text("title").strip()
    if not title:
        raise BadSetting("give the grant a title: it is how you find it again")
    name = call.space.free_name(title)
    with call.project() as old:
        old.workbench.settle()
        number = call.number("period") if "period" in call.args else period_of(old) + 1
        project, carried = carry(old, call.space.path(name), number, title)
    with project:
        for term in ("start", "end"):
            if call.text(term, "").strip():
                set_term(project, term, call.text(term), call.shown)
        if deadline := _date(call.text("deadline", "")):
            project.workbench.describe(deadline=deadline)
        take_deadline(project)
    return {"project": name, "period": carried.period, "texts": carried.texts, "sections": carried.sections}


def describe(call: Call) -> Answer:
    """Change title, deadline or what the organisation asks of the whole report."""
    with call.project() as project:
        project.workbench.describe(
            title=call.text("title") if "title" in call.args else None,
            deadline=_date(call.text("deadline")) if "deadline" in call.args else None,
            instructions=call.text("instructions") if "instructions" in call.args else None,
        )
    call.tell("frame")
    return opened(call)


def opened(call: Call) -> Answer:
    """The frame of a project that a page opens."""
    with call.project() as project:
        form = project.form
        deadline = project.workbench.deadline()
        return {
            "project": call.name,
            "title": project.title,
            "form": in_language(form.name, call.language),
            "form_id": form.id,
            "notice": in_language(form.notice, call.language),
            "language": project.language,
            "instructions": project.instructions,
            "deadline": deadline,
            "days": _days(deadline, date.today()),
            "own": form.own_sections,
            "period": period_of(project),
            "notices": list(project.notices())[-20:],
        }


def discard(call: Call) -> Answer:
    """Put a grant away; its file stays in the workspace's bin."""
    call.space.discard(call.name)
    return listed(call)


def copy(call: Call) -> Answer:
    """A copy of a grant as it stands, under a name of its own."""
    with call.project() as project:
        name = call.space.free_name(f"{call.name}-copia")
        project.backup(call.space.path(name))
    return {"project": name}


def _row(path: Path, name: str, language: Language, today: date) -> Answer:
    """Read beside the open projects, so that a list of many costs little and locks nothing."""
    row: Answer = {"project": name, "title": name, "days": None, "deadline": "", "error": ""}
    try:
        check_header(path)
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2)) as db:
            meta = dict(db.execute("SELECT key, value FROM meta WHERE key IN ('title', 'language', 'deadline')"))
            form = db.execute("SELECT json_extract(value, '$.name') FROM meta WHERE key = 'form'").fetchone()
            sections = db.execute("SELECT status, count(*) FROM section WHERE in_report = 1 GROUP BY status").fetchall()
    except (FabaiError, sqlite3.Error) as error:
        return {**row, "error": said(str(error), language)}
    counts = dict(sections)
    title = meta.get("title", "")
    return {
        **row,
        "title": title or name,
        "form": _form_name(form, language),
        "language": meta.get("language", ""),
        "deadline": meta.get("deadline", ""),
        "days": _days(meta.get("deadline", ""), today),
        "sections": sum(counts.values()),
        "accepted": counts.get("accepted", 0),
        "written": counts.get("drafted", 0) + counts.get("imported", 0) + counts.get("accepted", 0),
        "changed": path.stat().st_mtime,
    }


def _form_name(row: tuple[str | None] | None, language: Language) -> str:
    import json

    names = json.loads(row[0]) if row is not None and row[0] else {}
    return in_language({key: str(value) for key, value in names.items() if key in LANGUAGES}, language)


def _days(deadline: str, today: date) -> int | None:
    return (date.fromisoformat(deadline) - today).days if deadline else None


def _date(text: str) -> str:
    return typed_date(text.strip()).isoformat() if text.strip() else ""
