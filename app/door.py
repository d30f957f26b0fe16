"""Who stands at the door: the login page, the cookie, and what may be seen without either.

Knows cookies and the words of the page. Does not know passwords (app.users) or what lies behind the door.
"""

from __future__ import annotations

from html import escape
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from fabai.report import LANGUAGES, Language

from .sessions import Attempts, Sessions
from .users import Users
from .words import words

COOKIE = "fabai_session"
_LOGIN, _ASSETS = "/login", "/assets-of-fabai/"
_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{title}</title>
<link rel="stylesheet" href="{root}/assets-of-fabai/app.css"></head>
<body class="fb-door"><main><h1>{title}</h1><p>{lead}</p>{fault}
<form method="post"><label for="name">{name}</label>
<input id="name" name="name" autocomplete="username" required autofocus maxlength="64">
<label for="password">{password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="1024">
<button class="fb-primary" type="submit">{enter}</button></form></main></body></html>"""


class Door:
    """users None: one person on this machine, no login."""

    def __init__(self, users: Users | None, sessions: Sessions, attempts: Attempts, root: str, secure: bool) -> None:
        self._users, self._sessions, self._attempts = users, sessions, attempts
        self._root, self._secure = root, secure

    def user(self, request: Request) -> str | None:
        """Who asks; None where nobody is logged in. "" is the one person of a server without login."""
        if self._users is None:
            return ""
        name = self._sessions.user(request.cookies.get(COOKIE, ""))
        return name if name is not None and self._users.known(name) else None

    def shown(self, user: str, said: str) -> str:
        """The name that stands under what a person reviews; without login, the one they gave themselves."""
        return " ".join(said.split())[:80] if self._users is None else self._users.shown(user)

    def workspace(self, user: str) -> str:
        return "" if self._users is None else self._users.workspace(user)

    @property
    def locked(self) -> bool:
        return self._users is not None

    def needs(self, path: str) -> bool:
        """Whether a path is for people who are in."""
        return self.locked and path != _LOGIN and not path.startswith(_ASSETS)

    def page(self, request: Request, fault: str = "", status: int = 200) -> Response:
        language = preferred(request)
        say = words(language)
        warning = f'<p class="fb-fault" role="alert">{escape(say[fault])}</p>' if fault else ""
        body = _PAGE.format(
            language=language,
            root=escape(self._root),
            title=escape(say["login_title"]),
            lead=escape(say["login_lead"]),
            name=escape(say["login_name"]),
            password=escape(say["login_password"]),
            enter=escape(say["login_enter"]),
            fault=warning,
        )
        return HTMLResponse(body, status, headers={"cache-control": "no-store"})

    async def enter(self, request: Request) -> Response:
        """The form was sent. Wrong passwords of a name or an address soon have to wait."""
        if self._users is None:
            return self._home()
        form = await request.form()
        name, password = str(form.get("name", "")).strip().lower()[:64], str(form.get("password", ""))[:1024]
        address = request.client.host if request.client is not None else ""
        keys = (f"name {name}", f"address {address}")
        if not self._attempts.allowed(*keys):
            return self.page(request, "login_wait", 429)
        if not await _in_thread(self._users.check, name, password):
            self._attempts.failed(*keys)
            return self.page(request, "login_wrong", 403)
        self._attempts.forgive(*keys)
        answer = self._home()
        answer.set_cookie(
            COOKIE, self._sessions.begin(name), httponly=True, samesite="strict", secure=self._secure, path="/"
        )
        return answer

    def leave(self, request: Request) -> Response:
        self._sessions.end(request.cookies.get(COOKIE, ""))
        answer = RedirectResponse(f"{self._root}/login", 303)
        answer.delete_cookie(COOKIE, path="/")
        return answer

    def _home(self) -> RedirectResponse:
        return RedirectResponse(f"{self._root}/", 303)


class Entrance:
    """Who is not in comes no further; what the application answers is kept by nobody. ASGI by itself: Starlette's
    middleware of functions hands every piece of a stream through a queue.
    """

    def __init__(self, app: Any, door: Door, root: str) -> None:
        self._app, self._door, self._root = app, door, root

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request, path = Request(scope), scope["path"]
        if self._door.needs(path) and self._door.user(request) is None:
            await self._turned_away(request)(scope, receive, send)
            return
        await self._app(scope, receive, _unkept(send) if path.startswith("/api/") else send)

    def _turned_away(self, request: Request) -> Response:
        if request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return RedirectResponse(f"{self._root}/login", 303)
        return JSONResponse({"error": words(preferred(request))["login_ended"], "login": True}, 401)


def _unkept(send: Any) -> Any:
    async def answer(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = [one for one in message["headers"] if one[0] != b"cache-control"]
            message = {**message, "headers": [*headers, (b"cache-control", b"no-store")]}
        await send(message)

    return answer


def preferred(request: Request) -> Language:
    """The language that the browser asks for; Spanish where it is none of the three."""
    cookie = request.cookies.get("fabai_language", "")
    asked = [cookie, *(part.split(";")[0].strip()[:2].lower() for part in _accepted(request))]
    return next((one for wanted in asked for one in LANGUAGES if one == wanted), "es")


def _accepted(request: Request) -> list[str]:
    return request.headers.get("accept-language", "").split(",")


async def _in_thread(function: Any, *args: Any) -> Any:
    import anyio

    return await anyio.to_thread.run_sync(lambda: function(*args))
