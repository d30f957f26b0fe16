"""The outer loop: TRL's SFTTrainer with our loss, our checkpoints and our sums over devices in it.

Knows transformers' Trainer. What is overridden, and why:
- the loss: an engine gives it, in training and evaluation alike, divided by the labelled tokens of the whole
  accumulated batch over all devices, so that a token weighs the same wherever it stands;
- gradients are summed over processes once per optimiser step, by us: engines bypass the hooks of
  DistributedDataParallel, which would also not hold layers that wait in host memory;
- checkpoints are safetensors and JSON, whole or not there; the Trainer's own are pickles, written in place;
- evaluation adds up losses of tokens, per language, without logits;
- nothing is reported to anyone.
Does not know recipes, run folders or how an engine works.
"""
# ruff: noqa: ARG002 - the methods' arguments are the Trainer's

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, isfinite
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import TrainerCallback
from transformers.trainer_callback import PrinterCallback, ProgressCallback
from trl.trainer.sft_config import SFTConfig
from trl.trainer.sft_trainer import SFTTrainer

from fabai.errors import TrainingError

from . import checkpoint, state
from .batch import Collator, Order
from .engines import Runner
from .model import trainable


class Arguments(SFTConfig):
    """TRL's settings for a model that is where it belongs already."""

    @property
    def place_model_on_device(self) -> bool:
        return False


@dataclass
class Step:
    """What one optimiser step did."""

    loss: float = 0.0
    tokens: int = 0
    labelled: int = 0
    gradient_norm: float = 0.0
    learning_rate: float = 0.0
    seconds: float = 0.0
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Held:
    """The held-out examples, by place; they are gone through in order, so that no random number is drawn."""

    places: Sequence[int]
    languages: Sequence[str]
    collate: Collator


