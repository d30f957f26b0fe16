"""A PEFT model read as what the engine works on: layers of projections and norms, embedding, final norm, head, rotary
angles.

Knows the module names of Llama-shaped decoders in transformers (Llama, Mistral, Qwen2, Qwen3) and of PEFT's LoRA
layers, and says by name what a model has that the engine cannot work. Does not know how anything is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from fabai.errors import BadSetting

from .frozen import Frozen
from .projection import Adapter, Projection

FAMILIES = ("llama", "mistral", "qwen2", "qwen3")


@dataclass(frozen=True)
class Norm:
    """An RMSNorm: weight [n] and epsilon."""

    module: nn.Module
    eps: float

    @property
    def weight(self) -> Tensor:
        """The frozen weight where it lives now."""
        weight: Any = self.module.weight
        return weight.detach()  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class Layer:
    """One decoder layer."""

    q: Projection
    k: Projection
    v: Projection
    o: Projection
    gate: Projection
    up: Projection
    down: Projection
    before_attention: Norm
    before_mlp: Norm
    q_norm: Norm | None
    k_norm: Norm | None
    window: int | None

    @property
    def projections(self) -> tuple[Projection, ...]:
        """All seven."""
        return (self.q, self.k, self.v, self.o, self.gate, self.up, self.down)

    @property
    def norms(self) -> tuple[Norm, ...]:
        """Those there are."""
        found = (self.before_attention, self.before_mlp, self.q_norm, self.k_norm)
        return tuple(norm for norm in found if norm is not None)


@dataclass(frozen=True, eq=False)
class Decoder:
    """The whole model. embedding and head [V, D] may be one tied parameter."""

    family: str
    layers: tuple[Layer, ...]
    embedding: nn.Parameter
    head: nn.Parameter
    norm: Norm
    rotary: Any
    heads: int
    kv_heads: int
    head_dim: int
    hidden: int
    intermediate: int
    scale: float

    def parameters(self) -> Iterator[nn.Parameter]:
        """The adapters' parameters."""
        for layer in self.layers:
            for projection in layer.projections:
                if projection.adapter is not None:
                    yield projection.adapter.a
                    yield projection.adapter.b

    def angles(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """cos and sin [T, head_dim / 2] fp32 by the model's own rotary rule (so YaRN and Llama 3 scaling are the
        model's).
        """
        like = torch.empty(0, dtype=torch.float32, device=positions.device)
        with torch.no_grad():
            cos, sin = self.rotary(like, positions[None])
        half = self.head_dim // 2
        return cos[0, :, :half].float().contiguous(), sin[0, :, :half].float().contiguous()


def read(model: nn.Module) -> Decoder:
    """The decoder of a PEFT model (or of a bare transformers model); BadSetting names what the engine cannot work."""
    owner: Any = model
    core = owner.get_base_model() if hasattr(owner, "get_base_model") else owner
    config = core.config
    family = str(config.model_type)
    if family not in FAMILIES:
        raise BadSetting(
            f"the fabai engine works {', '.join(FAMILIES)} models, not '{family}'; set engine to 'plain' for this one"
        )
    if config.hidden_act not in ("silu", "swish"):
        raise _unsupported(f"the activation '{config.hidden_act}'")
    if getattr(config, "attention_dropout", 0.0):
        raise _unsupported("attention dropout")
    body = core.model
    if type(body.embed_tokens) is not nn.Embedding:
        raise _unsupported("an adapter on the embedding")
    if type(core.lm_head) is not nn.Linear or core.lm_head.bias is not None:
        raise _unsupported("an adapter, a bias or a quantised weight on the head")
    first = body.layers[0].self_attn
    layers = tuple(_layer(layer) for layer in body.layers)
    return Decoder(
        family=family,
        layers=layers,
        embedding=body.embed_tokens.weight,
        head=core.lm_head.weight,
        norm=_norm(body.norm),
        rotary=body.rotary_emb,
        heads=config.num_attention_heads,
        kv_heads=config.num_key_value_heads,
        head_dim=first.head_dim,
        hidden=config.hidden_size,
        intermediate=config.intermediate_size,
        scale=float(first.scaling),
    )


def _layer(layer: Any) -> Layer:
    attention, mlp = layer.self_attn, layer.mlp
    linear = (
        attention.q_proj,
        attention.k_proj,
        attention.v_proj,
        attention.o_proj,
        mlp.gate_proj,
        mlp.up_proj,
        mlp.down_proj,
    )
    q, k, v, o, gate, up, down = (_projection(number, module) for number, module in enumerate(linear))
    q_norm, k_norm = getattr(attention, "q_norm", None), getattr(attention, "k_norm", None)
    window = getattr(attention, "sliding_window", None)
    if window is None and attention.config.model_type == "mistral":
        window = getattr(attention.config, "sliding_window", None)
    return Layer(
        q, k, v, o, gate, up, down,
        before_attention=_norm(layer.input_layernorm),
        before_mlp=_norm(layer.post_attention_layernorm),
        q_norm=None if q_norm is None else _norm(q_norm),
        k_norm=None if k_norm is None else _norm(k_norm),
        window=window,
    )  # fmt: skip


def _norm(module: Any) -> Norm:
    return Norm(module, float(module.variance_epsilon))


def _projection(number: int, module: Any) -> Projection:
    base = module.base_layer if hasattr(module, "base_layer") else module
    weight = base.weight
    state = getattr(weight, "quant_state", None)
    if state is None and not (isinstance(base, nn.Linear) and weight.dtype.is_floating_point):
        raise _unsupported(f"{type(base).__name__} layers with weights of type {weight.dtype}")
    if state is not None and state.quant_type not in ("nf4", "fp4"):
        raise _unsupported(f"{state.quant_type} weights")
    bias = None if base.bias is None else base.bias.detach()
    return Projection(number, Frozen(base), bias, _adapter(module) if hasattr(module, "lora_A") else None)


def _adapter(module: Any) -> Adapter | None:
    active = [name for name in module.active_adapters if name in module.lora_A]
    if not active or module.disable_adapters:
        return None
    if len(active) > 1:
        raise _unsupported(f"several active adapters ({', '.join(active)})")
    if module.merged:
        raise BadSetting("the adapter is merged into the base weights; unmerge it before training")
    name = active[0]
    if name in module.lora_variant:
        raise _unsupported(f"the LoRA variant {type(module.lora_variant[name]).__name__}")
    if module.lora_bias[name]:
        raise _unsupported("a bias in the adapter")
    dropout = float(getattr(module.lora_dropout[name], "p", 0.0))
    return Adapter(module.lora_A[name].weight, module.lora_B[name].weight, float(module.scaling[name]), dropout)


def _unsupported(what: str) -> BadSetting:
    return BadSetting(f"the fabai engine does not work {what}; set engine to 'plain' for this model")
