"""From the sections of a reader to those of the corpus: mended, without margins, guidance and personal data, tagged.

Knows the order of the steps and what they leave in a section's tags. Does not know files, other documents or sources.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from fabai import languages
from fabai.report import Language
from fabai.settings import CorpusSettings
from fabai.window.blocks import MarkdownBlock, blocks

from . import kinds
from .addresses import addresses
from .cleaned import Cleaned
from .contacts import contacts
from .damage import mend
from .document import CorpusSection
from .found import Found
from .guidance import is_guidance
from .identifiers import identifiers
from .intake import Taken
from .margins import is_margin
from .people import People
from .placeholders import Placeholders
from .varieties import variety

_PLAIN = ("paragraph", "list", "definition", "lines")
_LEAST_WORDS = 8
"""Of a paragraph that may be boilerplate: shorter ones are headings of tables, captions, signatures."""
_MIXED_SAMPLE = 4
"""Paragraphs of a section whose languages are compared."""
_MIXED_LEAST = 400
"""Characters of a section in which two languages can be told apart."""
_MAY_HOLD = re.compile(
    r"\d|@|arroba|[\[({]\s*at\b|linkedin|twitter|instagram|facebook|researchgate|scholar\.|\b[tx]\.(?:me|com)/",
    re.IGNORECASE,
)
"""Without one of these there is nothing that a closer look would find."""
_IMAGE = re.compile(r"!\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)(?:\{[^{}]*\})?")


def clean(taken: Taken, key: bytes, settings: CorpusSettings) -> Cleaned:
    """A Cleaned without id, recipe and sha256."""
    mended = [(mend(heading).strip(), level, _without_pictures(mend(text))) for heading, level, text in taken.sections]
    cleaner = _Cleaner(
        key, People([taken.title, *(f"{one[0]}\n{one[2]}" for one in mended)]) if settings.names else None
    )
    sections: list[CorpusSection] = []
    paragraphs: list[int] = []
    for heading, level, text in mended:
        section, hashes = cleaner.section(heading, level, text)
        sections.append(section)
        paragraphs += hashes
    sections = without_empty(sections)
    language = languages.most([(one.language, len(one.text)) for one in sections]) or taken.language
    whole = "\n".join(one.text for one in sections)
    tags = ("ocr",) if any("ocrmypdf" in notice for notice in taken.notices) else ()
    return Cleaned(
        id="",
        recipe="",
        sha256="",
        title=cleaner.replaced(mend(taken.title).strip()),
        language=language,
        variety=variety(language, whole),
        looks=kinds.looks(taken.title, [one.heading for one in sections], whole[:200_000]),
        sections=tuple(_spoken(one, language) for one in sections),
        tags=tags,
        values=cleaner.placeholders.values,
        paragraphs=tuple(dict.fromkeys(paragraphs)),
        facts={name: cleaner.replaced(value) for name, value in taken.facts.items()},
        notices=taken.notices,
    )


class _Cleaner:
    """What the sections of one document share."""

    def __init__(self, key: bytes, people: People | None) -> None:
        self.placeholders = Placeholders(key)
        self._people = people

    def section(self, heading: str, level: int, text: str) -> tuple[CorpusSection, list[int]]:
        """The section, and the hashes of its paragraphs."""
        tags: set[str] = set()
        kept: list[str] = []
        hashes: list[int] = []
        # who is cited is no person of the report
        named = kinds.of_section(heading, text, ()) != "references"
        for block in blocks(text):
            piece = text[block.start : block.end]
            if block.kind in _PLAIN and is_margin(piece):
                tags.add("margin-removed")
            elif block.kind in _PLAIN and is_guidance(piece):
                tags.add("guidance-removed")
            else:
                kept.append(self.replaced(piece, named and block.kind != "code"))
                if block.kind == "paragraph" and len(piece.split()) >= _LEAST_WORDS:
                    hashes.append(paragraph_hash(kept[-1]))
        body = "\n\n".join(kept)
        found = blocks(body)
        language, foreign = languages.tell(body)
        if foreign:
            tags.add("other-language")
        elif _is_mixed(body, found, language):
            tags.add("mixed-language")
        kind = kinds.of_section(heading, body, found)
        return CorpusSection(self.replaced(heading), level, body, language, tuple(sorted(tags)), kind), hashes

    def replaced(self, text: str, named: bool = True) -> str:
        """The text with references in the place of personal data."""
        found: list[Found] = []
        if _MAY_HOLD.search(text):
            found += [*identifiers(text), *contacts(text), *addresses(text)]
        if named and self._people is not None:
            found += self._people.find(text)
        return self.placeholders.replace(text, found)


def _without_pictures(text: str) -> str:
    return _IMAGE.sub(lambda match: match[1], text)


def paragraph_hash(text: str) -> int:
    """The same for paragraphs that differ in white space, case and references only."""
    squeezed = " ".join(re.sub(r"\{\{(\w+?)_\d+\}\}", r"{{\1}}", text).lower().split())
    return int.from_bytes(hashlib.blake2b(squeezed.encode("utf-8", "replace"), digest_size=6).digest())


def _is_mixed(text: str, found: Sequence[MarkdownBlock], language: Language | None) -> bool:
    """Whether a fifth or more of the paragraphs that can be told are in another language than the section."""
    if language is None or len(found) < 2 or len(text) < _MIXED_LEAST:
        return False
    prose = [one for one in found if one.kind in _PLAIN and one.end - one.start > 80]
    prose = prose[:: max(1, len(prose) // _MIXED_SAMPLE)]
    told = [(languages.identify(text[one.start : one.start + 200]), one.end - one.start) for one in prose]
    whole = sum(size for one, size in told if one is not None)
    return sum(size for one, size in told if one not in (None, language)) * 5 >= whole > 0


def _spoken(section: CorpusSection, language: Language | None) -> CorpusSection:
    """A section too short to be told is in the document's language, unless it is in none of ours."""
    if section.language is not None or "other-language" in section.tags:
        return section
    return CorpusSection(section.heading, section.level, section.text, language, section.tags, section.kind)


def without_empty(sections: Sequence[CorpusSection]) -> list[CorpusSection]:
    """The sections that hold text, or stand above one that does."""
    kept: list[CorpusSection] = []
    wanted = 0
    for section in reversed(sections):
        if section.text.strip() or 0 < section.level < wanted:
            kept.append(section)
            wanted = section.level
    return kept[::-1]
