"""What should not be left in a text that is handed in: holes, placeholders, references to facts, a model's talk, stray
Markdown.

Knows their shapes. Does not know what should stand in their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from fabai.checks.lists import any_of, fold_phrase, folded, lists, phrases
from fabai.checks.reading import Reading, remembered
from fabai.checks.violation import Violation
from fabai.prompt.wording import wording
from fabai.report import LANGUAGES, Language

_REFERENCE = re.compile(r"\{\{[ \t]*[^\W_][^{}\n$\\^]{1,79}?[ \t]*\}\}")
_BRACKETED = re.compile(r"(?<![\]\\!])\\?\[(?P<inner>[^\[\]\n@^|]{1,90}?)\\?\](?![(\[{:])")
_ANGLED = re.compile(r"(?:\\?<|&lt;|«{2})(?P<inner>[^\W\d_][^<>\n«»=/:@.]{1,60}?)(?:\\?>|&gt;|»{2})")
_PERCENT = re.compile(r"(?<![\w%])%[A-ZÁÉÍÓÚÑÇ][A-ZÁÉÍÓÚÑÇ_0-9]{2,}%")
_DOLLAR = re.compile(r"\$\{[A-Za-z_][\w.]{1,40}\}")
_CROSSES = re.compile(
    r"(?<![\w/.=-])(?:[Xx]{3,}(?:[.,/-][Xx]{2,})*|[X]{2}(?:[./-][X]{2})+(?:[X]{2})?|\?{3,}|#{4,}(?=\s*(?:€|EUR|euros)))(?![\w/-])"
)
_LINE = re.compile(r"(?:\\?_){4,}|(?:\\?\.){6,}|…{3,}")
_LEADING = re.compile(r"[ \t]*(?:[\"”$€£(–-][ \t]*)*\d")
"""What stands behind dots that lead to a value: the figure, its currency or a mark of ditto in front."""
_DAY = re.compile(r"(?<![\w(/])(?:dd/mm/(?:aaaa|yyyy)|mm/dd/yyyy)(?![\w)/])", re.IGNORECASE)
"""In brackets it says how dates are written, and is nothing to fill in."""
_DOTTED = 3
"""Runs of dots that lead to a value, from which a section is a dotted list, some of whose values may be missing."""
_TODO = re.compile(r"(?<![\w-])(?:TODO|FIXME|TBD|TBC|TKTK|PENDIENTE|COMPLETAR|PENDENT)(?![\w-])(?!\s*(?:list|lists)\b)")
_INNER = re.compile(r"^(?:\.{2,}|…|x{2,}|_+|\?+|-{3,}| +)$", re.IGNORECASE)
_OPEN = re.compile(r"(?m)(?<![\\*\w(])\*\*(?=[^\s*)])")
"""Not '(**)', which is the mark of a note."""
_HEADING = re.compile(r"(?m)^[ \t]{0,3}#{2,6}(?=[^\s#\d!{.])[^\n]*$")
_INLINE_HEADING = re.compile(r"(?<=[.!?:;,] )#{2,6} (?=[^\W\d_])[^\n]{1,60}")
# <br> is none of them: the reading and the writing of documents make a line break of it
_TAGS = re.compile(
    r"</?(?:think|thinking|p|div|span|b|i|strong|em|ul|li|table|tr|td|h[1-6]|end_of_turn|s)\b[^<>\n]{0,80}/?>|<\|[a-z_]+\|>|\[/?INST\]",
    re.IGNORECASE,
)
_FENCE = re.compile(r"(?m)^ {0,3}(?:`{3,}|~{3,})(?:markdown|md|text)?[ \t]*$")
_LINK = re.compile(
    r"(?<!\\)\[[^\[\]\n]{1,80}\]\((?:\)|#?\)|url\)|link\)|https?://example\.(?:com|org)[^)\n]*\))|(?<!\\)\[[^\[\]\n]{1,80}\]\((?=[^()\n]{0,80}(?:\n\n|\Z))"
)
_BULLETS = re.compile(r"(?m)^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]*$\n(?=[ \t]*(?:[-*+]|\d{1,3}[.)]|\n|\Z))")
_QUOTE = 80


@remembered
def check_leftovers(section: str, reading: Reading) -> tuple[Violation, ...]:
    """What is left over in a section, each place once. The last sections are remembered."""
    taken: list[tuple[int, int]] = []
    found: list[Violation] = []
    for one in _all(section, reading):
        start, end = one.start or 0, one.end or 0
        if any(left < end and start < right for left, right in taken):
            continue
        taken.append((start, end))
        found.append(one)
    return tuple(found)


def _all(section: str, reading: Reading) -> Iterator[Violation]:
    text = reading.text
    code = reading.code
    for match in _hole().finditer(text):
        yield _one("hole", section, match.start(), match.end(), match[0])
    for match in _REFERENCE.finditer(text):
        yield _one("reference-left", section, match.start(), match.end(), match[0])
    for start, end in _placeholders(reading):
        if not any(span.start <= start < span.end for span in code) and not _quoted(text, start):
            yield _one("placeholder", section, start, end, text[start:end])
    yield from _talk(section, reading)
    yield from _debris(section, reading)


def _placeholders(reading: Reading) -> Iterator[tuple[int, int]]:
    text, language = reading.text, reading.language
    blanks = _blanks()
    for match in _BRACKETED.finditer(text):
        inner = fold_phrase(match["inner"])
        first = inner.split(" ")[0] if inner else ""
        if (
            (_INNER.match(match["inner"].strip()) and match["inner"].strip(" "))
            or inner in blanks
            or (len(inner) > len(first) and first in _verbs())
            or any(inner.startswith(f"{blank} ") for blank in blanks if " " in blank or blank in _fields())
            or (inner.split(" ")[-1] in _fields() and 1 < len(inner.split(" ")) < 5)
            or inner.startswith("to be ")
        ):
            yield match.span()
    for match in _ANGLED.finditer(text):
        inner = fold_phrase(match["inner"])
        # a tag that is closed is none: '<title>Inicio</title>'
        closed = f"</{match['inner']}" in text
        if (inner in blanks or inner.split(" ")[0] in _verbs()) and not closed:
            yield match.span()
    for pattern in (_PERCENT, _DOLLAR, _CROSSES, _TODO):
        for match in pattern.finditer(text):
            yield match.span()
    for match in phrases(tuple(one for one in lists(language).blanks if _alone(one))).finditer(text):
        # 'a completar' may be part of a sentence; what is left to fill in stands by itself
        if match[0].lower().startswith("lorem") or _apart(text, *match.span()):
            yield match.span()
    for match in _DAY.finditer(text):
        yield match.span()
    lines = [match for match in _LINE.finditer(text) if not reading.in_table(match.start())]
    leading = [match for match in lines if match[0][0] != "_" and _LEADING.match(text, match.end())]
    for match in lines:
        if match[0][0] == "_" or (len(leading) < _DOTTED and match not in leading and not _leads(text, match)):
            yield match.span()


def _apart(text: str, start: int, end: int) -> bool:
    """Whether a phrase stands alone: in brackets, in a cell, behind a colon or a dash, on a line of its own."""
    before, behind = text[:start].rpartition("\n")[2].rstrip(" \t*_"), text[end:].partition("\n")[0].lstrip(" \t*_")
    return (not before or before[-1] in "([{|:–—-.") and (not behind or behind[0] in ")]}|.;,")


def _leads(text: str, dots: re.Match[str]) -> bool:
    """Dots from a word on to what stands at the line's end: 'Ordenanza.......... Ad 6'. A blank stands apart, or the
    sentence goes on behind it: 'D......., con NIF ......., declara'.
    """
    before = text[dots.start() - 1 : dots.start()]
    behind = text[dots.end() : dots.end() + 40].split("\n")[0].lstrip()[:1]
    return (before.isalnum() or before in (")", '"', "º", "ª")) and not (behind.islower() or behind in (",", ";"))


def _quoted(text: str, start: int) -> bool:
    """Inside code or an address."""
    line = text.rfind("\n", 0, start) + 1
    return text[line:start].count("`") % 2 == 1 or re.search(r"https?://\S*$", text[line:start]) is not None


def _talk(section: str, reading: Reading) -> Iterator[Violation]:
    """How a model speaks to the person, in any of the languages; at a sentence's start only."""
    text = reading.text
    for sentence in reading.sentences:
        body = text[sentence.start : sentence.end]
        bare = body.lstrip('*_"«“>¡ ')
        for language in LANGUAGES:
            pattern = _model(language)
            if pattern.match(bare) or (body.startswith("¡") and pattern.match(body)):
                yield _one("model-talk", section, sentence.start, sentence.end, body)
                break


