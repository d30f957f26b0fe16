"""A server that is killed while a model writes, and a project that somebody opens after it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from fabai.store.project import Project

ROOT = Path(__file__).parents[2]
PAUSE = 0.02  # seconds between two words
SERVER = f"""
import sys, time
from pathlib import Path
from fabai.app.events import Hub
from fabai.app.jobs import Jobs
from fabai.app.workspace import Workspace
from fabai.form import find_form
from fabai.settings import AppSettings
from fabai.store.project import Project
from tests.app.serving import TEXT, Paced

folder = Path(sys.argv[1])
form = find_form("memoria-justificativa")
with Project.create(folder / "m.fabai", form, "es", "M") as project:
    section = next(one.id for one in project.report() if one.level > 0)
jobs = Jobs(lambda: Paced(TEXT * 30, {PAUSE}), Hub(), AppSettings())
job = jobs.draft(Workspace(folder, 4, lambda name, project: None), "m", section, "Ana")
while True:
    print(len(job.text.split()), flush=True)
    time.sleep(0.01)
"""


def test_a_server_killed_in_mid_stream_loses_the_last_second_at_most(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SERVER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdout is not None
        words = 0
        while words < 90:
            words = int(server.stdout.readline())
        os.kill(server.pid, signal.SIGKILL)
        words = max([words, *(int(line) for line in server.stdout if line.endswith("\n"))])
    with Project.open(tmp_path / "m.fabai") as project:
        (version,) = project.workbench.rescue("the server ended")
        assert not project.workbench.rescue("the server ended")
    assert version.partial
    assert words - len(version.text.split()) <= 1 / PAUSE
