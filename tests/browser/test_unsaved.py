"""What a person typed when something went wrong: it arrives where it belongs, and they are told in words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabai.app.users import Users, add_user

from fabai.store.project import Project
from tests.app.serving import Served

from .conftest import Screen

if TYPE_CHECKING:
    from playwright.sync_api import Route

Serve = Callable[..., Served]
Open = Callable[..., Screen]
PASSWORD = "una frase larga de paso"  # noqa: S105
NAME = "barrio-vivo-2025.fabai"


def texts(server: Served, name: str = NAME) -> list[str]:
    with Project.open(server.workspace / name) as project:
        return [one.text.strip() for one in project.report()]


def no_saving(one: Screen) -> None:
    one.page.route("**/api/save", lambda route: route.abort())


def write(one: Screen, text: str) -> None:
    one.page.click(".fb-text .fb-doc")
    one.page.keyboard.type(text)
    one.page.wait_for_function("document.querySelector('#fb-saved').textContent.startsWith('Sin guardar')")


def fulfil(answer: dict[str, Any], route: Route) -> None:
    route.fulfill(**answer)


def to_next(one: Screen) -> None:
    before = one.page.evaluate("Fabai.state.section")
    one.page.keyboard.press("Alt+PageDown")
    one.page.wait_for_function(
        "(before) => document.querySelector('.fb-row[aria-current]').parentElement.dataset.section !== before "
        "&& Fabai.milk.get().trim() === ''",
        arg=before,
    )


def test_what_could_not_be_saved_never_lands_in_the_section_that_is_opened_next(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    no_saving(one)
    write(one, "De la primera.")
    to_next(one)
    one.page.unroute("**/api/save")
    one.type("De la segunda.")
    one.page.wait_for_function("!Object.keys(localStorage).some((key) => key.startsWith('fabai:typed'))")
    assert texts(server)[:2] == ["De la primera.", "De la segunda."]


def test_what_could_not_be_saved_is_there_when_its_section_is_opened_again(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    no_saving(one)
    write(one, "De la primera.")
    to_next(one)
    write(one, "De la segunda.")
    one.page.keyboard.press("Alt+PageUp")
    one.page.wait_for_function("Fabai.milk.get().includes('De la primera.')")
    one.page.unroute("**/api/save")
    one.page.wait_for_function("!Object.keys(localStorage).some((key) => key.startsWith('fabai:typed'))")
    assert texts(server)[:2] == ["De la primera.", "De la segunda."]


def test_a_lost_network_is_told_once_and_in_words(serve: Serve, screen: Open) -> None:
    one = screen(serve().url).open().new()
    no_saving(one)
    write(one, "Sin red.")
    one.page.keyboard.type(" Y más.")
    one.page.wait_for_timeout(2_500)
    (said,) = one.page.eval_on_selector_all("#fb-said [role=alert]", "(ones) => ones.map((one) => one.textContent)")
    assert "servidor" in said
    assert "fetch" not in said


def test_a_side_tab_says_in_words_that_the_server_is_away(serve: Serve, screen: Open) -> None:
    one = screen(serve().url).open().new()
    one.page.route("**/api/facts", lambda route: route.abort())
    one.page.click("#fb-tab-facts")
    fault = one.page.locator("#fb-panel .fb-fault")
    fault.wait_for()
    assert "servidor" in fault.inner_text()


def test_what_a_proxy_says_is_not_shown(serve: Serve, screen: Open, tmp_path: Path) -> None:
    one = screen(serve().url).open().new()
    (tmp_path / "acta.md").write_text("# Acta\n")
    one.go("documents")
    for status, words in ((502, "servidor"), (413, "MB")):
        answer = {"status": status, "body": "<html>nginx</html>", "content_type": "text/html"}
        one.page.route("**/api/upload*", partial(fulfil, answer))
        one.page.set_input_files("#fb-file", tmp_path / "acta.md")
        one.page.locator("#fb-said [role=alert]", has_text=words).wait_for()
        one.page.unroute("**/api/upload*")
    assert "nginx" not in one.page.locator("#fb-said").inner_text()


def test_a_browser_without_room_saves_all_the_same(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    one.page.evaluate(
        "() => { for (let size = 2 ** 22; size; size >>= 1) try { while (true) "
        "localStorage.setItem(`full${Math.random()}`, 'x'.repeat(size)) } catch {} }"
    )
    one.type("Sin sitio en el navegador.")
    to_next(one)
    assert texts(server)[0] == "Sin sitio en el navegador."


def test_a_session_that_ends_while_one_types_leads_back_to_the_place_and_the_words(
    serve: Serve, screen: Open, tmp_path: Path
) -> None:
    for name in ("ana", "pep"):
        add_user(tmp_path / "users.toml", name, PASSWORD)
    server = serve(users=Users(tmp_path / "users.toml"))

    def enter(name: str) -> None:
        one.page.fill("#name", name)
        one.page.fill("#password", PASSWORD)
        one.page.click("button[type=submit]")

    one = screen(server.url)
    one.page.goto(server.url)
    enter("ana")
    one.page.wait_for_selector(".fb-home")
    one.new()
    one.context.clear_cookies()
    one.page.click(".fb-text .fb-doc")
    one.page.keyboard.type("Palabras de Ana.")
    one.page.wait_for_selector("#password")
    # who comes next at this browser, to a grant of the same name, does not see them
    enter("pep")
    one.page.wait_for_selector(".fb-home")
    one.page.goto(server.url)
    one.new()
    one.page.wait_for_timeout(500)
    assert one.text().strip() == ""
    one.context.clear_cookies()
    one.page.goto(f"{server.url}#/barrio-vivo-2025/writing/{one.page.evaluate('Fabai.state.section')}")
    one.page.reload()
    one.page.wait_for_selector("#password")
    enter("ana")
    one.page.wait_for_selector(".fb-text .fb-doc >> text=Palabras de Ana.")
    one.saved()
    assert texts(server, f"ana/{NAME}")[0] == "Palabras de Ana."
    assert texts(server, f"pep/{NAME}")[0] == ""


def test_a_grant_that_was_renamed_or_put_back_elsewhere_is_told_and_goes_on(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    one.type("Antes.")
    path, other = server.workspace / NAME, server.workspace / "otro-nombre.fabai"
    path.rename(other)
    write(one, "Mientras. ")
    other.rename(path)
    one.saved()
    assert texts(server)[0] == one.text().strip()
