"""The writer's day: from a new grant to the Word file; reload, stop, two tabs, import, questions, paste from Word."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from docx import Document as Word

from fabai.formats.read import read
from fabai.store.project import Project
from tests.app.conftest import DOSSIERS
from tests.app.serving import Paced, Served

from .conftest import ROOT, Screen

Serve, Open = Callable[..., Served], Callable[..., Screen]
TRACKED = next((ROOT / "tests" / "data" / "cases" / "006-tracked-changes-and-comments").glob("*.docx"), None)


def test_from_a_new_grant_to_the_word_file(serve: Serve, screen: Open, tmp_path: Path) -> None:
    one = screen(serve().url, accept_downloads=True).open().new()
    page = one.page
    page.click("#fb-draft")
    page.wait_for_function("Fabai.milk.get().includes('Refuerzo de lectura')")
    one.type(" Y una frase escrita a mano, con ñ, l·l y 1.234,56 €.")
    assert page.locator(".fb-text .fb-hole").inner_text() == "Falta: fecha de la clausura"
    page.keyboard.press("Control+s")
    one.tab("versions")
    page.wait_for_function("document.querySelectorAll('#fb-panel li').length === 2")
    one.go("submission")
    with page.expect_download() as waiting:
        page.click("#fb-export")
    target = tmp_path / "memoria.docx"
    waiting.value.save_as(target)
    # in Word a figure and its unit stay on one line
    text = read(target).text.replace("\u00a0", " ")
    assert "Acompañamiento a familias recién llegadas" in text
    assert "Y una frase escrita a mano, con ñ, l·l y 1.234,56 €." in text


def test_writing_goes_on_in_the_server_and_is_there_on_return(serve: Serve, screen: Open, writer: Paced) -> None:
    writer.pause = 0.5
    server = serve()
    one = screen(server.url).open().new()
    one.page.click("#fb-draft")
    one.page.wait_for_function("document.querySelector('.fb-preview')?.textContent.length > 20")
    address = one.page.url
    one.page.reload()
    one.page.wait_for_function("document.querySelector('.fb-preview')?.textContent.length > 20")
    one.page.goto("about:blank")
    writer.pause = 0.01
    while not writer.closed:
        time.sleep(0.05)
    one.page.goto(address)
    one.page.wait_for_function("window.Fabai?.milk?.get().includes('Refuerzo de lectura')")
    assert len(writer.asked) == 1


def test_stop_waits_for_no_model_and_keeps_the_text(serve: Serve, screen: Open, writer: Paced) -> None:
    writer.gate, writer.pause = threading.Semaphore(6), 0.05
    one = screen(serve().url).open().new()
    one.page.click("#fb-draft")
    one.page.wait_for_function("document.querySelector('.fb-preview')?.textContent.includes('el programa')")
    one.page.keyboard.press("Escape")
    # the model gives nothing any more: the page is told all the same
    one.page.wait_for_selector("#fb-draft")
    assert writer.given == 6
    writer.gate.release(1_000)
    # what came until then is the section's text, on the screen too
    one.page.wait_for_function("Fabai.milk.get().includes('La entidad ha desarrollado el programa')")
    assert writer.given <= 7
    one.tab("versions")
    one.page.wait_for_function("document.querySelector('#fb-panel').textContent.includes('incompleta')")


def test_two_tabs_on_one_section_show_both_texts_and_lose_neither(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    other = screen(server.url)
    # the other one is not told of the first one's text in time
    other.page.route("**/api/events*", lambda route: route.abort())
    other.open("#/barrio-vivo-2025").page.wait_for_selector(".fb-text .fb-doc")
    one.type("Texto de la primera.")
    other.page.click(".fb-text .fb-doc")
    other.page.keyboard.type("Texto de la segunda persona.")
    other.page.wait_for_selector("#fb-clash")
    clashed = other
    assert clashed.page.locator("#fb-clash").count() == 1
    shown = clashed.page.locator("#fb-clash").inner_text()
    assert "Texto de la primera." in shown
    assert "Texto de la segunda persona." in shown
    clashed.page.click("#fb-clash button:has-text('Los dos')")
    clashed.saved()
    assert "Texto de la primera." in clashed.text()
    assert "Texto de la segunda persona." in clashed.text()


def test_a_change_in_one_tab_appears_in_the_other(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    other = screen(server.url)
    other.open("#/barrio-vivo-2025").page.wait_for_selector(".fb-text .fb-doc")
    other.page.wait_for_timeout(500)
    one.type("Lo que escribe Ana.")
    other.page.wait_for_function("Fabai.milk.get().includes('Lo que escribe Ana.')")


def test_what_is_typed_while_a_section_comes_anew_is_kept(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    held: list[Any] = []
    one.page.route("**/api/section", lambda route: held.append(route))
    told = {"project": "barrio-vivo-2025", "section": one.page.evaluate("Fabai.state.section"), "on": False}
    httpx.post(f"{server.url}api/figures-only", json=told)
    while not held:
        one.page.wait_for_timeout(20)
    one.page.click(".fb-text .fb-doc")
    one.page.keyboard.type("Escrito mientras tanto.")
    for route in held:
        route.continue_()
    one.page.unroute("**/api/section")
    one.saved()
    assert one.text().strip() == "Escrito mientras tanto."
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        assert "Escrito mientras tanto." in project.report().find(told["section"]).text


def test_what_was_typed_while_the_server_was_away_arrives_later(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    one.page.route("**/api/save", lambda route: route.abort())
    one.page.click(".fb-text .fb-doc")
    one.page.keyboard.type("Escrito sin conexión.")
    one.page.wait_for_function("document.querySelector('#fb-saved').textContent.startsWith('Sin guardar')")
    one.page.unroute("**/api/save")
    one.page.reload()
    one.page.wait_for_selector(".fb-text .fb-doc")
    one.page.wait_for_function("window.Fabai?.milk?.get().includes('Escrito sin conexión.')")
    one.page.wait_for_function("['', 'Guardado'].includes(document.querySelector('#fb-saved').textContent)")
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        assert project.report().sections[0].text.strip() == "Escrito sin conexión."


def test_a_reading_is_corrected_before_anything_is_saved(serve: Serve, screen: Open, tmp_path: Path) -> None:
    server = serve()
    word = Word()
    for heading, level in (("Objetivos", 1), ("Detalle", 1), ("Sobra", 1)):
        word.add_heading(heading, level)
        word.add_paragraph(f"Texto de {heading.lower()}.")
    word.save(str(tmp_path / "anterior.docx"))
    one = screen(server.url).open().new(form="generic")
    page = one.page
    page.set_input_files("#fb-file", tmp_path / "anterior.docx")
    page.wait_for_selector("#fb-wizard .fb-tree li")
    page.click("[aria-label='Bajar un nivel: Detalle']")
    page.click("[aria-label='Quitar: Sobra']")
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        assert not len(project.report())
    page.click("#fb-wizard > .fb-actions .fb-primary")
    page.wait_for_function("document.querySelectorAll('.fb-outline li').length === 2")
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        assert [(each.level, each.heading) for each in project.report()] == [(1, "Objetivos"), (2, "Detalle")]


def test_tracked_changes_are_announced_by_author_with_a_choice(serve: Serve, screen: Open, shared: Path) -> None:
    one = screen(serve().url).open().new()
    one.go("documents")
    one.page.select_option("#fb-kind", "contribution")
    one.page.set_input_files("#fb-file", next((shared / "data" / "docx").glob("poi__delins*.docx")))
    one.page.wait_for_selector("#fb-changes")
    assert "pavel" in one.page.locator("#fb-changes legend").inner_text()
    assert "13 inserciones" in one.page.locator("#fb-changes").inner_text()
    one.page.click("#fb-changes summary")
    one.page.uncheck("#fb-change-0")
    one.page.wait_for_function("!document.querySelector('#fb-wizard .fb-tree').textContent.includes('Apache Tika')")
    assert one.violations() == []
    one.page.uncheck("#fb-author-0")
    assert one.page.is_disabled("#fb-change-0")
    one.page.wait_for_function(
        "!document.querySelector('#fb-wizard .fb-tree').textContent.includes('has been released')"
    )
    one.page.click("#fb-wizard > .fb-actions .fb-primary")
    one.page.click("#fb-sources .fb-link")
    text = one.page.locator(".fb-source").inner_text()
    assert "red spot" in text
    assert "Apache Tika 0.3 has been released" not in text


def test_comments_become_notes_and_none_reaches_the_file(
    serve: Serve, screen: Open, shared: Path, tmp_path: Path
) -> None:
    one = screen(serve().url, accept_downloads=True).open().new(form="generic", language="en")
    page = one.page
    page.set_input_files("#fb-file", next((shared / "data" / "docx").glob("docling__docx_comments*.docx")))
    page.wait_for_selector("#fb-wizard")
    page.click("#fb-wizard > .fb-actions .fb-primary")
    page.wait_for_selector(".fb-outline li")
    one.tab("notes")
    page.wait_for_function("document.querySelector('#fb-panel').textContent.includes('sample reviewer comment')")
    one.go("submission")
    with page.expect_download() as waiting:
        page.click("#fb-export")
    waiting.value.save_as(tmp_path / "out.docx")
    assert b"reviewer comment" not in (tmp_path / "out.docx").read_bytes()
    assert "reviewer comment" not in read(tmp_path / "out.docx").text
    assert not read(tmp_path / "out.docx").notices


def test_questions_become_verified_data(serve: Serve, screen: Open) -> None:
    one = screen(serve().url).open().new().tab("questions")
    one.page.fill("#fb-question-0", "La Asociación Vecinal y dos escuelas")
    one.page.fill("#fb-question-proof", "Convenio de 2025")
    one.page.click("#fb-answer")
    one.page.wait_for_selector("#fb-said")
    one.tab("facts")
    one.page.wait_for_function("document.querySelector('#fb-panel').textContent.includes('Convenio de 2025')")


def test_paste_from_word_keeps_structure_and_drops_the_rest(serve: Serve, screen: Open) -> None:
    one = screen(serve().url).open().new()
    html = (Path(__file__).parent / "word.html").read_text(encoding="utf-8")
    one.page.click(".fb-text .fb-doc")
    one.page.evaluate(
        """(html) => { const data = new DataTransfer(); data.setData('text/html', html);
        document.querySelector('.fb-text .fb-doc').dispatchEvent(new ClipboardEvent('paste',
          { clipboardData: data, bubbles: true, cancelable: true })) }""",
        html,
    )
    one.saved()
    text = one.text()
    assert "**Resultado principal**" in text
    assert "- Primera acción" in text
    assert "| Partida" in text
    assert "mso" not in text.lower()
    assert "file:" not in text
    assert "alert" not in text


def test_a_pasted_picture_is_kept_in_the_project(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    one.page.click(".fb-text .fb-doc")
    one.page.evaluate(
        """() => new Promise((done) => { const canvas = document.createElement('canvas');
        canvas.width = canvas.height = 20;
        canvas.toBlob((blob) => { const data = new DataTransfer();
        data.items.add(new File([blob], 'acto.png', { type: 'image/png' }));
        document.querySelector('.fb-text .fb-doc').dispatchEvent(new ClipboardEvent('paste',
          { clipboardData: data, bubbles: true, cancelable: true })); done() }) })"""
    )
    one.page.wait_for_function("document.querySelector('.fb-text img[alt=acto]')?.naturalWidth === 20")
    one.saved()
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        assert len(project.media()) == 1
    assert "![acto](media/" in one.text()


def test_a_bad_file_is_one_sentence_and_the_page_goes_on(serve: Serve, screen: Open, tmp_path: Path) -> None:
    (tmp_path / "roto.docx").write_bytes(b"PK\x03\x04 no es un zip")
    one = screen(serve().url).open().new()
    one.go("documents")
    one.page.set_input_files("#fb-file", tmp_path / "roto.docx")
    one.page.wait_for_selector("#fb-said [role=alert]")
    assert "El archivo no se puede leer." in one.page.locator("#fb-said").inner_text()
    one.go("writing").page.wait_for_selector(".fb-text .fb-doc")


def test_a_draft_is_taken_by_paragraph(serve: Serve, screen: Open, writer: Paced) -> None:
    one = screen(serve().url).open().new()
    one.type("Mi primer párrafo.")
    one.page.keyboard.press("Enter")
    one.type("Mi segundo párrafo.")
    writer.text = "Mi primer párrafo.\n\nEl segundo, de la IA."
    one.page.click("#fb-draft")
    one.page.click("#fb-take-parts")
    one.page.wait_for_selector("#fb-choice tbody tr")
    assert one.page.locator("#fb-choice input[type=checkbox]").count() == 1
    one.page.click("#fb-choice > .fb-actions .fb-primary")
    one.saved()
    assert one.text().strip() == "Mi primer párrafo.\n\nEl segundo, de la IA."
    one.page.keyboard.press("Control+z")
    one.saved()
    assert "Mi segundo párrafo." in one.text()


def test_a_selection_is_rewritten_in_its_place(serve: Serve, screen: Open, writer: Paced) -> None:
    one = screen(serve().url).open().new()
    one.type("Uno dos tres.")
    one.page.keyboard.press("Home")
    one.page.keyboard.press("Control+Shift+ArrowRight")
    one.page.wait_for_selector(".fb-has-selection")
    writer.text = "Primero"
    one.page.click("#fb-rewrite")
    one.page.fill("#fb-instruction", "con una palabra ordinal")
    one.page.click("dialog .fb-primary")
    one.page.click("#fb-take")
    one.saved()
    assert one.text().strip().startswith("Primero")
    assert one.text().strip().endswith("dos tres.")


def test_a_locked_paragraph_cannot_be_typed_into(serve: Serve, screen: Open) -> None:
    one = screen(serve().url).open().new()
    one.type("Texto fijado por las bases.")
    one.page.click("#fb-lock")
    one.page.wait_for_selector(".fb-locked")
    before = one.text()
    one.page.click(".fb-locked")
    one.page.keyboard.type("HACK")
    one.page.keyboard.press("Control+a")
    one.page.keyboard.press("Delete")
    assert one.text() == before
    assert "bloqueado" in one.page.locator("#fb-said").inner_text()


def test_a_text_that_nobody_touched_is_saved_letter_by_letter(serve: Serve, screen: Open) -> None:
    server = serve()
    source = (
        "* uno\n* dos\n\n\nA  B __c__ \\*d\\*\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\nNota[^1].\n\n[^1]: Pie.\n\n***\n"
    )
    one = screen(server.url).open().new()
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        section = project.report().sections[0].id
        bench = project.workbench
        bench.edit(section, source, bench.standing(section).token, "x")
    one.page.reload()
    one.page.wait_for_function("window.Fabai?.milk?.get().includes('Nota')")
    assert one.text() == source
    one.page.click(".fb-text .fb-doc p >> nth=-1")
    one.type(" Más.")
    changed = one.text()
    assert changed.startswith("* uno\n* dos\n\n\nA  B __c__ \\*d\\*\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n")


def test_drafting_all_shows_its_progress_and_what_it_skipped(serve: Serve, screen: Open) -> None:
    one = screen(serve().url).open().new().tab("facts")
    one.page.click("#fb-add-fact")
    for key, value in (("name", "actividades realizadas"), ("value", "12 talleres"), ("source", "Registro")):
        one.page.fill(f"#fb-fact-{key}", value)
    one.page.click("dialog .fb-primary")
    one.page.click("#fb-draft-all")
    one.page.wait_for_function("document.querySelector('.fb-progress').textContent.includes('sin datos')")
    one.page.click(".fb-progress li button >> nth=0")
    one.page.wait_for_selector("#fb-question-0")


def test_a_reference_is_cited_from_a_chooser_and_the_text_keeps_its_letters(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    page = one.page
    one.go("documents")
    page.select_option("#fb-kind", "references")
    page.set_input_files("#fb-file", DOSSIERS / "es-aguasens" / "publications.bib")
    page.wait_for_function("Fabai.state.references?.length > 1")
    keys = page.evaluate("Fabai.state.references.map((one) => one.key)")
    source = f"Véase  __esto__ [ver @{keys[0]}, p. 3; @nadie] y a@b.es [info@b.es].\n"
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        section = next(each.id for each in project.report() if each.level > 0)
        bench = project.workbench
        bench.edit(section, source, bench.standing(section).token, "Ana")
    one.go("writing", section)
    page.wait_for_selector(".fb-text [data-cite].fb-hole")
    assert one.text() == source
    one.type(" Otra ")
    page.click("#fb-cite-tool")
    page.fill("#fb-cite-filter", keys[1])
    page.check("#fb-cite-list input")
    page.fill("#fb-cite-detail", "p. 12")
    assert one.violations() == []
    page.click("#fb-cite > .fb-actions .fb-primary")
    page.wait_for_function("document.querySelectorAll('.fb-text [data-cite]').length === 2")
    one.saved()
    assert f"[ver @{keys[0]}, p. 3; @nadie]" in one.text()
    assert f"[@{keys[1]}, p. 12]" in one.text()
    page.click(".fb-text [data-cite] >> nth=0")
    assert "nadie" in page.locator("#fb-cite-list").inner_text()
    page.uncheck("#fb-cite-0")
    page.click("#fb-cite > .fb-actions .fb-primary")
    page.wait_for_selector(".fb-text .fb-hole", state="detached")
    one.saved()
    assert f"[ver @{keys[0]}, p. 3]" in one.text()
