"""Captions with real numbers: 'Tabla', 'Taula', 'Table' and a SEQ field, and mentions of them in the text as
references.

Knows caption paragraphs of new text and the numbers that a person typed into them. Does not know where the body goes.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from fabai.formats.wordml import MC, Element, W, add, add_text, child, element, squeezed, text_of, value
from fabai.report import Language

LABELS: dict[Language, dict[str, str]] = {
    "es": {"table": "Tabla", "figure": "Figura"},
    "ca": {"table": "Taula", "figure": "Figura"},
    "en": {"table": "Table", "figure": "Figure"},
}
_WORDS = {
    "table": r"tablas?|taul(?:a|es)|tables?|cuadros?|quadres?",
    "figure": r"figur(?:a|as|es|e)|gr[aá]ficos?|il·lustraci[oó]ns?|ilustraci(?:ón|ones)|figs?\.|imatges?|"
    r"im[aá]gen(?:es)?",
}
_STYLES = {"tablecaption": "table", "imagecaption": "figure"}
_TYPED = {kind: re.compile(rf"(?i)^\s*(?:{words})\s*(\d+)\s*[.:)–-]*\s*") for kind, words in _WORDS.items()}
_MENTION = re.compile(
    rf"(?i)\b(?:(?P<table>{_WORDS['table']})|(?P<figure>{_WORDS['figure']}))[ \u00a0](?P<n>\d+)(?![\d.,]*\d)"
)
_NAME = re.compile(r"_fabai_(table|figure)_(\d*)_(\d+)")
_SEQUENCE = re.compile(r"\bSEQ\s+(\S+)", re.IGNORECASE)


class Captions:
    """Numbers the captions of new elements (`number`), then the whole body's (`settle`)."""

    def __init__(self, language: Language, start: int = 0) -> None:
        """start: how many captions the document has already, so that names of bookmarks stay new."""
        self._labels = LABELS[language]
        self._count = start

    def number(self, elements: Iterable[Element]) -> None:
        """Put label and SEQ field into the caption paragraphs of pandoc's text, in place, instead of a typed label."""
        for top in elements:
            for paragraph in top.iter(W + "p"):
                kind = _STYLES.get((value(paragraph, "pPr/pStyle") or "").lower())
                if kind is not None and squeezed(text_of(paragraph)) and not _sequences(paragraph):
                    self._label(paragraph, kind)

    def _label(self, paragraph: Element, kind: str) -> None:
        typed = _TYPED[kind].match(text_of(paragraph))
        if typed is not None:
            _cut(paragraph, typed.end())
        name = f"_fabai_{kind}_{typed[1] if typed is not None else ''}_{self._count}"
        # ids of bookmarks must be new in the whole document: the graft gives them new ones
        start, end = (
            element("bookmarkStart", id=9000 + self._count, name=name),
            element("bookmarkEnd", id=9000 + self._count),
        )
        self._count += 1
        label = element("r")
        add_text(label, f"{self._labels[kind]}\u00a0")
        after = element("r")
        add_text(after, ". ")
        place = 1 if child(paragraph, "pPr") is not None else 0
        for offset, one in enumerate([label, start, *field(f"SEQ {self._labels[kind]} \\* ARABIC", "1"), end, after]):
            paragraph.insert(place + offset, one)


def settle(body: Element, fresh: Iterable[Element]) -> None:
    """Set the numbers that the captions show, in order, and turn mentions in the new elements into references.

    fresh: paragraphs of new text; a mention of a number that was typed, or else of the number that a caption now has.
    """
    counts: Counter[str] = Counter()
    targets: dict[tuple[str, int], tuple[str, int]] = {}
    ordinal: dict[tuple[str, int], tuple[str, int]] = {}
    for paragraph in body.iter(W + "p"):
        for name, results in _sequences(paragraph):
            # the copy of a text box that older programs show has the number of its original
            if next(paragraph.iterancestors(MC + "Fallback"), None) is None:
                counts[name] += 1
            _show(results, counts[name])
            mark = next(
                (one for one in paragraph.iter(W + "bookmarkStart") if _NAME.fullmatch(one.get(W + "name") or "")), None
            )
            match = None if mark is None else _NAME.fullmatch(mark.get(W + "name") or "")
            if match is not None:
                entry = (match[0], counts[name])
                ordinal.setdefault((match[1], counts[name]), entry)
                if match[2]:
                    targets.setdefault((match[1], int(match[2])), entry)
    known = targets if targets else {**ordinal, **targets}
    if known:
        for paragraph in fresh:
            if not _sequences(paragraph):
                _link(paragraph, known)


