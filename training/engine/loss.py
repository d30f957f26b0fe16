"""The loss of labelled tokens and its gradient, formed together so that logits exist for a few rows and some
vocabulary at once.

Knows: final norm, head matrix on the device or uploaded in blocks from the host, cross entropy. Does not know which
tokens are labelled or how the loss is scaled.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from .architecture import Norm
from .elementwise import Elementwise
from .settings import EngineSettings
from .traffic import HostBuffer, Ticket, Traffic


class Head:
    """The matrix [V, D] of the last product, where `settings.head` says."""

    def __init__(
        self, matrix: nn.Parameter, norm: Norm, elementwise: Elementwise, settings: EngineSettings, traffic: Traffic
    ):
        self._norm, self._elementwise, self._traffic = norm, elementwise, traffic
        self._rows = settings.loss_rows
        self._vocabulary = matrix.shape[0]
        self._block = settings.head_rows or self._vocabulary
        self._buffer: HostBuffer | None = None
        if settings.head == "device":
            matrix.data = matrix.data.to(traffic.device)
        elif traffic.device.type == "cuda":
            self._buffer = HostBuffer(matrix.nbytes, settings.pinned)
            home = self._buffer.view(matrix.shape, matrix.dtype)
            home.copy_(matrix.data)
            matrix.data = home
        self._matrix = matrix

    @property
    def host_bytes(self) -> int:
        """Bytes of host memory held."""
        return 0 if self._buffer is None else self._buffer.size

    def release(self) -> None:
        """Give the matrix memory of its own again."""
        if self._buffer is not None:
            self._matrix.data = self._matrix.data.clone()
            self._buffer.close()
            self._buffer = None

    def loss(self, y: Tensor, targets: Tensor, gradient: bool) -> tuple[Tensor, Tensor | None]:
        """y [n, D], targets [n]: the summed cross entropy (fp32 scalar), and its gradient with respect to y where
        wanted.
        """
        wide = torch.promote_types(y.dtype, torch.float32)
        total = torch.zeros((), dtype=wide, device=y.device)
        dy = torch.zeros_like(y) if gradient else None
        for start in range(0, y.shape[0], self._rows):
            rows = slice(start, min(start + self._rows, y.shape[0]))
            n = self._elementwise.rms(y[rows], self._norm.weight, self._norm.eps, torch.empty_like(y[rows]))
            found, dn = self._rows_loss(n, targets[rows], gradient)
            total += found
            if dy is not None and dn is not None:
                self._elementwise.add_rms_backward_(
                    dy[rows], y[rows], self._norm.weight, self._norm.eps, dn.to(y.dtype)
                )
        return total, dy

    def _rows_loss(self, n: Tensor, targets: Tensor, gradient: bool) -> tuple[Tensor, Tensor | None]:
        wide = torch.promote_types(n.dtype, torch.float32)
        sums = torch.full((n.shape[0],), float("-inf"), dtype=wide, device=n.device)
        hits = torch.zeros(n.shape[0], dtype=wide, device=n.device)
        logits: Tensor | None = None
        for first, matrix in self._blocks(n.dtype):
            logits = _wide_product(n, matrix)
            inside = (targets >= first) & (targets < first + matrix.shape[0])
            local = (targets - first).clamp(0, matrix.shape[0] - 1)
            hits += torch.where(inside, logits.gather(1, local[:, None])[:, 0], 0)
            sums = torch.logaddexp(sums, logits.logsumexp(-1))
        loss = (sums - hits).sum()
        if not gradient:
            return loss, None
        whole = self._block >= self._vocabulary
        dn: Tensor | None = None
        for first, matrix in self._blocks(n.dtype):
            if not whole or logits is None:
                logits = _wide_product(n, matrix)
            slope = logits.sub_(sums[:, None]).exp_()
            inside = ((targets >= first) & (targets < first + matrix.shape[0])).nonzero()[:, 0]
            slope[inside, targets[inside] - first] -= 1
            part = (slope.to(n.dtype) @ matrix).to(wide)
            dn = part if dn is None else dn.add_(part)
            del slope
            logits = None
        return loss, dn

    def _blocks(self, dtype: torch.dtype) -> Iterator[tuple[int, Tensor]]:
        """(first row, rows of the matrix on the device); the next block is uploaded while one is worked on."""
        starts = range(0, self._vocabulary, self._block)
        if self._matrix.device == self._traffic.device:
            for start in starts:
                yield start, self._matrix.detach()[start : start + self._block].to(dtype)
            return
        ahead = self._upload(0)
        for start in starts:
            (block, ticket), ahead = ahead, self._upload(start + self._block)
            ticket.wait()
            yield start, block.to(dtype)

    def _upload(self, start: int) -> tuple[Tensor, Ticket]:
        source = self._matrix.detach()[start : start + self._block]
        target = torch.empty(source.shape, dtype=source.dtype, device=self._traffic.device)
        return target, self._traffic.weights(source, target)


def _wide_product(n: Tensor, matrix: Tensor) -> Tensor:
    """n matrix' in fp32, summed from halves without rounding in between where the device can."""
    if n.is_cuda and n.dtype in (torch.bfloat16, torch.float16):
        return torch.mm(n, matrix.t(), out_dtype=torch.float32)
    return (n @ matrix.t()).to(torch.promote_types(n.dtype, torch.float32))