class Whole(nn.Module):
    """The model as the Trainer holds it: another object, so that the Trainer does not wrap it for several devices."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.module = model


class Trainer(SFTTrainer):
    """See the module's text. `on_step` and `on_evaluation` are called on every process."""

    def __init__(
        self,
        *,
        start: Callable[[], Runner],
        order: Order,
        held: Held,
        checkpoints: Path,
        keep: int,
        on_step: Callable[[int, float, Step], None],
        on_evaluation: Callable[[int, dict[str, float]], None],
        model: Any,
        **rest: Any,
    ) -> None:
        """start: starts the engine, once the model is in place. keep: checkpoints that stay."""
        self._trained = model
        exact = {name: one.detach().clone() for name, one in trainable(model).items()}
        super().__init__(model=model, **rest)
        # TRL rounds the adapters of a 4-bit model to bf16; small steps of the optimiser would be lost in that
        for name, one in trainable(model).items():
            one.data = exact[name].to(one.device)
        for shown in (PrinterCallback, ProgressCallback):
            self.remove_callback(shown)
        self.add_callback(_Hooks(order, self.told))
        self._order, self._held = order, held
        self._folder, self._keep = checkpoints, keep
        self._on_step, self._on_evaluation = on_step, on_evaluation
        self.evaluated = self.saved = -1
        self._found = Step()
        self._items = 0
        self._began = time.perf_counter()
        self.runner = start()

    @property
    def _made(self) -> Any:
        """The optimiser, which there is once training begins."""
        return self.optimizer

    @property
    def _schedule(self) -> Any:
        return self.lr_scheduler

    # the loss

    def get_batch_samples(
        self, epoch_iterator: Iterator[Any], num_batches: int, device: Any
    ) -> tuple[list[Any], int | None]:
        """The batches of one optimiser step, and their labelled tokens over all processes."""
        self._began = time.perf_counter()
        batches = []
        for _ in range(num_batches):
            batch = next(epoch_iterator, None)
            if batch is None:
                break
            batches.append(batch)
        self._items = int(self._summed([sum(batch["labelled"] for batch in batches)], device)[0])
        return batches, self._items

    def compute_loss(
        self, model: Any, inputs: Any, return_outputs: bool = False, num_items_in_batch: Tensor | int | None = None
    ) -> Tensor:
        """The engine's loss of a batch, as its share of the step."""
        items = inputs["labelled"] if num_items_in_batch is None else num_items_in_batch
        return self.runner.loss(inputs, max(1, int(items)))

    def training_step(self, model: nn.Module, inputs: Any, num_items_in_batch: Any = None) -> Tensor:
        """Forward and backward of one batch; after the last of a step the gradients are those of all processes."""
        self._trained.train()
        inputs = self._prepare_inputs(inputs)
        loss = self.compute_loss(self._trained, inputs, num_items_in_batch=self._items)
        value = loss.detach()
        if not bool(torch.isfinite(value)):
            raise TrainingError(
                f"the loss of {', '.join(inputs['examples'])} is not a number: lower the learning rate, or look at "
                "that example"
            )
        self.accelerator.backward(loss)
        found = self._found
        found.loss += float(value)
        found.tokens += int(inputs["tokens"])
        found.labelled += int(inputs["labelled"])
        found.examples += inputs["examples"]
        if self.accelerator.sync_gradients:
            self._finish_step()
        return value

    def _finish_step(self) -> None:
        gradients = [one.grad for one in trainable(self._trained).values() if one.grad is not None]
        if self.accelerator.num_processes > 1:
            flat = torch.cat([one.flatten() for one in gradients])
            torch.distributed.all_reduce(flat)
            parts: Any = flat.split([one.numel() for one in gradients])  # type: ignore[no-untyped-call]
            for one, part in zip(gradients, parts, strict=True):
                one.copy_(part.view_as(one))
        scaler = getattr(self.accelerator, "scaler", None)
        scale = 1.0 if scaler is None else float(scaler.get_scale())
        self._found.gradient_norm = float(nn.utils.get_total_norm(gradients)) / scale
        # fp16's loss scale skips such a step by itself and goes on with a smaller one
        if scaler is None and not isfinite(self._found.gradient_norm):
            raise TrainingError(
                f"the gradient of {', '.join(self._found.examples)} is not finite, and nothing was updated: lower the "
                "learning rate, look at these examples, or take another engine; what was saved goes on with --resume"
            )
        self._found.learning_rate = float(self._made.param_groups[0]["lr"])

    def _summed(self, numbers: Sequence[float], device: Any) -> list[float]:
        """Each number added up over all processes."""
        if self.accelerator.num_processes == 1:
            return list(numbers)
        found = torch.tensor(numbers, dtype=torch.float64, device=device)
        torch.distributed.all_reduce(found)
        return [float(one) for one in found]

    # evaluation

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Loss and perplexity of the held-out examples' labelled tokens, whole and per language."""
        languages = sorted(set(self._held.languages))
        sums = dict.fromkeys(languages, 0.0)
        counts = dict.fromkeys(languages, 0)
        mine = range(self.accelerator.process_index, len(self._held.places), self.accelerator.num_processes)
        self._trained.eval()
        with torch.no_grad():
            for at in mine:
                batch = self._prepare_inputs(self._held.collate([{"places": [self._held.places[at]]}]))
                language = self._held.languages[at]
                sums[language] += float(self.runner.loss(batch, 1))
                counts[language] += int(batch["labelled"])
        self._trained.train()
        both = self._summed([*sums.values(), *counts.values()], self.args.device)
        totals = dict(zip(languages, zip(both[: len(languages)], both[len(languages) :], strict=True), strict=True))
        found = _measures("eval", sum(one for one, _ in totals.values()), sum(count for _, count in totals.values()))
        for language, (total, count) in totals.items():
            if language:
                found |= _measures(f"eval_{language}", total, count)
        self.evaluated = self.state.global_step
        self._on_evaluation(self.evaluated, found)
        # takes the wish for an evaluation back
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, found)
        return found

    # checkpoints

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        """All that `--resume` needs, by rename."""
        generators = self._gathered(state.of_generators())
        if self.accelerator.is_main_process:
            step = self.state.global_step
            writing = None
            try:
                writing = checkpoint.Writing(self._folder, step)
                self.state.save_to_json(str(writing.path / "trainer_state.json"))
                scaler = getattr(self.accelerator, "scaler", None)
                writing.put("optimiser", state.of_optimiser(self._made))
                writing.put("schedule", self._schedule.state_dict())
                writing.put("scale", None if scaler is None else scaler.state_dict())
                writing.put("generators", generators)
                writing.put("adapters", {name: one.data for name, one in trainable(self._trained).items()})
                writing.finish(self._keep)
            except Exception as error:
                if writing is not None:
                    writing.give_up()
                if checkpoint.disk_full(error):
                    raise checkpoint.no_room(self._folder, step) from error
                raise
        self.saved = self.state.global_step
        self.accelerator.wait_for_everyone()

    def _gathered(self, own: Any) -> list[Any]:
        """What each process has, on the main one."""
        if self.accelerator.num_processes == 1:
            return [own]
        found: list[Any] = [None] * self.accelerator.num_processes
        torch.distributed.all_gather_object(found, own)
        return found

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        """The adapters' weights."""
        saved = checkpoint.Reading(Path(resume_from_checkpoint)).get("adapters")
        for name, one in trainable(self._trained).items():
            if name not in saved or saved[name].shape != one.shape:
                raise TrainingError(f"the checkpoint {resume_from_checkpoint} is of another adapter: it lacks {name}")
            one.data.copy_(saved[name])

    def _load_optimizer_and_scheduler(self, checkpoint_path: str | None) -> None:
        if checkpoint_path is not None:
            saved = checkpoint.Reading(Path(checkpoint_path))
            state.to_optimiser(self._made, saved.get("optimiser"))
            self._schedule.load_state_dict(saved.get("schedule"))

    def _load_scaler(self, checkpoint_path: str | None) -> None:
        scaler = getattr(self.accelerator, "scaler", None)
        if checkpoint_path is not None and scaler is not None:
            scaler.load_state_dict(checkpoint.Reading(Path(checkpoint_path)).get("scale"))

    def _load_rng_state(self, checkpoint_path: str | None) -> None:
        if checkpoint_path is not None:
            saved = checkpoint.Reading(Path(checkpoint_path)).get("generators")
            state.to_generators(saved[self.accelerator.process_index])

    # what the Trainer would do and we do not want

    def _get_train_sampler(self, *_: Any) -> Order:
        return self._order

    def _wrap_model(self, model: Any, *_: Any, **__: Any) -> Any:
        return model if isinstance(model, Whole) else Whole(model)

    def floating_point_ops(self, inputs: Any) -> int:
        """Not counted."""
        return 0

    def log(self, *_: Any, **__: Any) -> None:
        """`on_step` and `on_evaluation` have told it."""

    def _send_telemetry(self) -> None:
        """Nothing leaves this machine."""

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """The run's manifest says what is known."""

    def told(self) -> None:
        """Hand out what the last step did; `_Hooks` calls it after each."""
        found, self._found = self._found, Step()
        found.seconds = time.perf_counter() - self._began
        loss, tokens, labelled = self._summed([found.loss, found.tokens, found.labelled], self.args.device)
        found.loss, found.tokens, found.labelled = loss, int(tokens), int(labelled)
        found.examples = [one for own in self._gathered(found.examples) for one in own]
        self._on_step(self.state.global_step, float(self.state.epoch or 0.0), found)


class _Hooks(TrainerCallback):
    """Tells the order of rows which epoch begins, and the trainer when a step is done."""

    def __init__(self, order: Order, told: Callable[[], None]) -> None:
        self._order, self._told = order, told

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        # at an epoch's end the Trainer's count is a whole number, up to rounding
        self._order.epoch = int((state.epoch or 0.0) + 1e-6)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self._told()


def _measures(name: str, total: float, count: float) -> dict[str, float]:
    loss = total / count if count else 0.0
    return {f"{name}_loss": loss, f"{name}_perplexity": exp(min(loss, 80.0)), f"{name}_labelled": count}
