"""What one decoder layer does, forward and backward, in tiles of tokens and groups of KV heads.

Knows the arithmetic of a Llama-shaped layer and its derivative by hand, with the attention output kept and replayed.
Does not know which layer comes next, or where inputs and outputs wait meanwhile.
Shapes: x, h, and their gradients [T, D]; a group's raw product [T, (q heads + 2 kv heads) * d].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from .architecture import Decoder, Layer, Norm
from .attention import Attention, Spans
from .elementwise import Elementwise
from .projection import Gradients, Masks, NarrowProduct, WideProduct
from .settings import EngineSettings

# keys of dropout masks, beside layer, group, first token and projection
_QKV, _OUT, _GATE_UP, _DOWN = range(4)


@dataclass(frozen=True)
class Scene:
    """What is fixed during a step: rotary angles [T, d/2], the packed sequences, the dropout masks."""

    cos: Tensor
    sin: Tensor
    spans: Spans
    masks: Masks


@dataclass(frozen=True)
class Worker:
    """Works layers of one decoder under given settings."""

    decoder: Decoder
    settings: EngineSettings
    attention: Attention
    elementwise: Elementwise
    dtype: torch.dtype

    def attend(
        self, number: int, x: Tensor, scene: Scene, keep: Callable[[int, Tensor, Tensor, Tensor], None]
    ) -> Tensor:
        """The residual after attention, x + o(attention(x)); keep(group, raw, out, logsumexp) puts away what backward
        needs.
        """
        layer = self.decoder.layers[number]
        outs: list[Tensor] = []
        for group in range(self.settings.groups):
            raw = self._project(number, group, x, scene)
            q, k, v = self._turned(layer, raw, scene)
            out, logsumexp = self.attention.forward(q, k, v, scene.spans, self.decoder.scale, layer.window)
            del q, k
            outs.append(out)
            keep(group, raw, out, logsumexp)
            del raw, v, out, logsumexp
        return self._with_outputs(number, x, outs, scene)

    def attend_again(self, number: int, x: Tensor, scene: Scene, out: Callable[[int], Tensor]) -> Tensor:
        """As `attend`, from the kept attention output of each group."""
        return self._with_outputs(number, x, [out(group) for group in range(self.settings.groups)], scene)

    def attend_backward_(
        self, number: int, x: Tensor, dh: Tensor, scene: Scene, gradients: Gradients,
        kept: Callable[[int], tuple[Tensor | None, Tensor, Tensor]],
    ) -> None:  # fmt: skip
        """dh becomes dx; kept(group) gives (raw or None, out, logsumexp)."""
        layer = self.decoder.layers[number]
        norm = layer.before_attention
        o = NarrowProduct(layer.o, self.dtype)
        dn: Tensor | None = None
        for group in range(self.settings.groups):
            raw, out, logsumexp = kept(group)
            grad = self._output_backward(number, group, o, out, dh, scene, gradients)
            if raw is None:
                raw = self._project(number, group, x, scene)
            q, k, v = self._turned(layer, raw, scene)
            dq, dk, dv = self.attention.backward(
                grad, q, k, v, out, logsumexp, scene.spans, self.decoder.scale, layer.window
            )
            del q, k, v, out, logsumexp, grad
            self._turned_backward_(layer, raw, dq, dk, dv, scene)
            del dq, dk, dv
            dn = self._project_backward(number, group, x, raw, dn, scene, gradients)
            del raw
        assert dn is not None
        for tile in self._tiles(x):
            self.elementwise.add_rms_backward_(dh[tile], x[tile], norm.weight, norm.eps, dn[tile])

    def mlp_(self, number: int, h: Tensor, scene: Scene) -> Tensor:
        """h becomes h + mlp(h), and is returned."""
        layer = self.decoder.layers[number]
        gate_up, down = self._mlp_products(layer)
        for tile in self._tiles(h):
            room = self._normed(gate_up, layer.before_mlp, h[tile])
            wide = gate_up.forward(room, scene.masks, (number, _GATE_UP, 0, tile.start))
            del room
            inner = self.elementwise.swiglu(wide)
            del wide
            down.add_(h[tile], inner, scene.masks, (number, _DOWN, 0, tile.start))
            del inner
        return h

    def mlp_backward_(self, number: int, h: Tensor, dy: Tensor, scene: Scene, gradients: Gradients) -> None:
        """dy becomes dh."""
        layer, masks = self.decoder.layers[number], scene.masks
        norm = layer.before_mlp
        gate_up, down = self._mlp_products(layer)
        for tile in self._tiles(h):
            upper, lower = (number, _DOWN, 0, tile.start), (number, _GATE_UP, 0, tile.start)
            room = self._normed(gate_up, norm, h[tile])
            wide = gate_up.forward(room, masks, lower)
            inner = wide.new_empty(wide.shape[0], layer.down.frozen.columns)
            down.backward(dy[tile], inner, masks, upper, out=inner)
            self.elementwise.swiglu_backward_(wide, inner)
            down.gather(inner, dy[tile], masks, upper, gradients)
            del inner
            dn = torch.empty_like(h[tile])
            gate_up.backward(room, wide, masks, lower, gradients, into=dn, add=False)
            del wide, room
            self.elementwise.add_rms_backward_(dy[tile], h[tile], norm.weight, norm.eps, dn)
            del dn

    def _tiles(self, x: Tensor) -> Iterator[slice]:
        size = self.settings.tile
        return (slice(start, min(start + size, x.shape[0])) for start in range(0, x.shape[0], size))

    def _mlp_products(self, layer: Layer) -> tuple[WideProduct, NarrowProduct]:
        rows = slice(0, layer.gate.frozen.rows)
        return WideProduct([(layer.gate, rows), (layer.up, rows)], self.dtype), NarrowProduct(layer.down, self.dtype)

    def _normed(self, product: WideProduct, norm: Norm, x: Tensor) -> Tensor:
        """Room for a product with its input, the normed x, in place."""
        room = product.room(x)
        self.elementwise.rms(x, norm.weight, norm.eps, room[:, : product.columns])
        return room

    def _heads(self) -> tuple[int, int]:
        """Query and KV heads of a group."""
        return self.decoder.heads // self.settings.groups, self.decoder.kv_heads // self.settings.groups

    def _columns(self, group: int) -> slice:
        width = self._heads()[0] * self.decoder.head_dim
        return slice(group * width, (group + 1) * width)

    def _qkv(self, layer: Layer, group: int) -> WideProduct:
        width = self._heads()[1] * self.decoder.head_dim
        keys = slice(group * width, (group + 1) * width)
        return WideProduct([(layer.q, self._columns(group)), (layer.k, keys), (layer.v, keys)], self.dtype)

    def _project(self, number: int, group: int, x: Tensor, scene: Scene) -> Tensor:
        layer = self.decoder.layers[number]
        heads, kv_heads = self._heads()
        product = self._qkv(layer, group)
        raw = x.new_empty(x.shape[0], (heads + 2 * kv_heads) * self.decoder.head_dim)
        for tile in self._tiles(x):
            room = self._normed(product, layer.before_attention, x[tile])
            product.forward(room, scene.masks, (number, _QKV, group, tile.start), out=raw[tile])
        return raw

    def _project_backward(
        self, number: int, group: int, x: Tensor, draw: Tensor, dn: Tensor | None, scene: Scene, gradients: Gradients
    ) -> Tensor:
        norm = self.decoder.layers[number].before_attention
        product = self._qkv(self.decoder.layers[number], group)
        total = torch.empty_like(x) if dn is None else dn
        for tile in self._tiles(x):
            room, key = self._normed(product, norm, x[tile]), (number, _QKV, group, tile.start)
            product.fill(room, scene.masks, key)
            product.backward(room, draw[tile], scene.masks, key, gradients, into=total[tile], add=dn is not None)
        return total

    def _split(self, raw: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        heads, kv_heads = self._heads()
        q, k, v = raw.unflatten(1, (-1, self.decoder.head_dim)).split((heads, kv_heads, kv_heads), dim=1)  # type: ignore[no-untyped-call]
        return q, k, v

    def _turned(self, layer: Layer, raw: Tensor, scene: Scene) -> tuple[Tensor, Tensor, Tensor]:
        """q and k normed and rotated, [T, heads, d] each; v as a view of raw."""
        q_raw, k_raw, v = self._split(raw)
        q, k = (one.new_empty(one.shape) for one in (q_raw, k_raw))
        for source, target, norm in ((q_raw, q, layer.q_norm), (k_raw, k, layer.k_norm)):
            weight, eps = (None, 0.0) if norm is None else (norm.weight, norm.eps)
            self.elementwise.rotate(source, target, weight, eps, scene.cos, scene.sin)
        return q, k, v

    def _turned_backward_(self, layer: Layer, raw: Tensor, dq: Tensor, dk: Tensor, dv: Tensor, scene: Scene) -> None:
        """raw becomes its gradient."""
        q_raw, k_raw, v = self._split(raw)
        for target, grad, norm in ((q_raw, dq, layer.q_norm), (k_raw, dk, layer.k_norm)):
            weight, eps = (None, 0.0) if norm is None else (norm.weight, norm.eps)
            self.elementwise.rotate_backward_(target, grad, weight, eps, scene.cos, scene.sin)
        v.copy_(dv)

    def _with_outputs(self, number: int, x: Tensor, outs: list[Tensor], scene: Scene) -> Tensor:
        """x + o(outs), the groups' outputs side by side: added one after the other, each would round the sum again."""
        o = WideProduct([(self.decoder.layers[number].o, slice(0, x.shape[1]))], self.dtype, pieces=len(outs))
        h = x.clone()
        for tile in self._tiles(h):
            room = o.room(x[tile])
            torch.cat([out[tile].flatten(1) for out in outs], dim=1, out=room[:, : o.columns])
            o.add_(h[tile], room, scene.masks, (number, _OUT, 0, tile.start))
        return h

    def _output_backward(
        self, number: int, group: int, o: NarrowProduct, out: Tensor, dh: Tensor, scene: Scene, gradients: Gradients
    ) -> Tensor:
        flat = out.flatten(1)
        grad = torch.empty_like(flat)
        for tile in self._tiles(dh):
            key = (number, _OUT, group, tile.start)
            o.backward(dh[tile], flat[tile], scene.masks, key, self._columns(group), out=grad[tile])
            o.gather(flat[tile], dh[tile], scene.masks, key, gradients, self._columns(group))
        return grad.view(out.shape)
