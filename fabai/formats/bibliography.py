"""Citations of a report worded, and its bibliography put where it belongs, by pandoc's citeproc.

Knows the trees of what is new in a report, the records of its references and a CSL style. Does not know where
references come from (fabai.dossier.references), nor Word. What was imported from a Word file and stays as it was holds
no citation of ours.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fabai.errors import UnreadableFile
from fabai.formats import ast, pandoc, sentinels
from fabai.formats.changes import Change, Fresh, Item, read_texts
from fabai.formats.citation import Citation, Literature, citations
from fabai.formats.render import TAGS
from fabai.report import Language, Section, fold
from fabai.settings import ReadingLimits

HEADING: dict[Language, str] = {"es": "Bibliografía", "ca": "Bibliografia", "en": "References"}
_NAMES = frozenset(
    ["bibliografia", "bibliografia citada", "bibliografia y referencias", "bibliografia i referencies", "bibliography",
     "literature", "literature cited", "referencias", "referencias bibliograficas", "referencias y bibliografia",
     "referencies", "referencies bibliografiques", "references", "bibliographic references", "works cited"]
)  # fmt: skip
"""Headings under which a bibliography stands, folded."""
_MISSING: dict[Language, str] = {
    "es": "[falta: referencia {0}]",
    "ca": "[falta: referència {0}]",
    "en": "[missing: reference {0}]",
}
"""What stands for a citation whose reference is not there; documents with such a hole are not presented."""
_NAMED = 6
"""Missing keys that a notice names."""
_CITE = frozenset({"Cite"})


@dataclass(frozen=True, slots=True)
class _Place:
    """Which tree of which item of which change."""

    change: int
    item: int
    tree: int


def with_citations(
    found: Sequence[Change],
    literature: Literature | None,
    language: Language,
    limits: ReadingLimits,
    notices: list[str] | None = None,
) -> list[Change]:
    """The changes with every citation worded and the bibliography of what is cited: in the last section that has such a
    heading, else in a new one at the end.

    A citation without its reference becomes a hole that the document shows, and a notice says which. Without any
    literature (None) citations stay as they are written.
    """
    if literature is None:
        return list(found)
    places: list[_Place] = []
    trees: list[ast.Element] = []
    missing: dict[str, None] = {}
    for number, change in enumerate(found):
        if "@" not in change.section.text:
            continue
        for place, item in enumerate(change.items):
            for position, tree in enumerate(item.trees if isinstance(item, Fresh) else ()):
                if any(one["t"] == "Cite" for one in ast.walk(tree)):
                    places.append(_Place(number, place, position))
                    trees.append(_known_only(tree, literature.records, language, missing))
    if missing and notices is not None:
        named = ", ".join(list(missing)[:_NAMED]) + (" ..." if len(missing) > _NAMED else "")
        notices.append(
            f"no reference has the key {named}: the document shows a hole there and cannot be presented; "
            "import the reference (--as references) or correct the key"
        )
    worded, entries = worded_by_style(trees, literature, language, limits)
    out = list(found)
    for where, tree in zip(places, worded, strict=True):
        out[where.change] = _replaced(out[where.change], where, tree)
    return _with_entries(out, entries, language) if entries is not None else out


def is_bibliography(heading: str) -> bool:
    """Whether a bibliography stands under such a heading."""
    return fold(heading) in _NAMES


def worded_by_style(
    trees: Sequence[ast.Element], literature: Literature, language: Language, limits: ReadingLimits
) -> tuple[list[ast.Element], ast.Element | None]:
    """Blocks with their citations as the style words them, and the entries of all that is cited (None: nothing is)."""
    cited = dict.fromkeys(key for tree in trees for key in _keys(tree) if key in literature.records)
    if not cited:
        return list(trees), None
    whole = ast.document(sentinels.separated([one] for one in trees))
    whole["meta"] = {
        "lang": {"t": "MetaString", "c": TAGS[language]},
        "references": {"t": "MetaList", "c": [{"t": "MetaMap", "c": literature.records[key]} for key in cited]},
    }
    blocks = _processed(whole, literature.style, limits)["blocks"]
    worded = [_for_word(group[0]) for group in sentinels.groups(blocks)]
    paragraphs = [one for one in ast.walk(blocks[2 * len(trees) :]) if one["t"] == "Para"]
    attributes = ["", [], [["custom-style", "Bibliography"]]]
    return worded, {"t": "Div", "c": [attributes, [_for_word(one) for one in paragraphs]]}


def in_words(texts: Sequence[str], literature: Literature, language: Language) -> list[str]:
    """Markdown texts with their citations in plain words, as documents show them; their other marks stay."""
    out = list(texts)
    for number, one, words in reversed(_in_words(texts, literature, language)):
        out[number] = out[number][: one.start] + words + out[number][one.end :]
    return out


def wordings(texts: Sequence[str], literature: Literature, language: Language) -> dict[str, str]:
    """The citations of texts as they stand in them, by the words that a document shows for them."""
    found: dict[str, str] = {}
    for number, one, words in _in_words(texts, literature, language):
        found.setdefault(words, texts[number][one.start : one.end])
    return found


def _in_words(texts: Sequence[str], literature: Literature, language: Language) -> list[tuple[int, Citation, str]]:
    """Each citation of each text, in order, with its words; a name in a sentence that is no key is none."""
    known = [
        (number, one)
        for number, text in enumerate(texts)
        for one in citations(text)
        if one.bracketed or all(key in literature.records for key in one.keys)
    ]
    limits = ReadingLimits()
    read = read_texts([texts[number][one.start : one.end] for number, one in known], limits)
    trees = [_known_only(tree, literature.records, language, {}) for tree, *_ in read]
    worded, _ = worded_by_style(trees, literature, language, limits)
    return [(number, one, ast.text(tree)) for (number, one), tree in zip(known, worded, strict=True)]


def check_style(text: str, name: str) -> None:
    """UnreadableFile with one sentence where a text is no CSL style that words citations by itself."""
    if 'rel="independent-parent"' in text:
        raise UnreadableFile(f"{name} only names another CSL style, its parent: give the parent's file instead")
    try:
        _processed(ast.document([]), text, ReadingLimits())
    except UnreadableFile:
        raise UnreadableFile(
            f"{name} is no CSL style that can be read: give a .csl file, as reference managers offer them"
        ) from None


def _processed(tree: dict[str, Any], style: str, limits: ReadingLimits) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="fabai-csl-") as folder:
        options = ["--citeproc"]
        if style:
            file = Path(folder, "style.csl")
            file.write_text(style, encoding="utf-8")
            options.append(f"--csl={file}")
        done: dict[str, Any] = json.loads(pandoc.from_json(tree, "json", limits, options))
    return done


def _keys(tree: ast.Element) -> Iterator[str]:
    for one in ast.walk(tree):
        if one["t"] == "Cite":
            yield from (citation["citationId"] for citation in one["c"][0])


def _known_only(
    tree: ast.Element, records: Mapping[str, Any], language: Language, missing: dict[str, None]
) -> ast.Element:
    """The tree without citations of unknown keys: in brackets a hole for each, in a sentence the words stay."""

    def change(cite: ast.Element) -> list[ast.Element] | None:
        parts, shown = cite["c"]
        known = [one for one in parts if one["citationId"] in records]
        if len(known) == len(parts):
            return None
        if parts[0]["citationMode"]["t"] == "AuthorInText" and parts[0]["citationId"] not in records:
            return list(shown)
        holes: list[ast.Element] = []
        for key in dict.fromkeys(one["citationId"] for one in parts if one["citationId"] not in records):
            missing.setdefault(key)
            holes += [{"t": "Space"}, {"t": "Str", "c": _MISSING[language].format(key)}]
        return [{"t": "Cite", "c": [known, shown]}, *holes] if known else holes[1:]

    (changed,) = ast.rewrite([tree], change, _CITE)
    return dict(changed)


def _replaced(change: Change, where: _Place, tree: ast.Element) -> Change:
    items = list(change.items)
    item = items[where.item]
    assert isinstance(item, Fresh)
    trees = (*item.trees[: where.tree], tree, *item.trees[where.tree + 1 :])
    items[where.item] = replace(item, trees=trees)
    return replace(change, items=tuple(items))


def _for_word(tree: ast.Element) -> ast.Element:
    """The tree without the margin of an entry's number, which Word would show as a tab in the text, and without italics
    inside italics, which the writer sets twice on one run.
    """

    def change(one: ast.Element) -> list[ast.Element] | None:
        if one["t"] == "Span":
            return list(one["c"][1]) if any(name.startswith("csl-") for name in one["c"][0][1]) else None
        return [{"t": one["t"], "c": ast.rewrite(one["c"], lambda inner: list(inner["c"]), frozenset({one["t"]}))}]

    (changed,) = ast.rewrite([tree], change, frozenset({"Span", "Emph", "Strong"}))
    return dict(changed)


def _with_entries(found: list[Change], entries: ast.Element, language: Language) -> list[Change]:
    new: tuple[Item, ...] = (Fresh((entries,)),)
    for number, change in reversed(list(enumerate(found))):
        if is_bibliography(change.section.heading):
            return [*found[:number], replace(change, items=(*change.items, *new)), *found[number + 1 :]]
    level = min((change.section.level for change in found if change.section.heading), default=1)
    section = Section("bibliography", HEADING[language], max(level, 1))
    return [*found, Change(section, None, new)]
