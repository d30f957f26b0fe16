"""fabai.formats.safety"""

from __future__ import annotations

import io
import os
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import etree

from fabai.errors import UnreadableFile
from fabai.formats.safety import Loaded, load, parse_xml
from fabai.settings import ReadingLimits

LIMITS = ReadingLimits()
WORD = b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body/></w:document>'


def package(**parts: bytes) -> bytes:
    """A zip of parts; '__' in a name stands for '/' and a last '_' for '.'."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            folder, _, ending = name.replace("__", "/").rpartition("_")
            archive.writestr(f"{folder}.{ending}", data)
    return out.getvalue()


def loaded(path: Path, data: bytes, limits: ReadingLimits = LIMITS) -> Loaded:
    path.write_bytes(data)
    return load(path, limits)


def refusal(path: Path, data: bytes, limits: ReadingLimits = LIMITS) -> str:
    with pytest.raises(UnreadableFile) as refused:
        loaded(path, data, limits)
    sentence = str(refused.value)
    assert "\n" not in sentence
    assert path.name in sentence
    return sentence


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.docx", package(word__document_xml=WORD), "docx"),
        ("a.docm", package(word__document_xml=WORD, word__vbaProject_bin=b"x"), "docx"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"), "doc"),
        ("a.rtf", b"{\\rtf1 hola}", "rtf"),
        ("a.pdf", b"%PDF-1.7", "pdf"),
        ("a.md", b"# Hola", "markdown"),
        ("a.tex", b"\\section{x}", "latex"),
        ("a.html", b"<p>x", "html"),
        ("a.txt", "Año".encode("utf-16"), "plain"),
    ],
)
def test_a_file_is_what_its_content_says(tmp_path: Path, name: str, data: bytes, kind: str) -> None:
    found = loaded(tmp_path / name, data)
    assert found.kind == kind
    assert found.notices == ()


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("a.doc", package(word__document_xml=WORD), "docx"),
        ("a.docx", b"{\\rtf1 hola}", "rtf"),
        ("a.doc", b"<html><body>x</body></html>", "html"),
    ],
)
def test_a_wrong_ending_is_told_and_does_not_matter(tmp_path: Path, name: str, data: bytes, kind: str) -> None:
    found = loaded(tmp_path / name, data)
    assert found.kind == kind
    assert "whatever its ending says" in found.notices[0]


@pytest.mark.parametrize("data", [b"", b" \n", b"\xef\xbb\xbf", b"\x00" * 40])
def test_an_empty_file_is_refused(tmp_path: Path, data: bytes) -> None:
    assert "is empty" in refusal(tmp_path / "a.docx", data)


def test_a_truncated_or_damaged_package_is_refused(tmp_path: Path) -> None:
    whole = package(word__document_xml=WORD * 40)
    assert "damaged" in refusal(tmp_path / "a.docx", whole[: len(whole) // 2])
    broken = bytearray(whole)
    broken[60:90] = os.urandom(30)
    assert "damaged" in refusal(tmp_path / "b.docx", bytes(broken))


@pytest.mark.parametrize(
    ("parts", "word"),
    [
        ({"xl__workbook_xml": b"<x/>"}, "spreadsheet"),
        ({"ppt__presentation_xml": b"<x/>"}, "presentation"),
        ({"uno_txt": b"x"}, "zip archive"),
    ],
)
def test_another_kind_of_package_is_named(tmp_path: Path, parts: dict[str, bytes], word: str) -> None:
    assert word in refusal(tmp_path / "a.docx", package(**parts))


@pytest.mark.parametrize("name", ["a.docx", "a.png", "a.md", "a"])
def test_what_is_no_document_is_refused(tmp_path: Path, name: str) -> None:
    refusal(tmp_path / name, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)


def test_a_text_named_docx_is_refused(tmp_path: Path) -> None:
    assert "not what its ending says" in refusal(tmp_path / "a.docx", b"Esto es texto")


def test_a_password_is_named_with_its_remedy(tmp_path: Path) -> None:
    encrypted = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    assert "is protected by a password: open it in Word, remove the password" in refusal(tmp_path / "a.docx", encrypted)
    manifest = b"<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", b"\x00\x01")
    assert "is protected by a password: open it in LibreOffice" in refusal(tmp_path / "a.odt", out.getvalue())


def test_zip_bombs_are_refused_unopened(tmp_path: Path) -> None:
    bomb = package(word__document_xml=WORD, word__media__a_bin=b"\x00" * (40 * 2**20))
    assert "zip bomb" in refusal(tmp_path / "a.docx", bomb)
    assert "would unpack to" in refusal(tmp_path / "b.docx", bomb, replace(LIMITS, unpacked_bytes=2**20))
    many = package(word__document_xml=WORD, **{f"word__n{number}_xml": b"" for number in range(60)})
    assert "61 parts" in refusal(tmp_path / "c.docx", many, replace(LIMITS, parts=50))


def test_a_package_is_read_up_to_the_very_bounds_and_refused_one_above(tmp_path: Path) -> None:
    data = package(word__document_xml=WORD, word__n_xml=b"")
    count, size = 2, len(WORD)
    assert loaded(tmp_path / "a.docx", data, replace(LIMITS, parts=count, unpacked_bytes=size)).data == data
    assert "2 parts" in refusal(tmp_path / "b.docx", data, replace(LIMITS, parts=count - 1))
    assert "would unpack to" in refusal(tmp_path / "c.docx", data, replace(LIMITS, unpacked_bytes=size - 1))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_entities_are_refused(tmp_path: Path, encoding: str) -> None:
    bomb = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>'
    data = package(word__document_xml=WORD, word__styles_xml=bomb.encode(encoding))
    assert "XML entities" in refusal(tmp_path / "a.docx", data)


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    deep = b"<a>" * 5000 + b"</a>" * 5000
    assert "too deep" in refusal(tmp_path / "a.docx", package(word__document_xml=deep))


def test_the_xml_parser_opens_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secreto.txt"
    secret.write_text("SECRETO", encoding="utf-8")
    root = parse_xml(f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a>&x;</a>'.encode())
    assert "SECRETO" not in etree.tostring(root, method="text", encoding="unicode")


def test_a_file_over_the_bound_is_refused(tmp_path: Path) -> None:
    assert "at most 0 are read" in refusal(tmp_path / "a.md", b"x" * 2000, replace(LIMITS, file_bytes=1000))


def test_a_folder_a_missing_file_and_a_pipe_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    for path, words in (
        (tmp_path, "is a folder"),
        (tmp_path / "no.md", "does not exist"),
        (tmp_path / "pipe.md", "not a file"),
    ):
        with pytest.raises(UnreadableFile, match=words):
            load(path, LIMITS)


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("x", encoding="utf-8")
    path.chmod(0)
    root = os.geteuid() == 0
    if root:
        # root may read anything: be nobody while the file is opened
        for folder in (tmp_path, *list(tmp_path.parents)[:2]):
            folder.chmod(0o755)
        os.seteuid(65534)
    try:
        with pytest.raises(UnreadableFile, match=r"may not be read|cannot be read"):
            load(path, LIMITS)
    finally:
        if root:
            os.seteuid(0)
