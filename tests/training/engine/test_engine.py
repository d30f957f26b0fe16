"""The engine's gradients are those of plain autograd, whatever is traded for memory."""

from __future__ import annotations

import copy
import gc
import random
from pathlib import Path

import pytest
import torch
from fabai.training.engine import EngineSettings, prepare
from fabai.training.engine.projection import Masks
from torch import nn

from fabai.errors import BadSetting, TrainingError

from .models import CONFIGS, batch, distance, plain, taken, tiny

# fp32 sums in another order: 2e-6 seen
CLOSE = 1e-5
TRADES = {
    "whole": EngineSettings(),
    "tiles and groups": EngineSettings(groups=2, tile=8),
    "checkpoints two layers apart": EngineSettings(spacing=2, groups=4, tile=16),
    "checkpoints three layers apart, scratch on the host": EngineSettings(spacing=3, scratch_on="host", head="host"),
    "attention kept": EngineSettings(keep="attention", groups=2),
    "streamed from a file": EngineSettings(stream=True, stream_from="disk"),
    "attention kept, checkpoints apart": EngineSettings(keep="attention", spacing=2, kept_on="device"),
    "residual kept": EngineSettings(keep="residual", groups=2, tile=8),
    "projections kept, layers streamed": EngineSettings(keep="projections", stream=True, prefetch=False),
    "streamed, the head by blocks": EngineSettings(
        stream=True, spacing=2, head_rows=40, loss_rows=5, scratch_on="host"
    ),
}


@pytest.fixture(autouse=True)
def _few_threads() -> None:
    torch.set_num_threads(1)  # tiny matrices: threads only wait for each other


@pytest.mark.parametrize("nf4", [False, True], ids=["dense", "nf4"])
@pytest.mark.parametrize("family", CONFIGS)
def test_gradients_of_every_family_equal_autograds(family: str, nf4: bool) -> None:
    model = tiny(family, nf4=nf4)
    ids, labels = batch(33)
    loss, gradients = plain(model, ids, labels)
    found = prepare(model, EngineSettings(groups=2, tile=16), "cpu").loss(ids, labels)
    found.backward()
    assert float(found.detach()) == pytest.approx(loss, rel=1e-6)
    assert distance(taken(model), gradients) < CLOSE


@pytest.mark.parametrize("settings", TRADES.values(), ids=TRADES)
def test_what_is_traded_for_memory_does_not_change_the_gradients(settings: EngineSettings) -> None:
    model = tiny("qwen3", nf4=True, num_hidden_layers=5)
    ids, labels = batch(29, seed=3)
    loss, gradients = plain(model, ids, labels)
    engine = prepare(model, settings, "cpu")
    engine.reserve(29)
    for _ in range(2):  # the second step uses the first one's buffers
        found = engine.loss(ids, labels)
        found.backward()
        assert float(found.detach()) == pytest.approx(loss, rel=1e-6)
        assert distance(taken(model), gradients) < CLOSE


@pytest.mark.parametrize("layers", [1, 2])
def test_models_of_one_or_two_layers_work(layers: int) -> None:
    model = tiny("llama", num_hidden_layers=layers)
    ids, labels = batch(9)
    _, gradients = plain(model, ids, labels)
    prepare(model, EngineSettings(spacing=2), "cpu").loss(ids, labels).backward()
    assert distance(taken(model), gradients) < CLOSE


@pytest.mark.parametrize("seed", range(4))
def test_odd_lengths_and_settings_drawn_at_random_agree(seed: int) -> None:
    draw = random.Random(seed)  # noqa: S311
    tokens = draw.choice([2, 3, 17, 31, 65])
    settings = EngineSettings(
        groups=draw.choice([1, 2, 4]),
        tile=draw.choice([1, 7, 64]),
        spacing=draw.choice([1, 2, 3]),
        stream=draw.random() < 0.5,
        keep=draw.choice(["inputs", "attention"]),
        head_rows=draw.choice([0, 13]),
        loss_rows=draw.choice([1, 4]),
    )
    model = tiny(draw.choice(list(CONFIGS)), nf4=draw.random() < 0.5, seed=seed)
    ids, labels = batch(tokens, draw.choice([0.1, 1.0]), seed)
    loss, gradients = plain(model, ids, labels)
    found = prepare(model, settings, "cpu").loss(ids, labels)
    found.backward()
    assert float(found.detach()) == pytest.approx(loss, rel=1e-5)
    assert distance(taken(model), gradients) < CLOSE


