"""The application under load: how soon a page is usable, a section switched, a first word seen; thirty people at once.

    python -m benches.app [--minutes 10] [--clients 30]

A report of 486 sections and some 159,000 tokens is opened in Chromium (skipped where it is missing), five times, the
page before closed and nothing kept of it. Then clients, each with its own project and its own stream of events, open,
type, draft, compare and check for some minutes on one server process, whose memory is read from /proc. The writer is
the tests' fake, at the pace of a fast reader. The last line is JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from fabai.form import find_form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.settings import AppSettings
from fabai.store.project import Project

SECTIONS, WORDS = 486, 252
PACE = 0.03  # seconds between two words
_SENTENCE = (
    "La entidad ha desarrollado el programa de acompañamiento con un equipo técnico propio y con la ayuda de las "
    "escuelas del distrito, según el calendario previsto, y ha atendido a las familias derivadas por los servicios "
    "sociales mediante talleres, tutorías y sesiones de refuerzo de la lectura por las tardes de lunes a jueves"
)
_STOCK = _SENTENCE.split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--clients", type=int, default=30)
    parser.add_argument("--serve", nargs=2, metavar=("DIR", "PORT"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        _serve(Path(args.serve[0]), int(args.serve[1]))
        return
    with tempfile.TemporaryDirectory(prefix="fabai-bench-") as name:
        folder = Path(name)
        _large(folder / "grande.fabai")
        form = find_form("memoria-justificativa")
        for number in range(args.clients):
            Project.create(folder / f"p{number}.fabai", form, "es", f"P{number}").close()
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        command = [sys.executable, "-m", "benches.app", "--serve", str(folder), str(port)]
        with subprocess.Popen(command) as server:
            try:
                url = f"http://127.0.0.1:{port}/"
                _wait(url)
                figures: dict[str, Any] = {"sections": SECTIONS, "cores": os.cpu_count()}
                figures |= _page(url)
                figures |= asyncio.run(_crowd(url, server.pid, args.clients, args.minutes * 60))
            finally:
                server.terminate()
    for key, value in figures.items():
        print(f"{key:28} {value}")
    print(json.dumps(figures))


def _serve(folder: Path, port: int) -> None:
    import uvicorn
    from fabai.app.server import Options, build

    from tests.app.serving import TEXT, Paced

    class Forgetful(Paced):
        """Keeps no prompt: some seven kilobytes of each draft would be taken for the server's memory."""

        def stream(self, *args: Any, **named: Any) -> Any:
            for kept in (self.asked, self.began, self.constraints):
                kept.clear()
            return super().stream(*args, **named)

    options = Options(workspace=folder, settings=AppSettings(slots=64, open_projects=64))
    app = build(options, lambda: Forgetful(TEXT * 3, PACE))
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


def _large(path: Path) -> None:
    pick = random.Random(0)
    sections = []
    for number in range(SECTIONS):
        words = [pick.choice(_STOCK) for _ in range(WORDS)]
        blocks = tuple(Block(" ".join(words[at : at + 84]).capitalize() + ".") for at in range(0, WORDS, 84))
        sections.append(DocumentSection(f"Apartado {number + 1}", 1 + number % 3, blocks))
    with Project.create(path, find_form("generic"), "es", "Grande") as project:
        project.import_document(Document("Grande", "es", tuple(sections)), "grande.docx")
        text = sum(len(one.text) for one in project.report())
    print(f"{SECTIONS} sections, {text:,} characters")


def _wait(url: str) -> None:
    for _ in range(600):
        try:
            httpx.get(f"{url}api/start")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


_USABLE = f"""window.Fabai?.milk?.get().length > 500 && document.querySelectorAll('.fb-row').length === {SECTIONS}
  && document.querySelector('.fb-text .fb-doc')?.offsetHeight > 0"""
_SWITCH = """(at) => new Promise((done) => {
  const row = document.querySelectorAll('.fb-outline button.fb-row')[at], began = performance.now()
  const id = row.parentElement.dataset.section, heading = row.querySelector('.fb-heading').textContent
  const there = () => Fabai.state.section === id
    && document.querySelector('.fb-editor-head h2')?.textContent.includes(heading)
  const look = () => requestAnimationFrame(() => (there() ? done(performance.now() - began) : look()))
  row.click()
  look() })"""
_FIRST = """() => { window.first = 0
  const there = () => document.querySelector('.fb-preview .fb-doc')?.textContent.trim()
  const look = () => requestAnimationFrame(() => { if (there()) window.first = Date.now() / 1000; else look() })
  look()
  document.getElementById('fb-draft').click() }"""


