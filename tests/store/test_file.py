"""Bad files, locks, full and vanished disks: one sentence each, nothing lost, nothing left behind."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabai.errors import FabaiError, ProjectError
from fabai.form import Form
from fabai.settings import StoreSettings
from fabai.store.file import ProjectFile
from fabai.store.project import Made, Project
from fabai.store.schema import APPLICATION_ID, VERSION

BRIEF = StoreSettings(lock_seconds=0.05)


def _database(path: Path, application_id: int, version: int) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE t (x)")
    db.execute(f"PRAGMA application_id = {application_id}")
    db.execute(f"PRAGMA user_version = {version}")
    db.commit()
    db.close()


def test_what_is_no_project_is_refused_in_one_sentence_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "text").write_text("hola\n" * 100)
    (tmp_path / "short").write_bytes(b"SQLite format 3\x00")
    (tmp_path / "zeros").write_bytes(bytes(100_000))
    (tmp_path / "folder").mkdir()
    _database(tmp_path / "other", 0x11111111, 1)
    _database(tmp_path / "newer", APPLICATION_ID, VERSION + 1)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    sentences = {
        "empty": "is not a fabai project",
        "text": "is not a fabai project",
        "short": "is not a fabai project",
        "zeros": "is not a fabai project",
        "folder": "is a folder",
        "other": "another program",
        "newer": "newer version of fabai",
        "absent": "does not exist",
        "loop": "loop|does not exist|cannot be read",
        "pipe": "no ordinary file",
        "text/below": "does not exist|cannot be reached",
        "x" * 300: "too long",
    }
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    for name, sentence in sentences.items():
        with pytest.raises(ProjectError, match=sentence) as caught:
            Project.open(tmp_path / name)
        assert "\n" not in str(caught.value)
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_a_damaged_project_is_refused(project: Project, tmp_path: Path) -> None:
    data = bytearray(project.path.read_bytes())
    data[8192:40000] = os.urandom(40000 - 8192)
    (tmp_path / "d.fabai").write_bytes(data)
    with pytest.raises(ProjectError, match="damaged"):
        Project.open(tmp_path / "d.fabai")


def test_a_project_cut_short_is_refused(filled: Project, tmp_path: Path) -> None:
    data = filled.path.read_bytes()
    (tmp_path / "d.fabai").write_bytes(data[: len(data) // 2])
    with pytest.raises(ProjectError, match="damaged"):
        Project.open(tmp_path / "d.fabai")


@pytest.mark.parametrize("version", [0, 1, VERSION])
def test_a_project_without_its_tables_is_refused_and_left_as_it_was(tmp_path: Path, version: int) -> None:
    _database(tmp_path / "p.fabai", APPLICATION_ID, version)
    before = (tmp_path / "p.fabai").read_bytes()
    with pytest.raises(ProjectError, match="its tables are missing"):
        Project.open(tmp_path / "p.fabai")
    assert (tmp_path / "p.fabai").read_bytes() == before


@pytest.mark.parametrize("value", ["", "{", "[]", '{"id": 3}'])
def test_a_project_whose_form_cannot_be_read_is_refused_with_one_sentence(project: Project, value: str) -> None:
    db = sqlite3.connect(project.path)
    db.execute("UPDATE meta SET value = ? WHERE key = 'form'", (value,))
    db.commit()
    db.close()
    with pytest.raises(FabaiError) as caught:
        Project.open(project.path)
    assert "\n" not in str(caught.value)


def test_a_path_that_exists_is_never_overwritten(project: Project, generic: Form, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("mine")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder").mkdir()
    for name in ("text", "dangling", "folder", "p.fabai"):
        with pytest.raises(ProjectError, match="exists already"):
            Project.create(tmp_path / name, generic, "es", "T")
        with pytest.raises(ProjectError, match="exists already"):
            project.backup(tmp_path / name)
    assert (tmp_path / "text").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dangling", "folder", "p.fabai", "text"]


def test_a_creation_that_fails_leaves_no_file(tmp_path: Path) -> None:
    def fill(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO meta VALUES ('a', 'b')")
        db.execute("INSERT INTO nowhere VALUES (1)")

    with pytest.raises(ProjectError):
        ProjectFile.create(tmp_path / "p.fabai", fill, BRIEF)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path, generic: Form) -> None:
    with pytest.raises(ProjectError, match="folder does not exist"):
        Project.create(tmp_path / "no" / "p.fabai", generic, "es", "T")


def test_names_with_spaces_accents_marks_and_line_ends_work(tmp_path: Path, generic: Form) -> None:
    for name in (
        "mi memòria (2025).fabai",
        "a#b?c%20d.fabai",
        "dos\nlíneas.fabai",
        "'comillas\".fabai",
        "-guion.fabai",
    ):
        with Project.create(tmp_path / name, generic, "es", "T") as project:
            project.backup(tmp_path / f"copy {name}")
        Project.open(tmp_path / f"copy {name}").close()


def test_a_project_is_opened_through_a_link(project: Project, tmp_path: Path) -> None:
    (tmp_path / "link.fabai").symlink_to(project.path)
    with Project.open(tmp_path / "link.fabai") as other:
        other.save_summary("h", "t", "m")
    assert project.summary("h") == "t"


def test_a_file_in_use_is_answered_with_one_sentence(filled: Project, made: Made) -> None:
    other = sqlite3.connect(filled.path, isolation_level=None)
    with Project.open(filled.path, BRIEF) as project:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ProjectError, match="in use by another program"):
            project.save_version("s2", "x", made)
        with pytest.raises(ProjectError, match="in use by another program"):
            Project.open(filled.path, BRIEF)
        other.execute("ROLLBACK")
        project.save_version("s2", "x", made)
    other.close()


def test_a_copy_taken_inside_a_transaction_is_whole_and_shows_what_was_saved(tmp_path: Path, generic: Form) -> None:
    Project.create(tmp_path / "p.fabai", generic, "es", "T").close()
    file = ProjectFile.open(tmp_path / "p.fabai", BRIEF)
    first, second = b"1" * 8_000_000, b"2" * 8_000_000
    with file.writing() as db:
        db.execute("INSERT INTO media VALUES ('big', 'x', ?)", (first,))
    with file.writing() as db:
        db.execute("UPDATE media SET data = ?", (second,))
        shutil.copy(file.path, tmp_path / "copy.fabai")
    file.close()
    with Project.open(tmp_path / "copy.fabai") as copy:
        assert copy.media() == {"big": first}
    with Project.open(tmp_path / "p.fabai") as whole:
        assert whole.media() == {"big": second}


def test_a_transaction_that_fails_changes_nothing(tmp_path: Path, generic: Form) -> None:
    Project.create(tmp_path / "p.fabai", generic, "es", "T").close()
    file = ProjectFile.open(tmp_path / "p.fabai", BRIEF)

    def fail() -> None:
        with file.writing() as db:
            db.execute("INSERT INTO media VALUES ('a', 'x', x'00')")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with file.reading() as db:
        assert db.execute("SELECT count(*) FROM media").fetchone() == (0,)
    file.close()


def test_a_vanished_folder_is_answered_with_one_sentence(tmp_path: Path, generic: Form) -> None:
    folder = tmp_path / "f"
    folder.mkdir()
    with Project.create(folder / "p.fabai", generic, "es", "T") as project:
        shutil.rmtree(folder)
        with pytest.raises(ProjectError, match=r"vanished|moved or deleted") as caught:
            project.save_summary("h", "t", "m")
        assert "\n" not in str(caught.value)
        with pytest.raises(ProjectError, match="folder does not exist"):
            project.backup(folder / "b.fabai")


def test_a_file_moved_while_open_is_named_and_not_written_to(tmp_path: Path, generic: Form) -> None:
    with Project.create(tmp_path / "p.fabai", generic, "es", "T") as project:
        (tmp_path / "p.fabai").rename(tmp_path / "q.fabai")
        with pytest.raises(ProjectError, match=r"moved or deleted|cannot be opened"):
            project.save_summary("h", "t", "m")
    with Project.open(tmp_path / "q.fabai") as moved:
        assert moved.summary("h") is None


def test_threads_share_a_project(filled: Project, made: Made) -> None:
    def write(name: str) -> None:
        for number in range(10):
            filled.save_version("s2", f"{name}{number}", made)
            filled.report()

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(filled.versions("s2")) == 31


def test_versions_and_the_trail_cannot_be_rewritten_in_the_file(filled: Project) -> None:
    db = sqlite3.connect(filled.path)
    for statement in (
        "DELETE FROM version",
        "UPDATE version SET text = 'x'",
        "UPDATE version SET created = 'x'",
        "DELETE FROM event",
        "UPDATE event SET detail = 'x'",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(statement)
    db.close()


def test_a_file_left_in_wal_mode_by_another_program_is_brought_back(filled: Project) -> None:
    db = sqlite3.connect(filled.path)
    assert db.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    db.close()
    with Project.open(filled.path) as project:
        assert len(project.report()) == 4
    assert filled.path.read_bytes()[18:20] == b"\x01\x01"


def _mount(*words: str) -> bool:
    return subprocess.run(["mount", *words], capture_output=True, check=False).returncode == 0


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def tiny_disk(tmp_path: Path, generic: Form) -> Iterator[Path]:
    """A real file system with room for three and a half projects."""
    folder = tmp_path / "disk"
    folder.mkdir()
    Project.create(tmp_path / "size.fabai", generic, "es", "T").close()
    room = (tmp_path / "size.fabai").stat().st_size * 7 // 2
    if not _mount("-t", "tmpfs", "-o", f"size={room}", "tmpfs", str(folder)):
        pytest.skip("only root may mount a small file system")
    yield folder
    _unmount(folder)


def test_a_full_disk_is_answered_with_one_sentence_and_nothing_is_lost(tiny_disk: Path, generic: Form) -> None:
    with Project.create(tiny_disk / "p.fabai", generic, "es", "T") as project:
        project.save_summary("before", "t", "m")
        with pytest.raises(ProjectError, match="disk is full"):
            project.save_summary("h", "x" * 8_000_000, "m")
        project.backup(tiny_disk / "b1.fabai")
        project.backup(tiny_disk / "b2.fabai")
        with pytest.raises(ProjectError, match="disk is full"):
            project.backup(tiny_disk / "b3.fabai")
        assert not list(tiny_disk.glob(".fabai*"))
        assert project.summary("before") == "t"
        for backup in tiny_disk.glob("b*.fabai"):
            backup.unlink()
        project.save_summary("after", "t", "m")
    (tiny_disk / "filler").write_bytes(bytes(2 * (tiny_disk / "p.fabai").stat().st_size))
    with pytest.raises(ProjectError, match="disk is full"):
        Project.create(tiny_disk / "q.fabai", generic, "es", "T")
    assert sorted(path.name for path in tiny_disk.iterdir()) == ["filler", "p.fabai"]
    with Project.open(tiny_disk / "p.fabai") as again:
        assert (again.summary("before"), again.summary("h"), again.summary("after")) == ("t", None, "t")


_LIMITED = """
import resource, sys
from pathlib import Path
from fabai.errors import ProjectError
from fabai.store.project import Project
with Project.open(Path(sys.argv[1])) as project:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    try:
        project.save_summary("h", "x" * 8_000_000, "m")
    except ProjectError as error:
        print(error)
    project.save_summary("small", "t", "m")
