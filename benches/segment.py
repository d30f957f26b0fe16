"""Precision and recall of sentence segmenters on the hand-marked boundaries of tests/data/boundaries.

    python -m benches.segment [LIBRARY...]

Only the boundaries inside paragraphs count. Libraries that are not installed are left out and named; the last line is
one JSON object. `pip install pysbd syntok blingfire sentencesplit yasbd-lib spacy` for the whole table.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabai.report import LANGUAGES, Language
from fabai.window.segment import sentences

DATA = Path(__file__).parents[1] / "tests" / "data" / "boundaries"

Segmenter = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph as it is read (sentences joined by a space) and where each sentence but the first starts."""

    text: str
    starts: frozenset[int]
    held_out: bool


def paragraphs(language: Language) -> Iterator[Paragraph]:
    """The marked paragraphs of a language."""
    for group in (DATA / f"{language}.txt").read_text(encoding="utf-8").strip().split("\n\n"):
        lines = group.split("\n")
        marked = [line for line in lines if not line.startswith("# ")]
        starts, position = set(), 0
        for sentence in marked[:-1]:
            position += len(sentence) + 1
            starts.add(position)
        yield Paragraph(" ".join(marked), frozenset(starts), lines[0].startswith("# held out"))


def starts_of(text: str, pieces: list[str]) -> set[int]:
    """Where the pieces but the first start; one that a library changed is found by its first letters."""
    found: set[int] = set()
    position = 0
    for piece in pieces:
        bare = piece.strip()
        at = text.find(bare, position)
        if at < 0:
            at = text.find(bare[:12], position)
        if bare and at >= 0:
            found.add(at)
            position = at + max(1, len(bare) // 2)
    return found - {0}


def _fabai(language: Language) -> Segmenter:
    return lambda text: sentences(text, language)


def _sentencex(language: Language) -> Segmenter:
    library = importlib.import_module("sentencex")
    return lambda text: list(library.segment(language, text))


def _pysbd(language: Language) -> Segmenter:
    # it has no Catalan
    segmenter: Any = importlib.import_module("pysbd").Segmenter(
        language="es" if language == "ca" else language, clean=False
    )
    return lambda text: list(segmenter.segment(text))


def _sentencesplit(language: Language) -> Segmenter:
    library = importlib.import_module("sentencesplit")
    segmenter: Any = library.Segmenter(language="es" if language == "ca" else language)
    return lambda text: list(segmenter.segment(text))


def _yasbd(language: Language) -> Segmenter:
    detector: Any = importlib.import_module("yasbd").BoundaryDetector(lang="es" if language == "ca" else language)
    return lambda text: list(detector.segment(text))


def _syntok(language: Language) -> Segmenter:
    library = importlib.import_module("syntok.segmenter")

    def segment(text: str) -> list[str]:
        found = [sentence for paragraph in library.process(text) for sentence in paragraph]
        return [text[sentence[0].offset : sentence[-1].offset + len(sentence[-1].value)] for sentence in found]

    del language  # one set of rules
    return segment


def _blingfire(language: Language) -> Segmenter:
    library = importlib.import_module("blingfire")
    del language  # one set of rules
    return lambda text: str(library.text_to_sentences(text)).split("\n")


def _spacy(language: Language) -> Segmenter:
    pipeline: Any = importlib.import_module("spacy").blank(language)
    pipeline.add_pipe("sentencizer")
    return lambda text: [sentence.text for sentence in pipeline(text).sents]


LIBRARIES: dict[str, Callable[[Language], Segmenter]] = {
    "fabai": _fabai,
    "sentencex": _sentencex,
    "pysbd": _pysbd,
    "sentencesplit": _sentencesplit,
    "yasbd": _yasbd,
    "syntok": _syntok,
    "blingfire": _blingfire,
    "spacy sentencizer": _spacy,
}


def score(segmenter: Segmenter, marked: list[Paragraph]) -> dict[str, float]:
    """right, wrong and missed boundaries, precision, recall, F1, and characters lost or changed."""
    right = wrong = missed = changed = 0
    begun = time.perf_counter()
    for paragraph in marked:
        pieces = segmenter(paragraph.text)
        found = starts_of(paragraph.text, pieces)
        right += len(found & paragraph.starts)
        wrong += len(found - paragraph.starts)
        missed += len(paragraph.starts - found)
        changed += "".join("".join(pieces).split()) != "".join(paragraph.text.split())
    precision, recall = right / max(1, right + wrong), right / max(1, right + missed)
    return {
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "f1": round(2 * precision * recall / max(1e-9, precision + recall), 4),
        "right": right,
        "wrong": wrong,
        "missed": missed,
        "changed": changed,
        "seconds": round(time.perf_counter() - begun, 3),
    }


def main(wanted: list[str]) -> int:
    """Print the table and the JSON line."""
    result: dict[str, dict[str, dict[str, float]]] = {}
    absent: list[str] = []
    print("library            lang set         prec  recall      F1  wrong missed changed")
    for name, build in LIBRARIES.items():
        if wanted and name not in wanted:
            continue
        try:
            segmenters = {language: build(language) for language in LANGUAGES}
        except ImportError:
            absent.append(name)
            continue
        for language in LANGUAGES:
            marked = list(paragraphs(language))
            for part, chosen in (("all", marked), ("held out", [one for one in marked if one.held_out])):
                found = score(segmenters[language], chosen)
                result.setdefault(name, {})[f"{language} {part}"] = found
                print(
                    f"{name:18} {language:4} {part:8}"
                    f" {found['precision']:7.3f} {found['recall']:7.3f} {found['f1']:7.3f}"
                    f" {found['wrong']:6.0f} {found['missed']:6.0f} {found['changed']:7.0f}"
                )
    if absent:
        print(f"not installed: {', '.join(absent)}")
    print(json.dumps({"bench": "segment", "results": result}, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
