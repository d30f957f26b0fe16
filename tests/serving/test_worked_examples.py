"""docs/serving.md shows what `fabai serve --dry-run` prints for 1, 2 and 8 cards and for several machines."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from fabai.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "serving.md"
A4000 = "NVIDIA RTX A4000, 16376, 16000, 8.6"
EXAMPLES = re.findall(r"(?m)^\$ fabai (serve .*)\n((?:.+\n)+?)```", PAGE.read_text(encoding="utf-8"))


def test_the_page_has_an_example_for_one_two_and_eight_cards_and_for_several_machines() -> None:
    words = [command.split() for command, _ in EXAMPLES]
    spread = [
        tuple(one[one.index(flag) + 1] if flag in one else "1" for flag in ("--tensor-parallel", "--pipeline-parallel"))
        for one in words
    ]
    assert spread == [("1", "1"), ("2", "1"), ("8", "1"), ("4", "2"), ("8", "2")]
    assert "--ray-address" in words[-1]


@pytest.mark.parametrize(("command", "printed"), EXAMPLES)
def test_each_prints_exactly_what_the_page_shows(
    command: str,
    printed: str,
    with_cards: Callable[..., None],
    model: Callable[..., Path],
    adapter: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FABAI_API_KEY", "clave")
    for name in ("FABAI_VLLM_PYTHON", "PYTHONPATH"):
        monkeypatch.delenv(name, raising=False)
    with_cards(*[A4000] * 8)
    release = adapter(model("qwen3-8b"), "memorias-2026")
    assert main(shlex.split(command.replace("/models/memorias-2026", str(release)))) == 0
    shown = capsys.readouterr().out.replace(str(tmp_path), "/models")
    assert shown == printed.replace(" \\\n", " ")
