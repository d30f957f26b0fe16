"""The files of the page, ours and Gradio's: kept in memory, compressed once, and asked for before they are missed.

Knows how Gradio's build names its files and what loads what. Does not know who asks. ASGI.

Gradio reads and compresses a file at each request, and its page learns of the next file when it has run the one before:
five round trips, one after another. Here a page is told of all of them at once; a file that is not found so comes a
little later, as without.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import brotli

from .guard import is_local

OURS = Path(__file__).parent / "static"
_KINDS = {".js": b"text/javascript; charset=utf-8", ".css": b"text/css; charset=utf-8"}
_HASHED = re.compile(r"-[\w-]{8}\.(?:js|css)$")
_FOR_EVER, _ASKED_AGAIN = b"public, max-age=31536000, immutable", b"no-cache"
_QUALITY = 5  # of brotli: a fortieth of the best one's time, 11 % more bytes of our program
_IMPORT = re.compile(r'(?:\bfrom|\bimport)"\./([\w-]+\.js)"')
_LATER = r"import\(`\./({name}\.js)`\)[^`]{{0,80}}?__vite__mapDeps\(\[([\d,]*)\]\)"
_LISTED = re.compile(r"m\.f=\[([^\]]*)\]")
_PARTS = ("html", "column", "row")
"""Gradio's components that app/ui.py uses."""
_TONGUES = r"import\(`\./((?:es|ca)-[\w-]{8}\.js)`\)()"
"""Its own words; the English ones are within."""


@dataclass(frozen=True)
class _File:
    path: Path

    @cached_property
    def whole(self) -> bytes:
        return self.path.read_bytes()

    @cached_property
    def small(self) -> bytes:
        return bytes(brotli.compress(self.whole, mode=brotli.MODE_TEXT, quality=_QUALITY))

    @cached_property
    def mark(self) -> str:
        return sha256(self.whole).hexdigest()[:12]


class Assets:
    """The files of a server, by their path in the address. gradio: the folder of its built page."""

    def __init__(self, gradio: Path) -> None:
        self._gradio = gradio
        self._files = {
            f"/{place}/{path.name}": _File(path)
            for place, folder in (("assets", gradio / "assets"), ("assets-of-fabai", OURS))
            for path in folder.iterdir()
            if path.suffix in _KINDS
        }

    def in_front_of(self, app: Any) -> Any:
        """The application, its files answered here."""

        async def answer(scope: Any, receive: Any, send: Any) -> None:
            found = self._files.get(scope.get("path", "")) if scope.get("method") == "GET" else None
            if found is None:
                await app(scope, receive, send)
                return
            # who sits at this machine has the bytes sooner than they are unpacked
            local = is_local((scope.get("client") or ("",))[0])
            small = not local and b"br" in dict(scope["headers"]).get(b"accept-encoding", b"")
            body = found.small if small else found.whole
            named_by_content = _HASHED.search(found.path.name) or scope["query_string"] == found.mark.encode()
            headers = [
                (b"content-type", _KINDS[found.path.suffix]),
                (b"content-length", str(len(body)).encode()),
                (b"cache-control", _FOR_EVER if named_by_content else _ASKED_AGAIN),
                (b"vary", b"accept-encoding"),
                *([(b"content-encoding", b"br")] if small else []),
            ]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": body})

        return answer

    @property
    def style(self) -> str:
        """The address of our style sheet, with its content in it so that a browser never keeps an old one. Relative: a
        proxy may put the application anywhere.
        """
        return f"assets-of-fabai/app.css?{self._files['/assets-of-fabai/app.css'].mark}"

    def head(self) -> str:
        """What stands first in the page: our program, and every file that it and Gradio will ask for."""
        script = f"assets-of-fabai/app.js?{self._files['/assets-of-fabai/app.js'].mark}"
        links = [f'<link rel="preload" as="style" href="{self.style}"><script defer src="{script}"></script>']
        for name in self.ahead():
            kind = "modulepreload" if name.endswith(".js") else "preload"
            links.append(f'<link rel="{kind}" {"" if kind[0] == "m" else "as=style "}crossorigin href="assets/{name}">')
        return "".join(links)

    def ahead(self) -> list[str]:
        """Gradio's files that its page loads before it stands, in the order in which it comes to them."""
        page = (self._gradio / "index.html").read_text(encoding="utf-8")
        found: dict[str, None] = {}
        for name in re.findall(r'(?:src|href)="\./assets/([\w.-]+\.(?:js|css))"', page):
            self._follow(name, found)
        return [one for one in found if f"/assets/{one}" in self._files]

    def _follow(self, name: str, found: dict[str, None]) -> None:
        """A file, what it imports, and what it loads later of the page's frame and of the components in use."""
        if name in found:
            return
        found[name] = None
        file = self._files.get(f"/assets/{name}")
        if file is None or not name.endswith(".js"):
            return
        text = file.whole.decode("utf-8", "replace")
        listed = _LISTED.search(text)
        names = re.findall(r"\./([\w.-]+)", listed[1]) if listed else []
        for other in _IMPORT.findall(text):
            self._follow(other, found)
        for pattern in _loaded_later(name):
            for other, numbers in re.findall(pattern, text):
                for one in (other, *(names[int(number)] for number in numbers.split(",") if number)):
                    self._follow(one, found)


def _loaded_later(name: str) -> list[str]:
    """Expressions of the imports that a file of this name makes for every page."""
    if name.startswith("core-"):
        parts = [rf"\b{part}:\{{[^{{}}]*component:\(\)=>\w+\(\(\)=>{_LATER.format(name='[^`]+?')}" for part in _PARTS]
        return [*parts, _TONGUES]
    return [_LATER.format(name=r"Index-[\w-]+" if name.startswith("index-") else r"Blocks-[\w-]+")]
