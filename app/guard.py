"""What every request passes: known hosts only, writing from our own page only, nothing remote, nothing oversized.

Knows HTTP headers. Does not know users (app.door) or what is served. ASGI, so that streams pass through unharmed.

A page on another site that makes its name resolve to this machine (DNS rebinding) is stopped by the list of hosts; a
form or script there that posts to us, by Origin. The policy on content lets the page load from here alone, and runs
scripts that carry the answer's nonce, so that a script which came in with a document stays dead.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_SCRIPT = re.compile(rb"<script\b(?![^>]*\bnonce=)", re.IGNORECASE)
_FRAME = b"<gradio-app"
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_FIXED = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"SAMEORIGIN"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)


def policy(nonce: str) -> str:
    """The Content-Security-Policy of a page. 'unsafe-eval': Gradio makes functions of the code it has from us."""
    return (
        "default-src 'self'; base-uri 'self'; object-src 'none'; form-action 'self'; frame-ancestors 'self'; "
        f"script-src 'self' 'nonce-{nonce}' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; media-src 'self'; frame-src 'self'; "
        "worker-src 'self' blob:; manifest-src 'self'"
    )


def host_of(value: str) -> str:
    """The name in a Host header or an origin, without port, in small letters; "" where it is none."""
    try:
        return (urlsplit(value if "//" in value else f"//{value}").hostname or "").lower()
    except ValueError:
        return ""


class Guard:
    """ASGI middleware. hosts: names that this server answers to; body_bytes: largest request. root: the path under
    which a proxy puts the application; the proxy may leave it in front of a request's path or take it off. head: what
    Gradio's page begins with.
    """

    def __init__(self, app: Any, hosts: Collection[str], body_bytes: int, root: str = "", head: str = "") -> None:
        self._app, self._hosts, self._most = app, frozenset(one.lower() for one in hosts), body_bytes
        self._root, self._head = root, head.encode()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        if self._root and scope["path"].startswith(f"{self._root}/"):
            scope = {**scope, "path": scope["path"][len(self._root) :], "raw_path": None}
        nonce = secrets.token_urlsafe(16)
        await self._app(scope, _bounded(receive, self._most), _Answer(send, nonce, self._head))

    def _refusal(self, scope: Any, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        host = host_of(headers.get(b"host", b"").decode("latin-1"))
        if host not in self._hosts:
            return 421, f"This server does not answer to the name '{host[:80]}'; start it with --allow-host NAME."
        origin = headers.get(b"origin", b"").decode("latin-1")
        if scope["type"] == "websocket" or scope.get("method") not in _READING:
            other = headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none")
            if other or (origin and host_of(origin) not in self._hosts):
                return 403, "The request came from another page: open the application anew and try again."
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self._most:
            return 413, f"The file is larger than {self._most // 2**20} MiB: split it, or save it smaller."
        return None


class _Answer:
    """`send` with the headers of the house, and the nonce in pages."""

    def __init__(self, send: Any, nonce: str, head: bytes) -> None:
        self._send, self._nonce, self._head = send, nonce, head
        self._page: dict[str, Any] | None = None
        self._body = b""

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            own = {name for name, _ in message["headers"]}
            headers = [*message["headers"], *(one for one in _FIXED if one[0] not in own)]
            if b"content-security-policy" not in own:
                headers.append((b"content-security-policy", policy(self._nonce).encode()))
            message = {**message, "headers": headers}
            kind = next((value for name, value in headers if name == b"content-type"), b"")
            coded = any(name == b"content-encoding" for name, _ in headers)
            if kind.startswith(b"text/html") and b"content-disposition" not in own and not coded:
                self._page = message
                return
        elif message["type"] == "http.response.body" and self._page is not None:
            self._body += message.get("body", b"")
            if message.get("more_body"):
                return
            body = self._body.replace(b"<head>", b"<head>" + self._head, 1) if _FRAME in self._body else self._body
            body = _SCRIPT.sub(b'<script nonce="' + self._nonce.encode() + b'"', body)
            headers = [one for one in self._page["headers"] if one[0] != b"content-length"]
            start, self._page = self._page, None
            await self._send({**start, "headers": [*headers, (b"content-length", str(len(body)).encode())]})
            message = {**message, "body": body}
        await self._send(message)


def _bounded(receive: Any, most: int) -> Any:
    seen = 0

    async def read() -> Any:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > most:
                return {"type": "http.disconnect"}
        return message

    return read


async def _refuse(scope: Any, send: Any, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *_FIXED]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode()})


def is_local(host: str) -> bool:
    """Whether a server that listens there is reached from this machine alone."""
    if host.lower() in LOCAL:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
