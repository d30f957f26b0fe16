"""Counting: the fast tokenizer is the model's own, and sums over units never lie below it."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from fabai.errors import UnreadableFile
from fabai.message import Message
from fabai.report import Language
from fabai.settings import CuttingSettings
from fabai.tokens import (
    BpeTokenizer,
    LibraryTokenizer,
    ModelCounter,
    Tokenizer,
    byte_alphabet,
    from_gguf,
    from_table,
    read_tokenizer,
)
from fabai.window.counting import CachedCounter, cached
from fabai.window.cut import cut
from fabai.window.units import units

tokenizers = pytest.importorskip("tokenizers")

FILES: dict[Language, tuple[str, ...]] = {
    "es": ("long-es/memorias-cc0-unidas.md", "calls-es/cdti__transmisiones_card.md"),
    "ca": ("long-ca/legalize-dev__BOPA-L-2018-24.md", "calls-ca/legalize-dev__BOPA-D-2002-28D36.md"),
    "en": ("grants-en/greenelab-czi__proposal.md", "grants-en/astropy__cycle3_aperio_fits_dask.md"),
}
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
LAYOUTS: dict[str, dict[str, Any]] = {
    "llama3": {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Split", "pattern": {"Regex": LLAMA3}, "behavior": "Isolated", "invert": False},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
        ],
    },
    "smollm": {
        "type": "Sequence",
        "pretokenizers": [
            {"type": "Digits", "individual_digits": True},
            {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        ],
    },
    "gpt2": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
}
ODD = st.text(
    alphabet=st.sampled_from("aáàe\u0301ñçl·l 12.,€\n\t\r\u00a0\u2003'’sST«»😀👩\u200d👧漢字\x00_-<|>[]…"), max_size=80
)


class Characters:
    """Counts one token for every four characters; not a model's tokenizer, but as subadditive as one."""

    name = "characters"

    def count(self, text: str) -> int:
        return -(-len(text) // 4)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return sum(self.count(message.content) for message in messages)


def pieces(shared: Path, language: Language, size: int = 4_000, most: int = 15) -> list[str]:
    """Stretches of real text."""
    found = []
    for name in FILES[language]:
        text = (shared / "data" / name).read_text(encoding="utf-8")
        found += [text[start : start + size] for start in range(0, len(text), size)][:most]
    return found


@pytest.mark.parametrize("language", ["es", "ca", "en"])
def test_qwen3_gives_the_models_own_tokens_on_real_text(qwen3_folder: Path, shared: Path, language: Language) -> None:
    fast, own = read_tokenizer(qwen3_folder), LibraryTokenizer(qwen3_folder / "tokenizer.json")
    assert isinstance(fast, BpeTokenizer)
    for text in pieces(shared, language):
        assert fast.ids(text) == own.ids(text)
        assert fast.count(text) == len(own.ids(text))


@given(
    ODD | st.text(max_size=80) | st.sampled_from(["<|im_end|>x<think> a", "a<|im_start|>user\n", "\ud800 a", "e\u0301"])
)
def test_qwen3_gives_the_models_own_tokens_on_odd_text(both_qwen3: tuple[Tokenizer, Tokenizer], text: str) -> None:
    fast, own = both_qwen3
    assert fast.ids(text) == own.ids(text)


@pytest.fixture(scope="session")
def both_qwen3(qwen3_folder: Path, qwen3: Tokenizer) -> tuple[Tokenizer, Tokenizer]:
    return qwen3, LibraryTokenizer(qwen3_folder / "tokenizer.json")


@pytest.fixture(scope="session")
def trained(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Tokenizer, Tokenizer]]:
    """Byte-level BPEs of 2,000 merges trained here, one for each layout: folder, fast, own."""
    found: dict[str, tuple[Path, Tokenizer, Tokenizer]] = {}
    texts = [text for language in FILES for text in pieces(shared, language, most=10)]
    for name, layout in LAYOUTS.items():
        model = tokenizers.Tokenizer(tokenizers.models.BPE())
        model.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        alphabet = sorted(byte_alphabet())
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=2_300, special_tokens=["<|end|>"], initial_alphabet=alphabet, show_progress=False
        )
        model.train_from_iterator(texts, trainer)
        table = json.loads(model.to_str())
        table["pre_tokenizer"] = layout
        folder = tmp_path_factory.mktemp(name)
        (folder / "tokenizer.json").write_text(json.dumps(table), encoding="utf-8")
        found[name] = (folder, read_tokenizer(folder), LibraryTokenizer(folder / "tokenizer.json"))
    return found


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_every_layout_gives_the_models_own_tokens(
    trained: dict[str, tuple[Path, Tokenizer, Tokenizer]], shared: Path, layout: str
) -> None:
    _, fast, own = trained[layout]
    assert isinstance(fast, BpeTokenizer)
    for language in FILES:
        for text in pieces(shared, language, size=1_500, most=25):
            assert fast.ids(text) == own.ids(text)


@hypothesis_settings(max_examples=300)
@given(text=ODD, layout=st.sampled_from(sorted(LAYOUTS)))
def test_every_layout_gives_the_models_own_tokens_on_odd_text(
    trained: dict[str, tuple[Path, Tokenizer, Tokenizer]], text: str, layout: str
) -> None:
    _, fast, own = trained[layout]
    assert fast.ids(text) == own.ids(text)


