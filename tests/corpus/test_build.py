"""`fabai corpus build`: what comes out, what is refused, and that nothing stops it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from fabai.corpus import build as building
from fabai.corpus.build import build_corpus
from fabai.corpus.document import REFERENCE, documents, read_manifest
from fabai.corpus.sources import Candidate, Source
from fabai.corpus.worker import work

from fabai.cli import main
from fabai.form import find_form
from fabai.settings import CorpusSettings
from fabai.store.project import Made, Project

CASES = Path(__file__).parents[1] / "data" / "cases"
ONE = CorpusSettings(workers=1)


def quiet(_stage: str, _total: int | None = None, /) -> building.Step:
    return lambda: None


def reports(folder: Path, **texts: str) -> tuple[Source, ...]:
    """One Markdown file and one source for each keyword; the project is the part in front of '_'."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(f"# Informe\n\n{text}\n", encoding="utf-8")
    return tuple(Source(f"{name}.md", "CC0-1.0", "sí", project=name.partition("_")[0]) for name in texts)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_spanish_identifiers_become_references_and_public_numbers_stay(tmp_path: Path) -> None:
    assert (
        main(["corpus", "build", str(CASES / "054-spanish-identifiers" / "SOURCES.toml"), "-o", str(tmp_path / "c")])
        == 0
    )
    (document,) = documents(tmp_path / "c")
    for gone in ("00000012N", "00.000.012-N", "X0000012N", "K0000012N", "ES47", "lectura@ejemplo.org", "600 000 012"):
        assert gone not in document.text
    for kept in ("G00000125", "00000013A", "18.500,00"):
        assert kept in document.text
    counts = {line["kind"]: line["count"] for line in lines(tmp_path / "c" / "replaced.jsonl")}
    assert counts == {"dni": 2, "nie": 1, "nif": 1, "iban": 2, "correo": 1, "telefono": 1}
    assert "00000012N" not in "".join(path.read_text("utf-8", "replace") for path in (tmp_path / "c").rglob("*.json*"))


def test_three_files_in_three_languages_are_told(tmp_path: Path) -> None:
    sources = str(CASES / "056-catalan-spanish-short-lines" / "SOURCES.toml")
    assert main(["corpus", "build", sources, "-o", str(tmp_path / "c"), "--json", "--workers", "1"]) == 0
    assert {one.path: one.language for one in documents(tmp_path / "c")} == {
        "un.md": "ca",
        "dos.md": "es",
        "three.md": "en",
    }


def test_one_person_has_one_key_in_a_whole_project_and_boilerplate_goes(tmp_path: Path) -> None:
    common = "Este documento forma parte del programa de ayudas que gestiona la entidad colaboradora."
    sources = reports(
        tmp_path / "s",
        a_1=f"Firma Marta Soler Puig con DNI 00000012N.\n\n{common}",
        a_2=f"Revisa Ferran Vila Roca, y antes Marta Soler Puig (00.000.012-N).\n\n{common}",
        b_1=f"Firma Ferran Vila Roca.\n\n{common}",
        c_1=f"Sin nadie que firme este texto tan corto.\n\n{common}",
    )
    summary = build_corpus(sources, tmp_path / "s", tmp_path / "c", ONE, quiet)
    text = {one.path: one.text for one in documents(tmp_path / "c")}
    assert text["a_1.md"] == "# Informe\n\nFirma {{persona_1}} con DNI {{dni_1}}."
    assert text["a_2.md"] == "# Informe\n\nRevisa {{persona_2}}, y antes {{persona_1}} ({{dni_1}})."
    assert "{{persona_1}}" in text["b_1.md"]
    assert summary.boilerplate == 4
    assert not any("boilerplate" in one for one in map(str, read_manifest(tmp_path / "c")["documents"]))


