"""One section at work: opened, saved over what it was typed over, locked, accepted, reviewed, written by a model.

Knows the order of the steps. Does not know the editor, models or tables.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from fabai.errors import BadSetting, UsageError
from fabai.lock.switch import switch
from fabai.remembered import forget
from fabai.rewriting import WISHES
from fabai.store.project import Project
from fabai.store.record import Made
from fabai.store.workbench import Standing

from . import figurelock, outline
from .call import Answer, Call
from .evidence import answer, evidence, questions
from .words import words


def opened(call: Call) -> Answer:
    """All that the writing screen shows of a section."""
    with call.project() as project:
        section_id = call.text("section")
        report = project.report()
        section = report.sections[report.index(section_id)]
        standing = project.workbench.standing(section_id)
        return {
            **_standing(standing),
            "heading": section.heading,
            "number": report.numbers()[report.index(section_id)],
            "counts": outline.counts(call, project, report, section),
            "locked": list(project.workbench.locked(section_id)),
            "figures_only": _figures_only(call, project, section_id),
            **outline.guidance(project, section),
        }


def paragraphs(call: Call) -> Answer:
    """Who wrote each paragraph and who stands up for it."""
    with call.project() as project:
        ones = project.paragraphs(call.text("section"))
        return {
            "paragraphs": [
                {
                    "text": one.text,
                    "hash": one.hash,
                    "origin": one.origin,
                    "edited": one.edited,
                    "model": one.model,
                    "reviewed_by": one.reviewed_by,
                    "reviewed": one.reviewed,
                }
                for one in ones
            ]
        }


def save(call: Call) -> Answer:
    """Keep what was typed. clash: somebody changed the section meanwhile; then both texts are in the answer."""
    with call.project() as project:
        section_id, text = call.text("section"), call.text("text")
        before = _before(project, section_id, text)
        standing = project.workbench.edit(section_id, text, call.text("token"), call.shown)
        return _saved(call, project, standing, text, before)


def take(call: Call) -> Answer:
    """Keep a text that a model had a hand in, offered as a version, so that its paragraphs say who wrote them."""
    with call.project() as project:
        section_id, text = call.text("section"), call.text("text")
        before = _before(project, section_id, text)
        offered = {one.id: one for one in project.versions(section_id)}
        version = offered.get(call.number("version"))
        if version is None:
            raise UsageError("this draft is not among the section's versions: reload the page")
        settings = {**version.made.settings, "taken": version.id, "by": call.shown}
        made = Made(version.made.writer, version.made.model, version.made.window, settings)
        standing = project.workbench.write(section_id, text, made, call.text("token"))
        return _saved(call, project, standing, text, before)


def settle(call: Call) -> Answer:
    """Make a version of what was typed: the person leaves the section, or asks for it."""
    with call.project() as project:
        made = project.workbench.settle(call.text("section"))
        return {"version": made[0].number if made else None}


def keep(call: Call) -> Answer:
    """A text that a person typed and did not choose stays among the versions."""
    with call.project() as project:
        made = Made("person", settings={"by": call.shown, "note": words(call.language)["kept_clash"]})
        version = project.workbench.offer(call.text("section"), call.text("text"), made)
        return {"version": version.number}


def lock(call: Call) -> Answer:
    """Lock or release a paragraph."""
    with call.project() as project:
        section_id = call.text("section")
        project.workbench.set_locked(section_id, call.text("paragraph"), call.flag("locked"))
        call.tell("section", section=section_id)
        return {"locked": list(project.workbench.locked(section_id))}


def figures_only(call: Call) -> Answer:
    """Write a section with verified figures only from now on, or as it comes."""
    if call.flag("on") and call.house.jobs.locks is False:
        raise BadSetting(
            "this model cannot keep to verified figures: write the section without, or ask for another model"
        )
    with call.project() as project:
        section_id = call.text("section")
        switch(project, section_id, call.flag("on"))
        call.tell("section", section=section_id)
        return _figures_only(call, project, section_id)


def accept(call: Call) -> Answer:
    """The section is done, or is to be worked on again."""
    with call.project() as project:
        section_id = call.text("section")
        if call.flag("accepted"):
            project.workbench.approve(section_id, call.shown)
        else:
            project.workbench.reopen(section_id)
        call.tell("section", section=section_id)
        return _standing(project.workbench.standing(section_id))


def review(call: Call) -> Answer:
    """A person stands up for a paragraph, or for the whole section with an empty hash."""
    if not call.shown:
        raise BadSetting("say who you are first: your name stands under what you review")
    with call.project() as project:
        section_id = call.text("section")
        project.workbench.settle(section_id)
        project.review(section_id, call.text("hash"), call.shown)
    call.tell("section", section=section_id)
    return paragraphs(call)


def draft(call: Call) -> Answer:
    """Have the model write a section; the answer comes at once, the text by the stream of events."""
    with call.project() as project:
        project.workbench.settle(call.text("section"))
    job = call.house.jobs.draft(call.space, call.name, call.text("section"), call.shown)
    return {"job": job.shown()}


def draft_all(call: Call) -> Answer:
    """Have the model write every section without text, in the background."""
    with call.project() as project:
        report = project.report()
        project.workbench.settle()
        empty = [one.id for one in report if one.level > 0 and not one.text.strip()]
    if not empty:
        raise BadSetting("every section has a text already: open one and ask for another draft there")
    job = call.house.jobs.draft_empty(call.space, call.name, empty, call.shown)
    return {"job": job.shown()}


def rewrite(call: Call) -> Answer:
    """Have the model change a text: shorten, expand, continue, or as the instruction says."""
    wish = next((one for one in WISHES if one == call.text("wish")), None)
    text = call.text("text")
    if wish is None:
        raise UsageError("the page asked for something unknown: reload it")
    if not text.strip() and wish != "proceed":
        raise BadSetting("there is no text to change yet: write something, or ask for a draft")
    if wish == "rewrite" and not call.text("instruction", "").strip():
        raise BadSetting("say how the text should change: shorter sentences, another order, a missing point")
    with call.project() as project:
        project.workbench.settle(call.text("section"))
        if call.flag("selection") and any(one in text for one in project.workbench.locked(call.text("section"))):
            raise BadSetting("the selection holds a locked paragraph: release it first, or select around it")
    job = call.house.jobs.rewrite(
        call.space,
        call.name,
        call.text("section"),
        call.shown,
        wish,
        text,
        call.flag("selection"),
        call.text("instruction", ""),
        call.house.pages.budget(call.place, call.text("section")),
    )
    return {"job": job.shown()}


def stop(call: Call) -> Answer:
    """End a writing; what came until then is kept."""
    call.house.jobs.stop(call.place, call.number("job"))
    return {}


def asked(call: Call) -> Answer:
    """The questions of a section, and what is known for it."""
    with call.project() as project:
        report = project.report()
        section = report.sections[report.index(call.text("section"))]
        found = evidence(project, report, section)
        most = call.house.settings.questions
        return {
            "questions": questions(section, project, words(project.language), most),
            "passages": list(found.passages),
            "facts": list(found.facts),
        }


def answered(call: Call) -> Answer:
    """Answers become verified data; those left empty are asked again another time."""
    with call.project() as project:
        report = project.report()
        section = report.sections[report.index(call.text("section"))]
        said = words(project.language)["source_person"].format(who=call.shown or "—")
        proof = call.text("proof", "").strip() or said
        for one in call.several("answers"):
            if str(one.get("value", "")).strip():
                answer(project, section, str(one.get("name", "")), str(one["value"]), call.shown, proof)
    call.tell("facts")
    call.tell("section", section=section.id)
    call.house.watch.look(call.space, call.name, call.place)
    return asked(call)


def _saved(call: Call, project: Project, standing: Standing, text: str, before: str) -> Answer:
    if standing.text != text:
        return {**_standing(standing), "clash": True}
    if before != text:
        # a day's typing would be kept letter by letter
        forget(before)
        call.house.plain.forget(before)
    report = project.report()
    section = report.sections[report.index(standing.section)]
    call.tell("section", section=standing.section, token=standing.token)
    call.house.watch.look(call.space, call.name, call.place)
    return {**_standing(standing), "clash": False, "counts": outline.counts(call, project, report, section)}


def _standing(one: Standing) -> dict[str, Any]:
    return dataclasses.asdict(one)


def _figures_only(call: Call, project: Project, section_id: str) -> Answer:
    """able: whether the model can keep to the figures, None while none is loaded."""
    on, figures = figurelock.chosen(project, section_id), figurelock.figures(project)
    return {"on": on, "figures": figures, "able": call.house.jobs.locks}


def _before(project: Project, section_id: str, text: str) -> str:
    """What a text is saved over. A locked paragraph stands in every text that is saved, whatever the page says."""
    before = project.workbench.standing(section_id).text
    for one in project.workbench.locked(section_id):
        if one in before and one not in text:
            raise BadSetting("a locked paragraph was changed: undo that, or release it first")
    return before
