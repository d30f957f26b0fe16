"""The program that serves the application: routes, streams, uploads, downloads, and the guards in front of them.

Knows HTTP. Does not know what an operation does. `build` returns it; nothing listens before `fabai app` says so.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, JSONResponse, RedirectResponse, Response, StreamingResponse

from fabai.draft import WINDOW
from fabai.errors import BadSetting, FabaiError, UsageError
from fabai.report import LANGUAGES
from fabai.settings import AppSettings, WindowSettings
from fabai.store.faults import disk_sentence
from fabai.store.project import Project
from fabai.writers.base import Writer

from . import material, uploads
from .assets import OURS, Assets
from .call import Answer, Call, House
from .door import Door, Entrance, preferred
from .events import Hub
from .guard import LOCAL, Guard
from .job import place
from .jobs import Jobs
from .lookout import Lookout
from .operations import OPERATIONS
from .pagecount import Pages
from .plaintexts import Plaintexts
from .remarks import STOPPED
from .said import said, spoken
from .sessions import Attempts, Sessions
from .submission import SHELF
from .users import Users
from .watch import Watch
from .words import words
from .workspace import Spaces

_BEAT = 15.0  # seconds between two signs of life of a stream
_BODY = 32 * 2**20  # bytes of a request that is no upload
_CHUNK = 2**20  # bytes, more than a server hands on at once
_TURN = 0.0005  # seconds that a thread keeps others waiting: a look for findings takes long, a click has many steps
_LOG = logging.getLogger("fabai.app")


@dataclass(frozen=True, slots=True)
class Options:
    """How the server is reached. hosts: names besides localhost that it answers to. root_path: where a reverse proxy
    puts it ("/fabai"). secure: it is reached over TLS, so cookies are marked so. notice: said on every page.
    window: what the model was trained to be shown.
    """

    workspace: Path
    users: Users | None = None
    hosts: Collection[str] = ()
    root_path: str = ""
    secure: bool = False
    notice: str = ""
    settings: AppSettings = field(default_factory=AppSettings)
    window: WindowSettings = WINDOW


def _rescue(_: str, project: Project) -> None:
    project.workbench.rescue(STOPPED)


def build(options: Options, writer: Callable[[], Writer]) -> Any:
    """The ASGI application. writer: makes the model when somebody first asks for a text."""
    import gradio as gr

    from . import ui

    settings = options.settings
    hub, lookout = Hub(), Lookout()
    jobs = Jobs(writer, hub, settings, options.window)
    house = House(settings, hub, jobs, Plaintexts(), Watch(hub, lookout), Pages(hub))
    spaces = Spaces(options.workspace, settings.open_projects, _rescue)
    door = Door(options.users, Sessions(settings), Attempts(settings), options.root_path, options.secure)

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = 80
        sys.setswitchinterval(_TURN)
        yield
        await anyio.to_thread.run_sync(house.jobs.close)
        lookout.close()
        house.watch.close()
        house.pages.close()
        spaces.close()

    app = FastAPI(title="fabai", docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)

    def call(request: Request, args: dict[str, Any]) -> Call:
        user = door.user(request) or ""
        said = args.get("who", "")
        shown = door.shown(user, said if isinstance(said, str) else "")
        language = next((one for one in LANGUAGES if one == args.get("ui")), preferred(request))
        return Call(house, spaces.of(door.workspace(user)), user, shown, language, args)

    @app.get("/login")
    async def login_page(request: Request) -> Response:
        return door.page(request) if door.locked else RedirectResponse(f"{options.root_path}/", 303)

    @app.post("/login")
    async def login(request: Request) -> Response:
        return await door.enter(request)

    @app.post("/logout")
    async def logout(request: Request) -> Response:
        return door.leave(request)

    @app.get("/api/start")
    async def start(request: Request) -> Response:
        user = door.user(request) or ""
        return JSONResponse(
            {
                "words": {one: words(one) for one in LANGUAGES},
                "language": preferred(request),
                "user": user,
                "shown": door.shown(user, "") if user else "",
                "locked": door.locked,
                "notice": options.notice,
                "upload": settings.upload_bytes,
            }
        )

    @app.post("/api/upload")
    async def upload(request: Request) -> Response:
        """The file is the body; its name, kind and project stand in the address."""
        args = dict(request.query_params)

        def work(data: bytes) -> Answer:
            one = call(request, args)
            if args.get("kind") == "picture":
                return {"name": material.add_picture(one, data)}
            return uploads.received(one, data)

        return await _answer(work, request, settings.upload_bytes)

    @app.post("/api/{name}")
    async def operate(name: str, request: Request) -> Response:
        operation = OPERATIONS.get(name)
        if operation is None:
            unknown = said("the page asked for something unknown: reload it", preferred(request))
            return JSONResponse({"error": unknown}, 404)

        def work(data: bytes) -> Answer:
            try:
                args = json.loads(data or b"{}")
            except (ValueError, RecursionError):
                raise UsageError("the request is damaged: reload the page") from None
            if not isinstance(args, dict):
                raise UsageError("the request is damaged: reload the page")
            return operation(call(request, args))

        return await _answer(work, request, _BODY)

    @app.get("/api/events")
    async def events(request: Request, project: str) -> Response:
        space = spaces.of(door.workspace(door.user(request) or ""))
        if project not in await anyio.to_thread.run_sync(space.names):
            return JSONResponse({"error": "unknown project"}, 404)
        return StreamingResponse(
            _stream(house, place(space, project)),
            media_type="text/event-stream",
            headers={"x-accel-buffering": "no"},
        )

    @app.get("/picture/{project}/{name:path}")
    async def picture(request: Request, project: str, name: str) -> Response:
        def work() -> tuple[bytes, str] | None:
            try:
                return material.picture(call(request, {"project": project}), name)
            except FabaiError:
                return None

        found = await anyio.to_thread.run_sync(work)
        if found is None:
            return Response(status_code=404)
        return Response(found[0], media_type=found[1], headers={"cache-control": "private, max-age=3600"})

    @app.get("/download/{token}")
    async def download(request: Request, token: str) -> Response:
        ready = SHELF.get(token, spaces.of(door.workspace(door.user(request) or "")).folder)
        if ready is None or not ready.path.is_file():
            return Response("the file is not here any more: make it again", 404)
        kind = "inline" if ready.media_type == "image/png" else "attachment"
        return FileResponse(
            ready.path, media_type=ready.media_type, filename=ready.filename, content_disposition_type=kind
        )

    assets = Assets(Path(gr.__file__).parent / "templates" / "frontend")
    mounted = gr.mount_gradio_app(
        app,
        ui.build(),
        path="/",
        root_path=options.root_path or None,
        # after Gradio's own, which it overrules
        head=f'<link rel="stylesheet" href="{assets.style}">',
        theme=ui.THEME,
        footer_links=[],
        show_error=False,
        max_file_size=1,
        favicon_path=str(OURS / "favicon.png") if (OURS / "favicon.png").is_file() else None,
        enable_monitoring=False,
        ssr_mode=False,
        app_kwargs={"openapi_url": None},
    )
    inside = Entrance(assets.in_front_of(mounted), door, options.root_path)
    # what is a little too large is refused in words, by the operation
    most = max(_BODY, settings.upload_bytes) + _CHUNK
    return Guard(inside, {*LOCAL, *options.hosts}, most, options.root_path, assets.head())


async def _body(request: Request, most: int) -> bytes:
    """The request's body; BadSetting where it is larger than may come."""
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > most:
            raise BadSetting("the file is too large: split it, or save it smaller")
    return bytes(found)