def test_half_precision_errs_no_more_than_plain_half_precision() -> None:
    half = tiny("qwen3").to(torch.bfloat16)
    ids, labels = batch(48)
    _, truth = plain(copy.deepcopy(half).double(), ids, labels)
    _, rough = plain(half, ids, labels)
    prepare(half, EngineSettings(groups=2, tile=16), "cpu").loss(ids, labels).backward()
    assert 1e-3 < distance(taken(half), truth) < distance(rough, truth) < 0.2


class _SameMask(nn.Module):
    """The dropout of one projection of the plain model, with the mask that the engine draws for the whole sequence."""

    def __init__(self, masks: Masks, rate: float, key: tuple[int, ...]) -> None:
        super().__init__()
        self.masks, self.p, self.key = masks, rate, key

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.masks.factor(x[0], self.p, self.key)


@pytest.mark.parametrize(
    "settings", [EngineSettings(), EngineSettings(keep="attention", spacing=2)], ids=["whole", "kept"]
)
def test_dropout_draws_the_same_masks_forward_and_backward(settings: EngineSettings) -> None:
    model = tiny("qwen3", dropout=0.25)
    ids, labels = batch(21, labelled=1.0)
    torch.manual_seed(5)
    found = prepare(model, settings, "cpu").loss(ids, labels)
    found.backward()
    gradients = taken(model)
    torch.manual_seed(5)
    masks = Masks(int(torch.randint(2**62, ())), active=True)
    for number, layer in enumerate(model.get_base_model().model.layers):
        block = (
            (layer.self_attn, ("q_proj", "k_proj", "v_proj", "o_proj")),
            (layer.mlp, ("gate_proj", "up_proj", "down_proj")),
        )
        kinds = iter((0, 0, 0, 1, 2, 2, 3))
        place = 0
        for owner, names in block:
            for name in names:
                key = (number, next(kinds), 0, 0, place)
                getattr(owner, name).lora_dropout["default"] = _SameMask(masks, 0.25, key)
                place += 1
    # the engine's last layer runs its MLP on the labelled tokens only: here all but the last
    last = model.get_base_model().model.layers[-1].mlp
    for name in ("gate_proj", "up_proj", "down_proj"):
        module = getattr(last, name).lora_dropout["default"]
        short = module.masks.factor(torch.empty(20, getattr(last, name).in_features), 0.25, module.key)
        module.forward = lambda x, mask=short: torch.cat((x[:, :20] * mask, x[:, 20:]), dim=1)
    loss, truth = plain(model, ids, labels)
    assert float(found.detach()) == pytest.approx(loss, rel=1e-5)
    assert distance(gradients, truth) < CLOSE


def test_dropout_is_off_in_evaluation() -> None:
    model = tiny("llama", dropout=0.5).eval()
    ids, labels = batch(15)
    with torch.no_grad():
        plainly = float(model(input_ids=ids, labels=labels).loss)
        found = prepare(model, EngineSettings(), "cpu").loss(ids, labels)
    assert float(found) == pytest.approx(plainly, rel=1e-6)


def test_evaluation_keeps_nothing_on_the_host() -> None:
    model = tiny("llama")
    ids, labels = batch(15)
    engine = prepare(model, EngineSettings(keep="attention"), "cpu")
    with torch.no_grad():
        engine.loss(ids, labels)
    assert engine.host_bytes == 0
    assert all(parameter.grad is None for parameter in model.parameters())


def test_sequences_packed_into_a_row_do_not_see_each_other() -> None:
    model = tiny("qwen2")
    ids, labels = batch(30, labelled=1.0)
    lengths = [11, 1, 18]
    engine = prepare(model, EngineSettings(groups=2, tile=8), "cpu")
    engine.loss(ids, labels, lengths=lengths).backward()
    packed = taken(model)
    items = sum(length - 1 for length in lengths)
    for row, mark in zip(ids[0].split(lengths), labels[0].split(lengths), strict=True):
        if row.numel() > 1:
            (model(input_ids=row[None], labels=mark[None]).loss * (row.numel() - 1) / items).backward()
    assert distance(packed, taken(model)) < CLOSE


