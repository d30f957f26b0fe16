"""A PEFT adapter in llama.cpp gives what it gives in PEFT."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from fabai.errors import WriterError
from fabai.settings import WriterSettings
from fabai.writers.adapter import read_adapter
from fabai.writers.gguf import read_gguf
from fabai.writers.llamacpp import LlamaCpp
from fabai.writers.lora import write_lora
from fabai.writers.transformers import Transformers
from tests.writers import tiny_gguf

PROMPT = list(b"The library opened in October and the children came")
STEPS = 24
PRINTABLE = 94


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    folder = tmp_path_factory.mktemp("tiny")
    return {family: tiny_gguf.make(folder, family) for family in ("llama", "qwen3")}


def in_llama_cpp(file: Path, trained: Path | None) -> tuple[list[int], list[float]]:
    """Greedy tokens after the prompt, and the logarithms of the ten best probabilities of the first."""
    writer = LlamaCpp(file, WriterSettings(context=256, threads=1), adapter=trained)
    told: list[dict[str, Any]] = []
    request = {
        "prompt": PROMPT,
        "max_tokens": STEPS,
        "temperature": 0.0,
        "repeat_penalty": 1.0,
        "logprobs": 10,
        # bytes that are no character by themselves, which the server keeps back
        "logit_bias": [[one, False] for one in range(PRINTABLE, tiny_gguf.LETTERS + 1)],
    }
    writer._server.handle_completions(json.dumps(request), lambda text: bool(told.append(json.loads(text))))
    writer.close()
    content = told[0]["choices"][0]["logprobs"]["content"]
    return [one["id"] for one in content], [one["logprob"] for one in content[0]["top_logprobs"]]


def in_peft(folder: Path, trained: Path | None) -> tuple[list[int], list[float]]:
    """The same from transformers and PEFT in 32 bits."""
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    if trained is not None:
        model = PeftModel.from_pretrained(model, str(trained))
    return greedy(model)


def greedy(model: Any) -> tuple[list[int], list[float]]:
    """Greedy tokens after the prompt, and the logarithms of the ten best probabilities of the first."""
    import torch

    ids = torch.tensor([PROMPT])
    with torch.inference_mode():
        best = torch.log_softmax(model(input_ids=ids).logits[0, -1], -1).topk(10).values.tolist()
        for _ in range(STEPS):
            ids = torch.cat([ids, model(input_ids=ids).logits[:, -1:, :PRINTABLE].argmax(-1)], 1)
    return ids[0, len(PROMPT) :].tolist(), best


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "name", "how"),
    [
        ("llama", "stabilised", {"stabilised": True}),
        ("qwen3", "plain", {"stabilised": False}),
        ("llama", "patterns", {"rank_pattern": {"q_proj": 8}, "alpha_pattern": {"down_proj": 12}}),
    ],
)
def test_llama_cpp_with_a_converted_adapter_writes_what_peft_writes(
    models: dict[str, tuple[Path, Path]], family: str, name: str, how: dict[str, Any], tmp_path: Path
) -> None:
    folder, file = models[family]
    trained = tiny_gguf.adapter(folder, tmp_path / name, **how)
    theirs, best = in_peft(folder, trained)
    ours, found = in_llama_cpp(file, trained)
    assert ours == theirs
    assert found == pytest.approx(best, abs=0.05)
    # the base alone writes something else, so the adapter is what is compared
    assert in_peft(folder, None)[0] != theirs


@pytest.mark.slow
@pytest.mark.parametrize("family", ["llama", "qwen3"])
def test_stretched_positions_are_the_same_in_llama_cpp_and_transformers(
    models: dict[str, tuple[Path, Path]], family: str, tmp_path: Path
) -> None:
    folder, file = models[family]
    trained = tiny_gguf.adapter(folder, tmp_path / "a")
    plain = in_llama_cpp(file, trained)
    run = {"model": {"base": str(folder), "rope_factor": 4.0, "positions": 128}}
    (trained / "run.json").write_text(json.dumps(run), encoding="utf-8")
    writer = Transformers(trained)
    assert writer.context == 512
    ours, found = in_llama_cpp(file, trained)
    theirs, best = greedy(writer._model)
    assert found == pytest.approx(best, abs=0.05)
    assert ours == theirs
    assert found != pytest.approx(plain[1], abs=0.05)


def test_the_bare_base_is_the_same_in_both(models: dict[str, tuple[Path, Path]]) -> None:
    folder, file = models["llama"]
    assert in_llama_cpp(file, None)[0] == in_peft(folder, None)[0]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_the_file_holds_the_adapters_numbers_whatever_their_type(
    models: dict[str, tuple[Path, Path]], dtype: str, tmp_path: Path
) -> None:
    """Read back with the gguf package, which is not ours."""
    import gguf
    import torch
    from safetensors.torch import load_file, save_file

    folder, file = models["qwen3"]
    trained = tiny_gguf.adapter(folder, tmp_path / "a")
    weights = {
        name: one.to(getattr(torch, dtype)) for name, one in load_file(trained / "adapter_model.safetensors").items()
    }
    save_file(weights, trained / "adapter_model.safetensors")
    write_lora(read_adapter(trained), read_gguf(file), tmp_path / "a.gguf")
    read = gguf.GGUFReader(tmp_path / "a.gguf")
    assert read.fields["adapter.type"].contents() == "lora"
    assert read.fields["adapter.lora.alpha"].contents() == pytest.approx(6 * 4**0.5)
    tensors = {one.name: one.data for one in read.tensors}
    assert len(tensors) == len(weights)
    found = tensors["blk.1.attn_k.weight.lora_b"].astype("float32")
    expected = weights["base_model.model.model.layers.1.self_attn.k_proj.lora_B.weight"].float().numpy()
    assert (found == expected).all()


def test_an_adapter_that_cannot_be_taken_over_is_one_sentence(
    models: dict[str, tuple[Path, Path]], tmp_path: Path
) -> None:
    folder, file = models["llama"]
    base = read_gguf(file)
    trained = tiny_gguf.adapter(folder, tmp_path / "a")
    weights = trained / "adapter_model.safetensors"
    whole = weights.read_bytes()

    def said() -> str:
        with pytest.raises(WriterError) as caught:
            write_lora(read_adapter(trained), base, tmp_path / "a.gguf")
        assert "\n" not in str(caught.value)
        return str(caught.value)

    for cut in (0, 5, 100, len(whole) - 10):
        weights.write_bytes(whole[:cut])
        assert "damaged" in said()
    head = json.loads(whole[8 : 8 + struct.unpack("<Q", whole[:8])[0]])
    entry = next(one for name, one in head.items() if name != "__metadata__")

    def renamed(name: str) -> None:
        table = json.dumps({name: {**entry, "data_offsets": [0, entry["data_offsets"][1] - entry["data_offsets"][0]]}})
        weights.write_bytes(struct.pack("<Q", len(table)) + table.encode() + whole[-100_000:])

    renamed("base_model.model.model.embed_tokens.lora_embedding_A")
    assert "embed_tokens" in said()
    renamed("base_model.model.model.layers.9.self_attn.q_proj.lora_A.weight")
    assert "another model" in said()
    weights.unlink()
    assert "has no" in said()
    config = trained / "adapter_config.json"
    table = json.loads(config.read_text())
    for change, word in (({"use_dora": True}, "use_dora"), ({"peft_type": "IA3"}, "IA3"), ({"r": 0}, "below 1")):
        config.write_text(json.dumps({**table, **change}))
        assert word in said()
    config.write_text("[]")
    assert "JSON object" in said()


def test_an_adapter_of_another_model_is_told_before_anything_is_loaded(
    models: dict[str, tuple[Path, Path]], english_model: Path, tmp_path: Path
) -> None:
    trained = tiny_gguf.adapter(models["llama"][0], tmp_path / "a")
    with pytest.raises(WriterError, match="another model"):
        LlamaCpp(english_model, adapter=trained)