def _page(url: str) -> dict[str, Any]:
    """In Chromium. The first word is timed from when the server tells of it, on the same machine's clock."""
    program = shutil.which("chromium")
    if program is None:
        return {"page": "chromium is not installed"}
    from playwright.sync_api import sync_playwright

    usable, firsts = [], []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page: Any = None
        for _ in range(5):
            if page is not None:
                page.context.close()
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            began = time.perf_counter()
            page.goto(f"{url}#/grande/writing/s1")
            page.wait_for_function(_USABLE)
            usable.append(time.perf_counter() - began)
        page.wait_for_timeout(3_000)
        switched = [page.evaluate(_SWITCH, at) for at in random.Random(1).sample(range(SECTIONS), 25)]
        for number in range(5):
            # a page of its own: the drawing of an earlier draft would be taken for this one's first word
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            page.goto(f"{url}#/p{number}/writing")
            page.wait_for_selector("#fb-draft:not([disabled])")
            page.wait_for_timeout(500)
            ahead = _ahead(page)
            page.evaluate(_FIRST)
            page.wait_for_function("window.first > 0")
            job = httpx.post(f"{url}api/outline", json={"project": f"p{number}"}).status_code
            assert job == 200
            firsts.append(page.evaluate("window.first") - ahead - _began(folder_of=url, number=number))
        browser.close()
    return {
        "usable_s": _three(usable),
        "switch_ms": _three(switched),
        "first_word_ms": _three([1000 * one for one in firsts]),
    }


def _ahead(page: Any) -> float:
    """Seconds by which the browser's clock is ahead of ours, from the quickest of some questions."""
    tries = []
    for _ in range(20):
        began = time.time()
        theirs = page.evaluate("Date.now() / 1000")
        tries.append((time.time() - began, theirs - (began + time.time()) / 2))
    return min(tries)[1]


def _began(folder_of: str, number: int) -> float:
    """When the writer gave its first word of the newest draft of a project."""
    with httpx.stream("GET", f"{folder_of}api/events", params={"project": f"p{number}"}) as answer:
        line = next(line for line in answer.iter_lines() if line.startswith("data:"))
    return float(json.loads(line[5:])["jobs"][-1]["first"])


async def _crowd(url: str, pid: int, clients: int, seconds: float) -> dict[str, Any]:
    clicks: dict[str, list[float]] = {}
    errors: list[str] = []
    drafted = [0]
    memory: list[float] = []
    until = time.monotonic() + seconds
    # shorter than the server keeps a connection, lest one is used that it is about to close
    limits = httpx.Limits(max_connections=None, keepalive_expiry=2)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client:
        people = [_person(client, number, until, clicks, errors, drafted) for number in range(clients)]
        await asyncio.gather(*people, _weigh(pid, until, memory))
    every = [one for times in clicks.values() for one in times]
    fifth = max(1, len(memory) // 5)
    early, late = statistics.median(memory[fifth : 2 * fifth] or memory), statistics.median(memory[-fifth:])
    return {
        "clients": clients,
        "minutes": round(seconds / 60, 1),
        "clicks": len(every),
        "drafts": drafted[0],
        "errors": len(errors),
        "error": errors[0] if errors else "",
        "click_p50_ms": round(1000 * statistics.median(every)),
        "click_p95_ms": _p95(every),
        "slowest_p95": max((_p95(times), name) for name, times in clicks.items() if len(times) > 1),
        "memory_mib": [round(early), round(late)],
        "memory_growth": round(late / early - 1, 3),
    }


async def _person(
    client: httpx.AsyncClient,
    number: int,
    until: float,
    clicks: dict[str, list[float]],
    errors: list[str],
    drafted: list[int],
) -> None:
    """Somebody at work, with a second or two between clicks."""
    pick = random.Random(number)
    project = f"p{number}"

    async def ask(name: str, **args: Any) -> dict[str, Any]:
        began = time.perf_counter()
        answer = await client.post(f"api/{name}", json={"project": project, "who": project, **args})
        clicks.setdefault(name, []).append(time.perf_counter() - began)
        if answer.status_code != 200:
            errors.append(f"{name}: {answer.text[:200]}")
            return {}
        return dict(answer.json())

    async def listen() -> None:
        async with client.stream("GET", "api/events", params={"project": project}, timeout=None) as stream:
            # bytes as they come: what is measured is the server, on the same processors
            async for _ in stream.aiter_raw():
                pass

    listening = asyncio.create_task(listen())
    sections = [one["id"] for one in (await ask("outline"))["sections"]]
    try:
        while time.monotonic() < until:
            section = pick.choice(sections)
            standing = await ask("section", section=section)
            await asyncio.sleep(pick.uniform(0.5, 1.5))
            job = (await ask("draft", section=section)).get("job", {})
            drafted[0] += 1
            await asyncio.sleep(pick.uniform(1, 2))
            other = await ask("section", section=sections[0])
            text = f"{other['text'][-2_000:]} {pick.random()}"
            await ask("save", section=sections[0], text=text, token=other["token"])
            await ask("outline")
            await ask("versions", section=section)
            await ask("findings")
            await asyncio.sleep(pick.uniform(1, 2))
            await ask("stop", job=job.get("id", 0))
            await asyncio.sleep(pick.uniform(0.5, 1))
            del standing
    finally:
        listening.cancel()


async def _weigh(pid: int, until: float, memory: list[float]) -> None:
    while time.monotonic() < until:
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            line = next(line for line in file if line.startswith("VmRSS"))
        memory.append(int(line.split()[1]) / 1024)
        await asyncio.sleep(2)


def _p95(seconds: list[float]) -> int:
    return round(1000 * statistics.quantiles(seconds, n=20)[-1])


def _three(values: list[float]) -> dict[str, float]:
    return {"median": round(statistics.median(values), 2), "worst": round(max(values), 2), "of": len(values)}


if __name__ == "__main__":
    main()
