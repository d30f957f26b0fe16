"""The fixed parts of a section's prompt, in words: from form, ledger and outline to `Parts`.

Knows the order of sentences. Does not know what fits, nor the text of any section. No date, hour or counter enters a
prompt: the same project gives the same bytes on every day.
"""

from __future__ import annotations

from collections.abc import Sequence

from fabai.form import Form, Limit, SectionSpec, in_language
from fabai.ledger import Ledger
from fabai.message import Message
from fabai.prompt.wording import Wording, wording
from fabai.report import Language, Report
from fabai.window import layout
from fabai.window.candidates import heading_lines
from fabai.window.parts import Parts
from fabai.window.piece import Window
from fabai.window.shown import fenced, quoted, shown


def parts(
    report: Report,
    section_id: str,
    *,
    form: Form | None = None,
    ledger: Ledger | None = None,
    instructions: str = "",
    written: str = "",
) -> Parts:
    """The fixed parts for one section, in the report's language. instructions: what the project asks of the whole
    report. written: the end of the section's own text, where what follows it is asked for.
    """
    language = report.language
    words = wording(language)
    position = report.index(section_id)
    spec = form.spec(report.sections[position].spec) if form is not None else None
    return Parts(
        language=language,
        labels=words.labels,
        rules=words.rules.strip(),
        form=_form(report, form, instructions, words),
        glossary=words.form.glossary.format(text="\n".join(f"- {term}" for term in words.glossary)),
        # who confirmed a fact and where it stands is no business of a prompt, nor of the window's state
        ledger=ledger.bare if ledger is not None else Ledger(),
        guidance=_guidance(form, spec, words, language) if form is not None and spec is not None else "",
        instruction=_instruction(report, section_id, words, written),
        needs=spec.needs if spec is not None else (),
    )


def messages(window: Window, language: Language) -> list[Message]:
    """The chat messages of a window: what the writer is sent, and what an example is trained on."""
    return layout.messages(window.pieces, wording(language).labels)


def limit_text(limits: Sequence[Limit], language: Language, form: Form) -> str:
    """The limits in words, "" where there are none: "como máximo 300 palabras". form: names what a limit leaves out."""
    ones = (limit for limit in limits if not limit.languages or language in limit.languages)
    return "; ".join(_limit(limit, language, form) for limit in ones)


def _form(report: Report, form: Form | None, instructions: str, words: Wording) -> str:
    # the form's rules speak to the person who hands the report in (deadlines, copies, signatures), not to its text
    lines = [words.form.report.format(title=quoted(report.title))] if report.title.strip() else []
    if form is not None and form.own_sections:
        lines.append(words.form.form.format(form=shown(in_language(form.name, report.language))))
    if instructions.strip():
        lines.append(words.form.instructions.format(text=shown(instructions)))
    return "\n".join(lines)


def _guidance(form: Form, spec: SectionSpec, words: Wording, language: Language) -> str:
    lines: list[str] = []
    for template, texts in ((words.form.guidance, spec.guidance), (words.form.criteria, spec.criteria)):
        if text := shown(in_language(texts, language)):
            lines.append(template.format(text=text))
    lines.extend(words.form.table.format(text=shown(in_language(table.described(), language))) for table in spec.tables)
    if limits := limit_text(spec.limits, language, form):
        lines.append(words.form.limit.format(text=limits))
    return "\n".join(lines)


def _limit(limit: Limit, language: Language, form: Form) -> str:
    words = wording(language).limits
    bounds = (limit.minimum is not None, limit.maximum is not None)
    pattern = {(True, False): words.minimum, (False, True): words.maximum, (True, True): words.between}[bounds]
    text = pattern.format(low=limit.minimum, high=limit.maximum, unit=words.units[limit.unit])
    excluded = [shown(in_language(spec.heading, language)) for spec in form.sections if spec.id in limit.excludes]
    return text + (words.excludes.format(text=", ".join(excluded)) if excluded else "")


def _instruction(report: Report, section_id: str, words: Wording, written: str) -> str:
    lines = heading_lines(report)
    above = report.ancestors(section_id)
    under = words.instruction.under.format(heading=quoted(lines[report.index(above[-1].id)])) if above else ""
    heading = quoted(lines[report.index(section_id)] or report.title)
    if written:
        begun = words.instruction.begun.format(text=fenced(written))
        asked = words.instruction.go_on.format(heading=heading, under=under)
        return f"{begun}\n\n{asked}\n{words.instruction.rest}"
    return f"{words.instruction.write.format(heading=heading, under=under)}\n{words.instruction.closing}"
