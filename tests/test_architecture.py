"""The rules of the house, read from the source: imports run one way, heavy libraries are fenced, all have help."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fabai.cli import COMMANDS, main

ROOT = Path(__file__).parents[1]
ROOMS = ("corpus", "training", "app")

# A unit of fabai/ may import only from units in front of it; nothing imports the command line.
ORDER = (
    "errors",
    "bounds",
    "settings",
    "ordinary",
    "remembered",
    "strict",
    "releases",
    "message",
    "tokens",
    "report",
    "languages",
    "ledger",
    "holidays",
    "demands",
    "form",
    "brief",
    "formats",
    "call",
    "window",
    "figures",
    "names",
    "number_words",
    "facts",
    "store",
    "prompt",
    "reference",
    "lock",
    "checks",
    "proposals",
    "dossier",
    "evidence",
    "answer",
    "writers",
    "serving",
    "length",
    "queue",
    "example",
    "desk",
    "summaries",
    "states",
    "attempt",
    "draft",
    "beside",
    "rewriting",
    "shortening",
    "submission",
    "cli",
)

# Heavy library -> the files that may import it.
FENCES = {
    "torch": {
        "fabai/writers/transformers.py",
        "fabai/writers/decoding.py",
        "fabai/writers/masking.py",
        "fabai/writers/replay.py",
        "fabai/serving/figure_lock.py",
        "training/",
    },
    "transformers": {
        "fabai/writers/transformers.py",
        "fabai/writers/prefix.py",
        "fabai/writers/replay.py",
        "fabai/serving/inside/fabai_figure_lock.py",
        "training/",
    },
    "peft": {"fabai/writers/transformers.py", "training/"},
    "bitsandbytes": {"training/"},
    "tokenizers": {"fabai/tokens.py", "training/slice/"},
    "tiktoken": {"fabai/tokens.py"},
    "xllamacpp": {"fabai/writers/"},
    "httpx": {"fabai/writers/", "fabai/serving/"},
    "datasketch": {"corpus/duplicates.py"},
    "pyarrow": {"corpus/dataset.py", "corpus/general.py", "training/examples.py"},
    "pdfplumber": {"fabai/formats/pdf_worker.py"},
    "pdfminer": {"fabai/formats/pdf_worker.py"},
    "pypdf": {
        "fabai/formats/pdf_worker.py",
        "fabai/formats/pages.py",
        "fabai/formats/libreoffice.py",
        "fabai/submission/annexes.py",
        "fabai/submission/stamps.py",
    },
    "pypandoc": {"fabai/formats/pandoc.py"},
    "docx": {"fabai/formats/", "fabai/templates/"},
    "py3langid": {"fabai/languages.py"},
    "ftfy": {"corpus/damage.py"},
    "faker": {"corpus/people.py"},
    "stdnum": {"corpus/identifiers.py", "corpus/contacts.py", "fabai/dossier/nif.py"},
    "python_calamine": {"fabai/formats/sheet.py"},
    "openpyxl": {"fabai/formats/sheet_fill.py", "fabai/evidence/sheet.py"},
    "PIL": {"fabai/formats/photo.py", "fabai/formats/exif.py", "fabai/submission/annexes.py"},
    "gguf": {"training/release/gguf.py"},
    "trl": {"training/trainer.py"},
    "datasets": {"training/train.py"},
    "liger_kernel": {"training/peers.py", "training/engines.py"},
    "unsloth": {"training/peers.py", "training/model.py", "training/prepare.py"},
    "vllm": {"fabai/serving/inside/fabai_figure_lock.py"},
    "gradio": {"app/ui.py", "app/pane.py", "app/server.py", "fabai/cli/app.py"},
    "fastapi": {"app/server.py", "app/door.py"},
    "uvicorn": {"fabai/cli/app.py"},
    "argon2": {"app/users.py", "fabai/cli/app.py"},
    "brotli": {"app/assets.py"},
    "playwright": set(),
}


@cache
def sources() -> tuple[Path, ...]:
    """Every Python file of the four rooms."""
    files = sorted(path for room in ("fabai", *ROOMS) for path in (ROOT / room).rglob("*.py"))
    return tuple(files)


def dotted(path: Path) -> tuple[str, ...]:
    """The module's full name: training/slice/rows.py is fabai.training.slice.rows."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] in ROOMS:
        parts = ("fabai", *parts)
    return parts[:-1] if parts[-1] == "__init__" else parts


