"""Qwen3's real chat template, rendered by vLLM and by the code that drafting and training share."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from fabai.message import Message
from fabai.writers.template import prompt_ids
from tests.with_vllm.conftest import STORY, serving, written

PROMPTS = (
    STORY,
    [Message("user", "¿Quién abrió la sala? Redacta «1. Resultats» en català: l'any 2025, 18.500,00 € i el 92,5 %.")],
    [Message("user", "Uno."), Message("assistant", "Hecho."), Message("user", "Dos.\n\n# Tres\n\n| a | b |")],
    [Message("system", "Reglas: <think> no es nada."), Message("user", "<|im_end|> tampoco. 😀")],
)
NO_THINKING = "<|im_start|>assistant\n<think>\n\n</think>\n\n"


@pytest.fixture(scope="module")
def qwen3(qwen3_tokenizer: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny random Qwen3 with the real tokenizer, in sizes that vLLM's build for processors takes."""
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    folder = tmp_path_factory.mktemp("qwen3") / "qwen3-tiny"
    torch.manual_seed(3)
    config = Qwen3Config(
        vocab_size=151_936, hidden_size=128, intermediate_size=128, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, head_dim=64, tie_word_embeddings=True, bos_token_id=151_643, eos_token_id=151_645,
        pad_token_id=151_643,
    )  # fmt: skip
    Qwen3ForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(qwen3_tokenizer / name, folder / name)
    return folder


def test_vllm_shows_the_model_the_very_tokens_that_it_was_trained_on_with_thinking_off(
    qwen3: Path, tmp_path: Path
) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(qwen3)
    with serving(qwen3, tmp_path / "vllm.log") as server, closing(server.writer()) as writer:
        for messages in PROMPTS:
            ids = prompt_ids(tokenizer, messages)
            assert tokenizer.decode(ids).endswith(NO_THINKING)
            assert server.ids(messages) == ids
            assert writer.count_messages(messages) == len(ids) == written(writer, messages)[1].prompt_tokens
