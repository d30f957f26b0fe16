"""How a page opens and goes from section to section: nothing is asked for late, twice or in vain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx

from fabai.form import find_form
from tests.app.serving import Served

from .conftest import Screen


def asked(one: Screen) -> list[str]:
    """The paths that a page asks for from now on, without the server's prefix."""
    paths: list[str] = []
    one.page.on("request", lambda request: paths.append(urlsplit(request.url).path.lstrip("/")))
    return paths


def test_every_file_of_gradio_that_the_page_runs_was_named_when_it_began(
    serve: Callable[..., Served], screen: Callable[..., Screen]
) -> None:
    server = serve()
    head = httpx.get(server.url).text.partition("</head>")[0]
    one = screen(server.url)
    paths = asked(one)
    one.open()
    files = {path for path in paths if path.startswith("assets/")}
    assert files
    assert {path for path in files if f'href="{path}"' not in head} == set()


def test_a_section_in_the_address_is_asked_for_once_and_shown(
    serve: Callable[..., Served], screen: Callable[..., Screen]
) -> None:
    server = serve()
    one = screen(server.url).open().new().type("Lo que había.")
    again = screen(server.url)
    paths = asked(again)
    again.page.goto(one.page.url)
    again.page.wait_for_function("Fabai.milk?.get().includes('Lo que había.')")
    again.page.wait_for_selector(".fb-text .fb-doc")
    for name in ("open", "outline", "section"):
        assert paths.count(f"api/{name}") == 1, name


def test_a_section_that_nobody_touched_is_left_without_a_version_and_a_typed_one_with(
    serve: Callable[..., Served], screen: Callable[..., Screen]
) -> None:
    one = screen(serve().url).open().new()
    paths = asked(one)
    first = one.page.evaluate("Fabai.state.section")
    step(one, "Alt+PageDown")
    assert "api/settle" not in paths
    one.type("Algo nuevo.")
    step(one, "Alt+PageUp")
    assert one.page.evaluate("Fabai.state.section") == first
    one.page.wait_for_function("performance.getEntriesByName(new URL('api/settle', location)).length")
    assert paths.count("api/settle") == 1


def test_what_a_colleague_saved_meanwhile_is_shown_when_a_section_is_opened_again(
    serve: Callable[..., Served], screen: Callable[..., Screen]
) -> None:
    server = serve()
    one = screen(server.url).open().new().type("Primera.")
    first = one.page.evaluate("Fabai.state.section")
    step(one, "Alt+PageDown")
    other = screen(server.url)
    other.page.goto(one.page.url.rpartition("/")[0] + f"/{first}")
    other.page.wait_for_function("Fabai.milk?.get().includes('Primera.')")
    other.type(" Segunda.")
    step(one, "Alt+PageUp")
    one.page.wait_for_function("Fabai.milk.get().includes('Segunda.')")


def test_a_grant_that_is_opened_by_its_address_names_its_template_in_the_language_of_the_page(
    serve: Callable[..., Served], screen: Callable[..., Screen]
) -> None:
    server = serve()
    address = screen(server.url).open().new().page.url
    catalan = find_form("memoria-justificativa").name["ca"]
    told: list[str] = []
    one = screen(server.url)
    one.page.goto(server.url)
    one.page.evaluate("localStorage.setItem('fabai:language', 'ca')")
    one.page.goto("about:blank")
    one.page.on("response", lambda reply: told.append(reply.json()["form"]) if reply.url.endswith("api/open") else None)
    one.page.goto(address)
    one.page.wait_for_function("window.Fabai?.milk")
    assert set(told) == {catalan}


def step(one: Screen, key: str) -> None:
    """Go to a neighbour with the keyboard and wait until it is shown."""
    before: Any = one.page.evaluate("Fabai.state.section")
    one.page.click(".fb-text .fb-doc")
    one.page.keyboard.press(key)
    one.page.wait_for_function(
        f"Fabai.state.section !== {before!r} && document.querySelector('.fb-row[aria-current=true] .fb-heading')"
        ".textContent === document.querySelector('.fb-editor-head h2').lastChild.textContent.trim()"
    )