@cache
def imported(path: Path) -> frozenset[tuple[str, ...]]:
    """Names of the modules that a file imports, wherever in the file, relative ones resolved."""
    return frozenset(_imported(path))


def _imported(path: Path) -> Iterator[tuple[str, ...]]:
    name = dotted(path)
    package = name if path.name == "__init__.py" else name[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield tuple(alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = (*base, *(node.module.split(".") if node.module else ()))
            for alias in node.names:
                yield (*module, alias.name)


def test_imports_inside_fabai_run_one_way() -> None:
    wrong = []
    for path in sources():
        name = dotted(path)
        if len(name) < 2 or name[1] in ROOMS or name[1] in ("__main__", "sample", "templates", "forms"):
            continue
        assert name[1] in ORDER, f"{path}: '{name[1]}' has no place in ORDER"
        allowed = {*ORDER[: ORDER.index(name[1]) + 1], "sample", "templates", "forms", "__version__"}
        if name[1] == "cli":
            allowed |= set(ROOMS)
        wrong += [
            f"{path.relative_to(ROOT)} imports {'.'.join(target)}"
            for target in imported(path)
            if target[0] == "fabai" and len(target) > 1 and target[1] not in allowed
        ]
    assert not wrong, "\n".join(wrong)


def test_rooms_never_import_each_other() -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {'.'.join(target)}"
        for path in sources()
        for target in imported(path)
        if (name := dotted(path)) and len(name) > 1 and name[1] in ROOMS
        if len(target) > 1 and target[0] == "fabai" and target[1] in {*ROOMS, "cli"} - {name[1]}
    ]
    assert not wrong, "\n".join(wrong)


def test_a_room_is_imported_by_its_dotted_name_only() -> None:
    wrong = [str(path) for path in sources() for target in imported(path) if target[0] in ROOMS]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("library", sorted(FENCES))
def test_a_heavy_library_is_imported_only_behind_its_fence(library: str) -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for path in sources()
        if any(target[0] == library for target in imported(path))
        and not any(str(path.relative_to(ROOT)).startswith(fence) for fence in FENCES[library])
    ]
    assert not wrong, "\n".join(wrong)


def test_start_up_imports_nothing_heavy_and_no_room_under_a_bare_name() -> None:
    code = (
        "import sys; from fabai.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "print('LOADED', *sorted({m.split('.')[0] for m in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.rpartition("LOADED")[2].split())
    assert not loaded & {*FENCES, *ROOMS, "numpy", "rich", "lxml", "sqlite3"}


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_answers_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert "usage: fabai " + command in capsys.readouterr().out


def test_readme_names_only_commands_that_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?m)^(?:\$ )?(?:\.venv/bin/)?fabai ([a-z]+)", text))
    assert named
    assert named <= set(COMMANDS)


def test_readme_names_only_make_targets_that_exist() -> None:
    targets = set(re.findall(r"(?m)^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    benches = {f"bench-{path.stem.replace('_', '-')}" for path in (ROOT / "benches").glob("[a-z]*.py")}
    named = set(re.findall(r"make ([a-z][a-z-]*)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"demo", "test"} <= named
    assert named <= targets | benches


def test_every_package_is_in_the_wheel() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"])
    found = {".".join(dotted(path)) for path in sources() if path.name == "__init__.py"}
    assert listed == found


def test_every_module_says_what_it_is() -> None:
    silent = [str(path) for path in sources() if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert not silent, "\n".join(silent)


def test_modules_stay_small_and_are_named_after_a_noun() -> None:
    large = {str(path): lines for path in sources() if (lines := len(path.read_text("utf-8").splitlines())) > 400}
    vague = [str(path) for path in sources() if path.stem in ("utils", "util", "common", "helpers", "helper", "misc")]
    assert not large
    assert not vague
