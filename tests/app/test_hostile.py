"""What a hostile client sends is refused in words or with a plain status; the server goes on and gives nothing away."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from fabai.app import uploads
from fabai.app.users import Users, add_user

from .serving import Paced, Served, served

PASSWORD = "una frase bastante larga"  # noqa: S105 - of a person who is not


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("work"), Paced()) as one:
        made = {"project": "", "title": "Mía", "form": "memoria-justificativa", "language": "es"}
        assert httpx.post(f"{one.url}api/create", json=made).json() == {"project": "mia"}
        yield one


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("locked")
    add_user(folder / "users.toml", "ana", PASSWORD)
    with served(folder / "work", Paced(), users=Users(folder / "users.toml")) as one:
        yield one


def raw(server: Served, lines: bytes) -> bytes:
    """The first line that answers bytes sent as they are."""
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname or "", place.port or 0), 20) as one:
        one.sendall(lines)
        return one.recv(4_096).partition(b"\r\n")[0]


@pytest.mark.parametrize(
    "host",
    [
        "[", "evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "evil.example:80", "", "\xe9vil",
        "[::1", "a b",
    ],
)  # fmt: skip
def test_no_other_name_is_answered_however_it_is_written(server: Served, host: str) -> None:
    answer = raw(server, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("latin-1"))
    assert answer.split()[1] in (b"421", b"400"), answer


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://["}, {"origin": "http://evil.example"}, {"origin": "http://localhost.evil.example"},
        {"origin": "null"}, {"sec-fetch-site": "same-site"}, {"sec-fetch-site": "cross-site"},
    ],
)  # fmt: skip
def test_no_other_page_may_write(server: Served, headers: dict[str, str]) -> None:
    assert httpx.post(f"{server.url}api/discard", json={"project": "mia"}, headers=headers).status_code == 403
    assert (server.workspace / "mia.fabai").is_file()


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 200_000, b'{"a":' * 50_000, b"\xff\xfe", b"nul", b"[]", b'"x"', b'{"project": 1e999}', b"1" * 9_000,
        b'{"project": "\\ud800"}', b'{"project": "mia", "section": "\\ud800\\udfff\\ud800"}', b'{"project": null}',
    ],
)  # fmt: skip
def test_a_damaged_request_is_a_sentence(server: Served, body: bytes) -> None:
    for name in ("section", "create", "save"):
        answer = httpx.post(f"{server.url}api/{name}", content=body)
        assert answer.status_code == 422, (name, answer.text)
        assert answer.json()["error"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full disk to offer")
def test_a_full_disk_is_said_in_words_and_the_server_goes_on(server: Served) -> None:
    data = b"# Acta\n"
    waiting = uploads.kept_name(server.workspace / ".fabai" / "uploads" / "mia", "acta.md", sha256(data).hexdigest())
    waiting.parent.mkdir(parents=True, exist_ok=True)
    waiting.symlink_to("/dev/full")
    query = {"project": "mia", "kind": "source", "name": "acta.md"}
    answer = httpx.post(f"{server.url}api/upload", params=query, content=data)
    assert (answer.status_code, answer.json()["kind"]) == (422, "ProjectError")
    assert answer.json()["error"].startswith("El disco del servidor está lleno")
    waiting.unlink()
    assert httpx.post(f"{server.url}api/upload", params=query, content=data).status_code == 200


def test_nothing_unknown_can_be_called(server: Served) -> None:
    for name in ("__class__", "nothing", "open%00", "..%2fopen", "OPEN"):
        assert httpx.post(f"{server.url}api/{name}", json={}).status_code in (404, 405), name
    for verb in ("GET", "PUT", "DELETE", "PATCH"):
        assert httpx.request(verb, f"{server.url}api/discard").status_code in (404, 405), verb


@pytest.mark.parametrize(
    "path",
    [
        "assets-of-fabai/..%2fserver.py", "assets-of-fabai/%2e%2e/%2e%2e/pyproject.toml", "assets-of-fabai//etc/passwd",
        "picture/mia/..%2f..%2fmia.fabai", "picture/..%2fx/media/a.png", "download/..%2fmia.fabai", "download/%00",
        "gradio_api/file=/etc/passwd", "gradio_api/file=..%2fmia.fabai", "gradio_api/proxy=http://127.0.0.1:22/",
        "gradio_api/file=http://127.0.0.1:22/", "static/..%2f..%2f..%2fetc/passwd", "custom_component/x/y/z/..%2f..",
        "mia.fabai", ".fabai/uploads/", "docs", "openapi.json", "monitoring/key", "gradio_api/monitoring/key",
    ],
)  # fmt: skip
def test_no_file_of_the_machine_is_served(server: Served, path: str) -> None:
    answer = httpx.get(server.url + path)
    assert answer.status_code >= 400 or b"fb-pane" in answer.content, path
    assert b"root:" not in answer.content
    assert b"SQLite" not in answer.content


def test_gradios_own_door_takes_no_files(server: Served) -> None:
    files = {"files": ("x.html", b"<script>1</script>" * 10, "text/html")}
    answer = httpx.post(f"{server.url}gradio_api/upload", files=files)
    assert answer.status_code >= 400


@pytest.mark.parametrize(
    "name",
    [
        "..\\..\\x.docx", "/etc/cron.d/x.docx", "a\0b.docx", "." * 300 + ".docx", "CON.docx",
        "x.docx\r\nSet-Cookie: a=b", "\u202excod.docx",
    ],
)  # fmt: skip
def test_an_upload_lands_in_its_own_folder_whatever_it_is_called(server: Served, name: str) -> None:
    before = set(server.workspace.parent.rglob("*"))
    answer = httpx.post(
        f"{server.url}api/upload", params={"name": name, "project": "mia", "kind": "source"}, content=b"no es nada"
    )
    assert answer.status_code == 422
    new = {one for one in set(server.workspace.parent.rglob("*")) - before if one.is_file()}
    assert all(server.workspace / ".fabai" / "uploads" / "mia" in one.parents for one in new)


def test_a_body_without_end_is_cut_off_with_a_sentence(tmp_path: Path) -> None:
    from fabai.settings import AppSettings

    def endless() -> Iterator[bytes]:
        for _ in range(200):
            yield b"x" * 2**20

    with served(tmp_path, Paced(), settings=AppSettings(upload_bytes=33 * 2**20)) as server:
        address = f"{server.url}api/upload?name=a.docx&kind=template&project="
        try:
            answer = httpx.post(address, content=endless(), timeout=60)
        except httpx.TransportError:
            # the server hung up while the client was still sending
            pass
        else:
            assert answer.status_code == 422
            assert "grande" in answer.json()["error"]
        assert httpx.get(f"{server.url}api/start").status_code == 200
        assert not list((tmp_path / ".fabai").rglob("*.docx"))


@pytest.mark.parametrize(
    "path",
    [
        "login/../config", "loginx", "login/x", "login%2f..%2fconfig", "login;x", "assets-of-fabai/../config",
        "gradio_api/startup-events",
    ],
)  # fmt: skip
def test_nothing_lies_open_beside_the_login(locked: Served, path: str) -> None:
    answer = raw(
        locked, f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nConnection: close\r\n\r\n".encode()
    )
    assert answer.split()[1] in (b"401", b"404"), answer


@pytest.mark.parametrize("cookie", [b"", b"x", b"a" * 5_000, b"\xc3\xa9", b"../../x"])
def test_no_made_up_session_is_one(locked: Served, cookie: bytes) -> None:
    headers = {b"cookie": b"fabai_session=" + cookie}
    assert httpx.post(f"{locked.url}api/grants", json={}, headers=headers).status_code == 401


def test_after_all_that_the_server_still_answers(server: Served) -> None:
    assert httpx.post(f"{server.url}api/open", json={"project": "mia"}).json()["title"] == "Mía"