def test_rows_of_a_padded_batch_are_sequences_of_their_own() -> None:
    model = tiny("mistral")
    ids, labels = batch(14, rows=2)
    mask = torch.ones_like(ids)
    mask[1, 9:] = 0
    labels[1, 9:] = -100
    loss, gradients = plain(model, ids, labels, attention_mask=mask)
    found = prepare(model, EngineSettings(), "cpu").loss(ids, labels, attention_mask=mask)
    found.backward()
    assert float(found.detach()) == pytest.approx(loss, rel=1e-6)
    assert distance(taken(model), gradients) < CLOSE


def test_accumulated_batches_give_the_gradient_of_all_their_labels() -> None:
    model = tiny("qwen3")
    parts = [batch(12, seed=1), batch(25, seed=2)]
    items = sum(int((labels[:, 1:] != -100).sum()) for _, labels in parts)
    engine = prepare(model, EngineSettings(), "cpu")
    for ids, labels in parts:
        engine.loss(ids, labels, num_items=items).backward()
    accumulated = taken(model)
    total = sum(
        nn.functional.cross_entropy(
            model(input_ids=ids).logits[0, :-1], labels[0, 1:], ignore_index=-100, reduction="sum"
        )
        for ids, labels in parts
    )
    (total / items).backward()  # type: ignore[union-attr]
    assert distance(accumulated, taken(model)) < CLOSE


def test_a_loss_scaled_before_backward_scales_the_gradients() -> None:
    model = tiny("llama")
    ids, labels = batch(10)
    engine = prepare(model, EngineSettings(), "cpu")
    engine.loss(ids, labels).backward()
    once = taken(model)
    (engine.loss(ids, labels) * 8).backward()
    assert distance({name: one / 8 for name, one in taken(model).items()}, once) < 1e-6


def test_an_example_without_labels_is_refused() -> None:
    ids, labels = batch(10)
    engine = prepare(tiny("llama"), EngineSettings(), "cpu")
    with pytest.raises(TrainingError, match="no labelled token"):
        engine.loss(ids, torch.full_like(labels, -100))


def test_a_single_token_has_nothing_to_predict() -> None:
    engine = prepare(tiny("llama"), EngineSettings(), "cpu")
    with pytest.raises(TrainingError, match="no labelled token"):
        engine.loss(torch.tensor([[3]]), torch.tensor([[3]]))


def test_a_part_of_an_accumulated_batch_may_have_no_labels() -> None:
    model = tiny("llama")
    ids, labels = batch(10)
    loss = prepare(model, EngineSettings(), "cpu").loss(ids, torch.full_like(labels, -100), num_items=7)
    loss.backward()
    assert float(loss.detach()) == 0.0
    assert all(float(gradient.abs().max()) == 0.0 for gradient in taken(model).values())


def test_labels_only_at_the_start_train_only_on_them() -> None:
    model = tiny("qwen3")
    ids, labels = batch(20)
    labels[:, 4:] = -100
    labels[:, :4] = ids[:, :4]
    _, gradients = plain(model, ids, labels)
    prepare(model, EngineSettings(), "cpu").loss(ids, labels).backward()
    assert distance(taken(model), gradients) < CLOSE


def test_adapters_on_some_projections_only_work() -> None:
    model = tiny("qwen2", targets=["q_proj", "v_proj", "down_proj"])
    ids, labels = batch(17)
    _, gradients = plain(model, ids, labels)
    prepare(model, EngineSettings(groups=2), "cpu").loss(ids, labels).backward()
    assert distance(taken(model), gradients) < CLOSE


def test_a_closed_engine_leaves_a_model_that_runs_as_before() -> None:
    model = tiny("qwen3", nf4=True)
    ids, labels = batch(12)
    with torch.no_grad():
        before = model(input_ids=ids).logits
        engine = prepare(model, EngineSettings(stream=True, head="host"), "cpu")
        engine.loss(ids, labels)
        engine.close()
        assert torch.equal(model(input_ids=ids).logits, before)


