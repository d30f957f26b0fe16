"""The dossier in the browser: what was promised, spent and proved, partners' files, grants that begin anew."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from docx import Document as Word
from pypdf import PdfReader

from fabai.formats.read import read
from fabai.store.project import Project
from tests.app.conftest import DOSSIERS, HORT
from tests.app.serving import Served

from .conftest import Screen

Serve = Callable[..., Served]
Open = Callable[..., Screen]


def bring(one: Screen, kind: str, *paths: Path) -> None:
    one.go("documents")
    one.page.select_option("#fb-kind", kind)
    one.page.set_input_files("#fb-file", list(paths))


def keep(one: Screen, kind: str, path: Path) -> None:
    """Bring a document and save it as it was read."""
    bring(one, kind, path)
    one.page.click("#fb-wizard > .fb-actions .fb-primary")
    one.page.wait_for_selector("#fb-wizard", state="detached")


def part(one: Screen, name: str) -> None:
    one.page.click(f"#fb-part-tab-{name}")
    one.page.wait_for_selector(f"[data-part={name}]")


def named(one: Screen) -> Screen:
    """The page knows who sits before it."""
    one.page.evaluate("localStorage.setItem('fabai:who', 'Ana Ferrer')")
    one.page.reload()
    one.page.wait_for_selector(".fb-home")
    return one


@pytest.fixture
def hort(serve: Serve, screen: Open) -> Screen:
    """The Catalan dossier with its plan, resolution and amendment confirmed."""
    one = named(screen(serve().url, locale="ca-ES", accept_downloads=True).open())
    one.new("Hort", "barcelona-justificacio", "ca")
    for kind in ("proposal", "resolution", "amendment"):
        keep(one, kind, HORT / f"{kind}.md")
        one.page.click("#fb-confirm-all")
        one.page.wait_for_selector("#fb-proposed", state="detached")
    return one


def test_commitments_are_corrected_confirmed_and_accounted_for(serve: Serve, screen: Open, tmp_path: Path) -> None:
    one = screen(serve().url, accept_downloads=True).open().new("Hort", "barcelona-justificacio", "ca")
    page = one.page
    keep(one, "proposal", HORT / "proposal.md")
    row = page.locator("#fb-proposed tbody tr", has_text="Participants als tallers")
    row.locator(".fb-place").click()
    page.wait_for_selector(".fb-source mark")
    page.keyboard.press("Escape")
    row.locator("button", has_text="Editar").click()
    page.fill("#fb-promise-target", "100 participants")
    page.click("dialog .fb-primary")
    row = page.locator("#fb-proposed tbody tr", has_text="100 participants")
    row.locator("button", has_text="Confirmar").click()
    page.fill("dialog input", "Ana Ferrer")
    page.click("dialog .fb-primary")
    row = page.locator("#fb-matrix tbody tr", has_text="100 participants")
    row.wait_for()
    assert page.locator("#fb-proposed tbody tr").count() > 10
    row.locator("select").select_option("partly")
    page.locator("#fb-matrix .fb-remark", has_text="no se explica").wait_for()
    row.locator("button", has_text="Dar cuenta").click()
    page.fill("#fb-went-achieved", "94 participants")
    page.fill("#fb-went-evidence", "attendance.csv\nAnnex 3")
    page.fill("#fb-went-explanation", "Dues sessions es van suspendre.")
    page.click("dialog .fb-primary")
    page.locator("#fb-matrix .fb-remark").wait_for(state="detached")
    assert "Dues sessions" in row.inner_text()
    assert one.violations() == []
    with page.expect_download() as waiting:
        page.click("#fb-table")
    waiting.value.save_as(tmp_path / "tabla.docx")
    text = read(tmp_path / "tabla.docx").text
    assert "94 participants" in text
    assert "attendance.csv; Annex 3" in text
    row.locator("button", has_text="Editar").click()
    page.fill("#fb-promise-target", "80 participants")
    page.click("dialog .fb-primary")
    row = page.locator("#fb-matrix tbody tr", has_text="80 participants")
    assert "Dues sessions" in row.inner_text()
    row.locator("button", has_text="Retirar").click()
    page.click("dialog .fb-danger")
    page.wait_for_selector("#fb-matrix", state="detached")


def test_an_amendment_says_what_it_changes(hort: Screen) -> None:
    hort.go("data")
    row = hort.page.locator("#fb-matrix tbody tr", has_text="Participants als tallers")
    assert "90 participants" in row.inner_text()
    row.locator("button", has_text="Història").click()
    hort.page.wait_for_selector("#fb-history tbody tr:nth-child(2)")
    states = hort.page.locator("#fb-history tbody tr").all_inner_texts()
    assert [("120" in one, "90" in one) for one in states] == [(True, False), (False, True)]


def test_unknown_columns_are_named_once_and_remembered(serve: Serve, screen: Open, tmp_path: Path) -> None:
    sheet = tmp_path / "gastos.csv"
    sheet.write_text("Quien;Papel;Cuando;Cuanto\nImprenta Sol;F-1;03/02/2025;120,50\nBar Luna;F-2;04/02/2025;30,00\n")
    one = screen(serve().url).open().new()
    page = one.page
    bring(one, "expenses", sheet)
    page.wait_for_selector("#fb-columns")
    assert page.locator("#fb-sheet .fb-primary").is_disabled()
    for letter, field in zip("ABCD", ("creditor", "number", "issued", "total"), strict=True):
        page.select_option(f"#fb-column-{letter}", field)
        page.wait_for_function(f"document.activeElement.id === 'fb-column-{letter}'")
    page.wait_for_selector("#fb-preview tbody tr:nth-child(2)")
    assert one.violations() == []
    page.click("#fb-sheet > .fb-actions .fb-primary")
    page.wait_for_selector("#fb-expenses tbody tr:nth-child(2)")
    assert "No se ha podido comprobar todo" in page.locator("#fb-data .fb-part").inner_text()
    bring(one, "expenses", sheet)
    page.wait_for_selector("#fb-preview")
    assert "la última vez" in page.locator("#fb-sheet").inner_text()


def test_faults_stand_at_their_expenses_and_the_funders_sheet_is_filled(hort: Screen, tmp_path: Path) -> None:
    page = hort.page
    bring(hort, "expenses", HORT / "expenses-faulty.xlsx")
    page.wait_for_selector("#fb-preview .fb-remark")
    page.click("#fb-sheet > .fb-actions .fb-primary")
    page.wait_for_selector("#fb-expenses")
    assert page.locator("#fb-expenses tbody tr").count() == 25
    page.check("#fb-faulty")
    assert page.locator("#fb-expenses tbody tr").count() == 8
    assert "fora del període" in page.locator("#fb-expenses").inner_text()
    assert "No és entre les partides atorgades" in page.locator("#fb-sums").inner_text()
    assert hort.violations() == []
    page.fill("#fb-expense-search", "regs")
    assert 0 < page.locator("#fb-expenses tbody tr").count() < 8
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Proveïdor", "NIF", "Núm. factura", "Data factura", "Import imputat"])
    sheet["A40"], sheet["E40"] = "Total", "=SUM(E2:E39)"
    book.save(tmp_path / "model.xlsx")
    with page.expect_download() as waiting:
        page.set_input_files("#fb-funder", tmp_path / "model.xlsx")
    waiting.value.save_as(tmp_path / "ple.xlsx")
    filled = openpyxl.load_workbook(tmp_path / "ple.xlsx").active
    assert filled is not None
    assert (filled["A2"].value, filled["E40"].value) == ("Associació Veïnal de la Vall", "=SUM(E2:E39)")


def test_a_finding_about_a_sheet_opens_at_its_row_and_cell(serve: Serve, screen: Open) -> None:
    one = screen(serve().url).open().new("Hort", "barcelona-justificacio", "ca")
    page = one.page
    bring(one, "expenses", HORT / "expenses-faulty.xlsx")
    page.click("#fb-sheet > .fb-actions .fb-primary")
    page.wait_for_selector("#fb-expenses")
    page.check("#fb-faulty")
    page.fill("#fb-expense-search", "no such row")
    one.go("review")
    place = page.locator(".fb-findings .fb-place", has_text="expenses-faulty.xlsx").first
    row = re.findall(r"\d+", place.inner_text().partition(".xlsx")[2])[0]
    place.click()
    here = page.locator("#fb-expenses tr.fb-here")
    here.wait_for()
    assert re.search(rf"\b{row}\b", here.locator(".fb-soft").last.inner_text())
    box = here.bounding_box()
    assert box is not None
    assert 0 < box["y"] < 720
    assert page.evaluate("document.activeElement.closest('tr')?.classList.contains('fb-here')")
    assert one.violations() == []
    # of the row the cell that has the value, however it is written
    value = page.locator("#fb-expenses tbody tr").nth(3).locator("td.fb-figure").last.inner_text()
    file, sheet, number = page.evaluate(
        "(async () => { const answer = await (await fetch('api/expenses', {method: 'POST', headers: "
        "{'content-type': 'application/json'}, body: JSON.stringify({project: Fabai.state.project})})).json(); "
        "const one = answer.rows[3]; return [one.file, one.sheet, one.place] })()"
    )
    plain = value.replace("\u00a0", ".").removesuffix(",00")
    spot = {"file": file, "where": f", {sheet}!{number}", "rows": [[number, number]], "words": f"{plain} €"}
    one.go("writing")
    page.evaluate(f"Fabai.state.spot = {json.dumps(spot)}")
    one.go("data", "expenses")
    cell = page.locator("#fb-expenses .fb-cell").last
    cell.wait_for()
    assert cell.inner_text() == value
    # where the column is known, its cell alone, whatever else has the value
    one.go("writing")
    page.evaluate(f"Fabai.state.spot = {json.dumps({**spot, 'field': 'paid'})}")
    one.go("data", "expenses")
    page.locator("#fb-expenses .fb-cell").first.wait_for()
    assert page.eval_on_selector_all("#fb-expenses .fb-cell", "(ones) => ones.map((one) => one.dataset.field)") == [
        "paid"
    ]


def test_proofs_are_numbered_linked_and_put_together(hort: Screen, tmp_path: Path) -> None:
    page = hort.page
    bring(hort, "expenses", HORT / "expenses.xlsx")
    page.click("#fb-sheet > .fb-actions .fb-primary")
    page.wait_for_selector("#fb-expenses")
    hort.go("annexes")
    loose = tmp_path / "escanejat.pdf"
    loose.write_bytes((HORT / "proofs" / "A-114.pdf").read_bytes() + b"\n% altre\n")
    page.set_input_files("#fb-proofs", [*sorted((HORT / "proofs").iterdir()), loose])
    page.wait_for_selector("#fb-annex-table tbody tr:nth-child(6)")
    page.set_input_files("#fb-photos", HORT / "photos" / "placa-hort-1.jpg")
    page.wait_for_function("document.querySelector('.fb-photos img')?.naturalWidth > 0")
    before = page.locator("#fb-missing li").count()
    page.locator("#fb-annex-table tbody tr", has_text="escanejat.pdf").locator(".fb-actions button").click()
    page.check("#fb-row-22")
    page.click("#fb-link > .fb-actions .fb-primary")
    page.wait_for_function(f"document.querySelectorAll('#fb-missing li').length === {before - 1}")
    assert hort.violations() == []
    with page.expect_download() as waiting:
        page.click("#fb-annexes-pdf")
    waiting.value.save_as(tmp_path / "annexos.pdf")
    assert len(PdfReader(tmp_path / "annexos.pdf").pages) >= 7
    hort.go("writing").page.wait_for_selector(".fb-text .fb-doc")
    hort.tab("sources")
    page.click(".fb-text .fb-doc")
    page.click("#fb-panel .fb-photos button")
    hort.saved()
    assert "![placa-hort-1](media/" in hort.text()


def test_partners_get_their_files_and_send_them_back(serve: Serve, screen: Open, tmp_path: Path) -> None:
    server = serve()
    one = named(screen(server.url, locale="en-GB", accept_downloads=True).open())
    page = one.page
    one.new("River", "eu-periodic-report", "en")
    one.go("documents", "partners")
    for short, sections in (("FAC", ("workpackages", "tasks")), ("NMU", ("recommendations", "data"))):
        page.click("#fb-add-partner")
        page.fill("#fb-partner-name", f"Partner {short}")
        page.fill("#fb-partner-short", short)
        for section in sections:
            page.check(f"#fb-asked-{section}")
        page.click("#fb-partner > .fb-actions .fb-primary")
        page.wait_for_selector(f"[data-partner={short}]")
    with page.expect_download() as waiting:
        page.click("[data-partner=FAC] .fb-actions button >> nth=0")
    waiting.value.save_as(tmp_path / "pack.docx")
    assert "What this section asks for" in read(tmp_path / "pack.docx").text
    with Project.open(server.workspace / "river.fabai") as project:
        project.workbench.edit("tasks", "Ours, typed meanwhile.", project.workbench.standing("tasks").token, "Ana")
    back = DOSSIERS / "en-riverlink" / "partners"
    page.set_input_files("#fb-returned", [back / "FAC.docx", back / "NMU.docx"])
    page.wait_for_selector("#fb-back")
    assert page.input_value("#fb-whose") == "FAC"
    assert "comments become notes" in page.locator("#fb-back").inner_text()
    assert one.violations() == []
    page.click("#fb-back > .fb-actions .fb-primary")
    page.wait_for_function("document.querySelector('#fb-whose')?.value === 'NMU'")
    page.click("#fb-back > .fb-actions .fb-primary")
    page.wait_for_selector("#fb-returned-files tbody tr:nth-child(2)")
    assert "received" in page.locator("[data-partner=NMU]").inner_text()
    page.click("#fb-returned-files button >> nth=0")
    page.click("#fb-tracked button >> nth=0")
    page.wait_for_selector("#fb-tracked .fb-slot-conflict")
    assert one.violations() == []
    page.click("#fb-tracked button >> nth=0")
    page.wait_for_selector("#fb-tracked .fb-slot-conflict", state="detached")
    page.keyboard.press("Escape")
    page.click("#fb-clashes button")
    page.wait_for_selector("#fb-clash .fb-diff")
    page.click("#fb-clash > .fb-actions .fb-primary")
    page.wait_for_selector("#fb-clashes", state="detached")
    with Project.open(server.workspace / "river.fabai") as project:
        texts = [version.text for version in project.versions("tasks")]
        assert project.workbench.standing("tasks").text.strip() != "Ours, typed meanwhile."
        assert any("Ours, typed meanwhile." in text for text in texts)
        assert project.workbench.notes()


def test_a_notification_date_gives_the_days_left(serve: Serve, screen: Open) -> None:
    one = named(screen(serve().url).open()).new()
    page = one.page
    one.go("data", "terms")
    page.click("#fb-term-end")
    page.fill("#fb-term-value", "2099-12-31")
    page.click("dialog .fb-primary")
    page.wait_for_function("document.querySelector('#fb-terms').textContent.includes('31/12/2099')")
    assert page.locator("#fb-deadlines tbody tr").count() >= 1
    assert one.violations() == []
    page.click("#fb-add-heading")
    page.fill("#fb-term-name", "Personal")
    page.fill("#fb-term-value", "1.200,00")
    page.click("dialog .fb-primary")
    page.wait_for_function("document.querySelector('#fb-data .fb-part').textContent.includes('Personal')")
    page.click("[aria-label='Quitar: Personal']")
    page.click("dialog .fb-danger")
    page.wait_for_selector("[aria-label='Quitar: Personal']", state="detached")


def test_a_request_and_an_earlier_grant_begin_new_ones(hort: Screen) -> None:
    page = hort.page
    hort.go("writing").page.wait_for_selector(".fb-text .fb-doc")
    hort.type("Es van fer 18 tallers.")
    page.click(".fb-home")
    page.click("#fb-answer-request")
    page.set_input_files("#fb-begin-file", HORT / "request.md")
    page.click("dialog .fb-primary")
    page.wait_for_selector("#fb-request-questions li:nth-child(3)")
    page.fill("#fb-request-title", "Esmena")
    page.fill("#fb-request-notified", "2099-03-02")
    page.click("dialog .fb-primary")
    page.wait_for_function("document.querySelectorAll('.fb-outline li').length === 3")
    assert "dies" in page.locator(".fb-brand .fb-days").inner_text()
    page.click(".fb-home")
    page.click("#fb-next-period")
    page.select_option("#fb-next-from", label="Hort")
    page.fill("#fb-next-title", "Hort 2026")
    page.click("dialog .fb-primary")
    page.wait_for_function("Fabai.milk?.get().includes('18 tallers')")
    hort.tab("paragraphs")
    page.wait_for_selector("#fb-panel .fb-by-inherited")


def test_a_template_is_read_from_the_funders_document(serve: Serve, screen: Open, tmp_path: Path) -> None:
    word = Word()
    word.add_heading("Memoria final", 0)
    for heading, text in (("1. Resumen", "Máximo 300 palabras."), ("2. Actividades", "Detalle."), ("3. Sobra", "No.")):
        word.add_heading(heading, 1)
        word.add_paragraph(text)
    word.save(str(tmp_path / "modelo.docx"))
    one = screen(serve().url).open()
    page = one.page
    page.click("#fb-own-template")
    page.set_input_files("#fb-begin-file", tmp_path / "modelo.docx")
    page.click("dialog .fb-primary")
    page.wait_for_selector("#fb-template-sections .fb-limit")
    assert page.input_value("#fb-template-sections .fb-limit input") == "300"
    page.fill("#fb-template-sections .fb-limit input", "250")
    page.locator("#fb-template-sections button", has_text="Quitar").nth(2).click()
    assert one.violations() == []
    page.fill("#fb-template-title", "Con su modelo")
    page.click("#fb-template > .fb-actions .fb-primary")
    page.wait_for_selector(".fb-outline li >> nth=1")
    assert page.locator(".fb-outline li").count() == 2
    assert "250" in page.locator(".fb-outline").inner_text()
