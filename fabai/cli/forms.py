"""`fabai forms`: the built-in forms, each rule with its source and date."""

from __future__ import annotations

import argparse
from typing import Any

from fabai.cli import show
from fabai.form import Form, Limit, built_in, find_form, in_language
from fabai.report import LANGUAGES, Language


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("form", nargs="?", metavar="FORM", help="one form with its sections and rules")
    parser.add_argument("--lang", choices=LANGUAGES, default="en", help="language of names and rules (default: en)")
    show.json_option(parser)


def run(args: argparse.Namespace) -> int:
    if args.form is None:
        _all(tuple(built_in()), args.lang, args.json)
    else:
        _one(find_form(args.form), args.lang, args.json)
    return 0


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
                "limits": [limit_json(limit) for limit in spec.limits],
                "source": spec.source or form.source,
            }
            for spec in form.sections
        ]
        rules = [
            {"text": in_language(rule.text, language), "source": rule.source, "date": rule.date} for rule in form.rules
        ]
        limits = [limit_json(limit) for limit in form.limits]
        show.as_json({**_summary(form, language), "sections": sections, "limits": limits, "rules": rules})
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
    note = in_language(form.notice, language)
    if note:
        show.notice(note)


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
