"""The page of a finished document against the form's: paper, margins, header, footer, letters, spacing.

Knows a form's Page and Font. Does not know sections' texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fabai.checks.violation import Violation
from fabai.demands import PAGE_SIZES, Page
from fabai.form import Font, Form
from fabai.formats.package import Package
from fabai.formats.wordml import Element, R, W, child, squeezed
from fabai.report import Language
from fabai.submission.letters import Letters, Type
from fabai.submission.places import Places

_TWIPS_PER_CM = 1440 / 2.54
_SLACK = 0.06
"""Centimetres that a length may differ: Word's own presets are rounded."""
_PAGE, _PAGES, _OTHER = "\ue000", "\ue001", "\ue002"
_FIELD_CODES = {"PAGE": _PAGE, "NUMPAGES": _PAGES, "SECTIONPAGES": _PAGES}
_QUOTE = 60


def check_frame(package: Package, form: Form, language: Language, places: Places) -> Iterator[Violation]:
    """What of the page is not as the form asks."""
    if form.page is not None:
        yield from _paper(package, form.page)
        yield from _edges(package, form.page, language)
    if form.page is not None and form.page.spacing is not None:
        yield from _spacing(Type(package), form.page.spacing, places)
    if form.font is not None:
        yield from _fonts(Type(package), form.font, places)


def _paper(package: Package, page: Page) -> Iterator[Violation]:
    sizes: set[str] = set()
    narrow: dict[str, float] = {}
    for section in package.body.iter(W + "sectPr"):
        paper, margins = child(section, "pgSz"), child(section, "pgMar")
        lying = paper is not None and paper.get(W + "orient") == "landscape"
        width, height = _length(paper, "w"), _length(paper, "h")
        if page.size is not None and width is not None and height is not None:
            wanted = PAGE_SIZES[page.size]
            found = (min(width, height), max(width, height))
            if any(abs(one - other) > 0.2 for one, other in zip(found, wanted, strict=True)):
                sizes.add(f"{width:.1f} x {height:.1f} cm")
        # a landscape page turns its margins with it
        sides = ("top", "right", "bottom", "left") if not lying else ("left", "top", "right", "bottom")
        for side, place in zip(("top", "right", "bottom", "left"), sides, strict=True):
            least, length = getattr(page, side), _length(margins, place)
            if least is not None and length is not None and length < least - _SLACK:
                narrow[side] = min(narrow.get(side, length), length)
    for size in sorted(sizes):
        yield Violation("document-page-size", None, "error", size, page.size or "")
    for side, length in narrow.items():
        least = float(getattr(page, side))
        yield Violation(f"document-margin-{side}", None, "error", f"{length:.2f} cm", f"{least:g} cm")


def _length(one: Element | None, name: str) -> float | None:
    raw = None if one is None else one.get(W + name)
    return None if raw is None or not raw.lstrip("-").isdigit() else abs(int(raw)) / _TWIPS_PER_CM


def _edges(package: Package, page: Page, language: Language) -> Iterator[Violation]:
    for kind, patterns in (("header", page.header), ("footer", page.footer)):
        pattern = (patterns or {}).get(language) or next(iter((patterns or {}).values()), "")
        if not pattern:
            continue
        texts = list(_edge_texts(package, kind))
        wanted = _as_regex(pattern)
        if not any(wanted.search(text) for text in texts):
            shown = next((text for text in texts if text), "")
            yield Violation(f"document-{kind}", None, "error", _readable(shown)[:_QUOTE], pattern)


def _edge_texts(package: Package, kind: str) -> Iterator[str]:
    for section in package.body.iter(W + "sectPr"):
        for reference in section.findall(f"{W}{kind}Reference"):
            relation = package.relation(package.document, reference.get(R + "id") or "")
            part = None if relation is None else package.target(package.document, relation)
            if part is not None:
                yield squeezed(_with_fields(package.xml(part)))


def _with_fields(root: Element) -> str:
    """The text with one sign for each field, whatever its last result was."""
    out: list[str] = []
    code: list[str] = []
    depth = 0
    for one in root.iter(W + "t", W + "fldChar", W + "instrText", W + "fldSimple", W + "p", W + "tab"):
        if one.tag == W + "fldChar":
            kind = one.get(W + "fldCharType")
            if kind == "begin":
                depth += 1
                code = []
            elif kind == "end":
                depth -= 1
                out.append(_field_sign("".join(code)))
        elif one.tag == W + "instrText":
            code.append(one.text or "")
        elif one.tag == W + "fldSimple":
            out.append(_field_sign(one.get(W + "instr") or ""))
        elif one.tag == W + "t":
            if depth == 0 and next(one.iterancestors(W + "fldSimple"), None) is None:
                out.append(one.text or "")
        else:
            out.append(" ")
    return "".join(out)


def _field_sign(code: str) -> str:
    words = code.split()
    return _FIELD_CODES.get(words[0].upper() if words else "", _OTHER)


def _readable(text: str) -> str:
    return text.replace(_PAGE, "{page}").replace(_PAGES, "{pages}").replace(_OTHER, "…")


def _as_regex(pattern: str) -> re.Pattern[str]:
    pieces = re.split(r"(\{[^{}]*\})", squeezed(pattern))
    signs = {"{page}": _PAGE, "{pages}": _PAGES}
    out = [
        signs.get(piece, ".+") if piece.startswith("{") else re.sub(r"(?:\\ )+", r"\\s*", re.escape(piece))
        for piece in pieces
    ]
    return re.compile("".join(out), re.IGNORECASE)


def _spacing(letters: Type, least: float, places: Places) -> Iterator[Violation]:
    tight = [one for one in letters.spacings() if one.lines < least - 0.02]
    if tight:
        worst = min(tight, key=lambda one: one.lines)
        where = places.spec_of(worst.child)
        yield Violation("document-spacing", where, "error", f"{worst.lines:.2f}", f"{least:g}", worst.text[:_QUOTE])


def _fonts(letters: Type, font: Font, places: Places) -> Iterator[Violation]:
    strange: dict[str, Letters] = {}
    small: dict[tuple[bool, float], Letters] = {}
    for run in letters.letters():
        if not re.search(r"\w", run.text) or run.child in places.contents:
            continue
        if font.names and run.font and _key(run.font) not in {_key(name) for name in font.names}:
            strange.setdefault(run.font, run)
        if font.size is not None and run.size < font.size:
            small.setdefault((run.in_table, run.size), run)
    for name, run in strange.items():
        expected = ", ".join(font.names)
        yield Violation("document-font", places.spec_of(run.child), "error", name, expected, run.text.strip()[:_QUOTE])
    for (in_table, size), run in sorted(small.items()):
        where, least, quote = places.spec_of(run.child), f"{font.size:g}", run.text.strip()[:_QUOTE]
        if in_table:
            # funders let tables be smaller; a person decides
            yield Violation("document-font-size-table", where, "warning", f"{size:g}", least, quote)
        else:
            yield Violation("document-font-size", where, "error", f"{size:g}", least, quote)


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
