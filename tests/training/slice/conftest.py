"""Small tokenizers of each family, and tiny random models that carry them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM, Qwen3Config, Qwen3ForCausalLM

TEXT = Path(__file__).parents[2] / "data" / "boundaries"
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


@dataclass(frozen=True)
class Model:
    """A model folder of one tokenizer family."""

    name: str
    folder: Path
    tied: bool


def lines(language: str, count: int = 400) -> list[str]:
    """Real sentences of a language."""
    return (TEXT / f"{language}.txt").read_text(encoding="utf-8").splitlines(keepends=True)[:count]


def _train(tokenizer: Tokenizer, size: int, alphabet: list[str], special: list[str]) -> dict[str, Any]:
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([*lines("es"), *lines("ca"), *lines("en")], trainer)
    return dict(json.loads(tokenizer.to_str()))


def smollm() -> dict[str, Any]:
    """SmolLM's rules: digits one by one, then byte-level BPE."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    return _train(tokenizer, 2_000, pre_tokenizers.ByteLevel.alphabet(), special)


def llama3() -> dict[str, Any]:
    """Llama-3's rules: ignore_merges, several merges for a token, and words of the vocabulary that no merges build."""
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(LLAMA3), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    table = _train(tokenizer, 2_000, pre_tokenizers.ByteLevel.alphabet(), [])
    model = table["model"]
    model["merges"] = _every_split(model)
    for word in ("ĠsubvenciÃ³n", "ĠzzyzxĠ", "Ġmemòries".replace("ò", "Ã²")):
        model["vocab"].setdefault(word, len(model["vocab"]))
    model["ignore_merges"] = True
    names = ["<|begin_of_text|>", "<|end_of_text|>", "<|im_start|>", "<|im_end|>"]
    return _with_added(table, names, first=len(model["vocab"]))


def llama2() -> dict[str, Any]:
    """Llama-2's and Mistral-7B-v0.1's rules: a word mark in front, byte fallback, no pre-tokenizer."""
    tokenizer = Tokenizer(models.BPE(fuse_unk=True, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    table = _train(tokenizer, 2_200, [], special)
    table["model"]["unk_token"] = special[0]
    table["pre_tokenizer"] = None
    table["normalizer"] = {
        "type": "Sequence",
        "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        ],
    }
    table["decoder"] = {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ],
    }
    table["post_processor"] = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}},
    }
    table["model"]["merges"] = _every_split(table["model"])
    table["added_tokens"] = [entry for entry in table["added_tokens"] if entry["id"] < 3]
    return table


def gemma() -> dict[str, Any]:
    """Gemma's rules: spaces become marks, byte fallback, added tokens in the vocabulary, one more without a row."""
    table = llama2()
    table["normalizer"] = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    table["pre_tokenizer"] = {
        "type": "Split",
        "pattern": {"String": " "},
        "behavior": "MergedWithPrevious",
        "invert": False,
    }
    table["decoder"]["decoders"].pop()
    vocab = table["model"]["vocab"]
    for word in ("\n\n", "<unused0>", "<start_of_turn>", "<end_of_turn>"):
        vocab.setdefault(word, len(vocab))
        table["added_tokens"].append(_entry(vocab[word], word, special=word != "\n\n"))
    table["added_tokens"].append(_entry(len(vocab), "<image_soft_token>", special=True))
    return table


def _every_split(model: dict[str, Any]) -> list[list[str]]:
    """Every pair of tokens that makes a token, in the order of what they make: the form that converters write."""
    vocab = model["vocab"]
    order = {"".join(pair): rank for rank, pair in enumerate(model["merges"])}
    found = []
    for made in sorted(order, key=order.__getitem__):
        found += [
            [made[:cut], made[cut:]] for cut in range(1, len(made)) if made[:cut] in vocab and made[cut:] in vocab
        ]
    return found


def _entry(token: int, content: str, *, special: bool) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": token, "content": content, **flags, "special": special}


