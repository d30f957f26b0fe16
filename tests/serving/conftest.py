"""Machines with cards, as far as the driver's program tells of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cards = Callable[..., None]


@pytest.fixture
def with_cards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cards:
    """with_cards("NVIDIA L4, 23034, 22500, 8.9"): a fake nvidia-smi that says these lines; none: it fails."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)

    def put(*lines: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "nvidia-smi"
        said = "\n".join(lines)
        program.write_text(
            f"#!/bin/sh\ncat <<'END'\n{said}\nEND\n" if lines else "#!/bin/sh\nexit 9\n", encoding="utf-8"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder), prepend=":")

    return put


@pytest.fixture
def model(tmp_path: Path) -> Callable[..., Path]:
    """A folder that looks like Qwen3-8B to whoever reads its config; the weights are a file without content."""

    def make(name: str = "qwen3-8b", size: int = 16_400_000_000, **more: Any) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        config = {
            "model_type": "qwen3",
            "num_hidden_layers": 36,
            "hidden_size": 4096,
            "num_attention_heads": 32,
            "num_key_value_heads": 8,
            "head_dim": 128,
            "vocab_size": 151_936,
            "max_position_embeddings": 40_960,
            "rope_parameters": {"rope_theta": 1e6, "rope_type": "default"},
            "tie_word_embeddings": False,
            **more,
        }
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        with (folder / "model.safetensors").open("wb") as file:
            file.truncate(size)
        return folder

    return make


@pytest.fixture
def adapter(tmp_path: Path) -> Callable[..., Path]:
    """The folder of an adapter, without its weights."""

    def make(base: Path | str | None, name: str = "memorias-1", **more: Any) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        table: dict[str, Any] = {"peft_type": "LORA", "r": 16, "lora_alpha": 16, "use_rslora": True, **more}
        if base is not None:
            table["base_model_name_or_path"] = str(base)
        (folder / "adapter_config.json").write_text(json.dumps(table), encoding="utf-8")
        return folder

    return make
