"""The model that is trained: a frozen base, in 4 bits or not, with LoRA adapters on it; new ones or a released one's.

Knows transformers, PEFT, bitsandbytes and Unsloth's loader. Does not know data, steps or where a model is looked for.
Only safetensors are read, and never code that comes with a model.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

from fabai.errors import TrainingError, UnreadableFile

from .machine import Dtype
from .recipe import Recipe
from .shape import shape_of

ADAPTER = "adapter_config.json"


def load(
    recipe: Recipe, folder: Path, device: str, dtype: Dtype, attention: str, parent: Path | None = None
) -> Any:  # fmt: skip
    """A PEFT model ready for an engine. device: "cpu", "cuda:0" ...; parent: an adapter's folder to go on from."""
    import torch

    transformers: Any = importlib.import_module("transformers")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    transformers.set_seed(recipe.seed)
    number: torch.dtype = getattr(torch, dtype)
    if recipe.engine == "unsloth":
        return _unsloth(recipe, folder, number, parent)
    how: dict[str, Any] = {
        "dtype": number, "device_map": {"": device}, "attn_implementation": attention, "local_files_only": True,
        "use_safetensors": True, "trust_remote_code": False,
    }  # fmt: skip
    config: Any = transformers.AutoConfig.from_pretrained(str(folder), local_files_only=True, trust_remote_code=False)
    if recipe.quantisation == "nf4" and getattr(config, "quantization_config", None) is None:
        how["quantization_config"] = transformers.BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=recipe.double_quantisation,
            bnb_4bit_compute_dtype=number,
        )
    if (factor := rope_factor(recipe, folder)) > 1:
        config.rope_parameters = with_yarn(config.rope_parameters, factor, learnt(folder))
    try:
        base = transformers.AutoModelForCausalLM.from_pretrained(str(folder), config=config, **how)
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableFile(f"the model {folder} cannot be loaded: {_sentence(error)}") from error
    return _with_adapters(recipe, base, parent)


def learnt(folder: Path) -> int:
    """Positions that the model has learnt."""
    from .plan import positions

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return positions(shape_of(str(folder)).family, int(config.get("max_position_embeddings", 0)))


def rope_factor(recipe: Recipe, folder: Path, longest: int = 0) -> float:
    """YaRN's factor: the recipe's, else what max_tokens needs; 1.0 where the model has learnt that much.

    longest: tokens of the longest example, where that is known; it counts where rows are packed, since max_tokens is
    then the length of a row and each example in it begins at position 0.
    """
    if recipe.rope_factor:
        return recipe.rope_factor
    known, needed = learnt(folder), longest if recipe.packing and longest else recipe.max_tokens
    # in tenths, rounded up
    return 1.0 if not known or needed <= known else -(-10 * needed // known) / 10


def with_yarn(rope: dict[str, Any], factor: float, known: int) -> dict[str, Any]:
    """transformers' rope_parameters with YaRN; the same belongs into the configuration that serves the adapter."""
    return {
        "rope_type": "yarn", "rope_theta": rope["rope_theta"], "factor": factor,
        "original_max_position_embeddings": known,
    }  # fmt: skip


def base_of(adapter: Path) -> dict[str, Any]:
    """What an adapter's folder says of itself."""
    try:
        return dict(json.loads((adapter / ADAPTER).read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{adapter / ADAPTER} cannot be read: {error}") from None


def adapter_folder(release: Path) -> Path:
    """The adapter inside a release or a run, or the folder itself."""
    for path in (release, release / "adapter"):
        if (path / ADAPTER).is_file():
            return path
    raise UnreadableFile(f"{release} holds no adapter ({ADAPTER}); give a release, a run or an adapter's folder")


def check_parent(recipe: Recipe, parent: Path, base: str) -> None:
    """Refuse an adapter that the recipe's settings do not fit."""
    said = base_of(parent)
    wanted = {"rank": "r", "alpha": "lora_alpha", "rank_stabilised": "use_rslora"}
    differing = [
        f"{name} is {said.get(key)} there and {getattr(recipe, name)} here"
        for name, key in wanted.items()
        if said.get(key) != getattr(recipe, name)
    ]
    other = str(said.get("base_model_name_or_path"))
    if other != base and Path(other).name != Path(base).name:
        differing.insert(0, f"its base is {other} and the recipe's is {base}")
    if differing:
        raise TrainingError(f"the recipe does not fit the adapter {parent}: {'; '.join(differing)}")


def trainable(model: Any) -> dict[str, Any]:
    """The adapters' parameters by name."""
    return {name: one for name, one in model.named_parameters() if one.requires_grad}


def save_adapter(model: Any, tokenizer: Any, base: str, target: Path) -> None:
    """PEFT's layout: adapter_config.json, adapter_model.safetensors, and the tokenizer, so that a Writer loads it."""
    config = model.peft_config[model.active_adapter]
    config.base_model_name_or_path = base
    model.save_pretrained(str(target), save_embedding_layers=False)
    # a form with gaps
    (target / "README.md").unlink(missing_ok=True)
    tokenizer.save_pretrained(str(target))


def _with_adapters(recipe: Recipe, base: Any, parent: Path | None) -> Any:
    from peft import LoraConfig, PeftModel, get_peft_model

    if parent is not None:
        config: Any = LoraConfig.from_pretrained(str(parent), local_files_only=True)
        config.lora_dropout, config.inference_mode = recipe.dropout, False
        model: Any = PeftModel.from_pretrained(
            base, str(parent), config=config, is_trainable=True, local_files_only=True
        )
    else:
        model = get_peft_model(
            base,
            LoraConfig(
                task_type="CAUSAL_LM",
                r=recipe.rank,
                lora_alpha=recipe.alpha,
                lora_dropout=recipe.dropout,
                use_rslora=recipe.rank_stabilised,
                target_modules=recipe.modules,
            ),
        )
    # layers that run again in the backward pass give gradients only to inputs that want them
    base.enable_input_require_grads()
    return model.train()


def _unsloth(recipe: Recipe, folder: Path, dtype: Any, parent: Path | None) -> Any:
    from unsloth import FastLanguageModel

    model, _ = FastLanguageModel.from_pretrained(
        str(parent or folder),
        max_seq_length=recipe.max_tokens,
        load_in_4bit=recipe.quantisation == "nf4",
        dtype=dtype,
    )
    if parent is not None:
        return model.train()
    targets = recipe.modules
    if isinstance(targets, str):
        targets = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
    return FastLanguageModel.get_peft_model(
        model,
        r=recipe.rank,
        lora_alpha=recipe.alpha,
        lora_dropout=recipe.dropout,
        use_rslora=recipe.rank_stabilised,
        target_modules=targets,
        bias="none",
        use_gradient_checkpointing="unsloth" if recipe.offload == "host" else True,
        random_state=recipe.seed,
        max_seq_length=recipe.max_tokens,
    ).train()


def _sentence(error: Exception) -> str:
    return str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
