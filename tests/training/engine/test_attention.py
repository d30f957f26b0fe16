"""Attention by its definition equals PyTorch's, packed, grouped, windowed; the fast kernels equal it on a card."""

from __future__ import annotations

import pytest
import torch
from fabai.training.engine.attention import Cudnn, Flash, Reference, Spans, choose
from torch.nn.functional import scaled_dot_product_attention

from fabai.errors import BadSetting, MissingPart

CPU = torch.device("cpu")


@pytest.mark.parametrize("window", [None, 4])
@pytest.mark.parametrize("lengths", [[13], [600], [5, 1, 7]])
def test_output_and_derivatives_equal_autograds(lengths: list[int], window: int | None) -> None:
    total = sum(lengths)
    torch.manual_seed(0)
    q, k, v = (torch.randn(total, heads, 8, dtype=torch.float64, requires_grad=True) for heads in (6, 2, 2))
    place = torch.arange(total)
    owner = torch.repeat_interleave(torch.arange(len(lengths)), torch.tensor(lengths))
    seen = (place[:, None] >= place[None]) & (owner[:, None] == owner[None])
    if window is not None:
        seen &= place[:, None] - place[None] < window
    wide = (one.transpose(0, 1)[None] for one in (q, k.repeat_interleave(3, 1), v.repeat_interleave(3, 1)))
    wanted = scaled_dot_product_attention(*wide, attn_mask=seen, scale=0.3)[0].transpose(0, 1)
    grad = torch.randn_like(wanted)
    wanted.backward(grad)
    spans, found = Spans.of(lengths, CPU), [one.detach() for one in (q, k, v)]
    out, sums = Reference().forward(*found, spans, 0.3, window)
    torch.testing.assert_close(out, wanted.detach())
    slopes = Reference().backward(grad, *found, out, sums, spans, 0.3, window)
    for slope, one in zip(slopes, (q, k, v), strict=True):
        torch.testing.assert_close(slope, one.grad)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA card")
@pytest.mark.parametrize("kernel", [Flash(), Cudnn()], ids=["flash", "cudnn"])
def test_the_fast_kernels_replay_a_kept_output_also_of_equal_sequences_in_rows_of_other_lengths(
    kernel: Flash | Cudnn,
) -> None:
    for lengths in ([300, 1, 399], [300], [80, 300, 1, 399, 5]):
        total, spans = sum(lengths), Spans.of(lengths, torch.device("cuda"))
        q, k, v = torch.randn(total, 12, 128, device="cuda", dtype=torch.bfloat16).split((8, 2, 2), 1)
        grad = torch.randn(total, 8, 128, device="cuda", dtype=torch.bfloat16)
        wanted = Reference().forward(q, k, v, spans, 0.1, None)
        found = kernel.forward(q, k, v, spans, 0.1, None)
        slopes = [
            one.backward(grad, q, k, v, *both, spans, 0.1, None)
            for one, both in ((Reference(), wanted), (kernel, found))
        ]
        for one, other in zip((*wanted, *slopes[0]), (*found, *slopes[1]), strict=True):
            assert float((one.double() - other.double()).norm() / one.double().norm()) < 5e-3


def test_the_processor_gets_the_reference() -> None:
    assert choose("auto", CPU, torch.float32, windowed=False).name == "reference"


@pytest.mark.parametrize("name", ["flash", "cudnn"])
def test_a_fast_kernel_without_a_card_is_refused(name: str) -> None:
    with pytest.raises(MissingPart, match=f"'{name}' needs a CUDA card"):
        choose(name, CPU, torch.bfloat16, windowed=False)  # type: ignore[arg-type]


def test_an_old_card_gets_the_reference_and_is_refused_flash(monkeypatch: pytest.MonkeyPatch) -> None:
    card = torch.device("cuda")
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: (7, 5))
    assert choose("auto", card, torch.float16, windowed=False).name == "reference"
    with pytest.raises(MissingPart, match=r"compute capability 7\.5"):
        choose("flash", card, torch.float16, windowed=False)


def test_flash_does_not_compute_in_fp32(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _: (8, 0))
    with pytest.raises(BadSetting, match="bf16 or fp16"):
        choose("flash", torch.device("cuda"), torch.float32, windowed=False)