def _sequences(paragraph: Element) -> list[tuple[str, list[Element]]]:
    """Name and result runs of each SEQ field of a paragraph, without those of text boxes that are anchored in it."""
    out: list[tuple[str, list[Element]]] = []
    if next(paragraph.iter(W + "fldSimple", W + "fldChar"), None) is None:
        return out
    for simple in _own(paragraph, "fldSimple"):
        match = _SEQUENCE.search(simple.get(W + "instr") or "")
        if match is not None:
            out.append((match[1].lower(), simple.findall(W + "r")))
    code: list[str] = []
    results: list[Element] | None = None
    for run in _own(paragraph, "r"):
        mark = child(run, "fldChar")
        kind = None if mark is None else mark.get(W + "fldCharType")
        if kind == "begin":
            code, results = [], None
        elif kind == "separate":
            results = []
        elif kind == "end":
            match = _SEQUENCE.search("".join(code))
            if match is not None and results:
                out.append((match[1].lower(), results))
            code, results = [], None
        elif results is not None:
            results.append(run)
        else:
            code += [one.text or "" for one in run.findall(W + "instrText")]
    return out


def _own(paragraph: Element, tag: str) -> Iterator[Element]:
    return (one for one in paragraph.iter(W + tag) if next(one.iterancestors(W + "p"), None) is paragraph)


def _show(runs: list[Element], number: int) -> None:
    texts = [one for run in runs for one in run.findall(W + "t")]
    for place, one in enumerate(texts):
        one.text = str(number) if place == 0 else ""


def _link(paragraph: Element, known: dict[tuple[str, int], tuple[str, int]]) -> None:
    for run in list(paragraph.iter(W + "r")):
        texts = run.findall(W + "t")
        parent = run.getparent()
        content = [one for one in run if one.tag != W + "rPr"]
        if len(texts) != 1 or len(content) != 1 or parent is None or parent.tag not in (W + "p", W + "hyperlink"):
            continue
        if parent.tag == W + "hyperlink":
            continue
        text = texts[0].text or ""
        pieces: list[Element] = []
        position = 0
        for match in _MENTION.finditer(text):
            kind = "table" if match["table"] else "figure"
            found = known.get((kind, int(match["n"])))
            if found is None:
                continue
            pieces += [_like(run, text[position : match.start("n")])]
            pieces += [_dressed(run, one) for one in field(f"REF {found[0]} \\h", str(found[1]))]
            position = match.end("n")
        if pieces:
            if text[position:]:
                pieces.append(_like(run, text[position:]))
            for one in pieces:
                run.addprevious(one)
            parent.remove(run)


def _like(run: Element, text: str) -> Element:
    made = element("r")
    add_text(made, text)
    return _dressed(run, made)


def _dressed(run: Element, made: Element) -> Element:
    properties = child(run, "rPr")
    if properties is not None:
        made.insert(0, copy.deepcopy(properties))
    return made


def field(code: str, shown: str) -> list[Element]:
    """The five runs of a field with its last result."""
    runs = [element("r") for _ in range(5)]
    add(runs[0], "fldChar", fldCharType="begin")
    add_text(runs[1], f" {code} ", "instrText")
    add(runs[2], "fldChar", fldCharType="separate")
    add_text(runs[3], shown)
    add(runs[4], "fldChar", fldCharType="end")
    return runs


def _cut(paragraph: Element, length: int) -> None:
    """Take so many characters off the beginning of a paragraph's text."""
    for one in paragraph.iter(W + "t"):
        text = one.text or ""
        one.text = text[length:]
        length -= min(length, len(text))
        if length == 0:
            return
