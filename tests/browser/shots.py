"""Pictures of every screen for README and the guides: `make screenshots`, on a made-up report with the fake writer.

python -m tests.browser.shots DOCS
python -m tests.browser.shots --look DIR      # every screen, in the dark and at other sizes, to be looked at
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from fabai.dossier.annexes import add_photo, add_proof
from fabai.dossier.commitments import set_outcome, standing
from fabai.dossier.partners import add_partner
from fabai.dossier.references import add_references, read_references
from fabai.form import find_form
from fabai.ledger import Fact
from fabai.store.project import Project
from fabai.store.record import Source
from tests.app.serving import Paced, served
from tests.dossier.conftest import DOSSIERS, bind, take

TITLE = {"es": "Memoria Barrio Vivo 2025", "ca": "Memòria Barri Viu 2025", "en": "Living Quarter Report 2025"}
WHO = {"es": "Ana Ferrer", "ca": "Ana Ferrer", "en": "Ana Ferrer"}
TEXTS = {
    "es": "Entre marzo y junio se celebraron **12 talleres** en tres barrios, con 180 personas inscritas y una "
    "asistencia media de quince por sesión.\n\n"
    "El equipo técnico coordinó las derivaciones con los servicios sociales y "
    "con dos escuelas. La clausura fue el [falta: fecha de la clausura].\n\n"
    "| Barrio | Talleres | Personas |\n|---|---:|---:|\n"
    "| Centre | 5 | 80 |\n| Llevant | 4 | 60 |\n| Port | 3 | 40 |\n",
    "ca": "Entre març i juny es van fer **12 tallers** en tres barris, amb 180 persones inscrites i una assistència "
    "mitjana de quinze per sessió.\n\nL'equip tècnic va coordinar les derivacions amb els serveis socials i amb dues "
    "escoles. La cloenda va ser el [falta: data de la cloenda].\n\n| Barri | Tallers | Persones |\n|---|---:|---:|\n"
    "| Centre | 5 | 80 |\n| Llevant | 4 | 60 |\n| Port | 3 | 40 |\n",
    "en": "Between March and June **12 workshops** took place in three quarters, with 180 people enrolled and fifteen "
    "at a session on average.\n\nThe team arranged referrals with the social services and two schools. The closing "
    "event was on [falta: date of the closing event].\n\n| Quarter | Workshops | People |\n|---|---:|---:|\n"
    "| Centre | 5 | 80 |\n| Llevant | 4 | 60 |\n| Port | 3 | 40 |\n",
}
DOSSIER = {"es": DOSSIERS / "es-aguasens", "ca": DOSSIERS / "ca-hort", "en": DOSSIERS / "en-riverlink"}
FACTS = {
    "es": (("talleres", "12 talleres", "Registro de actividades"), ("personas atendidas", "180 personas", "Registro"),
           ("importe concedido", "18.500,00 €", "Resolución, p. 2")),
    "ca": (("tallers", "12 tallers", "Registre d'activitats"), ("persones ateses", "180 persones", "Registre"),
           ("import atorgat", "18.500,00 €", "Resolució, p. 2")),
    "en": (("workshops", "12 workshops", "Register"), ("people reached", "180 people", "Register"),
           ("amount granted", "18,500.00 €", "Resolution, p. 2")),
}  # fmt: skip
FORM = {"es": "memoria-justificativa", "ca": "memoria-justificativa", "en": "nsf-annual-report"}
LOOKS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("es", {"theme": "dark", "width": 1280, "height": 720}),
    ("ca", {"theme": "light", "width": 1920, "height": 1080}),
    ("en", {"theme": "dark", "width": 1920, "height": 1080}),
)


def main(docs: Path) -> None:
    for language in TITLE:
        with _served(language) as (browser, url):
            _shots(browser, url, language, docs / "guide" / "img")
            if language == "es":
                _readme(browser, url, docs)


def look(folder: Path) -> None:
    """Every screen in other sizes, in the dark, and those that no guide shows."""
    for language, how in LOOKS:
        target = folder / f"{language}-{how['theme']}-{how['width']}"
        target.mkdir(parents=True, exist_ok=True)
        with _served(language) as (browser, url):
            _shots(browser, url, language, target, **how)
            _others(browser, url, language, target, **how)


@contextmanager
def _served(language: str) -> Iterator[tuple[Browser, str]]:
    """A browser and the address of a server with a project in a language."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as play:
        _project(Path(name), language)
        with served(Path(name), Paced(TEXTS[language], 0.05)) as server:
            browser = play.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            yield browser, server.url
            browser.close()


def _project(folder: Path, language: str) -> None:
    facts = [Fact(*one) for one in FACTS[language]]
    source = Source("acta.docx", TEXTS[language], "0" * 64, "source")
    form = find_form(FORM[language])
    wanted = language if language in form.languages else form.languages[0]
    with Project.create(
        folder / f"{language}.fabai", form, wanted, TITLE[language], facts=facts, sources=[source]
    ) as project:
        bench = project.workbench
        bench.describe(deadline="2026-12-21")
        _dossier(project, DOSSIER[language])
        sections = [one for one in project.report() if one.level > 0]
        bench.edit(sections[1].id, TEXTS[language], bench.standing(sections[1].id).token, WHO[language])
        bench.settle()
        bench.add_note(
            sections[1].id,
            "Pep Soler",
            {"es": "¿Tenemos las listas?", "ca": "Tenim les llistes?"}.get(language, "Do we have the lists?"),
        )


