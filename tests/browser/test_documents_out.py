"""Large and foreign things: a memoria with pictures and tables goes in and out whole, a giant paste is kept."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from docx import Document as Word

from fabai.store.project import Project
from tests.app.serving import Served

from .conftest import Screen

Serve, Open = Callable[..., Served], Callable[..., Screen]


def test_a_memoria_goes_in_and_out_with_its_pictures_and_tables(
    serve: Serve, screen: Open, shared: Path, tmp_path: Path
) -> None:
    source = shared / "data" / "docx-memorias" / "MasterCloudApps-Projects__chess__memoria.docx"
    one = screen(serve().url, accept_downloads=True).open().new(form="generic")
    page = one.page
    page.set_input_files("#fb-file", source)
    page.wait_for_selector("#fb-wizard .fb-tree li", timeout=90_000)
    page.click("#fb-wizard > .fb-actions .fb-primary")
    page.wait_for_selector(".fb-outline li", timeout=90_000)
    one.go("submission")
    with page.expect_download(timeout=120_000) as waiting:
        page.click("#fb-export")
    waiting.value.save_as(tmp_path / "chess.docx")
    assert len(Word(str(tmp_path / "chess.docx")).tables) == len(Word(str(source)).tables) == 31
    pictures = [each for each in zipfile.ZipFile(tmp_path / "chess.docx").namelist() if each.startswith("word/media/")]
    assert len(pictures) == 9


def test_a_giant_paste_is_kept_and_the_page_goes_on(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    one.page.click(".fb-text .fb-doc")
    one.page.evaluate(
        """() => { const data = new DataTransfer()
        const line = (n) => `Párrafo ${n} con <b>marcas</b> `.repeat(4)
        data.setData("text/plain", Array.from({ length: 2000 }, (_, n) => line(n)).join("\\n\\n"))
        document.querySelector('.fb-text .fb-doc').dispatchEvent(new ClipboardEvent('paste',
          { clipboardData: data, bubbles: true, cancelable: true })) }"""
    )
    one.page.wait_for_function("Fabai.milk.get().length > 200000", timeout=120_000)
    one.saved()
    one.page.click(".fb-outline button >> nth=2")
    one.page.wait_for_function("Fabai.milk.get() === ''")
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        longest = max((each.text for each in project.report()), key=len)
    assert longest.count("Párrafo 1999 ") == 4
    assert one.page.locator(".fb-text b").count() == 0
