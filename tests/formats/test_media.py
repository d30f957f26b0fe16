"""fabai.formats.media"""

from __future__ import annotations

from typing import Any

import pytest

from fabai.formats import ast
from fabai.formats.media import gather, picture_type

from .test_read import PNG


def picture(address: str, words: str = "") -> dict[str, Any]:
    alt = [{"t": "Str", "c": words}] if words else []
    return {"t": "Image", "c": [["", [], []], alt, [address, ""]]}


def test_pictures_get_project_names_and_those_of_one_name_stay_apart() -> None:
    files = {"a/uno.png": PNG, "b/uno.png": PNG + b"2"}
    blocks = [{"t": "Para", "c": [picture(address) for address in ("a/uno.png", "b/uno.png", "a/uno.png")]}]
    changed, gathered = gather(blocks, files.get)
    names = [element["c"][2][0] for element in ast.walk(changed) if element["t"] == "Image"]
    assert names[0] == names[2] == "media/uno.png"
    assert names[1].startswith("media/uno-")
    assert sorted(gathered.media.values()) == sorted(files.values())
    assert gathered.notices == []


def test_a_picture_that_is_not_there_leaves_its_words_and_is_named() -> None:
    addresses = ("http://x.example/a.png", "//x.example/a.png", "file:///etc/passwd", "no.png", "raro.png")
    blocks = [{"t": "Para", "c": [picture(address, "palabras") for address in addresses]}]
    changed, gathered = gather(blocks, {"raro.png": b"no es imagen"}.get)
    assert ast.text(changed) == "palabras" * 5
    assert not gathered.media
    assert [notice.split(":")[0] for notice in gathered.notices] == [
        "pictures that are only linked, and were not fetched",
        "pictures not found beside the document",
        "pictures in a format that cannot be read",
    ]
    assert ": 3 (" in gathered.notices[0]


def test_a_name_cannot_lead_anywhere() -> None:
    _, gathered = gather([{"t": "Para", "c": [picture("../../x y/..%2Fb<c>.png")]}], lambda _: PNG)
    assert list(gathered.media) == ["media/b-c.png"]


def test_formats_that_word_does_not_show_are_told() -> None:
    _, gathered = gather([{"t": "Para", "c": [picture("a.pdf")]}], lambda _: b"%PDF-1.7")
    assert list(gathered.media) == ["media/a.pdf"]
    assert "Word does not show" in gathered.notices[0]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "png"),
        (b"\xff\xd8\xff\xe0", "jpg"),
        (b"RIFF0000WEBP", "webp"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', "svg"),
        (b"\x01\x00\x00\x00" + bytes(36) + b" EMF", "emf"),
        (b"<html>", None),
        (b"", None),
    ],
)
def test_a_picture_is_what_its_first_bytes_say(data: bytes, kind: str | None) -> None:
    assert picture_type(data) == kind