def _dossier(project: Project, folder: Path) -> None:
    """The commitments of a fictional dossier, its expenses with their faults, its proofs and photos."""
    bind(project, folder.name, waiting=("amendment",))
    for one in [one for one in standing(project) if one.kind in ("activity", "indicator", "deliverable")][:2]:
        set_outcome(project, one.key, status="achieved", evidence=[one.place.file])
    take(project, folder / "expenses-faulty.xlsx", "expenses")
    for path in sorted((folder / "proofs").glob("*.pdf")):
        add_proof(project, path)
    for path in sorted((folder / "photos").iterdir()):
        add_photo(project, path)
    for path in folder.glob("*.bib"):
        add_references(project, read_references(path).entries)
    partner = {"es": "Universidad del Norte", "ca": "Escola del Port", "en": "River Trust"}[project.language]
    add_partner(project, "SOC", partner, [one.id for one in project.report() if one.level > 0][2:4])


def _open(
    browser: Browser, url: str, language: str, theme: str = "light", width: int = 1280, height: int = 720
) -> Page:
    locale = {"es": "es-ES", "ca": "ca-ES", "en": "en-GB"}[language]
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale=locale, color_scheme=theme, device_scale_factor=1
    )
    context.add_init_script(f"localStorage.setItem('fabai:who', '{WHO[language]}')")
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector(".fb-table")
    return page


def _go(page: Page, *place: str) -> None:
    page.evaluate(f"location.hash = '#/{'/'.join(place)}'")
    page.wait_for_timeout(1_200)


def _shots(browser: Browser, url: str, language: str, folder: Path, **how: Any) -> None:
    """The screens of the guides, under their names."""
    page = _open(browser, url, language, **how)
    page.screenshot(path=folder / f"grants-{language}.png")
    _go(page, language, "writing")
    page.click(".fb-outline button >> nth=1")
    page.wait_for_timeout(2_500)
    page.click("#fb-tab-paragraphs")
    page.wait_for_timeout(800)
    page.screenshot(path=folder / f"writing-{language}.png")
    page.click(".fb-outline button >> nth=2")
    page.wait_for_timeout(600)
    page.click("#fb-draft")
    page.click("#fb-tab-facts")
    page.wait_for_timeout(900)
    page.screenshot(path=folder / f"draft-{language}.png")
    page.wait_for_function("Fabai.milk.get().includes('|')")
    for place in ("documents", "data/commitments", "data/expenses", "review", "annexes", "submission"):
        _shot(page, language, place, folder)
    page.context.close()


def _others(browser: Browser, url: str, language: str, folder: Path, **how: Any) -> None:
    """The screens that the guides do not show, to be looked at."""
    page = _open(browser, url, language, **how)
    for place in ("documents/partners", "data/lists", "data/terms", "data/facts"):
        _shot(page, language, place, folder)
    _go(page, language, "writing")
    page.click(".fb-outline button >> nth=1")
    page.wait_for_timeout(2_500)
    for tab in ("findings", "questions", "versions", "sources", "notes", "window"):
        page.click(f"#fb-tab-{tab}")
        page.wait_for_timeout(900)
        page.screenshot(path=folder / f"tab-{tab}-{language}.png")
    for button, name in (("#fb-cite-tool", "cite"), ("#fb-help", "help")):
        page.click(button)
        page.wait_for_timeout(400)
        page.screenshot(path=folder / f"{name}-{language}.png")
        page.keyboard.press("Escape")
    _go(page, language, "submission")
    page.click("#fb-show-pages")
    page.wait_for_selector(".fb-page-row img", timeout=120_000)
    page.locator("#fb-show-pages").scroll_into_view_if_needed()
    page.wait_for_timeout(1_500)
    page.screenshot(path=folder / f"pages-{language}.png")
    page.evaluate("location.hash = '#/'")
    page.click("#fb-new")
    page.wait_for_timeout(600)
    page.screenshot(path=folder / f"new-{language}.png")
    page.context.close()


def _shot(page: Page, language: str, place: str, folder: Path) -> None:
    screen = place.rpartition("/")[2]
    _go(page, language, *place.split("/"))
    if screen == "review":
        page.wait_for_selector(".fb-findings")
    page.wait_for_timeout(1_500)
    page.screenshot(path=folder / f"{screen}-{language}.png")


def _readme(browser: Browser, url: str, docs: Path) -> None:
    for theme, name in (("light", "app-writing.png"), ("dark", "app-dark.png")):
        page = _open(browser, url, "es", theme)
        _go(page, "es", "writing")
        page.click(".fb-outline button >> nth=1")
        page.wait_for_timeout(2_500)
        page.click("#fb-tab-findings" if theme == "light" else "#fb-tab-versions")
        page.wait_for_timeout(1_500)
        page.screenshot(path=docs / name)
        page.context.close()


if __name__ == "__main__":
    if sys.argv[1] == "--look":
        look(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]))
