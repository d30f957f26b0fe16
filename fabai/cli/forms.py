"""`fabai forms`: the built-in forms, each rule with its source and date; a form proposed from a funder's own document;
a form looked over.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
from pathlib import Path
from typing import Any

from fabai.cli import show
from fabai.demands import Deadline
from fabai.errors import UsageError
from fabai.form import Form, Limit, built_in, find_form, in_language
from fabai.report import LANGUAGES, Language

FAULTS = 3
_TEMPLATES = (".docx", ".docm", ".doc", ".odt", ".rtf")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs="*",
        metavar="FORM | new FROM.docx|.doc|.pdf | lint FORM|FILE.toml",
        help="one form with its sections and rules; 'new': propose a form from a funder's document; 'lint': "
        "look one over",
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of names and rules (default: en)")
    parser.add_argument("-o", "--output", metavar="FILE.toml", type=Path, help="with new: the file to write")
    parser.add_argument("--part", metavar="WORDS", help="with new: the template whose title has these words")
    parser.add_argument(
        "--call", action="store_true", help="with new: a Word file is a call, not the template to fill in"
    )
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    words = list(args.words)
    if words[:1] == ["new"] and len(words) == 2:
        return _new(Path(words[1]), args)
    if words[:1] == ["lint"] and len(words) == 2:
        return _lint(find_form(words[1]), args.json)
    if len(words) > 1 or words in (["new"], ["lint"]):
        raise UsageError("give one form, or: fabai forms new FROM.docx, fabai forms lint FORM")
    if args.output is not None or args.part is not None or args.call:
        raise UsageError("-o, --part and --call go with: fabai forms new FROM.docx")
    if not words:
        _all(built_in(), args.lang, args.json)
    else:
        _one(find_form(words[0]), args.lang, args.json)
    return 0


def _new(source: Path, args: argparse.Namespace) -> int:
    from fabai.call.proposal import propose
    from fabai.call.written import toml
    from fabai.cli.outfile import write
    from fabai.formats.read import read

    document = read(source)
    template = source.suffix.lower() in _TEMPLATES and not args.call
    found = propose(document, source.name, template=template, part=args.part, today=datetime.date.today())
    chosen = found[0]
    text = toml(chosen.form, chosen.proofs, chosen.doubts)
    output = args.output if args.output is not None else source.with_suffix(".toml").with_name(f"{chosen.form.id}.toml")
    backup = write(output, text.encode())
    others = [one.part for one in found[1:]]
    if args.json:
        show.as_json(
            {
                "file": str(output),
                "form": chosen.form.id,
                "sections": len(chosen.form.sections),
                "read": [{"what": one.what, "quote": one.quote} for one in chosen.proofs],
                "doubts": list(chosen.doubts),
                "other_parts": others,
            }
        )
        return 0
    for proof in chosen.proofs:
        if not proof.what.startswith("section "):
            show.paragraph(f"{proof.what}: '{proof.quote[:110]}'")
    for doubt in chosen.doubts:
        show.notice(f"to settle: {doubt}")
    for other in others:
        show.notice(f"the document holds another template: --part '{other}'")
    if backup is not None:
        show.notice(f"{output.name} held something else; that file is kept as {backup.name}")
    show.say(
        f"{show.one_line(str(output))}: {len(chosen.form.sections)} sections; look at every line before you use it"
    )
    return 0


def _lint(form: Form, as_json: bool) -> int:
    from fabai.call.lint import lint

    found = lint(form, datetime.date.today())
    grave = any(one.grave for one in found)
    if as_json:
        faults = [{"where": one.where, "sentence": one.sentence, "grave": one.grave} for one in found]
        show.as_json({"form": form.id, "ok": not grave, "faults": faults})
    else:
        for one in found:
            show.paragraph(f"{one.where}: {'' if one.grave else 'note: '}{one.sentence}")
        show.say(f"{form.id}: {sum(one.grave for one in found)} to fix, {sum(not one.grave for one in found)} notes")
    return FAULTS if grave else 0


def _summary(form: Form, language: Language) -> dict[str, Any]:
    return {
        "id": form.id,
        "name": in_language(form.name, language),
        "languages": list(form.languages),
        "source": form.source,
        "date": form.date,
    }


def _all(forms: tuple[Form, ...], language: Language, as_json: bool) -> None:
    if as_json:
        show.as_json({"forms": [_summary(form, language) for form in forms]})
        return
    rows = [(form.id, " ".join(form.languages), in_language(form.name, language)) for form in forms]
    show.table([("form", "left"), ("languages", "left"), ("name", "left")], rows, wide=2)
    show.notice("check your call: fabai forms FORM shows each rule with its source and date")


def _one(form: Form, language: Language, as_json: bool) -> None:
    if as_json:
        sections = [
            {
                "id": spec.id,
                "heading": in_language(spec.heading, language),
                "level": spec.level,
                "required": spec.required,
                "kind": spec.kind,
                "tables": [in_language(table.described(), language) for table in spec.tables],
                "limits": [limit_json(limit) for limit in spec.limits],
                "source": spec.source or form.source,
            }
            for spec in form.sections
        ]
        rules = [
            {"text": in_language(rule.text, language), "source": rule.source, "date": rule.date} for rule in form.rules
        ]
        deadlines = [dataclasses.asdict(one) for one in form.deadlines]
        annexes = [
            {"id": one.id, "name": in_language(one.name, language), "required": one.required} for one in form.annexes
        ]
        limits = [limit_json(limit) for limit in form.limits]
        show.as_json(
            {
                **_summary(form, language),
                "sections": sections,
                "limits": limits,
                "rules": rules,
                "deadlines": deadlines,
                "annexes": annexes,
            }
        )
        return
    show.say(f"{form.id}: {in_language(form.name, language)}")
    show.say(f"source: {form.source}, read on {form.date}; languages: {', '.join(form.languages)}\n")
    if form.sections:
        rows = [
            (
                spec.id,
                "  " * (spec.level - 1) + in_language(spec.heading, language),
                "; ".join(limit_text(limit) for limit in spec.limits) or ("" if spec.required else "optional"),
            )
            for spec in form.sections
        ]
        show.table([("section", "left"), ("heading", "left"), ("limit", "left")], rows, wide=1)
        show.say("")
    for limit in form.limits:
        show.paragraph(f"whole document: {limit_text(limit)} ({limit.source or form.source}, {form.date})")
    for rule in form.rules:
        show.paragraph(f"- {in_language(rule.text, language)} ({rule.source}, {rule.date})")
    for one in form.deadlines:
        show.paragraph(f"- due {deadline_text(one)} ({one.source}, {one.date})")
    for value in form.values:
        show.paragraph(f"- {value.id} {', '.join(map(str, value.years))}: {value.value} ({value.source}, {value.date})")
    for annex in form.annexes:
        show.paragraph(f"- annex: {in_language(annex.name, language)}{'' if annex.required else ' (where it applies)'}")
    note = in_language(form.notice, language)
    if note:
        show.notice(note)


def deadline_text(one: Deadline) -> str:
    """A deadline in few words: "2 months after the end, not extendable"."""
    span = f"{one.months} months" if one.months is not None else f"{one.days} {'working ' if one.working else ''}days"
    events = {"end": "the end", "notification": "the notification", "payment": "the payment", "award": "the award"}
    text = "" if one.starts == "fixed" else f"{span} after {events[one.starts]}"
    latest = "" if one.latest is None else f"{', ' if text else ''}on {one.latest} at the latest"
    return text + latest + (", not extendable" if one.extendable is False else "")


def limit_text(limit: Limit) -> str:
    """A limit in few words: "<= 800 words"."""
    unit = {"characters_without_spaces": "characters w/o spaces"}.get(limit.unit, limit.unit)
    if limit.maximum is None:
        return f">= {limit.minimum} {unit}"
    if limit.minimum is None:
        return f"<= {limit.maximum} {unit}"
    return f"{limit.minimum}-{limit.maximum} {unit}"


def limit_json(limit: Limit) -> dict[str, Any]:
    return {"unit": limit.unit, "maximum": limit.maximum, "minimum": limit.minimum}
