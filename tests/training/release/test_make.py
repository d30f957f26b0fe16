"""A run becomes a Release: every form does what the adapter does, and nothing half is left."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
from pathlib import Path

import pytest
from fabai.training.opened import opened, portable
from fabai.training.release.make import Request, make
from fabai.training.release.manifest import Manifest

from fabai import releases
from fabai.cli import main
from fabai.errors import ExportError, FabaiError, MissingPart, UnreadableFile
from fabai.serving.served import served
from fabai.strict import build
from fabai.writers.adapter import read_adapter
from fabai.writers.transformers import Transformers
from tests.training import made
from tests.writers import tiny_gguf


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("tiny")
    return {family: tiny_gguf.make(folder, family)[0] for family in ("llama", "qwen3")}


@pytest.fixture(scope="module")
def adapters(models: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("adapters")
    return {family: tiny_gguf.adapter(model, folder / family) for family, model in models.items()}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = [" ".join(made.TEXTS[place:] + made.TEXTS[:place]) for place in range(4)]
    rows = [made.example(f"e{number}", text) for number, text in enumerate(texts)]
    return made.write_examples(tmp_path_factory.mktemp("corpus") / "ex", rows, rows)


def said(_: str) -> None:
    """Nobody listens."""


def release(adapter: Path, target: Path, corpus: Path, **more: object) -> Manifest:
    return make(Request(adapter, target, corpus, **more), said)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("family", ["llama", "qwen3"])
def test_every_form_gives_what_the_adapter_gives(
    family: str, adapters: dict[str, Path], corpus: Path, tmp_path: Path
) -> None:
    """RS-LoRA's scale and llama.cpp's order of rows, in 16 bits, 8 bits and coarser."""
    found = release(adapters[family], tmp_path / "r", corpus, merge=True, ggufs=("F16", "Q8_0", "Q5_1"))
    forms = {one.numbers: one.compared for one in found.forms}
    for numbers, least in (("BF16", 0.97), ("F16", 0.97), ("Q8_0", 0.9), ("Q5_1", 0.5)):
        compared = forms[numbers]
        assert compared is not None
        assert compared.positions > 300
        assert compared.top1 >= least
        assert abs(compared.loss - compared.reference_loss) < (0.05 if least > 0.5 else 0.5)
    assert forms["F16"] is not None
    assert forms["F16"].kl < 1e-3
    assert (tmp_path / "r" / "merged" / "config.json").is_file()
    assert len(list((tmp_path / "r" / "gguf").glob("*.gguf"))) == 3
    assert Transformers(tmp_path / "r" / "merged").count("hola") == 4


def test_a_wrong_scale_is_refused_and_nothing_is_left(
    adapters: dict[str, Path], models: dict[str, Path], corpus: Path, tmp_path: Path
) -> None:
    """A merged folder that is not the adapter's: here the adapter is changed between the looks at it."""
    from fabai.training.evaluate import subject
    from fabai.training.release import compare
    from fabai.training.release.merging import merge

    from fabai.example import encoder, fingerprint

    found = opened(adapters["llama"])
    prompts, _ = compare.prompts(encoder(found.base), fingerprint(found.base), corpus, 0)
    wrong = tiny_gguf.adapter(models["llama"], tmp_path / "wrong", stabilised=False)
    merge(found.base, read_adapter(wrong), tmp_path / "merged", rounded=False, rope=None)
    settings = found.settings | {"model": str(found.base)}
    ours = compare.look(subject.load(settings, found.base, found.adapter.folder, "bfloat16", widened=True), prompts)
    theirs = compare.look(subject.load(settings, tmp_path / "merged", None, "bfloat16", widened=True), prompts)
    assert compare.in_torch(ours, theirs, prompts).top1 < 0.9


