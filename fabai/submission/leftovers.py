"""What should have gone before a document leaves: guidance, holes, prompts, tracked changes, comments, hidden text,
fields that failed.

Knows how such things look in Word and in the words of three languages. Does not know the form's tables or pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabai.checks.violation import Violation
from fabai.form import Form
from fabai.formats.guidance import BRACKETED, is_guidance
from fabai.formats.package import Package
from fabai.formats.revisions import text_parts
from fabai.formats.wordbody import styles_of
from fabai.formats.wordml import MC, Element, W, child, is_on, squeezed, text_of
from fabai.report import LANGUAGES, fold
from fabai.submission.places import Places

_QUOTE = 60
_HOLE = re.compile(r"\[\s*(?:falta|manca|missing)\b[^\]\n]*\]|\{\{[^{}\n]+\}\}", re.IGNORECASE)
_PROMPT = re.compile(
    r"(?i)haga clic (?:aqu[ií]|o pulse)|haz clic (?:aqu[ií]|o pulsa)|pulse aqu[ií]|feu clic|clica? aqu[ií]|"
    r"click (?:or tap )?here|choose an item|elija un elemento|trieu un element|lorem ipsum|"
    r"(?<![^\W_])x{4,}(?![^\W_])|(?-i:\b(?:TODO\b(?!\s+[A-ZÀ-Ý]{2})|TBD\b))|\?\?\?|_{6,}|\.{12,}|…{4,}"
)
"""'todo' is a word of the language, and so is TODO where a whole line is in capitals."""
_BROKEN = re.compile(
    r"(?i)error! (?:reference source|bookmark) not|¡?error! (?:no se encuentra|marcador no definido)|"
    r"error! no s'ha (?:trobat|definit)|error: reference source not found"
)


def check_leftovers(package: Package, form: Form, places: Places) -> Iterator[Violation]:
    """Everything that a funder should not see, with the words in question."""
    yield from _revisions(package)
    yield from _comments(package)
    yield from _hidden(package)
    guidance = {
        fold(text)
        for spec in form.sections
        if not any(spec.question(language) for language in LANGUAGES)  # which stands over its answer
        for texts in (spec.guidance, spec.criteria)
        for text in (texts or {}).values()
        if len(fold(text)) > 20
    }
    for index, top in enumerate(package.body):
        if index in places.contents:
            continue
        for paragraph in top.iter(W + "p"):
            if any(above.tag == MC + "Fallback" for above in paragraph.iterancestors()):
                continue
            found = _in_text(squeezed(text_of(paragraph)), paragraph, guidance)
            if found is not None:
                rule, quote = found
                yield Violation(rule, places.spec_of(index), "error", quote[:_QUOTE], "", quote[:_QUOTE])
    yield from _prompts(package)
    for name in text_parts(package):
        if name == package.document:
            continue
        for paragraph in package.xml(name).iter(W + "p"):
            words = squeezed(text_of(paragraph))
            found = _in_text(words, paragraph, guidance)
            if found is not None:
                yield Violation(found[0], None, "error", found[1][:_QUOTE], "", found[1][:_QUOTE])


def _in_text(words: str, paragraph: Element, guidance: set[str]) -> tuple[str, str] | None:
    """The rule and the words in question of one paragraph, the gravest first."""
    if not words:
        return None
    if (hole := _HOLE.search(words)) is not None:
        return "document-hole", hole.group()
    if (broken := _BROKEN.search(words)) is not None:
        return "document-field-broken", words[broken.start() :]
    if (prompt := _PROMPT.search(words)) is not None:
        return "document-placeholder", words[prompt.start() :]
    said = fold(words)
    if any(one in said or (said in one and 2 * len(said) > len(one)) for one in guidance):
        return "document-guidance", words
    if is_guidance(paragraph):
        return "document-guidance", words
    return None


def _revisions(package: Package) -> Iterator[Violation]:
    tags = (W + "ins", W + "del", W + "moveFrom", W + "moveTo")
    changes = tuple(
        W + name for name in ("rPrChange", "pPrChange", "sectPrChange", "tblPrChange", "trPrChange", "tcPrChange")
    )
    count = 0
    first = ""
    for name in text_parts(package):
        for mark in package.xml(name).iter(*tags, *changes):
            count += 1
            first = first or squeezed(text_of(mark))
    if count:
        yield Violation("document-revisions", None, "error", count, 0, first[:_QUOTE])


def _comments(package: Package) -> Iterator[Violation]:
    part = package.related("comments")
    found = [] if part is None else package.xml(part).findall(W + "comment")
    if found:
        yield Violation("document-comments", None, "error", len(found), 0, squeezed(text_of(found[0]))[:_QUOTE])


def _hidden(package: Package) -> Iterator[Violation]:
    styles = styles_of(package)
    words: list[str] = []
    for name in text_parts(package):
        for paragraph in package.xml(name).iter(W + "p"):
            for run in paragraph.iter(W + "r"):
                if squeezed(text_of(run)) and styles.is_hidden(run, paragraph):
                    words += text_of(run).split()
    if words:
        yield Violation("document-hidden", None, "error", len(words), 0, " ".join(words)[:_QUOTE])


def _prompts(package: Package) -> Iterator[Violation]:
    for control in package.body.iter(W + "sdt"):
        if is_on(child(control, "sdtPr/showingPlcHdr")):
            words = squeezed(text_of(control))
            if words and _PROMPT.search(words) is None and not BRACKETED.fullmatch(words):
                yield Violation("document-placeholder", None, "error", words[:_QUOTE], "", words[:_QUOTE])
