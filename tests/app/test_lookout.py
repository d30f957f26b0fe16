"""The process that checks reports: asked, killed, started anew."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fabai.app.lookout import Lookout, to_mend

from fabai.checks.violation import Findings
from fabai.errors import ProjectError
from fabai.form import find_form
from fabai.store.project import Project


@pytest.fixture
def own() -> Iterator[Lookout]:
    lookout = Lookout()
    yield lookout
    lookout.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "memoria.fabai"
    with Project.create(path, find_form("memoria-justificativa"), "es", "Memoria") as project:
        section = project.report().sections[1].id
        project.workbench.edit(section, "Fue un proyecto excelente.", project.workbench.standing(section).token, "Ana")
    return path


def rules(looked: tuple[str, Findings] | None) -> set[str]:
    assert looked is not None
    return {one.rule for one in looked[1].violations}


def slow(project: Project) -> Findings:
    """A look that nobody waits out."""
    project.path.with_suffix(".begun").touch()
    time.sleep(60)
    return Findings()


def broken(_: Project) -> Findings:
    raise ZeroDivisionError("a fault of ours")


def test_a_report_is_checked_in_another_process(own: Lookout, path: Path) -> None:
    assert own.pid is None
    assert "superlative" in rules(own.look(to_mend, path))
    assert own.pid not in (None, os.getpid())


def test_a_state_that_is_known_is_not_looked_at(own: Lookout, path: Path) -> None:
    looked = own.look(to_mend, path)
    assert looked is not None
    assert own.look(broken, path, looked[0]) is None


def test_a_killed_process_is_replaced_and_the_look_is_there(own: Lookout, path: Path) -> None:
    first = own.look(to_mend, path)
    before = own.pid
    assert before is not None
    os.kill(before, signal.SIGKILL)
    assert own.look(to_mend, path) == first
    assert own.pid not in (None, before)


def test_a_fault_of_a_look_is_told_and_the_process_goes_on(own: Lookout, path: Path) -> None:
    with pytest.raises(RuntimeError, match="a fault of ours"):
        own.look(broken, path)
    before = own.pid
    with pytest.raises(ProjectError, match="does not exist"):
        own.look(to_mend, path.with_name("other.fabai"))
    assert "superlative" in rules(own.look(to_mend, path))
    assert own.pid == before


def test_a_look_under_way_ends_when_the_server_closes(own: Lookout, path: Path) -> None:
    faults: list[str] = []

    def ask() -> None:
        try:
            own.look(slow, path)
        except ProjectError as error:
            faults.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    while not path.with_suffix(".begun").exists():
        time.sleep(0.02)
    own.close()
    asking.join()
    assert faults == ["the check of the report was ended before it was done: try again"]
    assert own.pid is None


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks in /proc")
def test_the_process_ends_with_a_server_that_was_killed(path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path; from fabai.app.lookout import Lookout, to_mend\n"
        "if __name__ == '__main__':\n"
        "    own = Lookout(); own.look(to_mend, Path(sys.argv[1])); print(own.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        assert Path(f"/proc/{pid}").exists()
        server.kill()
    for _ in range(500):
        if not _runs(pid):
            return
        time.sleep(0.02)
    raise AssertionError("the process is still there")


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
