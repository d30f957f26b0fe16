"""fabai.formats.libreoffice"""

from __future__ import annotations

import io
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.errors import MissingPart, UnreadableFile
from fabai.formats import libreoffice
from fabai.settings import ReadingLimits

from .server import listening

Office = Callable[[bytes, str, str], bytes]
LIMITS = ReadingLimits()


def page(url: str) -> bytes:
    return f'<html><body><p>Hola</p><img src="{url}/a.png"></body></html>'.encode()


@pytest.mark.slow
def test_a_pdf_is_made_and_its_pages_counted_without_touching_the_network(office: Office) -> None:
    with listening() as server:
        pdf = office(page(server.url) + b'<p style="page-break-before: always">Otra</p>', "html", "pdf")
    assert pdf.startswith(b"%PDF")
    assert libreoffice.pages(pdf) >= 1
    assert server.calls == []


@pytest.mark.slow
def test_time_is_bounded_and_nothing_goes_on_running(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(office)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with pytest.raises(UnreadableFile, match="longer than"):
        libreoffice.to_pdf(b"{\\rtf1 hola}", "rtf", replace(LIMITS, seconds=0.3))
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) not in listed
    assert list(tmp_path.glob("fabai-office-*")) == []


def test_where_it_is_missing_the_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    libreoffice.executable.cache_clear()
    try:
        if libreoffice.executable() is not None:
            pytest.skip("LibreOffice lies where no PATH is needed")
        with pytest.raises(MissingPart, match="apt-get install"):
            libreoffice.convert(b"x", "doc", "docx")
    finally:
        libreoffice.executable.cache_clear()


def test_without_a_way_to_cut_the_network_files_that_link_out_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(libreoffice, "executable", lambda: "/bin/false")
    monkeypatch.setattr(libreoffice, "isolation", lambda: None)
    with pytest.raises(UnreadableFile, match="outside itself"):
        libreoffice.convert(rb'{\rtf1 {\field{\*\fldinst INCLUDEPICTURE "http://x.example/a.png"}}}', "rtf", "docx")


def packed(name: str, text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, text)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            packed("word/_rels/a.rels", '<Relationship Type=".../image" TargetMode="External" Target="http://x/a"/>'),
            True,
        ),
        (
            packed("word/_rels/a.rels", '<Relationship Type=".../hyperlink" TargetMode="External" Target="http://x"/>'),
            False,
        ),
        (packed("content.xml", '<draw:image xlink:href="http://x/a.png" xlink:show="embed"/>'), True),
        (packed("content.xml", '<text:a xlink:href="http://x/" xlink:type="simple"/>'), False),
        ("DDEAUTO".encode("utf-16-le"), True),
        (b"{\\rtf1 hola}", False),
    ],
)
def test_what_a_word_processor_would_fetch_is_seen(data: bytes, expected: bool) -> None:
    assert libreoffice.links_out(data) is expected


def test_pages_of_what_is_no_pdf_is_one_sentence() -> None:
    with pytest.raises(UnreadableFile, match="cannot be counted"):
        libreoffice.pages(b"%PDF-1.7 nada")


def test_the_network_can_be_cut_on_this_machine_or_it_says_not() -> None:
    front = libreoffice.isolation()
    if front is None:
        pytest.skip("neither unshare nor bwrap works on this machine")
    done = subprocess.run([*front, "cat", "/proc/net/dev"], capture_output=True, text=True, check=True)
    devices = [line.split(":")[0].strip() for line in done.stdout.splitlines() if ":" in line]
    assert devices == ["lo"]


def test_formulas_are_never_left_out_in_silence(tmp_path: Path) -> None:
    word = tmp_path / "word.docx"
    for name, xml in (("a", "<w:p/>"), ("b", "<m:oMath/>")):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("word/document.xml", xml)
    word.write_bytes(b"{\\rtf1}")
    paths = (tmp_path / "a", tmp_path / "b", word)
    assert [libreoffice.has_formulas(path.read_bytes()) for path in paths] == [False, True, False]
    for part, draws in (("libswlo.so", False), ("libsmlo.so", True)):
        (tmp_path / part).touch()
        libreoffice.draws_formulas.cache_clear()
        assert libreoffice.draws_formulas(str(tmp_path / "soffice")) is draws
