"""The seven properties of a correct slice, on five tokenizer families, tied and untied, sharded."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from fabai.training.slice.checkpoint import read_checkpoint
from fabai.training.slice.choice import Wanted
from fabai.training.slice.closure import Ladder, closed
from fabai.training.slice.counts import Ids, encode
from fabai.training.slice.families import Family, read_family
from fabai.training.slice.job import Request, slice_model
from fabai.training.slice.manifest import read_manifest
from fabai.training.slice.report import SliceReport
from fabai.training.slice.unslice import unslice
from fabai.training.slice.verify import fuzz, logits
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer

from fabai.errors import UnreadableFile

from .conftest import Model, lines


@dataclass(frozen=True)
class Sliced:
    """A model, its slice, and what connects them."""

    model: Model
    folder: Path
    report: SliceReport
    family: Family
    kept: Ids
    tokens: int
    before: Tokenizer
    after: Tokenizer

    def old(self, ids: list[int]) -> list[int]:
        """New ids as old ones."""
        return self.kept[np.array(ids, np.int64)].tolist()


@pytest.fixture(scope="module")
def cut(model: Model, texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> Sliced:
    """The model with about a quarter of its used tokens gone."""
    family = read_family(model.folder / "tokenizer.json")
    size = 4_000 if model.name == "qwen3" else 1_152
    target = tmp_path_factory.mktemp("slices") / model.name
    request = Request(str(model.folder), texts, ["es", "ca", "en"], Wanted(size=size), keep_dropped=True)
    report = slice_model(request, target)
    manifest, kept = read_manifest(target)
    before, after = (Tokenizer.from_file(str(folder / "tokenizer.json")) for folder in (model.folder, target))
    return Sliced(model, target, report, family, kept, manifest.tokens, before, after)


def test_1_the_kept_set_is_closed_under_the_encoders_own_derivation(cut: Sliced) -> None:
    tokens = set(cut.kept[: cut.tokens].tolist())
    assert closed(tokens, Ladder(cut.family)) == tokens


def test_1_every_merge_whose_three_parts_survive_is_kept_in_order(cut: Sliced) -> None:
    tokens = set(cut.kept[: cut.tokens].tolist())
    wanted = [merge for merge in cut.family.merges if tokens.issuperset(merge)]
    found = read_family(cut.folder / "tokenizer.json").merges
    assert [tuple(cut.old(list(merge))) for merge in found] == wanted


def test_1_bytes_added_tokens_and_the_chat_template_are_kept(cut: Sliced) -> None:
    tokens = set(cut.kept[: cut.tokens].tolist())
    rowless = {token for token in cut.family.added if token >= read_checkpoint(cut.model.folder).rows}
    assert len(cut.family.byte_ids) == 256
    assert tokens.issuperset(cut.family.byte_ids)
    assert tokens.issuperset(cut.family.added.keys() - rowless)
    old, new = (AutoTokenizer.from_pretrained(folder) for folder in (cut.model.folder, cut.folder))
    if old.chat_template:
        chat = [{"role": role, "content": ""} for role in ("system", "user", "assistant", "user")]
        text = new.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        assert text == old.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        assert cut.old(new(text).input_ids) == old(text).input_ids


def test_1_a_round_trip_is_the_originals_round_trip(cut: Sliced) -> None:
    @given(st.text(st.characters(exclude_categories=("Cs",)), max_size=60))
    def check(text: str) -> None:
        assert cut.after.decode(cut.after.encode(text).ids) == cut.before.decode(cut.before.encode(text).ids)

    check()
    for text in [*fuzz(lines("ca", 50), 300, seed=7), "👩‍👩‍👧‍👦 日本語 Привет مرحبا \u0000\u0007 e\u0301 ﬁ \U000e0041"]:
        check.hypothesis.inner_test(text)


def test_1_a_lone_surrogate_is_refused_with_a_sentence(cut: Sliced) -> None:
    with pytest.raises(UnreadableFile, match="half of a surrogate pair"):
        encode(cut.after, ["memoria \ud83d"])


def test_2_text_of_kept_tokens_is_cut_the_same_and_the_rest_is_reported(cut: Sliced) -> None:
    tokens = set(cut.kept[: cut.tokens].tolist())
    same = 0
    for language in ("es", "ca", "en"):
        for old, new in zip(*(encode(one, lines(language)) for one in (cut.before, cut.after)), strict=True):
            if tokens.issuperset(old.ids):
                same += 1
                assert cut.old(new.ids) == old.ids
    assert same > 20
    for language, cost in cut.report.languages.items():
        held = lines(language, 10_000)[9::10]
        old_ids = [token for one in encode(cut.before, held) for token in one.ids]
        assert cost.tokens_before == len(old_ids)
        assert cost.tokens_after == sum(len(one.ids) for one in encode(cut.after, held))
        assert cost.kept == pytest.approx(sum(token in tokens for token in old_ids) / len(old_ids))
        assert cost.identical_tokens <= cost.kept


def test_2_the_curve_says_what_encoding_the_text_says(cut: Sliced) -> None:
    shares = dict(cut.report.curve)[cut.report.sizes.tokens_after]
    for language, cost in cut.report.languages.items():
        assert shares[language] == pytest.approx(cost.identical_tokens, abs=1e-9)


def test_3_rows_are_equal_bit_for_bit_and_padded_to_64(cut: Sliced) -> None:
    old, new = (_state(folder) for folder in (cut.model.folder, cut.folder))
    assert old.keys() == new.keys()
    vocabulary = read_checkpoint(cut.model.folder).vocabulary
    assert len(vocabulary) == (1 if cut.model.tied else 2)
    for name, tensor in old.items():
        wanted = tensor[torch.from_numpy(cut.kept)] if name in vocabulary else tensor
        assert torch.equal(wanted.view(torch.int16), new[name].view(torch.int16))
    assert len(cut.kept) % 64 == 0
    assert len(set(cut.kept.tolist())) == len(cut.kept)


def test_3_logits_of_kept_tokens_are_bit_equal_on_the_cpu(cut: Sliced) -> None:
    ids = [one.ids[:40] for one in encode(cut.after, lines("es", 6))]
    old = logits(cut.model.folder, [cut.old(one) for one in ids], "cpu")
    new = logits(cut.folder, ids, "cpu")
    for left, right in zip(old, new, strict=True):
        assert torch.equal(left[:, torch.from_numpy(cut.kept)], right)
    assert cut.report.proof is not None
    assert cut.report.proof["logits"] > 0


def test_4_every_special_id_is_remapped_and_the_folder_loads_as_any_other(cut: Sliced) -> None:
    old, new = (AutoTokenizer.from_pretrained(folder) for folder in (cut.model.folder, cut.folder))
    for name in ("bos_token_id", "eos_token_id", "pad_token_id", "unk_token_id"):
        assert (getattr(new, name) is None) == (getattr(old, name) is None)
        if getattr(old, name) is not None:
            assert cut.old([getattr(new, name)]) == [getattr(old, name)]
    network: Any = AutoModelForCausalLM.from_pretrained(cut.folder)
    config = json.loads((cut.model.folder / "generation_config.json").read_text())
    assert network.config.vocab_size == len(cut.kept)
    for key in ("bos_token_id", "eos_token_id", "pad_token_id", "suppress_tokens"):
        wanted = config.get(key)
        if wanted is not None:
            value = getattr(network.generation_config, key)
            found = cut.old(value) if isinstance(value, list) else cut.old([value])[0]
            assert found == wanted
    ids = new("La memoria", return_tensors="pt").input_ids
    written = network.generate(ids, max_new_tokens=6, do_sample=False, min_new_tokens=6)
    assert written.shape[1] == ids.shape[1] + 6
    assert int(written.max()) < len(cut.kept)


def test_5_unslice_gives_the_original_back_byte_for_byte(cut: Sliced, tmp_path: Path) -> None:
    for target, original in ((tmp_path / "saved", None), (tmp_path / "original", cut.model.folder)):
        restored = unslice(cut.folder, target, original)
        assert restored.rows == read_checkpoint(cut.model.folder).rows
        assert restored.changed in (0, None)
        for path in cut.model.folder.glob("*.safetensors"):
            assert (target / path.name).read_bytes() == path.read_bytes()
        for name in ("tokenizer.json", "tokenizer_config.json", "config.json", "generation_config.json"):
            if (cut.model.folder / name).exists():
                assert json.loads((target / name).read_text()) == json.loads((cut.model.folder / name).read_text())
        assert not (target / "slice").exists()


def test_5_an_adapter_trained_on_the_slice_works_on_the_full_model(cut: Sliced, tmp_path: Path) -> None:
    from peft import LoraConfig, PeftModel, get_peft_model

    torch.manual_seed(0)
    settings = LoraConfig(r=4, target_modules="all-linear", init_lora_weights=False, use_rslora=True)
    small: Any = get_peft_model(AutoModelForCausalLM.from_pretrained(cut.folder), settings)
    small.eval().save_pretrained(tmp_path / "adapter")
    full: Any = AutoModelForCausalLM.from_pretrained(cut.model.folder)
    full = PeftModel.from_pretrained(full, tmp_path / "adapter").eval()
    ids = encode(cut.after, lines("ca", 1))[0].ids[:30]
    with torch.no_grad():
        left = full(torch.tensor([cut.old(ids)])).logits[0][:, torch.from_numpy(cut.kept)]
        right = small(torch.tensor([ids])).logits[0]
    assert torch.equal(left, right)


def test_6_shards_keep_their_names_and_the_index_names_each_tensors_shard(cut: Sliced) -> None:
    old, new = read_checkpoint(cut.model.folder), read_checkpoint(cut.folder)
    assert len(old.files) > 1
    assert new.files == old.files
    assert all(new.tensors[name].file == one.file for name, one in old.tensors.items())
    index = json.loads((cut.folder / "model.safetensors.index.json").read_text())
    assert index["metadata"]["total_size"] == new.size


def test_7_the_report_names_the_family(cut: Sliced) -> None:
    fallback = cut.model.name in ("llama2", "gemma")
    assert ("byte fallback" if fallback else "byte-level BPE") in cut.report.family
    assert ("ignore_merges" in cut.report.family) == (cut.model.name == "llama3")


def test_the_report_is_written_for_people_and_for_machines(cut: Sliced) -> None:
    table = json.loads((cut.folder / "slice" / "report.json").read_text())
    text = (cut.folder / "slice" / "report.md").read_text()
    assert (cut.folder / "slice" / "report.png").read_bytes().startswith(b"\x89PNG")
    assert table["sizes"]["rows_after"] == len(cut.kept)
    assert set(table["languages"]) == {"es", "ca", "en"}
    assert len(table["losses"]) == 50
    assert f"{len(cut.kept):,}" in text
    gone = [loss["added"] for loss in table["losses"]]
    assert gone == sorted(gone, reverse=True)
    assert replace(cut.report).markdown() == text


def _state(folder: Path) -> dict[str, torch.Tensor]:
    from safetensors.torch import load_file

    return {name: one for path in sorted(folder.glob("*.safetensors")) for name, one in load_file(path).items()}
