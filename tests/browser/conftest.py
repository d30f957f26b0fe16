"""The application in Debian's Chromium: run by `make test-browser`, which installs what is needed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.app.serving import Paced, Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).parents[2]
AXE = ROOT / "app" / "editor" / "node_modules" / "axe-core" / "axe.min.js"
# nothing is asked of the network: a request that leaves this machine fails, and `page` reports it
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("FABAI_BROWSER") is None:
        for item in items:
            if "tests/browser" in str(item.path).replace("\\", "/"):
                item.add_marker(pytest.mark.skip(reason="runs with make test-browser"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as play:
        one = play.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield one
        one.close()


@pytest.fixture
def writer() -> Paced:
    return Paced(pause=0.01)


@pytest.fixture
def serve(tmp_path: Path, writer: Paced) -> Iterator[Callable[..., Served]]:
    """serve(...): a server of its own, with other options where they are given."""
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(served(tmp_path / "work", writer, **options))


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the tests of a file that only look."""
    with served(tmp_path_factory.mktemp("work"), Paced(pause=0.01)) as one:
        yield one


class Screen:
    """A page and what a person does with it. errors: what its console and the network said."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.url = context, url
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.foreign: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._said)
        self.page.on("request", self._asked)
        self.page.set_default_timeout(30_000)

    def _said(self, message: Any) -> None:
        # what the server refuses is told to the person; the console repeats it as a failed resource
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.url.split("/", 3)[0] + "//" + self.url.split("/", 3)[2], "data:", "blob:")):
            self.foreign.append(request.url)

    def open(self, place: str = "") -> Screen:
        self.page.goto(self.url + place)
        self.page.wait_for_selector(".fb-home")
        return self

    def new(self, title: str = "Barrio Vivo 2025", form: str = "memoria-justificativa", language: str = "es") -> Screen:
        """A new grant, by its form; its first section is open, or its documents."""
        page = self.page
        page.click("#fb-new")
        page.fill("#fb-new-title", title)
        page.select_option("#fb-new-form", form)
        page.select_option("#fb-new-language", language)
        page.fill("#fb-new-deadline", "2031-01-31")
        page.click("dialog .fb-primary")
        page.wait_for_selector("#fb-file" if form == "generic" else ".fb-text .fb-doc")
        return self

    def type(self, text: str) -> Screen:
        self.page.click(".fb-text .fb-doc")
        self.page.keyboard.press("Control+End")
        self.page.keyboard.type(text)
        return self.saved()

    def saved(self) -> Screen:
        self.page.wait_for_function(
            "['Guardado','Desat','Saved'].includes(document.querySelector('#fb-saved').textContent)"
        )
        return self

    def text(self) -> str:
        return str(self.page.evaluate("Fabai.milk.get()"))

    def tab(self, name: str) -> Screen:
        self.page.click(f"#fb-tab-{name}")
        self.page.wait_for_selector("#fb-panel h3")
        return self

    def go(self, screen: str, section: str = "") -> Screen:
        hash_of = "'#/' + [Fabai.state.project, ...arguments[0]].filter(Boolean).join('/')"
        self.page.evaluate(f"(function() {{ location.hash = {hash_of} }})({[screen, section]!r})")
        self.page.wait_for_function(f"document.body.dataset.screen === {screen!r}")
        return self

    def violations(self) -> list[str]:
        """What axe finds serious or critical."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']} ({one['impact']}): {[node['target'] for node in one['nodes']][:4]}"
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]


@pytest.fixture
def screen(browser: Browser) -> Iterator[Callable[..., Screen]]:
    """screen(url, ...): a page of a person of its own. At the end: no error was met and nothing foreign asked."""
    contexts = []
    screens: list[Screen] = []

    def make(url: str, width: int = 1280, height: int = 720, locale: str = "es-ES", **more: Any) -> Screen:
        context = browser.new_context(viewport={"width": width, "height": height}, locale=locale, **more)
        contexts.append(context)
        screens.append(Screen(context, url))
        return screens[-1]

    yield make
    errors = [error for one in screens for error in one.errors]
    foreign = [url for one in screens for url in one.foreign]
    for context in contexts:
        context.close()
    assert not errors
    assert not foreign
