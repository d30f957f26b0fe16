"""`fabai eval` on tiny models: a healthy adapter passes, an over-trained one and one that memorised are caught."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fabai.training.evaluate import battery, job, subject
from fabai.training.evaluate.settings import EvalSettings
from fabai.training.opened import opened

from fabai.cli import main
from fabai.errors import TrainingError, UnreadableFile
from fabai.report import Language
from tests.training import made
from tests.writers import tiny_gguf


class Quiet:
    """A Watch that keeps the sentences."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def begin(self, what: str, count: int) -> None: ...

    def step(self, count: int = 1) -> None: ...

    def note(self, text: str) -> None:
        self.notes.append(text)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_gguf.make(tmp_path_factory.mktemp("tiny"), "llama")[0]


@pytest.fixture(scope="module")
def adapter(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights at random: it answers nothing as its base did."""
    return tiny_gguf.adapter(model, tmp_path_factory.mktemp("adapter") / "a")


def rows(count: int, prefix: str = "p") -> list[dict[str, Any]]:
    """Held-out examples of as many projects."""
    texts = [f"{made.TEXTS[number % 5]} {number} {prefix}" for number in range(count)]
    return [
        made.example(
            f"{prefix}{number}:s1:0", text, report=f"{prefix}{number}", project=f"{prefix}{number}", kind="report"
        )
        for number, text in enumerate(texts)
    ]


def evaluated(
    adapter: Path, examples: Path, target: Path, afresh: bool = False, watch: Quiet | None = None
) -> dict[str, Any]:
    settings = EvalSettings(sections=6, each=20)
    language: Language = "ca" if afresh else "en"
    request = job.Request(adapter, examples, target=target, afresh=afresh, language=language, settings=settings)
    job.evaluate(request, None, Quiet() if watch is None else watch)
    found: dict[str, Any] = json.loads((target / "evaluation.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
def test_a_random_adapter_fails_and_the_same_seed_gives_the_same_figures(adapter: Path, tmp_path: Path) -> None:
    examples = made.write_examples(tmp_path / "ex", rows(3, "t"), rows(6))
    one = evaluated(adapter, examples, tmp_path / "one")
    watch, again = Quiet(), Quiet()
    # the base known from before, and asked again
    two = evaluated(adapter, examples, tmp_path / "two", watch=watch)
    three = evaluated(adapter, examples, tmp_path / "three", afresh=True, watch=again)
    assert any("kept from an earlier evaluation" in note for note in watch.notes)
    assert not again.notes
    for table in (one, two, three):
        table.pop("times")
        table.pop("created")
    assert one == two == three
    assert not one["verdict"]["passed"]
    assert any("drifted" in said for said in one["verdict"]["failures"])
    assert any("learning_rate" in said for said in one["verdict"]["advice"])
    assert one["groups"]["all"][0]["projects"] == 6
    assert one["forgetting"][0]["items"] == 240
    page = (tmp_path / "one" / "report.html").read_text(encoding="utf-8")
    assert page.count("data:image/png;base64,") == 2
    assert "http" not in page.replace("http-equiv", "")
    assert (tmp_path / "one" / "report.md").read_text(encoding="utf-8").startswith("# Evaluation of a: failed")
    assert (tmp_path / "three" / "report.md").read_text(encoding="utf-8").startswith("# Avaluació de a: no apte")


def test_an_adapter_that_does_nothing_changes_nothing(model: Path, tmp_path: Path) -> None:
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    base: Any = AutoModelForCausalLM.from_pretrained(model)
    get_peft_model(base, LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM")).save_pretrained(
        tmp_path / "a"
    )
    found = opened(tmp_path / "a", model)
    tuned = subject.load(found.settings, found.base, found.adapter.folder, found.dtype)
    items = battery.items(each=4)
    after = battery.margins(tuned, items, lambda _: None)
    with tuned.base():
        before = battery.margins(tuned, items, lambda _: None)
    assert (after == before).all()


def test_items_side_by_side_do_not_see_each_other(adapter: Path) -> None:
    found = opened(adapter)
    tuned = subject.load(found.settings, found.base, found.adapter.folder, found.dtype)
    items = battery.items(each=3)
    together = battery.margins(tuned, items, lambda _: None)
    alone = [battery.margins(tuned, [one], lambda _: None)[0] for one in items]
    assert together == pytest.approx(alone, abs=1e-3)


def test_the_battery_has_its_items_and_they_are_unlike() -> None:
    items = battery.items()
    assert len(items) >= 2_500
    assert len(set(items)) == len(items)
    assert {(one.language, one.task) for one in items} == {
        (language, task) for language in ("es", "ca", "en") for task in battery.TASKS
    }
    assert all(one.right != one.wrong for one in items)
    assert items == battery.items()


def test_a_set_that_overlaps_training_is_refused_with_the_pairs(adapter: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (run / "adapter").symlink_to(adapter)
    found = opened(adapter)
    table = dict(found.run) | {"documents": ["p1", "t0"]}
    (run / "run.json").write_text(json.dumps(table), encoding="utf-8")
    examples = made.write_examples(tmp_path / "ex", rows(3, "t"), rows(6))
    with pytest.raises(TrainingError, match="p1 was trained on"):
        evaluated(run, examples, tmp_path / "out")
    long = " ".join(f"palabra{number}" for number in range(40))
    taught = [made.example("t0:s1:0", long, report="t0", project="t0")]
    held = [made.example("q0:s1:0", f"{long}.", report="q0", project="q0")]
    (run / "run.json").write_text(json.dumps(table | {"documents": ["t0"]}), encoding="utf-8")
    with pytest.raises(TrainingError, match="q0:s1:0 says the same as t0:s1:0"):
        evaluated(run, made.write_examples(tmp_path / "ex2", taught, held), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_command_says_what_is_missing(
    adapter: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FABAI_RELEASES", str(tmp_path / "list"))
    assert main(["eval", "nothing", "--corpus", str(tmp_path)]) == 1
    assert "there is no release or run at nothing" in capsys.readouterr().err
    assert main(["eval", str(adapter), "--corpus", str(tmp_path / "none")]) == 1
    assert "there is no corpus at" in capsys.readouterr().err
    with pytest.raises(UnreadableFile):
        job.examples_for(tmp_path / "none", opened(adapter).base)
