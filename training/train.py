"""Training: a prepared run is carried out, or gone on with, and leaves an adapter, a manifest, metrics and a picture.

Knows the order of the work and what to say when memory runs out. The outer loop is `trainer`, the steps are `engines`.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from math import isfinite
from pathlib import Path
from typing import Any, Protocol

import torch

from fabai.errors import FabaiError, TrainingError

from . import advice, checkpoint, engines, model, plot, readme, run
from .batch import Collator, Order, pad_id
from .prepare import Prepared


class Watch(Protocol):
    """Who looks on."""

    def note(self, text: str) -> None:
        """A sentence on what goes on."""
        ...

    def begin(self, steps: int, done: int) -> None:
        """Training starts; `done` steps were made before."""
        ...

    def step(self, record: dict[str, Any]) -> None:
        """A step's line of metrics.jsonl."""
        ...

    def evaluated(self, record: dict[str, Any]) -> None:
        """An evaluation's line of metrics.jsonl."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a run. before, after: held-out loss and perplexity, empty without held-out examples."""

    folder: Path
    adapter: Path
    steps: int
    first_loss: float
    last_loss: float
    before: dict[str, float]
    after: dict[str, float]


def train(prepared: Prepared, watch: Watch) -> Result | None:
    """Carry out the run; only the main process gets a Result. FabaiError in one sentence where that cannot be done."""
    _quiet()
    main = int(os.environ.get("RANK", "0")) == 0
    holding = prepared.run.held() if main else contextlib.nullcontext()
    with holding, _memory(prepared):
        return _Work(prepared, watch, main).do()


