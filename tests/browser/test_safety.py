"""Documents cannot act: scripts and remote pictures in them stay dead. Strangers cannot enter; guesses must wait."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from fabai.app.users import Users, add_user

from fabai.store.project import Project
from fabai.store.record import Source
from tests.app.serving import Served

from .conftest import Screen

Serve, Open = Callable[..., Served], Callable[..., Screen]
PASSWORD = "una frase bastante larga"  # noqa: S105 - of a person who is not
EVIL = (
    'Antes <img src="http://evil.example/a.png" onerror="window.hacked=1"> <script>window.hacked=2</script>\n\n'
    '<iframe src="http://evil.example/"></iframe>\n\n![remota](http://evil.example/b.png)\n\n'
    "[enlace](javascript:window.hacked=3)\n\n<svg onload=window.hacked=4></svg>\n"
)


def test_what_a_document_says_is_never_live(serve: Serve, screen: Open) -> None:
    server = serve()
    one = screen(server.url).open().new()
    with Project.open(server.workspace / "barrio-vivo-2025.fabai") as project:
        section = project.report().sections[0].id
        bench = project.workbench
        bench.edit(section, EVIL, bench.standing(section).token, '<img src=x onerror="window.hacked=5">')
        bench.settle()
        bench.add_note(section, "<b onmouseover=window.hacked=6>x</b>", EVIL, "")
        bench.describe(title='<img src=x onerror="window.hacked=7">')
        project.add_source("<script>window.hacked=8</script>.docx", EVIL, "0" * 64, "source")
    one.page.reload()
    one.page.wait_for_function("window.Fabai?.milk?.get().includes('Antes')")
    for tab in ("versions", "notes", "sources", "paragraphs", "findings", "window"):
        one.tab(tab)
        one.page.wait_for_timeout(300)
    one.tab("sources").page.click("#fb-panel .fb-item .fb-link")
    one.page.wait_for_selector(".fb-source")
    one.page.keyboard.press("Escape")
    for link in one.page.locator(".fb-text a").all():
        assert not str(link.get_attribute("href")).startswith("javascript")
    one.go("review").page.wait_for_timeout(500)
    one.go("documents").page.wait_for_timeout(500)
    assert one.page.evaluate("window.hacked") is None
    assert one.page.locator(".fb-text iframe, .fb-text script").count() == 0


def test_a_login_is_asked_for_and_a_session_can_be_left(serve: Serve, screen: Open, tmp_path: Path) -> None:
    add_user(tmp_path / "users.toml", "ana", PASSWORD, shown="Ana Ferrer")
    server = serve(users=Users(tmp_path / "users.toml"))
    one = screen(server.url)
    one.page.goto(server.url)
    one.page.wait_for_selector("#password")
    one.page.fill("#name", "ana")
    one.page.fill("#password", "no es esta, no")
    one.page.click("button")
    assert "no son correctos" in one.page.locator("[role=alert]").inner_text()
    one.page.fill("#name", "ana")
    one.page.fill("#password", PASSWORD)
    one.page.click("button")
    one.page.wait_for_selector(".fb-home")
    assert one.violations() == []
    one.new()
    assert (server.workspace / "ana" / "barrio-vivo-2025.fabai").is_file()
    one.page.click(".fb-tools form button")
    one.page.wait_for_selector("#password")
    one.page.goto(server.url)
    one.page.wait_for_selector("#password")


@pytest.fixture
def server(serve: Serve) -> Served:
    return serve()


def test_another_name_for_this_machine_is_not_answered(server: Served) -> None:
    assert httpx.get(server.url, headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    "headers", [{"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"origin": "null"}]
)
def test_a_request_from_another_page_is_refused(server: Served, headers: dict[str, str]) -> None:
    assert httpx.post(f"{server.url}api/grants", json={}, headers=headers).status_code == 403


def test_pages_carry_a_policy_without_anything_remote(server: Served) -> None:
    answer = httpx.get(server.url)
    policy = answer.headers["content-security-policy"]
    assert "http:" not in policy
    assert "https:" not in policy
    assert "'unsafe-inline'" not in policy.split("script-src")[1].split(";")[0]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_only_what_was_made_here_is_served(server: Served) -> None:
    httpx.post(f"{server.url}api/grants", json={})
    with Project.create(server.workspace / "otro.fabai", _form(), "es", "T", sources=[Source("a", "b", "0" * 64, "s")]):
        pass
    for path in (
        "download/../otro.fabai", "download/otro.fabai", "otro.fabai", "assets-of-fabai/../server.py",
        "assets-of-fabai/%2e%2e/server.py", "picture/otro/../../etc/passwd", "gradio_api/file=/etc/passwd",
        f"gradio_api/file={server.workspace / 'otro.fabai'}",
    ):  # fmt: skip
        assert httpx.get(server.url + path).status_code in (403, 404, 422), path


def test_a_file_of_another_kind_or_too_large_is_refused(serve: Serve) -> None:
    from fabai.settings import AppSettings

    server = serve(settings=AppSettings(upload_bytes=2_048))
    with httpx.Client(base_url=server.url) as client:
        client.post("api/create", json={"project": "", "title": "T", "form": "generic", "language": "es"})
        for name, size, status in (("a.exe", 10, 422), ("a.svg", 10, 422), ("a.docx", 4_096, 422)):
            answer = client.post(
                "api/upload", params={"name": name, "project": "t", "kind": "source"}, content=b"x" * size
            )
            assert answer.status_code == status, name
        assert list((server.workspace / ".fabai" / "uploads").rglob("*.exe")) == []


def test_guesses_have_to_wait(serve: Serve, tmp_path: Path) -> None:
    add_user(tmp_path / "users.toml", "ana", PASSWORD)
    server = serve(users=Users(tmp_path / "users.toml"))
    codes = [
        httpx.post(f"{server.url}login", data={"name": "ana", "password": f"wrong {n}"}).status_code for n in range(7)
    ]
    assert codes == [403] * 5 + [429] * 2
    answer = httpx.post(f"{server.url}login", data={"name": "ana", "password": PASSWORD})
    assert answer.status_code == 429
    assert "set-cookie" not in answer.headers


def test_nothing_is_answered_without_a_session(serve: Serve, tmp_path: Path) -> None:
    add_user(tmp_path / "users.toml", "ana", PASSWORD)
    server = serve(users=Users(tmp_path / "users.toml"))
    for path in ("", "api/start", "api/events?project=x", "config", "gradio_api/info", "download/x", "picture/x/y"):
        answer = httpx.get(server.url + path, headers={"accept": "application/json"})
        assert answer.status_code == 401, path
    assert httpx.post(f"{server.url}api/grants", json={}).status_code == 401
    assert httpx.get(f"{server.url}login").status_code == 200


def test_users_do_not_see_each_others_grants_unless_they_share_a_workspace(serve: Serve, tmp_path: Path) -> None:
    for name, workspace in (("ana", "equip"), ("pep", "equip"), ("eva", "")):
        add_user(tmp_path / "users.toml", name, PASSWORD, workspace=workspace)
    server = serve(users=Users(tmp_path / "users.toml"))
    lists = {}
    for name in ("ana", "pep", "eva"):
        with httpx.Client(base_url=server.url) as client:
            client.post("login", data={"name": name, "password": PASSWORD})
            if name == "ana":
                client.post("api/create", json={"project": "", "title": "T", "form": "generic", "language": "es"})
            lists[name] = [one["project"] for one in client.post("api/grants", json={}).json()["grants"]]
    assert lists == {"ana": ["t"], "pep": ["t"], "eva": []}


def test_behind_a_proxy_the_application_lives_under_its_path(serve: Serve, screen: Open) -> None:
    server = serve(root_path="/memorias")
    assert httpx.get(f"{server.url}api/start").status_code == 200
    one = screen(server.url).open().new().type("Bajo un camino.")
    assert one.text().strip() == "Bajo un camino."


def _form():  # type: ignore[no-untyped-def]
    from fabai.form import find_form

    return find_form("generic")