def test_only_what_changed_is_read_again_and_what_left_the_sources_goes(tmp_path: Path) -> None:
    sources = reports(tmp_path / "s", a="Un texto.", b="Otro texto.", c="Y otro más.")
    assert build_corpus(sources, tmp_path / "s", tmp_path / "c", ONE, quiet).read == 3
    reports(tmp_path / "s", b="Otro texto, cambiado.")
    summary = build_corpus(sources[:2], tmp_path / "s", tmp_path / "c", ONE, quiet)
    assert (summary.read, summary.kept, summary.documents) == (1, 1, 2)
    assert sorted(one.path for one in documents(tmp_path / "c")) == ["a.md", "b.md"]
    assert len(list((tmp_path / "c" / "documents").iterdir())) == 2


def test_a_licence_that_changes_needs_no_reading(tmp_path: Path) -> None:
    (source,) = reports(tmp_path / "s", a="Un texto.")
    build_corpus((source,), tmp_path / "s", tmp_path / "c", ONE, quiet)
    other = Source(source.path, "MIT", "no", project="z", kind="proposal")
    assert build_corpus((other,), tmp_path / "s", tmp_path / "c", ONE, quiet).kept == 1
    (document,) = documents(tmp_path / "c")
    assert (document.licence, document.consent, document.project, document.kind) == ("MIT", "no", "z", "proposal")


def test_bad_files_are_lines_in_the_refusals_and_the_build_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    reports(folder, bien="Un texto que se lee bien.")
    with zipfile.ZipFile(folder / "bomba.docx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"0" * (64 * 2**20))
    with zipfile.ZipFile(folder / "entidades.docx", "w") as archive:
        archive.writestr("word/document.xml", '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>')
    with (folder / "enorme.md").open("wb") as file:
        file.truncate(2**30)
    (folder / "lazo").symlink_to(folder)
    (folder / "nulos.md").write_bytes(b"\x00" * 400)
    (folder / "roto.pdf").write_bytes(b"%PDF-1.4 nothing")
    (folder / "vacio.txt").write_text("")
    (tmp_path / "SOURCES.toml").write_text('[[source]]\npath = "s"\n\n[[source]]\npath = "no-existe.md"\n')
    arguments = ["corpus", "build", str(tmp_path / "SOURCES.toml"), "-o", str(tmp_path / "c"), "--workers", "1"]
    assert main(arguments) == 0
    refused = {str(line["path"]): str(line["reason"]) for line in lines(tmp_path / "c" / "refusals.jsonl")}
    names = ("bomba.docx", "entidades.docx", "enorme.md", "lazo", "nulos.md", "roto.pdf", "vacio.txt")
    assert set(refused) == {*(f"s/{name}" for name in names), "no-existe.md"}
    assert "zip bomb" in refused["s/bomba.docx"]
    assert "1,024 MiB" in refused["s/enorme.md"]
    assert [one.path for one in documents(tmp_path / "c")] == ["s/bien.md"]
    assert main([*arguments, "--strict", "--json"]) == 3


def test_a_file_that_vanishes_or_changes_while_it_is_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    candidate = Candidate(path, "a.md", Source("a.md"))
    assert "vanished" in work(candidate, tmp_path, b"k", ONE, frozenset()).reason
    path.write_text("# Uno\n\nTexto")
    from fabai.corpus import worker

    def grown(candidate: Candidate, settings: CorpusSettings) -> object:
        path.write_text("# Uno\n\nOtro texto")
        return real(candidate, settings)

    real = worker.intake.take
    monkeypatch.setattr(worker.intake, "take", grown)
    assert "changed while" in work(candidate, tmp_path, b"k", ONE, frozenset()).reason


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "carta.txt").write_text("x")
    (tmp_path / "SOURCES.toml").write_text('[[source]]\npath = "a.md"\n')
    assert main(["corpus", "build", str(tmp_path / "SOURCES.toml"), "-o", str(tmp_path / "c")]) == 1
    assert "holds something else" in capsys.readouterr().err


