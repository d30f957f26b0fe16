"""Handing in: what is missing, portal fields, Word and back, the package, what a funder asks for; rules put aside."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from docx import Document as Word
from openpyxl import load_workbook

from fabai.formats.read import read
from fabai.store.project import Project
from tests.app.serving import Paced, Served

from .conftest import Screen

Serve, Open = Callable[..., Served], Callable[..., Screen]


def put(project: Project, place: int, text: str) -> str:
    bench = project.workbench
    section = [one for one in project.report() if one.level > 0][place].id
    bench.edit(section, text, bench.standing(section).token, "Ana Ferrer")
    bench.settle()
    return section


def test_one_character_over_is_said_and_copied_with_the_same_count(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url, permissions=["clipboard-read", "clipboard-write"]).open()
    one.new(title="Portal", form="aei-pid-memoria")
    with Project.open(server.workspace / "portal.fabai") as project:
        spec, limit = next(
            (each, rule) for each in project.form.sections for rule in each.limits if rule.maximum == 3_500
        )
        place = [each.spec for each in project.report() if each.level > 0].index(spec.id)
        lead = "Col·laboració de 5 € amb l'Espai.\n\n"
        # the portal of this form counts the two lines between paragraphs as two characters
        section = put(project, place, lead + "a" * (3_501 - len(lead) - limit.line_break + 2))
    one.go("submission")
    field = one.page.locator(f".fb-portal[data-section='{section}']")
    field.wait_for()
    assert "Sobra uno" in field.inner_text()
    assert "3.501 / 3.500" in field.inner_text()
    field.locator("button >> nth=0").click()
    one.page.wait_for_function("document.querySelector('#fb-said')?.textContent.includes('3.501')")
    copied = one.page.evaluate("navigator.clipboard.readText()")
    assert len(copied) == 3_501
    assert "€" in copied
    assert "l·l" in copied
    field.locator("input[type=checkbox]").check()
    one.page.wait_for_function(f"document.querySelector('#fb-pasted-{section}')?.checked")


def test_what_is_missing_is_listed_before_anything_is_made(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        put(project, 0, "La clausura fue el [falta: fecha].")
    one.go("submission")
    one.page.wait_for_selector("#fb-submission .fb-item.fb-error")
    shown = one.page.locator("#fb-submission").inner_text()
    assert "«fecha»" in shown
    one.page.click("#fb-submission .fb-item.fb-error button >> nth=0")
    one.page.wait_for_function("document.body.dataset.screen === 'writing'")


def test_an_edit_in_word_comes_back_and_a_clash_shows_both_texts(serve: Serve, screen: Open, tmp_path: Path) -> None:
    server = serve()
    one = screen(server.url, accept_downloads=True).open().new()
    file = server.workspace / "barrio-vivo-2025.fabai"
    with Project.open(file) as project:
        first = put(project, 0, "Se hicieron dos talleres.\n\nFue en mayo.")
        second = put(project, 1, "Vinieron cuarenta personas.")
    one.go("submission")
    with one.page.expect_download() as waiting:
        one.page.click("#fb-export")
    waiting.value.save_as(tmp_path / "m.docx")
    word = Word(str(tmp_path / "m.docx"))
    for paragraph in word.paragraphs:
        for old, new in (("mayo", "junio"), ("cuarenta", "cincuenta")):
            if old in paragraph.text:
                paragraph.text = paragraph.text.replace(old, new)
    word.save(str(tmp_path / "m.docx"))
    with Project.open(file) as project:
        put(project, 1, "Vinieron sesenta personas.")
    one.page.set_input_files("#fb-word-file", tmp_path / "m.docx")
    one.page.click("#fb-word-back .fb-primary")
    one.page.wait_for_selector("#fb-word-clash")
    shown = one.page.locator("#fb-word-clash").inner_text()
    assert "sesenta" in shown
    assert "cincuenta" in shown
    assert one.violations() == []
    one.page.click("#fb-word-clash button:has-text('Tomar el de Word')")
    one.page.wait_for_function("document.querySelector('#fb-submission').textContent.includes('cambiadas desde Word')")
    with Project.open(file) as project:
        report = project.report()
        assert report.find(first).text == "Se hicieron dos talleres.\n\nFue en junio."
        assert report.find(second).text == "Vinieron cincuenta personas."
        assert "Vinieron sesenta personas." in [each.text for each in project.versions(second)]


def test_the_package_the_evidence_and_the_record_are_downloaded(serve: Serve, screen: Open, tmp_path: Path) -> None:
    one = screen(serve().url, accept_downloads=True).open().new()
    one.page.click("#fb-draft")
    one.page.wait_for_function("Fabai.milk.get().includes('Refuerzo de lectura')")
    one.type(" Asistieron 180 personas.")
    one.go("submission")
    names = {}
    for button in ("package", "evidence", "record"):
        with one.page.expect_download(timeout=120_000) as waiting:
            one.page.click(f"#fb-{button}")
        names[button] = waiting.value.suggested_filename
        waiting.value.save_as(tmp_path / names[button])
    assert names == {
        "package": "barrio-vivo-2025.zip", "evidence": "barrio-vivo-2025-evidencias.xlsx",
        "record": "barrio-vivo-2025-ia.docx",
    }  # fmt: skip
    files = zipfile.ZipFile(tmp_path / names["package"]).namelist()
    # something is missing, so every name says that it is a draft
    assert {Path(each).suffix for each in files} >= {".pdf", ".docx", ".txt", ".json"}
    assert any(each.startswith("borrador_") for each in files)
    assert "Es un borrador" in one.page.locator("#fb-submission").inner_text()
    assert "scripted" in read(tmp_path / names["record"]).text
    rows = load_workbook(tmp_path / names["evidence"]).active.iter_rows(values_only=True)
    assert any("180 personas" in str(cell) for row in rows for cell in row)


def test_a_rule_is_put_aside_for_a_reason_seen_and_taken_up_again(serve: Serve, screen: Open) -> None:
    one = screen(serve().url).open().new().type("Fue un éxito rotundo y un proyecto excelente.")
    one.go("review")
    wanted = one.page.locator("#fb-review .fb-findings li", has_text="elogio")
    wanted.first.wait_for()
    wanted.first.locator(".fb-aside button").click()
    one.page.click("#fb-put-aside .fb-primary")
    assert "motivo" in one.page.locator("#fb-said").inner_text()
    wanted.first.locator(".fb-aside button").click()
    one.page.fill("#fb-reason", 'Lo dice la convocatoria <img src=x onerror="window.hacked=1">')
    one.page.click("#fb-put-aside .fb-primary")
    one.page.wait_for_selector("#fb-asides")
    assert wanted.count() == 0
    one.page.click("#fb-asides summary")
    assert "Lo dice la convocatoria <img" in one.page.locator("#fb-asides").inner_text()
    assert one.violations() == []
    one.page.click("#fb-asides button")
    wanted.first.wait_for()
    assert one.page.evaluate("window.hacked") is None


def test_figures_that_changed_places_are_both_shown(serve: Serve, screen: Open) -> None:
    one = screen(serve().url).open().new().tab("facts")
    for name, value in (("talleres", "12 talleres"), ("personas atendidas", "180 personas")):
        one.page.click("#fb-add-fact")
        for key, text in (("name", name), ("value", value), ("source", "Registro")):
            one.page.fill(f"#fb-fact-{key}", text)
        one.page.click("dialog .fb-primary")
        one.page.wait_for_function(f"document.querySelector('#fb-panel').textContent.includes('{value}')")
    one.type("Se celebraron 180 talleres con 12 personas.")
    one.tab("findings")
    one.page.wait_for_function("document.querySelectorAll('#fb-panel .fb-findings li').length >= 2")
    shown = one.page.locator("#fb-panel").inner_text()
    assert "«180" in shown
    assert "«12" in shown
    one.page.click("#fb-panel .fb-findings button.fb-quote >> nth=0")
    one.page.wait_for_selector(".fb-text .fb-found")


def test_verified_figures_only_is_kept_for_the_section_and_asked_of_the_model(
    serve: Serve, screen: Open, writer: Paced
) -> None:
    writer.locks = True
    one = screen(serve().url).open().new()
    one.page.check("#fb-figures-only")
    one.page.wait_for_function("document.querySelector('#fb-figures-only-help').textContent.includes('sin ninguna')")
    writer.text = "Se hicieron talleres en tres barrios."
    one.page.click("#fb-draft")
    one.page.wait_for_function("Fabai.milk.get().includes('tres barrios')")
    assert writer.constraints[-1] is not None
    one.page.reload()
    one.page.wait_for_selector("#fb-figures-only:checked")
    assert one.violations() == []
    one.page.uncheck("#fb-figures-only")
    one.page.wait_for_selector("#fb-figures-only:not(:checked)")