def test_a_release_is_what_drafting_serving_and_training_read(
    adapters: dict[str, Path], models: dict[str, Path], corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "memorias-1"
    made_of = release(adapters["llama"], folder, corpus)
    assert made_of.name == "memorias-1"
    assert read_adapter(folder).name == "memorias-1"
    assert served(str(folder), str(models["llama"])).adapter is not None
    found = opened(folder, models["llama"])
    assert found.release is not None
    table = json.loads((folder / "release.json").read_text(encoding="utf-8"))
    assert build(Manifest, table, "release.json") == made_of
    texts = "".join(
        path.read_text(encoding="utf-8") for path in folder.rglob("*.json") if path.name != "tokenizer.json"
    )
    assert str(tmp_path) not in texts
    assert str(models["llama"]) not in texts
    card = (folder / "README.md").read_text(encoding="utf-8")
    for heading in ("Intended use", "Limits", "Licences", "Training", "Forms", "Evaluation"):
        assert f"## {heading}" in card
    assert "| base's numbers | not quantised, computed in float32 |" in card
    windows = made_of.corpus.get("mode")
    assert (f"mode `{windows}`" if windows else "those that it was trained on are not recorded") in card


def test_the_base_must_be_here_be_the_same_and_have_the_same_shape(
    adapters: dict[str, Path], models: dict[str, Path], corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "r"
    release(adapters["llama"], folder, corpus)
    with pytest.raises(UnreadableFile, match="is not on this machine"):
        opened(folder)
    changed = shutil.copytree(models["llama"], tmp_path / "changed")
    data = bytearray((changed / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (changed / "model.safetensors").write_bytes(data)
    with pytest.raises(UnreadableFile, match="is not the base"):
        opened(folder, changed)
    assert opened(folder, changed, any_base=True).base == changed
    from tests.writers import tiny

    other = tiny.make(tmp_path / "other")
    with pytest.raises(UnreadableFile, match="of another architecture"):
        opened(adapters["llama"], other, any_base=True)


def test_an_interrupted_release_leaves_nothing(adapters: dict[str, Path], corpus: Path, tmp_path: Path) -> None:
    def stop(text: str) -> None:
        if "merging" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(Request(adapters["llama"], tmp_path / "r", corpus, merge=True), stop)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "mine.txt").write_text("x", encoding="utf-8")
    with pytest.raises(FabaiError, match="exists already"):
        release(adapters["llama"], tmp_path / "r", corpus)


def killed(adapter: Path, target: Path, corpus: Path) -> None:
    """In a process of its own: `kill -9` in the midst of writing."""

    def stop(text: str) -> None:
        if "writing F16" in text:
            os.kill(os.getpid(), signal.SIGKILL)

    make(Request(adapter, target, corpus, merge=True, ggufs=("F16",)), stop)


@pytest.mark.slow
def test_a_killed_release_leaves_no_release_and_the_next_try_makes_it_whole(
    adapters: dict[str, Path], corpus: Path, tmp_path: Path
) -> None:
    process = multiprocessing.get_context("forkserver").Process(
        target=killed, args=(adapters["llama"], tmp_path / "r", corpus)
    )
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert [one.name for one in tmp_path.iterdir()] == [".r.unfinished"]
    with pytest.raises(UnreadableFile, match="there is no release or run"):
        opened(tmp_path / "r")
    release(adapters["llama"], tmp_path / "r", corpus)
    assert [one.name for one in tmp_path.iterdir()] == ["r"]
    assert opened(tmp_path / "r", any_base=True, base=opened(adapters["llama"]).base).release is not None


def test_the_commands_refuse_a_base_that_is_missing_or_changed_in_a_sentence(
    adapters: dict[str, Path], models: dict[str, Path], corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from tests.writers import tiny

    folder, other = tmp_path / "r", tiny.make(tmp_path / "other")
    release(adapters["llama"], folder, corpus)
    for base, said in (
        ([], "is not on this machine"),
        (["--base", str(models["qwen3"])], "is not the base that the adapter was trained on"),
        (["--base", str(other), "--any-base"], "of another architecture"),
        (["--base", str(tmp_path)], "is no model folder"),
    ):
        assert main(["eval", str(folder), "--corpus", str(corpus), *base]) == 1
        error = capsys.readouterr().err
        assert said in error
        assert [line.startswith("fabai: ") for line in error.splitlines() if said in line] == [True]
        assert "Traceback" not in error
    assert not (folder / "evaluation").exists()


def test_what_cannot_be_done_is_said_before_anything_is_written(
    adapters: dict[str, Path], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingPart, match="llama-quantize"):
        release(adapters["llama"], tmp_path / "r", corpus, ggufs=("Q4_K_M",))
    with pytest.raises(UnreadableFile, match="there is no release or run"):
        release(tmp_path / "nowhere", tmp_path / "r", corpus)
    unfinished = tmp_path / "run"
    unfinished.mkdir()
    (unfinished / "run.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="is not finished"):
        release(unfinished, tmp_path / "r", corpus)
    folder = tmp_path / "twice"
    release(adapters["llama"], folder, corpus)
    with pytest.raises((ExportError, UnreadableFile)):
        release(folder, tmp_path / "again", corpus)


def test_the_command_writes_a_release_and_lists_it(
    adapters: dict[str, Path], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FABAI_RELEASES", str(tmp_path / "list"))
    folder = tmp_path / "r1"
    assert main(["release", str(adapters["llama"]), "-o", str(folder), "--corpus", str(corpus), "--json"]) == 0
    assert [one.name for one in releases.known()] == ["r1"]
    assert main(["release", str(adapters["llama"]), "-o", str(tmp_path / "b" / "r1"), "--corpus", str(corpus)]) == 1


def test_a_base_is_named_so_that_other_machines_find_it(tmp_path: Path) -> None:
    assert portable("Qwen/Qwen3-8B") == "Qwen/Qwen3-8B"
    assert portable(str(tmp_path / "my-model")) == "my-model"