def test_a_build_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    sources = reports(tmp_path / "s", **{f"n{number}": f"Texto número {number}. " * 500 for number in range(12)})
    text = "".join(f'[[source]]\npath = "s/{one.path}"\n' for one in sources)
    (tmp_path / "SOURCES.toml").write_text(text)
    command = [
        sys.executable,
        "-m",
        "fabai",
        "corpus",
        "build",
        str(tmp_path / "SOURCES.toml"),
        "-o",
        str(tmp_path / "c"),
    ]
    with subprocess.Popen([*command, "--workers", "1"], stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while len(list((tmp_path / "c").glob(".work/n*.json"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True)
    summary = json.loads(done.stdout)
    assert summary["documents"] == 12
    assert summary["kept"] >= 2
    assert not summary["refusals"]
    assert not list((tmp_path / "c").rglob(".*.json.*"))


def test_a_file_that_kills_its_reader_falls_alone(tmp_path: Path) -> None:
    sources = reports(tmp_path / "s", a="Un texto.", b="Otro texto.", c="Y otro más.")
    wanted = [Candidate(tmp_path / "s" / one.path, one.path, one) for one in sources]
    (tmp_path / "c" / ".work").mkdir(parents=True)
    made = building.first_pass(wanted, building.Job(tmp_path / "c", b"k", ONE, frozenset(), kill_on_b), quiet)
    assert {name: one.id is None for name, one in made.items()} == {"a.md": False, "b.md": True, "c.md": False}
    assert "ends the program" in made["b.md"].reason


def kill_on_b(candidate: Candidate, *rest: object) -> object:
    """Stands in for a file over which a library crashes."""
    if candidate.name == "b.md":
        os.kill(os.getpid(), signal.SIGKILL)
    return work(candidate, *rest)  # type: ignore[arg-type]


def test_of_a_project_only_accepted_text_is_taken_and_only_with_consent(tmp_path: Path) -> None:
    path = tmp_path / "obra.fabai"
    with Project.create(path, find_form("memoria-justificativa"), "es", "Obra") as project:
        first, second = [one.id for one in project.report() if one.level][:2]
        version = project.save_version(first, "Lo que se aceptó, con {{dni_7}} y Marta Soler Puig.", Made("person"))
        project.accept(version.id)
        project.save_version(second, "Un borrador que nadie aceptó.", Made("embedded"))
    for consent, refused in (("", 1), ("firmado", 0)):
        source = Source("obra.fabai", "propia", consent, kind="project")
        summary = build_corpus((source,), tmp_path, tmp_path / "c", ONE, quiet)
        assert len(summary.refusals) == refused
    (document,) = documents(tmp_path / "c")
    assert document.kind == "project"
    assert "Lo que se aceptó" in document.text
    assert "borrador" not in document.text
    assert {kind for kind, _ in REFERENCE.findall(document.text)} == {"dni", "persona"}


def test_what_was_removed_stays_out(tmp_path: Path) -> None:
    sources = reports(tmp_path / "s", a="Un texto.", b="Otro texto.")
    build_corpus(sources, tmp_path / "s", tmp_path / "c", ONE, quiet)
    entry = read_manifest(tmp_path / "c")["documents"][0]
    (tmp_path / "c" / "removed.jsonl").write_text(
        json.dumps({key: entry[key] for key in ("id", "sha256", "path")}) + "\n"
    )
    summary = build_corpus(sources, tmp_path / "s", tmp_path / "c", ONE, quiet)
    assert [one.path for one in documents(tmp_path / "c")] == ["b.md"]
    assert "corpus remove" in summary.refusals[0].reason


def test_a_missing_package_is_one_sentence(tmp_path: Path) -> None:
    reports(tmp_path / "s", a="Texto")
    shutil.copy(CASES / "054-spanish-identifiers" / "SOURCES.toml", tmp_path / "SOURCES.toml")
    code = (
        "import sys; sys.modules['ftfy'] = None; "
        "from fabai.corpus.damage import mend; from fabai.errors import MissingPart\n"
        "try: mend('un texto \\u00c3 dañado')\n"
        "except MissingPart as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'fabai[corpus]'" in done.stdout