def _debris(section: str, reading: Reading) -> Iterator[Violation]:
    text = reading.text
    inside = reading.code
    for pattern in (_HEADING, _INLINE_HEADING, _TAGS, _LINK, _BULLETS):
        for match in pattern.finditer(text):
            if not any(span.start <= match.start() < span.end for span in inside) and not _quoted(text, match.start()):
                yield _one("markdown-left", section, match.start(), match.end(), match[0])
                if pattern is _TAGS:
                    break  # a list or table in HTML is one thing to mend, not one for each tag
    for piece in reading.pieces:
        body = text[piece.start : piece.end]
        if piece.kind in ("paragraph", "list") and "`" not in body and "$" not in body:
            runs = list(re.finditer(r"(?<!\\)\*+", body))
            marks = [run.start() for run in runs]
            # beside italics, runs of asterisks may close two marks at once
            if all(len(run[0]) == 2 for run in runs) and len(marks) % 2 == 1 and _OPEN.search(body):
                start = piece.start + marks[-1]
                yield _one("markdown-left", section, start, start + 2, body[marks[-1] : marks[-1] + _QUOTE], "")
    fences = list(_FENCE.finditer(text))
    opened = len(re.findall(r"(?m)^ {0,3}`{3,}", text))
    if opened % 2 == 1 and fences:
        last = fences[-1]
        yield _one("markdown-left", section, last.start(), last.end(), last[0], "")


