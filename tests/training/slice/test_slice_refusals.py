"""Bad input: each is answered with one sentence, and nothing is left behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fabai.training.slice.checkpoint import locate, read_checkpoint
from fabai.training.slice.families import read_family
from fabai.training.slice.job import Request, slice_model
from fabai.training.slice.staging import staged
from tokenizers import Tokenizer, models

from fabai.cli import main
from fabai.errors import FabaiError, UnreadableFile, UsageError

pytestmark = pytest.mark.usefixtures("no_leftovers")


def changed(small: Path, target: Path, name: str, change: Callable[[Any], None]) -> Path:
    """A copy of the model with one JSON file changed."""
    shutil.copytree(small, target)
    content = json.loads((target / name).read_text(encoding="utf-8"))
    change(content)
    (target / name).write_text(json.dumps(content), encoding="utf-8")
    return target


@pytest.mark.parametrize("kind", ["WordPiece", "Unigram", "WordLevel"])
def test_a_family_that_cannot_be_sliced_is_named(kind: str, tmp_path: Path) -> None:
    model: Any = {
        "WordPiece": lambda: models.WordPiece({"[UNK]": 0, "a": 1}),
        "Unigram": lambda: models.Unigram([("a", 0.0)], 0, byte_fallback=False),
        "WordLevel": lambda: models.WordLevel({"a": 0}, unk_token="a"),  # noqa: S106
    }[kind]()
    Tokenizer(model).save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(UnreadableFile, match=f"is a {kind} tokenizer, which cannot be sliced: "):
        read_family(tmp_path / "tokenizer.json")


def test_a_bpe_without_bytes_is_refused(tmp_path: Path) -> None:
    Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")])).save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(UnreadableFile, match="without bytes to fall back to"):
        read_family(tmp_path / "tokenizer.json")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda table: table["model"].update(merges=[]), "has no merges"),
        (lambda table: table["model"].update(merges=table["model"]["merges"][:300]), "lacks merges: "),
        (
            lambda table: table["model"]["merges"].append(["Ġ", "ĠĠĠĠ-none"]),
            "whose parts are not all in the vocabulary",
        ),
        (lambda table: table["added_tokens"].append(table["added_tokens"][0]), "has duplicate added tokens"),
        (lambda table: table["model"].update(dropout=0.1), "uses BPE dropout"),
    ],
)
def test_a_broken_tokenizer_is_refused(
    small: Path, tmp_path: Path, change: Callable[[Any], None], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = changed(small, tmp_path / "model", "tokenizer.json", change)
    (tmp_path / "es.txt").write_text("La memoria.\n" * 20, encoding="utf-8")
    words = ["slice", str(folder), "--text", str(tmp_path / "es.txt"), "--languages", "es", "-o", str(tmp_path / "out")]
    assert main(words) == 1
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("config.json", lambda config: config.update(quantization_config={"load_in_4bit": True}), "already quantised"),
        ("config.json", lambda config: config.update(eos_token_id=99_999), "do not belong together"),
        ("config.json", lambda config: config.update(vocab_size=77), "config.json says vocab_size 77"),
        ("model.safetensors.index.json", lambda index: index["weight_map"].popitem(), None),
        (
            "model.safetensors.index.json",
            lambda index: index["weight_map"].update(more="model-9.safetensors"),
            "lacks 1",
        ),
    ],
)
def test_a_wrong_checkpoint_is_refused(
    small: Path, tmp_path: Path, name: str, change: Callable[[Any], None], sentence: str | None, texts: list[str]
) -> None:
    folder = changed(small, tmp_path / "model", name, change)
    if sentence is None:
        assert read_checkpoint(folder).tensors
        return
    with pytest.raises(FabaiError, match=sentence):
        slice_model(Request(str(folder), texts, ["es", "ca", "en"]), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_tokenizer_of_another_model_is_refused(small: Path, tmp_path: Path, texts: list[str]) -> None:
    def cut(table: Any) -> None:
        gone = {word for word, token in table["model"]["vocab"].items() if token > 600}
        table["model"]["vocab"] = {word: one for word, one in table["model"]["vocab"].items() if word not in gone}
        table["model"]["merges"] = [pair for pair in table["model"]["merges"] if not gone & {*pair, "".join(pair)}]

    folder = changed(small, tmp_path / "model", "tokenizer.json", cut)
    with pytest.raises(UnreadableFile, match="they do not belong together"):
        slice_model(Request(str(folder), texts, ["es", "ca", "en"]), tmp_path / "out")


def test_a_truncated_shard_is_refused(small: Path, tmp_path: Path) -> None:
    shutil.copytree(small, tmp_path / "model")
    shard = sorted((tmp_path / "model").glob("*.safetensors"))[0]
    os.truncate(shard, shard.stat().st_size - 10)
    with pytest.raises(UnreadableFile, match="fetch it again"):
        read_checkpoint(tmp_path / "model")


def test_a_hub_id_without_network_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(UnreadableFile, match="could not be fetched from the hub"):
        locate("Nobody/No-such-model")
    with pytest.raises(UnreadableFile, match="is not a model folder"):
        locate(str(tmp_path / "nothing"))


def test_an_existing_output_folder_is_not_touched(small: Path, tmp_path: Path, texts: list[str]) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="exists already"):
        slice_model(Request(str(small), texts, ["es", "ca", "en"]), tmp_path / "out")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_a_failure_midway_leaves_nothing(tmp_path: Path) -> None:
    def half() -> None:
        with staged(tmp_path / "out", 10) as work:
            (work / "half.safetensors").write_bytes(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_process_stopped_midway_leaves_no_model(stop: signal.Signals, tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from fabai.training.slice.staging import staged\n"
        "with staged(Path(sys.argv[1]), 10) as work:\n"
        "    (work / 'half').write_bytes(b'x'); print('in', flush=True); time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "out")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(0.1)
    process.send_signal(stop)
    process.wait(30)
    process.stdout.close()
    assert not (tmp_path / "out").exists()
    # after a kill that cannot be caught, the next try clears what is left
    with staged(tmp_path / "out", 10) as work:
        assert not (work / "half").exists()
        (work / "whole").write_bytes(b"y")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