def test_a_vocabulary_cut_to_fewer_merges_still_gives_its_own_tokens(
    trained: dict[str, tuple[Path, Tokenizer, Tokenizer]], shared: Path, tmp_path: Path
) -> None:
    table = json.loads((trained["llama3"][0] / "tokenizer.json").read_text(encoding="utf-8"))
    kept = table["model"]["merges"][:900]
    made = {"".join(merge.split(" ") if isinstance(merge, str) else merge) for merge in kept}
    words = [word for word in table["model"]["vocab"] if len(word) == 1 or word in made or word == "<|end|>"]
    table["model"] |= {"merges": kept, "vocab": {word: index for index, word in enumerate(words)}}
    table["added_tokens"][0]["id"] = table["model"]["vocab"]["<|end|>"]
    (tmp_path / "tokenizer.json").write_text(json.dumps(table), encoding="utf-8")
    fast, own = read_tokenizer(tmp_path), LibraryTokenizer(tmp_path / "tokenizer.json")
    assert isinstance(fast, BpeTokenizer)
    for text in pieces(shared, "ca", most=5):
        assert fast.ids(text) == own.ids(text)


@pytest.mark.parametrize(
    "change",
    [
        {"normalizer": {"type": "Lowercase"}},
        {"pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}},
        {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}},
    ],
)
def test_what_tiktoken_cannot_repeat_goes_through_the_library(
    trained: dict[str, tuple[Path, Tokenizer, Tokenizer]], tmp_path: Path, change: dict[str, Any]
) -> None:
    table = json.loads((trained["gpt2"][0] / "tokenizer.json").read_text(encoding="utf-8")) | change
    assert from_table(table, "x") is None
    (tmp_path / "tokenizer.json").write_text(json.dumps(table), encoding="utf-8")
    found = read_tokenizer(tmp_path)
    assert isinstance(found, LibraryTokenizer)
    assert found.count("Hola, món.") > 0


def test_the_same_vocabulary_in_a_gguf_counts_the_same(trained: dict[str, tuple[Path, Tokenizer, Tokenizer]]) -> None:
    folder, fast, _ = trained["smollm"]
    table = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    words = sorted(table["model"]["vocab"], key=table["model"]["vocab"].get)
    kinds = [3 if word == "<|end|>" else 1 for word in words]
    merges = [" ".join(merge.split(" ") if isinstance(merge, str) else merge) for merge in table["model"]["merges"]]
    found = from_gguf("x", "gpt2", "smollm", words, kinds, merges)
    assert found is not None
    assert found.ids("El cost va ser de 1.250,50 €.") == fast.ids("El cost va ser de 1.250,50 €.")
    assert from_gguf("x", "llama", "default", words, kinds, merges) is None
    assert from_gguf("x", "gpt2", "unheard-of", words, kinds, merges) is None


@pytest.mark.parametrize(
    "content", ["", "{}", "[]", '{"model": 3}', '{"model": {"type": "BPE"}}', '{"model": {"type": "BPE"']
)
def test_a_file_that_is_no_tokenizer_says_so_in_one_sentence(tmp_path: Path, content: str) -> None:
    (tmp_path / "tokenizer.json").write_text(content, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"tokenizer\.json"):
        read_tokenizer(tmp_path)


def test_a_missing_tokenizer_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not exist"):
        read_tokenizer(tmp_path / "none")


def test_a_report_is_counted_once() -> None:
    asked: list[str] = []

    class Counting(Characters):
        def count(self, text: str) -> int:
            asked.append(text)
            return super().count(text)

    counter = CachedCounter(Counting())
    assert cached(counter) is counter
    text = "Una frase. Otra frase más larga. Y otra.\n\n- punto\n- otro punto"
    first = [cut(text, room, counter).text for room in range(12)]
    once = len(asked)
    assert [cut(text, room, counter).text for room in range(12)] == first
    assert len(asked) == once
    assert counter.count("") == 0


def test_messages_are_counted_after_the_template(qwen3_counter: ModelCounter) -> None:
    counter = CachedCounter(qwen3_counter)
    messages: Sequence[Message] = [Message("system", "Reglas."), Message("user", "Hola.")]
    assert counter.count_messages(messages) == qwen3_counter.count_messages(messages)
    assert counter.count_messages(messages) > counter.count("Reglas.") + counter.count("Hola.")


@pytest.mark.parametrize("language", ["es", "ca", "en"])
def test_sums_over_units_never_lie_below_the_models_count(
    qwen3_counter: ModelCounter, shared: Path, language: Language
) -> None:
    counter, settings = CachedCounter(qwen3_counter), CuttingSettings()
    for text in pieces(shared, language, size=9_000, most=6):
        found = units(text, language, counter, settings)
        assert [unit.end for unit in found.units[:-1]] == [unit.start for unit in found.units[1:]]
        assert all(left <= right for left, right in pairwise(found.costs))
        assert found.costs[-1] >= counter.count(text)
        assert found.costs[-1] <= counter.count(text) * 1.01 + 8
        for room in (64, 333, 1_111):
            for keep in ("start", "end"):
                kept = cut(text, room, counter, keep, language)
                assert qwen3_counter.count(kept.text) <= kept.tokens <= room


def test_a_changed_vocabulary_has_another_name(
    trained: dict[str, tuple[Path, Tokenizer, Tokenizer]], tmp_path: Path
) -> None:
    folder, fast, _ = trained["gpt2"]
    table = copy.deepcopy(json.loads((folder / "tokenizer.json").read_text(encoding="utf-8")))
    table["model"]["merges"].pop()
    (tmp_path / "tokenizer.json").write_text(json.dumps(table), encoding="utf-8")
    assert read_tokenizer(tmp_path).name != fast.name
