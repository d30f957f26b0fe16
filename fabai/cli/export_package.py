"""`fabai export --package DIR`: everything that is handed in, in one new folder."""

from __future__ import annotations

import argparse
import datetime
import re
from pathlib import Path

from fabai.cli import show
from fabai.errors import ExportError, UsageError
from fabai.ordinary import contents
from fabai.settings import ReadingLimits
from fabai.store.project import Project
from fabai.submission.annexes import AnnexFile, files_of

REFUSED = 3
_NUMBER = re.compile(r"^\d+[ _.-]+")


def write_package(args: argparse.Namespace, project: Project, document: bytes, notices: list[str]) -> int:
    """Make the package and write it; exit code 3 where something is missing, and then nothing is frozen."""
    from fabai.formats.libreoffice import to_archival_pdf
    from fabai.submission.package import make_package

    folder: Path = args.package
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not empty: name a new folder, a package is never written over another")
    files = [*files_of(project), *(_annexes(args.annexes) if args.annexes is not None else [])]
    made = make_package(project, document, files, to_archival_pdf, today=datetime.date.today())
    try:
        for file in made.files:
            path = folder / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
    except OSError as error:
        raise ExportError(f"{folder} cannot be written: {error.strerror or error}") from error
    if made.ready:
        project.presented.add(made.files[0].name, made.document, made.manifest)
    if args.json:
        show.as_json(
            {
                "folder": str(folder),
                "presented": made.ready,
                "missing": list(made.missing),
                "notices": notices,
                "files": [{"name": one.name, "bytes": len(one.data), "sha256": one.sha256} for one in made.files],
            }
        )
        return 0 if made.ready else REFUSED
    for one in notices:
        show.notice(one)
    for file in made.files:
        show.say(f"{file.name}: {len(file.data) / 1024:.0f} KiB, {file.about}")
    for sentence in made.missing:
        show.paragraph(f"- {sentence}")
    if made.ready:
        show.say(
            f"{show.one_line(str(folder))}: ready to sign and hand in; the presented version is kept in the project"
        )
        return 0
    show.say(f"{show.one_line(str(folder))}: a draft, {len(made.missing)} things are missing; nothing was frozen")
    return REFUSED


def _annexes(folder: Path) -> list[AnnexFile]:
    """The files of a folder by name; a number in front orders them and is no part of the title."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: give the folder that holds the annexes")
    limits = ReadingLimits()
    return [
        AnnexFile(
            _NUMBER.sub("", path.stem).replace("_", " ").strip() or path.stem,
            path.suffix.lower().lstrip("."),
            contents(path, limits.file_bytes, f"the annex {path.name}"),
        )
        for path in sorted(folder.iterdir(), key=lambda path: _by_number(path.name))
        if path.is_file() and not path.name.startswith((".", "~$"))
    ]


def _by_number(name: str) -> list[tuple[int, str]]:
    """'2_b' before '10_a'."""
    return [(int(part), "") if part.isdigit() else (0, part.lower()) for part in re.split(r"(\d+)", name)]