class _Json(JSONResponse):
    """In ASCII, so that half a letter which a page sent can be told back to it."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


async def _answer(work: Callable[[bytes], Answer], request: Request, most: int) -> Response:
    language = preferred(request)
    try:
        answer = await anyio.to_thread.run_sync(work, await _body(request, most))
        return _Json(spoken(answer, language))
    except FabaiError as error:
        return _Json({"error": said(str(error), language), "kind": type(error).__name__}, 422)
    except OSError as error:
        _LOG.exception("the disk refused a request")
        why = disk_sentence(error, Path(Path(error.filename or "file").name))
        return _Json({"error": said(why, language), "kind": "ProjectError"}, 422)
    except Exception:  # noqa: BLE001 - the page is told, the log has the rest, and nothing of it leaves the server
        _LOG.exception("a request failed")
        return JSONResponse({"error": "500", "kind": "Fault"}, 500)


async def _stream(house: House, key: str) -> AsyncIterator[str]:
    """Events of a project as they happen, those that came together in one piece; first, what is being written now."""
    async with house.hub.listen(key) as queue:
        yield _event({"type": "hello", "jobs": [job.shown() for job in house.jobs.of(key)]})
        while True:
            try:
                async with asyncio.timeout(_BEAT):
                    event = await queue.get()
            except TimeoutError:
                yield ": alive\n\n"
                continue
            pieces = []
            while event is not None:
                pieces.append(_event(event))
                if queue.empty():
                    break
                event = queue.get_nowait()
            yield "".join(pieces)
            if event is None:
                return


def _event(event: dict[str, Any]) -> str:
    return f"data: {json.dumps(event, ensure_ascii=False)}\n\n"