"""


def test_a_write_that_the_system_refuses_is_answered_with_one_sentence_and_nothing_is_lost(project: Project) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(project.path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert "cannot be read or written" in done.stdout
    assert (project.summary("h"), project.summary("small")) == (None, "t")


@pytest.fixture
def read_only_folder(tmp_path: Path, generic: Form) -> Iterator[Path]:
    """A folder with a project in it that nobody may write, root included."""
    folder = tmp_path / "ro"
    folder.mkdir()
    if os.getuid() != 0:
        Project.create(folder / "p.fabai", generic, "es", "T").close()
        (folder / "p.fabai").chmod(0o444)
        folder.chmod(0o555)
        yield folder
        folder.chmod(0o755)
        return
    if not _mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)):
        pytest.skip("root writes everywhere, and may not mount a read-only file system here")
    Project.create(folder / "p.fabai", generic, "es", "T").close()
    assert _mount("-o", "remount,ro", str(folder))
    yield folder
    _unmount(folder)


def test_a_read_only_project_can_be_read_and_backed_up_but_not_written(
    read_only_folder: Path, tmp_path: Path, generic: Form
) -> None:
    with Project.open(read_only_folder / "p.fabai") as project:
        assert project.title == "T"
        with pytest.raises(ProjectError, match="read-only"):
            project.save_summary("h", "t", "m")
        with pytest.raises(ProjectError, match="read-only"):
            project.backup(read_only_folder / "b.fabai")
        project.backup(tmp_path / "b.fabai")
    with pytest.raises(ProjectError, match="read-only"):
        Project.create(read_only_folder / "q.fabai", generic, "es", "T")
