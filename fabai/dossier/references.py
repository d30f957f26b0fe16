"""The references that a report may cite: read from .bib, .ris or CSL JSON, kept with the project, with the style in
which they are worded.

Knows the records of a bibliography file and what is wrong with it, by line. Does not know what a report wants of its
own publications (fabai.dossier.publications), nor how a citation is worded (fabai.formats.bibliography).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fabai.errors import UnreadableFile
from fabai.formats import ast, pandoc
from fabai.formats.citation import Literature
from fabai.formats.encoding import decode
from fabai.ordinary import contents
from fabai.report import Report
from fabai.settings import ReadingLimits
from fabai.store.project import Project

_LIMITS = ReadingLimits()
_KIND, _STYLE = "reference", "citation-style"
_ENTRY = re.compile(r"(?m)^[ \t]*@[ \t]*(?!(?:string|comment|preamble)\b)(\w+)\s*\{\s*([^,\s{}]+)\s*,", re.IGNORECASE)
_RIS_ENTRY = re.compile(r"(?ms)^TY {1,2}-.*?^ER {1,2}-[^\n]*")
_RIS_KEY = re.compile(r"(?m)^ID {1,2}- *(\S+)")
_MADE = re.compile(r".*_\d{4}")
_AT = re.compile(r"\(line (\d+), column \d+\)[:.]?\s*(.*)")
_STYLE_BYTES = 2**20
_NAMED = 5
"""Keys that a notice names."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record. key: as it is cited. record: pandoc's metadata of CSL variables. own: the text of the record itself,
    for what no variable holds.
    """

    key: str
    record: dict[str, Any]
    own: str = ""


@dataclass(frozen=True, slots=True)
class Entries:
    """What a file holds. notices: keys that stand twice, records without a key."""

    entries: tuple[Entry, ...]
    notices: tuple[str, ...] = ()


def read_references(path: Path) -> Entries:
    """The records of a .bib, .ris or CSL JSON file; UnreadableFile in one sentence where there are none."""
    text = decode(contents(path, _LIMITS.table_bytes, path.name)).replace("\r\n", "\n")
    found = entries(text, path.name)
    if found is None or not found.entries:
        raise UnreadableFile(
            f"{path.name} holds no references that can be read: give a .bib, a .ris, or a CSL .json file"
        )
    return found


def entries(text: str, name: str) -> Entries | None:
    """The records of a bibliography file's text, told by what it holds; None where it is no such file."""
    if text.lstrip().startswith(("[", "{")):
        read = _csl(text, name)
    elif _ENTRY.search(text):
        read = _bibtex(text, name)
    elif _RIS_ENTRY.search(text):
        read = _ris(text, name)
    else:
        return None
    return _once(read, text, name)


def _bibtex(text: str, name: str) -> list[Entry]:
    # a language keeps the reader from writing titles as English does, in lower case; a record's own comes behind it
    told = _ENTRY.sub(lambda match: f"{match[0]} langid = {{spanish}},", text)
    starts = [(match[2], match.start()) for match in _ENTRY.finditer(text)]
    ends = [start for _, start in starts[1:]] + [len(text)]
    own = {
        key: " ".join(text[start:end].split()) for (key, start), end in reversed(list(zip(starts, ends, strict=True)))
    }
    return [replace(one, own=own.get(one.key, "")) for one in _read(told, "biblatex", name)]


def _ris(text: str, name: str) -> list[Entry]:
    records = _RIS_ENTRY.findall(text)
    read = _read("\n\n".join(records) + "\n", "ris", name)
    if len(read) != len(records):
        read = [one for record in records for one in _read(record + "\n", "ris", name)[:1]]
    taken: Counter[str] = Counter()
    out = []
    for one, record in zip(read, records, strict=False):
        key = one.key
        if _RIS_KEY.search(record) is None:
            # made of author and year, as pandoc makes it, whose letters for those of one year end with z
            key = (_MADE.match(key) or [key])[0]
            taken[key] += 1
            key += _letters(taken[key] - 1)
        out.append(_keyed(replace(one, own=" ".join(record.split())), key))
    return out


