"""What stands around the text of a report born here: cover, header, footer, document properties, language.

Knows Word's parts for these. Does not know the sections of the report.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from fabai.formats.package import Package
from fabai.formats.render import TAGS
from fabai.formats.wordml import (
    PARAGRAPH_ORDER,
    RUN_ORDER,
    Element,
    W,
    add,
    add_text,
    child,
    clean,
    element,
    insert_ordered,
    properties_of,
    remove,
    squeezed,
)
from fabai.report import Language

_FOOTER: dict[Language, tuple[str, str]] = {"es": ("Pág. ", " de "), "ca": ("Pàg. ", " de "), "en": ("Page ", " of ")}
_FIELDS = {"{page}": "PAGE", "{pages}": "NUMPAGES"}
_DC = "{http://purl.org/dc/elements/1.1/}"
_CP = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
_APP = "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}"
_COVER_TOP = 3400
"""Of a cover, over its first line, in twentieths of a point; the style of the organisation has it by itself."""
COVER = ("organisation", "call", "period", "date")
"""Keys of a report's `meta` that the cover shows."""


def cover(title: str, meta: Mapping[str, str]) -> list[Element]:
    """The paragraphs of the cover: organisation, title, call, period and date; those without a text are left out."""
    out: list[Element] = []
    for style, text in (
        ("CoverOrganisation", meta.get("organisation", "")),
        ("Title", title),
        ("Subtitle", meta.get("call", "")),
        ("CoverPeriod", meta.get("period", "")),
        ("CoverDate", meta.get("date", "")),
    ):
        if squeezed(clean(text)):
            paragraph = element("p")
            add(add(paragraph, "pPr"), "pStyle", val=style)
            add_text(add(paragraph, "r"), squeezed(clean(text)))
            out.append(paragraph)
    if len(out) > 1 and not squeezed(clean(meta.get("organisation", ""))):
        # what stands first on a cover stands where the organisation would
        add(out[0][0], "spacing", before=_COVER_TOP)
    return out


def start_page(body: Element, place: int) -> None:
    """Make the element at a place of the body begin a page."""
    if place < len(body) and body[place].tag == W + "p":
        properties = properties_of(body[place])
        later = {W + name for name in PARAGRAPH_ORDER[PARAGRAPH_ORDER.index("pageBreakBefore") + 1 :]}
        index = next((number for number, one in enumerate(properties) if one.tag in later), len(properties))
        properties.insert(index, element("pageBreakBefore"))
    elif place < len(body):
        paragraph = element("p")
        add(add(paragraph, "r"), "br", type="page")
        body.insert(place, paragraph)


def every_page(body: Element) -> None:
    """Header and footer on the first page too: a document without a cover or contents begins with its text."""
    for mark in list(body.iter(W + "titlePg")):
        remove(mark)


def fill_header(package: Package, words: str) -> None:
    """Words in the header of every page but the first: the report's title, or what the form asks for."""
    _fill(package, "header", words)


def fill_footer(package: Package, language: Language, words: str = "") -> None:
    """'Page X of Y' in the report's language, or what the form asks for, its '{page}' and '{pages}' as fields."""
    before, between = _FOOTER[language]
    _fill(package, "footer", words or f"{before}{{page}}{between}{{pages}}")


def _fill(package: Package, kind: str, words: str) -> None:
    part = package.related(kind)
    if part is None:
        return
    paragraph = next(package.edit(part).iter(W + "p"))
    _empty(paragraph)
    for piece in re.split(r"(\{pages?\})", re.sub(r"\s+", " ", clean(words)).strip()):
        if piece in _FIELDS:
            _field(paragraph, _FIELDS[piece])
        elif piece:
            add_text(add(paragraph, "r"), piece)


def _empty(paragraph: Element) -> None:
    for one in list(paragraph):
        if one.tag != W + "pPr":
            paragraph.remove(one)


