"""The command line as a whole: closed streams, any encoding, a request to end, files that must not be overwritten."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fabai.store.project import Project

from .conftest import Run

FABAI = [sys.executable, "-m", "fabai"]


@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix closes the streams")
@pytest.mark.parametrize("words", ["forms", "forms --json", "doctor --json", "outline nope"])
@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_streams_that_the_shell_closed_bring_no_traceback(words: str, streams: str, tmp_path: Path) -> None:
    shell = ["sh", "-c", f'"{sys.executable}" -m fabai {words} {streams}']
    done = subprocess.run(shell, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == (1 if "nope" in words else 0)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_is_json_in_every_encoding(run: Run, folder: Path, encoding: str) -> None:
    value = "memòria 😀 « 1.250,50 €"
    assert run("new", "p", "--lang", "ca").code == 0
    assert run("facts", "p", "add", "import", value, "--source", "s").code == 0
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*FABAI, "facts", "p", "--json"], capture_output=True, cwd=folder, env=environment, check=True
    )
    assert json.loads(done.stdout.decode(encoding))["facts"][0]["value"] == value


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no such signals")
@pytest.mark.parametrize("request_to_end", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_request_to_end_keeps_what_was_written_so_far(run: Run, folder: Path, request_to_end: str) -> None:
    number = getattr(signal, request_to_end)
    (folder / "a.md").write_text("# Uno\n\nTexto.\n", encoding="utf-8")
    run("new", "p", "--lang", "es")
    run("import", "p", "a.md")
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from fabai import draft\n"
        "from fabai.cli import _ending_in_order\n"
        "from fabai.store.project import Project\n"
        "from fabai.writers.scripted import Scripted\n"
        # under nohup it would be passed over, rightly
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
        "def shown(text):\n"
        f"    if len(text) > 20: os.kill(os.getpid(), {int(number)})\n"
        "with _ending_in_order(), Project.open(Path('p.fabai')) as project:\n"
        "    try: draft.draft(project, 's1', Scripted(['Una frase que ya se ha escrito. ' * 20]), on_text=shown)\n"
        "    except KeyboardInterrupt as stop: print('STOPPED', *stop.args)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=True)
    assert done.stdout.split() == ["STOPPED", *([] if number == signal.SIGINT else [str(128 + number)])]
    with Project.open(folder / "p.fabai") as project:
        last = project.versions("s1")[-1]
    assert last.partial
    assert last.text.startswith("Una frase que ya se")


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no such signals")
def test_a_command_that_was_asked_to_end_says_so_with_the_shells_code(tmp_path: Path) -> None:
    """The command here waits for a pipe."""
    os.mkfifo(tmp_path / "gate")
    code = (
        "import sys, types, fabai.cli as cli\n"
        "def run(args):\n"
        "    print('ready', flush=True)\n"
        "    open('gate').read()\n"
        "sys.modules['slow'] = types.SimpleNamespace(arguments=lambda parser: None, run=run)\n"
        "cli.COMMANDS['slow'] = ('slow', 'waits')\n"
        "sys.exit(cli.main(['slow']))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert said == "fabai: stopped; what was saved before stays saved\n"


@pytest.mark.parametrize(
    "words", [["export", "p", "-o"], ["context", "p", "1", "--writer", "scripted:s.json", "--html"]]
)
def test_no_command_writes_over_a_project_or_a_pipe(run: Run, folder: Path, words: list[str]) -> None:
    (folder / "a.md").write_text("# Uno\n\nTexto.\n", encoding="utf-8")
    (folder / "s.json").write_text("[]", encoding="utf-8")
    run("new", "p", "--lang", "es")
    run("import", "p", "a.md")
    os.mkfifo(folder / "pipe.docx")
    (folder / "link.docx").symlink_to("p.fabai")
    before = (folder / "p.fabai").read_bytes()
    for target in ("p.fabai", "link.docx", "pipe.docx"):
        assert run(*words, target).code == 1
    assert (folder / "p.fabai").read_bytes() == before
    assert (folder / "link.docx").is_symlink()
    assert not list(folder.glob("*.bak*"))
