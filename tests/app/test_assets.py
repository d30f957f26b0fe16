"""The files of the page: answered from memory, named ahead, closed to who is not in."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import brotli
import gradio
import httpx
import pytest
from fabai.app.assets import OURS, Assets
from fabai.app.users import Users, add_user

from .serving import Paced, Served, served

GRADIO = Path(gradio.__file__).parent / "templates" / "frontend"


@pytest.fixture(scope="module")
def assets() -> Assets:
    return Assets(GRADIO)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("work"), Paced()) as one:
        yield one


async def _other(scope: Any, receive: Any, send: Any) -> None:
    del scope, receive
    await send({"type": "http.response.start", "status": 404, "headers": []})


def answered(assets: Assets, path: str, query: str = "", client: str = "127.0.0.1", method: str = "GET") -> Any:
    """What is sent: status, headers, body."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(), "client": (client, 1),
        "headers": [(b"accept-encoding", b"gzip, br")],
    }  # fmt: skip
    asyncio.run(assets.in_front_of(_other)(scope, None, send))
    return sent[0]["status"], dict(sent[0]["headers"]), b"".join(one.get("body", b"") for one in sent[1:])


def test_the_page_is_told_of_gradios_frame_and_of_the_parts_that_the_layout_uses(assets: Assets) -> None:
    names = assets.ahead()
    assert len(names) == len(set(names)) < 60
    assert all((GRADIO / "assets" / one).is_file() for one in names)
    for stem in ("index-", "Blocks-", "HTML-", "core-"):
        assert any(one.startswith(stem) and one.endswith(".js") for one in names), stem


def test_a_gradio_that_is_built_otherwise_is_served_without_naming_its_files(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<script src='/other/start.mjs'></script>")
    other = Assets(tmp_path)
    assert other.ahead() == []
    assert "assets-of-fabai/app.js" in other.head()


def test_a_name_with_its_content_is_kept_for_ever_and_any_other_is_asked_for_again(assets: Assets) -> None:
    script = next(one for one in assets.ahead() if one.endswith(".js"))
    assert b"immutable" in answered(assets, f"/assets/{script}")[1][b"cache-control"]
    style, _, mark = assets.style.partition("?")
    assert b"immutable" in answered(assets, f"/{style}", mark)[1][b"cache-control"]
    assert answered(assets, f"/{style}")[1][b"cache-control"] == b"no-cache"
    assert answered(assets, f"/{style}", "an-old-mark")[1][b"cache-control"] == b"no-cache"


def test_who_sits_elsewhere_is_sent_fewer_bytes_of_the_same_file(assets: Assets) -> None:
    whole = (OURS / "app.js").read_bytes()
    _, here, body = answered(assets, "/assets-of-fabai/app.js")
    assert b"content-encoding" not in here
    assert body == whole
    _, there, body = answered(assets, "/assets-of-fabai/app.js", client="192.0.2.7")
    assert there[b"content-encoding"] == b"br"
    assert len(body) < len(whole) / 2
    assert brotli.decompress(body) == whole


@pytest.mark.parametrize("path", ["/assets/../index.html", "/assets/", "/assets-of-fabai/../server.py", "/app.js"])
def test_nothing_but_the_files_of_the_page_is_answered(assets: Assets, path: str) -> None:
    assert answered(assets, path)[0] == 404


def test_files_are_read_and_not_written(assets: Assets) -> None:
    assert answered(assets, "/assets-of-fabai/app.js", method="POST")[0] == 404


def test_the_page_begins_with_our_program_under_its_nonce_and_the_login_without(server: Served) -> None:
    answer = httpx.get(server.url)
    nonce = answer.headers["content-security-policy"].partition("'nonce-")[2].partition("'")[0]
    head = answer.text.partition("<head>")[2]
    assert f'<script nonce="{nonce}" defer src="assets-of-fabai/app.js?' in head[: head.index('type="module"')]
    for name in Assets(GRADIO).ahead():
        assert f'href="assets/{name}"' in head
        assert httpx.get(f"{server.url}assets/{name}").status_code == 200


def test_gradios_files_are_for_who_is_in_and_ours_dress_the_login_too(tmp_path: Path, assets: Assets) -> None:
    add_user(tmp_path / "users.toml", "ana", "una frase bastante larga")
    with served(tmp_path / "work", Paced(), users=Users(tmp_path / "users.toml")) as one:
        assert httpx.get(f"{one.url}assets/{assets.ahead()[0]}").status_code == 401
        assert httpx.get(f"{one.url}assets-of-fabai/app.css").status_code == 200
        page = httpx.get(one.url, headers={"accept": "text/html"})
        assert (page.status_code, page.headers["location"]) == (303, "/login")
        assert "modulepreload" not in httpx.get(f"{one.url}login").text
