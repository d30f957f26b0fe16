"""What a person sees: tables that fit 80 columns of a terminal, lines with tabs elsewhere, no control characters."""

from __future__ import annotations

import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata
from fcntl import ioctl
from pathlib import Path

import pytest

from fabai.cli import show
from fabai.form import find_form
from fabai.formats.document import Block, Document, DocumentSection
from fabai.store.project import Project


def _on_terminal(words: list[str], folder: Path, columns: int = 80) -> list[str]:
    """The lines that a command prints on a terminal of that width, without colours."""
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "fabai", *words],
        cwd=folder,
        stdout=slave,
        stderr=subprocess.DEVNULL,
        env={**environment, "TERM": "xterm-256color", "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    os.close(slave)
    data = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        data += piece
    os.close(master)
    process.wait(timeout=60)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", data.decode()).replace("\r", "").split("\n")


def _width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    headings = ["Objetivos", "Un título muy largo " * 8, "日本語の見出し " * 10, "[bold]raro[/bold]", "A\x1b[31mB"]
    sections = tuple(DocumentSection(one, 1 + index % 3, (Block("texto"),)) for index, one in enumerate(headings))
    with Project.create(tmp_path / "p.fabai", find_form("generic"), "es", "T") as opened:
        opened.import_document(Document("T", "es", sections), "a.docx")
    (tmp_path / "guion.json").write_text('["Texto."]', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "words", [["outline", "p.fabai"], ["forms"], ["forms", "memoria-justificativa"], ["facts", "p.fabai"]]
)
def test_every_line_of_a_table_fits_80_columns(project: Path, words: list[str]) -> None:
    lines = _on_terminal(words, project)
    assert len(lines) > 1
    # titles of forms and sources are sentences of their own, not table cells
    assert all(_width(line) <= 80 for line in lines if "source:" not in line and not line.startswith(f"{words[-1]}:"))


def test_the_heading_gives_way_and_the_other_columns_stay_whole(project: Path) -> None:
    lines = _on_terminal(["outline", "p.fabai"], project, columns=60)
    assert any("…" in line and line.rstrip().endswith("imported") for line in lines)
    assert any("[bold]raro[/bold]" in line for line in lines)


def test_reasons_go_on_in_a_new_line_and_numbers_stay_whole(project: Path) -> None:
    lines = _on_terminal(["context", "p.fabai", "1", "--writer", "scripted:guion.json"], project, columns=70)
    assert all(_width(line) <= 70 for line in lines)
    table = [line for line in lines if re.search(r"  (?:full|cut|summary)  ", line)]
    assert len(table) >= 6
    assert all(re.search(r"  (?:full|cut|summary) +\d+ +\d+   \S", line) for line in table)


def test_a_pipe_gets_lines_with_tabs_and_whole_headings(capsys: pytest.CaptureFixture[str]) -> None:
    show.table([("a", "left"), ("b", "right")], [("x" * 200, "1"), ("línea\nrota\x1b", "2")], wide=0)
    assert capsys.readouterr().out == f"a\tb\n{'x' * 200}\t1\nlínea rota\t2\n"


def test_json_keeps_accents_and_prints_what_is_no_unicode(capsys: pytest.CaptureFixture[str]) -> None:
    show.as_json({"nombre": "memòria \udcff"})
    assert "memòria \\udcff" in capsys.readouterr().out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["forms"], ["forms", "--json"]])
def test_an_output_that_cannot_be_written_is_answered_with_one_sentence(words: list[str], tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "fabai", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            check=False,
        )
    assert (done.returncode, done.stderr.strip().count("\n")) == (1, 0)
    assert "the output cannot be read or written: No space left on device" in done.stderr