def _with_added(table: dict[str, Any], names: list[str], first: int) -> dict[str, Any]:
    table["added_tokens"] = [_entry(first + place, name, special=True) for place, name in enumerate(names)]
    return table


def write_model(folder: Path, table: dict[str, Any], *, tied: bool, end: str, rows: int | None = None) -> Path:
    """A random model in several shards with this tokenizer; rows: of its matrices (default: a few more than tokens)."""
    folder.mkdir(parents=True)
    (folder / "tokenizer.json").write_text(json.dumps(table, ensure_ascii=False), encoding="utf-8")
    ids = {**table["model"]["vocab"], **{entry["content"]: entry["id"] for entry in table["added_tokens"]}}
    decoder = {str(entry["id"]): {key: entry[key] for key in entry if key != "id"} for entry in table["added_tokens"]}
    config = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": end, "added_tokens_decoder": decoder}
    if "<|im_start|>" in ids:
        config["chat_template"] = TEMPLATE
    (folder / "tokenizer_config.json").write_text(json.dumps(config, ensure_ascii=False), encoding="utf-8")
    torch.manual_seed(len(ids) + tied)
    shape = {
        "vocab_size": rows or max(ids.values()) + 8,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "tie_word_embeddings": tied,
        "bos_token_id": ids[end],
        "eos_token_id": [ids[end]],
        "pad_token_id": ids[end],
    }
    llama: Any = LlamaForCausalLM(LlamaConfig(**shape))
    model: Any = llama if tied else Qwen3ForCausalLM(Qwen3Config(**shape, head_dim=8))
    model.generation_config = GenerationConfig(
        bos_token_id=ids[end], eos_token_id=[ids[end]], pad_token_id=ids[end], suppress_tokens=[ids[end] - 1]
    )
    model.to(torch.bfloat16).save_pretrained(folder, max_shard_size="100KB")
    return folder


BUILDERS: dict[str, tuple[Callable[[], dict[str, Any]], bool, str]] = {
    "smollm": (smollm, True, "<|im_end|>"),
    "llama3": (llama3, False, "<|end_of_text|>"),
    "llama2": (llama2, False, "</s>"),
    "gemma": (gemma, True, "<end_of_turn>"),
}


@pytest.fixture(scope="session", params=[*BUILDERS, "qwen3"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A tiny model of each family; Qwen3 with its real tokenizer."""
    folder = tmp_path_factory.mktemp("models") / request.param
    if request.param == "qwen3":
        return Model("qwen3", qwen3_model(folder, request.getfixturevalue("qwen3_tokenizer")), tied=False)
    build, tied, end = BUILDERS[request.param]
    table = build()
    rows = len(table["model"]["vocab"]) if request.param == "gemma" else None
    return Model(request.param, write_model(folder, table, tied=tied, end=end, rows=rows), tied)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The SmolLM-like model alone."""
    return write_model(tmp_path_factory.mktemp("small") / "model", smollm(), tied=True, end="<|im_end|>")


def qwen3_model(folder: Path, tokenizer: Path) -> Path:
    """A tiny random Qwen3 of the real number of rows."""
    torch.manual_seed(3)
    config = Qwen3Config(
        vocab_size=151_936,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        tie_word_embeddings=False,
        bos_token_id=151_643,
        eos_token_id=151_645,
        pad_token_id=151_643,
    )
    Qwen3ForCausalLM(config).to(torch.bfloat16).save_pretrained(folder, max_shard_size="3MB")
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(tokenizer / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def texts() -> list[str]:
    """Entries for `fabai slice --text`."""
    return [f"{language}={TEXT / language}.txt" for language in ("es", "ca", "en")]


@pytest.fixture
def no_leftovers(tmp_path: Path) -> Iterator[None]:
    """Whatever the test did, no unfinished folder is left."""
    yield
    assert not list(tmp_path.glob(".*unfinished"))