def test_adapters_trained_by_the_engine_load_where_peft_does(tmp_path: Path) -> None:
    model = tiny("qwen3", nf4=True)
    ids, labels = batch(12)
    engine = prepare(model, EngineSettings(stream=True), "cpu")
    optimizer = torch.optim.AdamW([one for one in model.parameters() if one.requires_grad], lr=1e-2)
    first = engine.loss(ids, labels)
    first.backward()
    optimizer.step()
    with torch.no_grad():
        after = float(engine.loss(ids, labels))
    assert after < float(first.detach())
    model.save_pretrained(tmp_path)
    other = tiny("qwen3", nf4=True)
    other.load_adapter(tmp_path, "default")
    other.train()  # in evaluation, bitsandbytes takes a rougher product on the CPU
    with torch.no_grad():
        assert float(other(input_ids=ids, labels=labels).loss) == pytest.approx(after, rel=1e-6)


def test_a_step_frees_its_tensors() -> None:
    model = tiny("llama")
    ids, labels = batch(40)
    engine = prepare(model, EngineSettings(keep="attention", kept_on="device"), "cpu")

    def alive() -> int:
        gc.collect()
        return sum(1 for one in gc.get_objects() if isinstance(one, torch.Tensor))

    engine.loss(ids, labels).backward()
    once = alive()
    for _ in range(3):
        engine.loss(ids, labels).backward()
    assert alive() <= once


def test_backward_runs_once() -> None:
    ids, labels = batch(8)
    engine = prepare(tiny("llama"), EngineSettings(), "cpu")
    first = engine.loss(ids, labels)
    second = engine.loss(ids, labels)
    second.backward()
    with pytest.raises(RuntimeError, match="runs once"):
        first.backward()


@pytest.mark.parametrize("where", ["mlp_backward_", "attend_backward_", "mlp_", "attend"])
def test_memory_that_runs_out_leaves_parameters_and_optimiser_and_names_the_plan(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny("llama")
    engine = prepare(model, EngineSettings(spacing=2), "cpu", plan="8 tokens take 1.00 of 2.00 GiB")
    optimizer = torch.optim.AdamW([one for one in model.parameters() if one.requires_grad], lr=1e-2)
    ids, labels = batch(8)
    engine.loss(ids, labels).backward()
    optimizer.step()
    optimizer.zero_grad()
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    state = copy.deepcopy(optimizer.state_dict())

    def full(*_: object) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")

    with monkeypatch.context() as patch:
        patch.setattr(type(engine._worker), where, full)
        with pytest.raises(TrainingError, match=r"step of 8 tokens \(planned: 8 tokens take 1.00 of 2.00 GiB\)"):
            engine.loss(ids, labels).backward()
    assert all(torch.equal(parameter, before[name]) for name, parameter in model.named_parameters())
    assert str(optimizer.state_dict()) == str(state)
    model.zero_grad()
    engine.loss(ids, labels).backward()
    again = taken(model)
    _, gradients = plain(model, ids, labels)
    assert distance(again, gradients) < CLOSE


def test_roundings_do_not_grow_with_the_number_of_groups() -> None:
    half = tiny("qwen3", num_hidden_layers=6, num_key_value_heads=8).to(torch.bfloat16)
    ids, labels = batch(64)
    _, truth = plain(copy.deepcopy(half).double(), ids, labels)
    errors = []
    for groups in (1, 8):
        prepare(half, EngineSettings(groups=groups, tile=32), "cpu").loss(ids, labels).backward()
        errors.append(distance(taken(half), truth))
    assert errors[1] < 1.15 * errors[0]


def test_groups_that_do_not_divide_the_heads_are_refused() -> None:
    with pytest.raises(BadSetting, match="must divide the model's 4 key-value heads"):
        prepare(tiny("llama"), EngineSettings(groups=3), "cpu")


def test_inputs_of_different_shape_are_refused() -> None:
    engine = prepare(tiny("llama"), EngineSettings(), "cpu")
    with pytest.raises(BadSetting, match="must be alike"):
        engine.loss(torch.zeros(1, 4, dtype=torch.int64), torch.zeros(1, 5, dtype=torch.int64))
    with pytest.raises(BadSetting, match="add up to the 4 tokens"):
        engine.loss(torch.zeros(1, 4, dtype=torch.int64), torch.zeros(1, 4, dtype=torch.int64), lengths=[3, 2])
