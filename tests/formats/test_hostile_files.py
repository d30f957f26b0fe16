"""Real files that break readers: each is imported or answered with one sentence, through the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# Runs in a process of its own: fabai.cli.main for each file, with what it printed and left behind.
_BATCH = """
import contextlib, io, json, sys, time
from pathlib import Path
from fabai.cli import main
from fabai.store.project import Project

folder = Path(sys.argv[1])
for number, name in enumerate(sys.argv[2:]):
    project = folder / f"{number}.fabai"
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(["new", str(project), "--form", "generic", "--lang", "en"])
    started = time.monotonic()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["import", str(project), name, "--json"])
    took = time.monotonic() - started
    with Project.open(project) as opened:
        sections = len(opened.report())
    found = {"file": Path(name).name, "code": code, "error": err.getvalue(), "took": took, "sections": sections,
             "left": sorted(path.name for path in folder.iterdir())}
    print(json.dumps(found), flush=True)
    project.unlink()
"""
# takes pandoc 20 s to read, half of the whole time: it goes alone while the others go in turn
_SLOWEST = "poi__bug65649.docx"
_PASSWORD = {
    "msoffcrypto-tool__ecma376standard_password.docx",
    "msoffcrypto-tool__example_password.docx",
    "oletools__encrypted.docm",
    "oletools__encrypted.docx",
    "poi__bug53475-password-is-solrcell.docx",
    "tika__testWORD_protected_passtika.docx",
}
_NOT_READ = {
    "mammoth.js__external-picture.docx",
    "poi__51921-Word-Crash067.docx",
    "poi__clusterfuzz-testcase-minimized-POIXWPFFuzzer-5564805011079168.docx",
    "poi__stress025.docx",
    "tika__testWORD_truncated.docx",
}


@pytest.mark.slow
def test_every_file_is_imported_or_answered_with_one_sentence(shared: Path, tmp_path: Path) -> None:
    files = sorted((shared / "data" / "docx").iterdir())
    slow = [path for path in files if path.name == _SLOWEST]
    batches = [slow, [path for path in files if path not in slow]]
    running = []
    for number, batch in enumerate(batches):
        folder = tmp_path / str(number)
        folder.mkdir()
        command = [sys.executable, "-c", _BATCH, str(folder), *map(str, batch)]
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        running.append(
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        )
    found = []
    try:
        for process in running:
            out, err = process.communicate(timeout=300)
            assert process.returncode == 0, err
            found += [json.loads(line) for line in out.splitlines()]
    finally:
        for process in running:
            process.kill()
    assert len(found) == len(files)
    for one in found:
        name = one["file"]
        assert len(one["left"]) == 1, name
        if one["code"] == 0:
            assert one["error"] == "", name
            assert one["sections"] > 0, name
        else:
            assert one["code"] == 1, name
            assert one["error"].startswith("fabai: "), name
            assert one["error"].count("\n") == 1, name
            assert one["sections"] == 0, name
    refused = {one["file"]: one["error"] for one in found if one["code"] == 1}
    # the slowest may reach the time limit on a machine with much else to do, which is an answer too
    assert "took longer than" in refused.pop(_SLOWEST, "took longer than")
    assert set(refused) == _PASSWORD | _NOT_READ
    assert all(
        "is protected by a password: open it in Word, remove the password" in refused[name] for name in _PASSWORD
    )