class _Work:
    """One process's part in a run."""

    def __init__(self, prepared: Prepared, watch: Watch, main: bool) -> None:
        self._prepared, self._watch, self._main = prepared, watch, main
        self._run = prepared.run
        self._device = _device(prepared)

    def do(self) -> Result | None:
        from . import trainer

        prepared = self._prepared
        arguments = self._arguments(trainer.Arguments)
        last = self._agreed(self._entered)
        if self._main:
            self._watch.note(f"loading {prepared.base}")
        # layers that will be streamed never need to fit the card
        place = "cpu" if prepared.recipe.engine == "fabai" and prepared.settings.stream else str(self._device)
        loaded = model.load(
            replace(prepared.recipe, rope_factor=prepared.rope_factor),
            prepared.folder,
            place,
            prepared.dtype,
            prepared.attention,
            prepared.parent,
        )
        made = self._trainer(trainer, arguments, loaded)
        try:
            done = 0 if last is None else checkpoint.Reading(last).step
            if self._main:
                self._watch.begin(prepared.steps, done)
            made.runner.reserve(prepared.recipe.batch * max(prepared.lengths))
            if last is None and prepared.chosen.validation:
                made.evaluate()
            if done >= prepared.steps and last is not None:
                made._load_from_checkpoint(str(last))
            else:
                made.train(resume_from_checkpoint=None if last is None else str(last))
                self._round_off(made)
        finally:
            made.runner.close()
        return self._finished(loaded) if self._main else None

    def _entered(self) -> str | None:
        """The checkpoint to go on from; the folder is ours from here on."""
        manifest = self._prepared.manifest
        if self._prepared.request.resume:
            last = self._run.go_on(self._prepared.recipe, manifest)
            return None if last is None else str(last)
        self._run.begin(manifest)
        return None

    def _agreed(self, choose: Any) -> Path | None:
        """What the main process finds, on every process."""
        found = [choose() if self._main else None]
        if torch.distributed.is_initialized():
            torch.distributed.broadcast_object_list(found)
        return None if found[0] is None else Path(found[0])

    def _arguments(self, kind: Any) -> Any:
        recipe, prepared = self._prepared.recipe, self._prepared
        cuda = self._device.type == "cuda"
        return kind(
            output_dir=str(self._run.checkpoints),
            per_device_train_batch_size=recipe.batch,
            gradient_accumulation_steps=recipe.accumulation,
            learning_rate=recipe.learning_rate,
            weight_decay=recipe.weight_decay,
            max_grad_norm=recipe.clip,
            num_train_epochs=recipe.epochs,
            max_steps=recipe.steps or -1,
            lr_scheduler_type=recipe.schedule if recipe.schedule != "constant" else "constant_with_warmup",
            warmup_steps=recipe.warmup,
            optim=recipe.optimiser,
            seed=recipe.seed,
            eval_strategy="steps" if prepared.chosen.validation else "no",
            eval_steps=recipe.evaluate_every,
            save_strategy="steps",
            save_steps=recipe.save_every,
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
            remove_unused_columns=False,
            dataloader_pin_memory=cuda,
            # half precision is the engines' matter; only fp16's loss scale is the Trainer's
            bf16=False,
            fp16=cuda and prepared.dtype == "float16",
            gradient_checkpointing=False,
            max_length=None,
            dataset_kwargs={"skip_prepare_dataset": True},
            use_cpu=not cuda,
        )

    def _trainer(self, room: Any, arguments: Any, loaded: Any) -> Any:
        from datasets import Dataset

        prepared = self._prepared
        recipe, chosen, encoder = prepared.recipe, prepared.chosen, prepared.encoder
        processes = max(1, int(os.environ.get("WORLD_SIZE", "1")))
        pad = pad_id(encoder.tokenizer, encoder.end)
        held = prepared.examples.validation or prepared.examples.train
        sentence = prepared.plan.sentence if prepared.plan is not None else ""
        return room.Trainer(
            model=loaded,
            args=arguments,
            train_dataset=Dataset.from_dict({"places": prepared.rows}),
            data_collator=Collator(prepared.examples.train, pad),
            processing_class=encoder.tokenizer,
            eval_dataset=Dataset.from_dict({"places": [[card.place] for card in chosen.validation]})
            if chosen.validation
            else None,
            start=lambda: engines.start(
                recipe, loaded, self._device, getattr(torch, prepared.dtype), prepared.settings, sentence
            ),
            order=Order(prepared.lengths, recipe.seed, recipe.batch * recipe.accumulation * processes),
            held=room.Held(
                [card.place for card in chosen.validation],
                [card.language for card in chosen.validation],
                Collator(held, pad),
            ),
            checkpoints=self._run.checkpoints,
            keep=recipe.keep,
            on_step=self._stepped,
            on_evaluation=self._evaluated,
        )

    def _stepped(self, step: int, epoch: float, found: Any) -> None:
        record = {"step": step, "epoch": round(epoch, 4), **asdict(found)}
        record["tokens_per_s"] = round(found.tokens / found.seconds, 1) if found.seconds else 0.0
        record["memory_gib"] = _memory_taken()
        record["seconds"] = round(found.seconds, 3)
        record["examples"] = record.pop("examples")
        # a step that fp16's loss scale skipped; JSON knows no such number
        record["gradient_norm"] = found.gradient_norm if isfinite(found.gradient_norm) else None
        if self._main:
            self._run.note(record)
            self._watch.step(record)

    def _evaluated(self, step: int, found: dict[str, float]) -> None:
        if self._main:
            record = {"step": step, **found}
            self._run.note(record)
            plot.draw(self._run.metrics(), self._title(), self._run.plot)
            self._watch.evaluated(record)

    def _round_off(self, made: Any) -> None:
        """The last step is evaluated and saved, whether it was their turn or not."""
        step = made.state.global_step
        if self._prepared.chosen.validation and made.evaluated != step:
            made.evaluate()
        if made.saved != step:
            made._save_checkpoint(made.model, None)

    def _finished(self, loaded: Any) -> Result:
        prepared = self._prepared
        beside = self._run.path / ".adapter.unfinished"
        shutil.rmtree(beside, ignore_errors=True)
        lines = self._run.metrics()
        steps = [line for line in lines if "loss" in line]
        held = [line for line in lines if "eval_loss" in line]
        try:
            model.save_adapter(loaded, prepared.encoder.tokenizer, prepared.base, beside)
            (beside / "README.md").write_text(readme.text(self._run.read(), held), encoding="utf-8")
        except Exception as error:
            if checkpoint.disk_full(error):
                raise checkpoint.no_room(self._run.checkpoints, prepared.steps) from error
            raise
        shutil.rmtree(self._run.adapter, ignore_errors=True)
        beside.rename(self._run.adapter)
        plot.draw(lines, self._title(), self._run.plot)
        self._run.write(
            self._run.read()
            | {
                "state": "finished",
                "finished": run.now(),
                "steps": steps[-1]["step"],
                "tokens": sum(line["tokens"] for line in steps),
                "labelled": sum(line["labelled"] for line in steps),
                "losses": {"first": steps[0]["loss"], "last": steps[-1]["loss"], "held_out": held},
                "adapter_sha256": checkpoint.sha256(self._run.adapter / "adapter_model.safetensors"),
            }
        )
        return Result(
            self._run.path, self._run.adapter, steps[-1]["step"], steps[0]["loss"], steps[-1]["loss"],
            held[0] if held else {}, held[-1] if held else {},
        )  # fmt: skip

    def _title(self) -> str:
        return f"{Path(self._prepared.request.recipe).stem} · {Path(self._prepared.base).name}"


@contextlib.contextmanager
def _memory(prepared: Prepared) -> Iterator[None]:
    """Memory that runs out is answered with what to change."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise TrainingError(advice.out_of_memory(prepared)) from error
    except RuntimeError as error:
        if isinstance(error, FabaiError) or "can't allocate memory" not in str(error):
            raise
        raise TrainingError(advice.out_of_memory(prepared)) from error


def _device(prepared: Prepared) -> torch.device:
    if prepared.recipe.card_gb == 0:
        return torch.device("cpu")
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.cuda.set_device(device)
    return device


def _memory_taken() -> float:
    """GiB: the card's, at its highest, as PyTorch reserved them; on the processor the process's own."""
    if torch.cuda.is_available():
        return round(torch.cuda.max_memory_reserved() / 2**30, 2)
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 2**30, 2)


def _quiet() -> None:
    """Libraries keep their advice for developers to themselves, and do not call home."""
    import logging
    import warnings

    for name in ("HF_HUB_DISABLE_TELEMETRY", "WANDB_DISABLED"):
        os.environ.setdefault(name, "1")
    for name in ("accelerate", "transformers", "trl", "datasets", "peft", "bitsandbytes"):
        logging.getLogger(name).setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", module=r"(torch|transformers|trl|peft|bitsandbytes|accelerate)\.")
