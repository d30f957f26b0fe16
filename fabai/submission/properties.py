"""What a file says around its text: who made it, in which language it is tagged, how large it is, what it carries
along.

Knows the properties of Office files. Does not know the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from fabai.checks.violation import Violation
from fabai.form import Form
from fabai.formats.inert import make_inert
from fabai.formats.language import from_tag, guess
from fabai.formats.package import Package
from fabai.formats.sound import faults
from fabai.formats.wordbody import styles_of
from fabai.formats.wordml import WP, W, child, squeezed, text_of, value
from fabai.report import Language

_DC = "{http://purl.org/dc/elements/1.1/}"
_CP = "{http://schemas.openxmlformats.org/package/2006/metadata/core-properties}"
_APP = "{http://schemas.openxmlformats.org/officeDocument/2006/extended-properties}"
_MEGABYTE = 10**6
_PROGRAMS = ("python-docx", "microsoft", "libreoffice", "openoffice", "apache", "un-named", "fabai", "user", "usuario")
_WORTH = 200
"""Letters of a text whose language is tagged otherwise before it counts."""


def check_properties(
    package: Package, data: bytes, form: Form, language: Language, names: Iterable[str]
) -> Iterator[Violation]:
    """People named, language tags, size, macros and faults. names: those that may stand in the properties."""
    yield from _people(package, {name.strip().lower() for name in names if name.strip()})
    yield from _language(package, language)
    if form.file is not None and form.file.megabytes is not None and len(data) > form.file.megabytes * _MEGABYTE:
        most = f"{form.file.megabytes:g} MB"
        yield Violation("document-size", None, "error", f"{len(data) / _MEGABYTE:.1f} MB", most)
    for said in make_inert(Package(data)):
        yield Violation("document-active", None, "error", said, "")
    for fault in faults(data):
        yield Violation("document-fault", None, "warning", fault, "")
    bare = [one for one in package.body.iter(WP + "docPr") if not (one.get("descr") or one.get("title") or "").strip()]
    if bare:
        yield Violation("document-alt", None, "warning", len(bare), 0)


def _people(package: Package, allowed: set[str]) -> Iterator[Violation]:
    for key, name in named_people(package):
        if name.lower() not in allowed and not any(name.lower().startswith(one) for one in _PROGRAMS):
            yield Violation("document-person", None, "warning", name, key, name)


def named_people(package: Package) -> Iterator[tuple[str, str]]:
    """Property and name, for each property of the file that names somebody."""
    seen: set[str] = set()
    for one in package.relations(""):
        part = package.target("", one)
        kind = (one.get("Type") or "").rsplit("/", 1)[-1]
        if part is None or kind not in ("core-properties", "extended-properties", "custom-properties"):
            continue
        root = package.xml(part)
        tags = (_DC + "creator", _CP + "lastModifiedBy", _APP + "Manager", _APP + "Company")
        for found in root.iter(*tags):
            name = squeezed(found.text or "")
            if name and name not in seen:
                seen.add(name)
                yield str(found.tag).rpartition("}")[2], name
        if kind == "custom-properties":
            for found in root:
                key = found.get("name") or ""
                name = squeezed("".join(str(text) for text in found.itertext()))
                if name and any(word in key.lower() for word in ("author", "autor", "owner", "user", "email", "mail")):
                    yield key, name


def _language(package: Package, language: Language) -> Iterator[Violation]:
    """The tags of the text by letters; a tag of another language than the text's makes Word underline all of it."""
    styles = styles_of(package)
    part = package.related("styles")
    default = None if part is None else value(package.xml(part), "docDefaults/rPrDefault/rPr/lang")
    counts: Counter[str] = Counter()
    samples: dict[str, list[str]] = {}
    for paragraph in package.body.iter(W + "p"):
        chain = list(styles.chain(value(paragraph, "pPr/pStyle") or styles.default("paragraph")))
        of_style = next((tag for one in chain if (tag := value(one, "rPr/lang"))), None)
        for run in paragraph.findall(W + "r"):
            text = text_of(run)
            if text.strip():
                tag = value(run, "rPr/lang") or of_style or default or ""
                counts[tag] += len(text)
                samples.setdefault(tag, []).append(text)
    for tag, letters in counts.most_common():
        if letters < _WORTH:
            break
        told = from_tag(tag)
        spoken = guess(" ".join(samples[tag]))
        if spoken is not None and told != spoken:
            yield Violation("document-language", None, "warning", tag or "—", spoken, " ".join(samples[tag])[:60])
    settings = child(package.body, "p")
    if settings is None and language:
        yield Violation("document-empty", None, "error", 0, 1)