def _letters(number: int) -> str:
    """ "" for 0, then a to z, aa, ab ..."""
    return "" if not number else _letters((number - 1) // 26) + chr(ord("a") + (number - 1) % 26)


def _csl(text: str, name: str) -> list[Entry]:
    try:
        items = json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableFile(f"{name} is no JSON that can be read (line {error.lineno}: {error.msg})") from None
    except RecursionError:
        raise UnreadableFile(f"{name} is no JSON that can be read: its lists are nested too deeply") from None
    if isinstance(items, dict):
        items = items.get("items", [items])
    if not isinstance(items, list) or not all(isinstance(one, dict) and one.get("id") and one.get("type")
                                              for one in items):  # fmt: skip
        raise UnreadableFile(f"{name} is no list of references in CSL JSON, each with id and type: export it again")
    return _read(json.dumps([{**one, "id": str(one["id"])} for one in items]), "csljson", name)


def _read(text: str, reader: str, name: str) -> list[Entry]:
    try:
        tree = pandoc.to_json(text, reader, _LIMITS)
    except UnreadableFile as error:
        at = _AT.search(str(error))
        if at is None:
            raise UnreadableFile(f"{name} holds no references that can be read: {error}") from None
        what = at[2].split(" @")[0].split(");")[0].strip()[:80]
        raise UnreadableFile(
            f"{name} cannot be read at line {at[1]} ({what}): a brace or a comma is missing there or in the record "
            "above; mend it and import the file again"
        ) from None
    found = tree["meta"].get("references", {"c": []})["c"]
    records = [_composed(one["c"]) for one in found if one["t"] == "MetaMap"]
    return [_keyed(Entry("", record), ast.text(record.get("id"))) for record in records]


def _keyed(one: Entry, key: str) -> Entry:
    """The entry under a key that can be cited: without spaces and braces."""
    key = re.sub(r"[\s{}]+", "_", key).strip("_")
    return replace(one, key=key, record={**one.record, "id": {"t": "MetaString", "c": key}})


def _composed(node: Any) -> Any:
    """TeX's accented i has no dot; composed, it is the letter that people write."""
    if isinstance(node, str):
        return unicodedata.normalize("NFC", re.sub("\u0131(?=[\u0300-\u036f])", "i", node))
    if isinstance(node, list):
        return [_composed(one) for one in node]
    return {key: _composed(one) for key, one in node.items()} if isinstance(node, dict) else node


def _once(read: Sequence[Entry], text: str, name: str) -> Entries:
    """Each key once: the first record stays, and a notice says where the other stands."""
    kept: dict[str, Entry] = {}
    for one in read:
        if one.key:
            kept.setdefault(one.key, one)
    notices = []
    nameless = sum(not one.key for one in read)
    if nameless:
        notices.append(f"{name}: {nameless} records have no key and cannot be cited")
    twice = list(_twice(text)) or [(key, 0) for key, times in Counter(one.key for one in read).items() if times > 1]
    for key, line in twice[:_NAMED]:
        notices.append(
            f"{name}{f', line {line}' if line else ''}: the key {key} stands twice; the first record was kept"
        )
    if len(twice) > _NAMED:
        notices.append(f"{name}: {len(twice) - _NAMED} more keys stand twice")
    return Entries(tuple(kept.values()), tuple(notices))


def _twice(text: str) -> Iterator[tuple[str, int]]:
    seen: set[str] = set()
    for match in _ENTRY.finditer(text):
        if match[2] in seen:
            yield match[2], text.count("\n", 0, match.start(2)) + 1
        seen.add(match[2])


def add_references(project: Project, found: Sequence[Entry]) -> tuple[int, int]:
    """Keep records under their keys; one that was there takes its new content. Returns how many are new, and how many
    replaced another.
    """
    before = {item.key for item in project.items().all(_KIND)}
    changed = project.items().save(_KIND, [(one.key, {"record": one.record}) for one in found], event="references")
    new = sum(one.key not in before for one in found)
    return new, changed - new


def keep_style(project: Project, path: Path) -> None:
    """A CSL style for all further documents of the project; UnreadableFile where the file is none."""
    from fabai.formats.bibliography import check_style

    text = decode(contents(path, _STYLE_BYTES, path.name))
    check_style(text, path.name)
    project.items().save(_STYLE, [("csl", {"name": path.name, "text": text})], event="references")


def worded(project: Project, report: Report) -> Report:
    """The report with its citations in the words that documents show, which is what limits count and portals get."""
    if not any("@" in section.text for section in report):
        return report
    texts = texts_in_words(project, [section.text for section in report])
    sections = tuple(replace(one, text=text) for one, text in zip(report, texts, strict=True))
    return replace(report, sections=sections)


def texts_in_words(project: Project, texts: Sequence[str]) -> list[str]:
    """Markdown texts of a project, as `worded`."""
    from fabai.formats.bibliography import in_words

    return in_words(texts, literature(project), project.language) if any("@" in text for text in texts) else list(texts)


def literature(project: Project) -> Literature:
    """What the report may cite, and in which style."""
    style = next((str(item.data["text"]) for item in project.items().all(_STYLE) if item.data is not None), "")
    records = {item.key: item.data["record"] for item in project.items().all(_KIND) if item.data is not None}
    return Literature(records, style)
