"""Pictures of a document: from where its text points at to 'media/...' names that belong to the project.

Knows picture formats and data addresses. Does not fetch from any address and opens no file itself: the reader passes
a `find` that looks into the package or folder that the document came from."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from fabai.formats import ast
from fabai.formats.ast import Element

FOLDER = "media"
Find = Callable[[str], bytes | None]

_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF8", "gif"),
    (b"BM", "bmp"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"\xd7\xcd\xc6\x9a", "wmf"),
    (b"%PDF", "pdf"),
    (b"%!PS", "eps"),
    (b"\xc5\xd0\xd3\xc6", "eps"),
)
_PRINTED = ("pdf", "eps")
_REMOTE = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


@dataclass(slots=True)
class Gathered:
    """The pictures found, by 'media/...' name, and a sentence for each way in which others were not."""

    media: dict[str, bytes] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)


def gather(blocks: list[Element], find: Find) -> tuple[list[Element], Gathered]:
    """The blocks with every picture pointing at project media. A picture that is linked from elsewhere or not found
    leaves its words and is named in a notice; nothing is fetched."""
    gathering = _Gathering(find)

    def change(element: Element) -> list[Element] | None:
        if element["t"] != "Image":
            return None
        attributes, words, target = element["c"]
        name = gathering.name(target[0])
        return list(words) if name is None else [{"t": "Image", "c": [attributes, words, [name, target[1]]]}]

    changed: list[Element] = ast.rewrite(blocks, change, frozenset({"Image"}))
    return changed, Gathered(gathering.media, gathering.notices())


class _Gathering:
    def __init__(self, find: Find) -> None:
        self.media: dict[str, bytes] = {}
        self._find = find
        self._names: dict[str, str | None] = {}
        self._linked: list[str] = []
        self._absent: list[str] = []
        self._strange: list[str] = []
        self._printed: list[str] = []

    def name(self, address: str) -> str | None:
        """The project name of the picture at an address of the document, None where there is no picture to be had."""
        if address not in self._names:
            self._names[address] = self._take(address)
        return self._names[address]

    def _take(self, address: str) -> str | None:
        inline = address.lower().startswith("data:")
        if not inline and _REMOTE.match(address):
            self._linked.append(address)
            return None
        path = "image" if inline else urllib.parse.unquote(address)
        data = _from_data(address) if inline else self._find(path)
        if data is None:
            self._absent.append(path)
            return None
        kind = picture_type(data)
        if kind is None:
            self._strange.append(path)
            return None
        if kind in _PRINTED:
            self._printed.append(path)
        name = _name(PurePosixPath(path).stem, kind, data, self.media)
        self.media[name] = data
        return name

    def notices(self) -> list[str]:
        groups = (
            (self._linked, "pictures that are only linked, and were not fetched", "insert them as files"),
            (self._absent, "pictures not found beside the document", "copy them into its folder and import it again"),
            (self._strange, "pictures in a format that cannot be read", "save them as PNG or JPEG"),
            (
                self._printed,
                "pictures in a format that Word does not show",
                "save them as PNG and import the report again",
            ),
        )
        return [f"{what}: {len(some)} ({_some(some)}); {advice}" for some, what, advice in groups if some]


def _name(stem: str, kind: str, data: bytes, taken: dict[str, bytes]) -> str:
    stem = re.sub(r"[^\w.-]+", "-", stem).strip("-.") or "image"
    name = f"{FOLDER}/{stem}.{kind}"
    if taken.get(name, data) != data:
        name = f"{FOLDER}/{stem}-{hashlib.sha256(data).hexdigest()[:8]}.{kind}"
    return name


def _from_data(address: str) -> bytes | None:
    header, _, content = address.partition(",")
    try:
        if header.lower().endswith(";base64"):
            return base64.b64decode(urllib.parse.unquote(content), validate=False)
        return urllib.parse.unquote_to_bytes(content)
    except (binascii.Error, ValueError):
        return None


def picture_type(data: bytes) -> str | None:
    """The picture format by its first bytes ("png", "svg" ...), None for anything else."""
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if data[40:44] == b" EMF":
        return "emf"
    head = data[:1000].lstrip().lower()
    return "svg" if head.startswith((b"<?xml", b"<svg", b"<!--", b"<!doctype svg")) and b"<svg" in data[:4000] else None


def _some(addresses: list[str]) -> str:
    shown = [address if len(address) <= 60 else f"{address[:57]}..." for address in addresses[:3]]
    return ", ".join([*shown, *(["..."] if len(addresses) > 3 else [])])
