"""Reads PDFs: the text in reading order, without running lines, under the headings that the document shows.

Knows in which order the parts work: pages, columns, notes, contents, paragraphs, headings, blocks. Does not know PDF
itself (`pdf_worker`) nor optical recognition (`pdf_scan`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from fabai.formats import language
from fabai.formats.parsed import Parsed
from fabai.formats.pdf_blocks import Blocks
from fabai.formats.pdf_columns import streams
from fabai.formats.pdf_contents import contents
from fabai.formats.pdf_furniture import without_furniture
from fabai.formats.pdf_headings import headings
from fabai.formats.pdf_hyphens import Vocabulary
from fabai.formats.pdf_notes import notes_apart
from fabai.formats.pdf_page import Extract, Page, Row
from fabai.formats.pdf_paragraphs import Item, Measures, Paragraph, paragraphs
from fabai.formats.pdf_process import extract, numbers
from fabai.formats.pdf_scan import is_garbled, is_scanned, recognised
from fabai.report import Language
from fabai.settings import ReadingLimits

_FILE_NAME = re.compile(
    r"\.(?:docx?|odt|pdf|indd|qxd|tex|dvi|rtf)\b|^microsoft|^untitled|^sin t[ií]tulo|^documento?\d*$", re.I
)
_FEW_ROWS = 25
"""Rows on a first page that is a cover."""

_LONG_ROW = 50


def parse_pdf(data: bytes, name: str, limits: ReadingLimits) -> Parsed:
    """The tree of a PDF. Scanned pages are recognised by ocrmypdf where that is installed. UnreadableFile or
    MissingPart with one sentence where there is nothing to read."""
    found = extract(data, name, limits)
    notices: list[str] = []
    if is_scanned(found) or is_garbled(found):
        found, notice = recognised(data, name, limits)
        notices.append(notice)
    return parse_pages(found, notices)


def parse_pages(found: Extract, notices: Sequence[str] = ()) -> Parsed:
    """The tree of pages that were extracted before."""
    rows = without_furniture(found.pages)
    table = contents(rows)
    rows = [
        [row for index, row in enumerate(page) if (number, index) not in table.rows] for number, page in enumerate(rows)
    ]
    measures = Measures.of(rows)
    texts, notes = notes_apart(rows, measures.size)
    flow = [
        stream
        for page, text in zip(found.pages, texts, strict=True)
        for stream in streams(text, page.grids)
    ]  # fmt: skip
    items = paragraphs(flow, measures)
    spoken = language.guess(" ".join(row.text for page in texts for row in page))
    cover = _cover(texts)
    outline = headings(items, measures, found.bookmarks, table.entries, 1 if cover else 0)
    title = _title(found, items[: outline[0].start] if outline else items, measures)
    blocks = Blocks(_vocabulary(texts, spoken), notes)
    tree = blocks.of(items, outline)
    lost = [note for note in notes if (note.page, note.mark) not in blocks.called]
    tree += [{"t": "Para", "c": blocks.inlines(note.rows)} for note in lost]
    meta = {
        key: {"t": "MetaString", "c": value} for key, value in (("title", title), ("lang", found.language)) if value
    }
    return Parsed(tree, meta, notices=(*notices, *found.notices, *_notices(found)))


def _vocabulary(texts: Sequence[Sequence[Row]], spoken: Language | None) -> Vocabulary:
    return Vocabulary.of(([word.text for word in row.words] for page in texts for row in page), spoken)


def _cover(texts: Sequence[Sequence[Row]]) -> bool:
    """Whether the first page only names the document: a few lines, and hardly one as long as those of a text are."""
    return len(texts) > 2 and len(texts[0]) <= _FEW_ROWS and sum(len(row.text) > _LONG_ROW for row in texts[0]) < 3


def _title(found: Extract, items: Sequence[Item], measures: Measures) -> str:
    """The title in the metadata, unless it is the name of a file; else the largest letters of the first page. items:
    those in front of the first heading."""
    title = " ".join(found.title.split())
    if title and not _FILE_NAME.search(title):
        return title
    first = [item for item in items if isinstance(item, Paragraph) and item.rows[0].page == 0]
    largest = max((item.size for item in first), default=0.0)
    if largest < measures.size + 2:
        return ""
    text = " ".join(item.text for item in first if item.size == largest)
    return text if len(text) <= 200 else ""


def _notices(found: Extract) -> Iterator[str]:
    pictures = _pictures(found.pages)
    if pictures:
        yield f"pictures that were not imported: {pictures}; insert those that belong to the report"
    scanned = [page.number + 1 for page in found.pages if page.images and not page.rows and not page.grids]
    if scanned:
        yield (
            f"pages that are only pictures, and were not read: {numbers(scanned)}; "
            "'ocrmypdf --skip-text in.pdf out.pdf' makes them readable"
        )
    unmapped = sum(page.unmapped for page in found.pages)
    if unmapped > 20 and unmapped > 0.002 * found.letters:
        yield (
            f"letters whose font does not say which they are, and that were left out: {unmapped}; "
            "'ocrmypdf --force-ocr in.pdf out.pdf' makes them readable"
        )
    turned = [page.number + 1 for page in found.pages if page.turned > 400 and page.turned > _letters(page)]
    if turned:
        yield f"pages whose text is vertical, and was left out: {numbers(turned)}"
    if found.fields:
        yield f"the PDF is a form with {found.fields} fields; what was typed into them may be missing"


def _letters(page: Page) -> int:
    return sum(len(word.text) for row in page.rows for word in row.words)


def _pictures(pages: Sequence[Page]) -> int:
    """Pictures but for those that stand at one place on several pages, as a logo does."""
    places = Counter(place for page in pages for place in set(page.images))
    return sum(places[place] < 3 for page in pages for place in page.images)