def _one(rule: str, section: str, start: int, end: int, quote: str, suggestion: str | None = None) -> Violation:
    quote = " ".join(quote.split())[:_QUOTE]
    return Violation(
        *(rule, section, "warning" if rule == "markdown-left" else "error", quote, "", quote, start, end),
        suggestion="" if rule == "model-talk" else suggestion,
    )


@cache
def _hole() -> re.Pattern[str]:
    starts = {wording(language).hole.partition("{")[0].lstrip("[") for language in LANGUAGES}
    return re.compile(rf"\\?\[(?:{'|'.join(map(re.escape, starts))})[^\]\n]*\\?\]", re.IGNORECASE)


@cache
def _blanks() -> frozenset[str]:
    return frozenset().union(*(folded(lists(language).blanks) for language in LANGUAGES))


@cache
def _verbs() -> frozenset[str]:
    """First words of what tells a person to fill in."""
    return frozenset(
        [
            "insertar",
            "inserte",
            "insert",
            "inserir",
            "inseriu",
            "completar",
            "complete",
            "completeu",
            "indicar",
            "indique",
            "indiqueu",
            "specify",
            "especificar",
            "especifique",
            "especifiqueu",
            "describir",
            "describa",
            "descriure",
            "descriviu",
            "describe",
            "escribir",
            "escriba",
            "escriviu",
            "write",
            "rellenar",
            "rellene",
            "emplenar",
            "empleneu",
            "fill",
            "anadir",
            "anada",
            "add",
            "afegir",
            "afegiu",
            "poner",
            "introduzca",
            "introduir",
            "introduiu",
            "enter",
            "pendiente",
            "pendent",
            "todo",
        ]
    )


@cache
def _fields() -> frozenset[str]:
    return frozenset(
        [
            "nombre",
            "nom",
            "name",
            "fecha",
            "data",
            "date",
            "importe",
            "import",
            "amount",
            "entidad",
            "entitat",
            "organisation",
            "organization",
            "cantidad",
            "quantitat",
            "titulo",
            "titol",
            "title",
        ]
    )


def _alone(blank: str) -> bool:
    """Whether a phrase is a placeholder without brackets too."""
    return " " in blank and not fold_phrase(blank).startswith(
        ("nombre ", "nom ", "name ", "project ", "company ", "your ")
    )


@cache
def _model(language: Language) -> re.Pattern[str]:
    return re.compile(rf"¡?(?:{any_of(lists(language).model)})(?!\w)", re.IGNORECASE)