def _field(paragraph: Element, code: str) -> None:
    add(add(paragraph, "r"), "fldChar", fldCharType="begin")
    add_text(add(paragraph, "r"), f" {code} ", "instrText")
    add(add(paragraph, "r"), "fldChar", fldCharType="separate")
    add_text(add(paragraph, "r"), "1")
    add(add(paragraph, "r"), "fldChar", fldCharType="end")


def set_language(package: Package, language: Language) -> None:
    """The language that Word checks the text in, where a run says no other."""
    styles = package.edit(package.ensure("styles", "styles"))
    defaults = child(styles, "docDefaults")
    if defaults is None:
        defaults = element("docDefaults")
        styles.insert(0, defaults)
    holder = child(defaults, "rPrDefault")
    if holder is None:
        holder = element("rPrDefault")
        defaults.insert(0, holder)
    properties = child(holder, "rPr")
    if properties is None:
        properties = add(holder, "rPr")
    tag = child(properties, "lang")
    made = element("lang") if tag is None else tag
    made.set(W + "val", TAGS[language])
    insert_ordered(properties, made, RUN_ORDER)
    for style in styles.findall(W + "style"):
        if (style.get(W + "default") or "") in ("1", "true") and style.get(W + "type") == "paragraph":
            own = child(style, "rPr/lang")
            if own is not None:
                own.set(W + "val", TAGS[language])
    settings = package.related("settings")
    theme = None if settings is None else child(package.xml(settings), "themeFontLang")
    if settings is not None and theme is not None:
        package.edit(settings)
        theme.set(W + "val", TAGS[language])


def default_language(package: Package) -> str:
    """The main tag of the document's default language, "" where it has none."""
    part = package.related("styles")
    tag = None if part is None else child(package.xml(part), "docDefaults/rPrDefault/rPr/lang")
    return "" if tag is None else (tag.get(W + "val") or "").split("-")[0].lower()


def tag_language(elements: list[Element], language: Language) -> None:
    """Tag the runs of new text that have no language: the document around them is in another one."""
    for one in elements:
        for run in one.iter(W + "r"):
            properties = child(run, "rPr")
            if properties is None:
                properties = element("rPr")
                run.insert(0, properties)
            if child(properties, "lang") is None:
                insert_ordered(properties, element("lang", val=TAGS[language]), RUN_ORDER)


def unprotect(package: Package) -> bool:
    """Take off what keeps people from editing the document; whether there was anything."""
    part = package.related("settings")
    tags = (W + "documentProtection", W + "writeProtection")
    found = [] if part is None else list(package.xml(part).iter(*tags))
    if part is not None and found:
        package.edit(part)
        for one in found:
            remove(one)
    return bool(found)


def set_properties(package: Package, title: str, language: Language, author: str) -> None:
    """Title, language and author of the document; what a template says of its own company and people goes."""
    core = next(
        (package.target("", one) for one in package.relations("") if "core-properties" in (one.get("Type") or "")), None
    )
    if core is None:
        core = package.new_name("docProps/core.xml")
        root = etree.Element(_CP + "coreProperties", nsmap={"cp": _CP[1:-1], "dc": _DC[1:-1]})
        package.put(core, root, "application/vnd.openxmlformats-package.core-properties+xml")
        package.add_relation(
            "", "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties", core
        )
    root = package.edit(core)
    for tag, text in (
        (_DC + "title", title),
        (_DC + "creator", author),
        (_CP + "lastModifiedBy", author),
        (_DC + "language", TAGS[language]),
        (_DC + "subject", ""),
        (_DC + "description", ""),
        (_CP + "keywords", ""),
        (_CP + "category", ""),
    ):
        found = root.find(tag)
        if found is None and text:
            found = etree.SubElement(root, tag)
        if found is not None:
            found.text = clean(text)
    for one in package.relations(""):
        part = package.target("", one)
        if part is not None and (one.get("Type") or "").endswith("/extended-properties"):
            app = package.edit(part)
            for tag in ("Company", "Manager", "TitlesOfParts", "HeadingPairs"):
                for found in app.findall(_APP + tag):
                    app.remove(found)
