"""Are the logits of kept tokens the same on a graphics card? One JSON line last.

    mkdir -p /tmp/t/fabai && ln -s $PWD/fabai/* /tmp/t/fabai/ && ln -s $PWD/training /tmp/t/fabai/training
    PYTHONPATH=/tmp/t python benches/slice_gpu.py

Part one slices a random Qwen3-shaped model with a tokenizer trained on the spot, and compares the logits of the two
models on the card in bf16. Part two compares the head's product at Qwen3-8B's shape, 151,936 rows against 100,352. On
a card the two products may take other kernels, so they are held to a tolerance: two steps of bf16 at the size of the
largest logit of a row. Needs torch, transformers, tokenizers, safetensors, numpy; runs on the CPU too, where every
bit must be equal.
"""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path

import torch
from fabai.training.slice.choice import Wanted
from fabai.training.slice.job import Request, slice_model
from fabai.training.slice.manifest import read_manifest
from fabai.training.slice.verify import logits
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import Qwen3Config, Qwen3ForCausalLM

STEP = 2.0**-8  # one step of bf16, relative


def words(count: int, seed: int) -> list[str]:
    """Lines of made-up words that look a little like Spanish."""
    chance = random.Random(seed)
    heads = ["b", "br", "c", "d", "f", "g", "gr", "l", "m", "n", "p", "pr", "r", "s", "t", "tr", "v"]
    tails = ["a", "e", "i", "o", "u", "ión", "ar", "er", "es", "os", "al", "ía", "ment", "tat"]
    stock = [
        "".join(chance.choice(heads) + chance.choice(tails) for _ in range(chance.randint(1, 4))) for _ in range(6_000)
    ]
    return [" ".join(chance.choice(stock) for _ in range(12)) for _ in range(count)]


def model_folder(folder: Path, lines: list[str]) -> None:
    """A random model of 4 layers with a byte-level tokenizer of about 8,000 tokens."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=8_192,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    folder.mkdir()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=-(-tokenizer.get_vocab_size() // 64) * 64,
        hidden_size=1_024,
        intermediate_size=3_072,
        num_hidden_layers=4,
        num_attention_heads=16,
        num_key_value_heads=8,
        head_dim=64,
        tie_word_embeddings=False,
        bos_token_id=0,
        eos_token_id=0,
        pad_token_id=0,
    )
    Qwen3ForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)


def apart(old: torch.Tensor, new: torch.Tensor) -> dict[str, float | bool]:
    """How far two [tokens, rows] products are apart, in steps of bf16 at the size of each row's largest entry."""
    old, new = old.float(), new.float()
    steps = (old - new).abs().amax(dim=1) / (STEP * old.abs().amax(dim=1))
    return {
        "bit_equal": bool(torch.equal(old, new)),
        "share_equal": (old == new).float().mean().item(),
        "worst_steps": steps.max().item(),
    }


def whole_model(device: str) -> dict[str, float | bool]:
    """Slice a model and run both."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model_folder(folder / "model", words(20_000, seed=0))
        (folder / "es.txt").write_text("\n".join(words(2_000, seed=0)[:400]), encoding="utf-8")
        request = Request(str(folder / "model"), [str(folder / "es.txt")], ["es"], Wanted(size=4_096), verify=True)
        slice_model(request, folder / "slice")
        _, kept = read_manifest(folder / "slice")
        chance = random.Random(1)
        new_ids = [[chance.randrange(4_000) for _ in range(256)] for _ in range(4)]
        old_ids = [[int(kept[token]) for token in line] for line in new_ids]
        old = torch.cat(logits(folder / "model", old_ids, device))[:, torch.from_numpy(kept)]
        new = torch.cat(logits(folder / "slice", new_ids, device))
        return apart(old, new)


def head_product(device: str, rows: int, kept_rows: int, width: int) -> dict[str, float | bool]:
    """The head alone, at a given shape."""
    torch.manual_seed(1)
    head = torch.randn(rows, width, dtype=torch.bfloat16, device=device) / width**0.5
    hidden = torch.randn(512, width, dtype=torch.bfloat16, device=device)
    kept = torch.randperm(rows, device=device)[:kept_rows].sort().values
    return apart((hidden @ head.T)[:, kept], hidden @ head[kept].T)


def main() -> None:
    """Both parts on the card, or on the CPU at a smaller shape."""
    card = torch.cuda.is_available()
    device = "cuda" if card else "cpu"
    shape = (151_936, 100_352, 4_096) if card else (15_193, 10_035, 512)
    found = {
        "bench": "slice_gpu",
        "device": torch.cuda.get_device_name() if card else "cpu",
        "torch": torch.__version__,
        "model": whole_model(device),
        "head": {"shape": shape, **head_product(device, *shape)},
    }
    found["within_tolerance"] = max(found["model"]["worst_steps"], found["head"]["worst_steps"]) <= 2.0
    print(json.dumps(found))


if __name__ == "__main__":
    main()
