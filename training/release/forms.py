"""The forms of a Release, each written, loaded again and compared.

A form in 16 bits must give the adapter's likeliest token at 97 of 100 positions; below that the weights, the order of
their rows or their scaling are wrong, not merely rounded. A file of 8 bits must give 90 in llama.cpp, which rounds what
flows between the layers as well: a model of 135M gives 93 to 96, where 16 bits give 99.7 (docs/releases.md). Coarser
ones are reported, and refused only where they are plainly broken. Knows which reference has the same precision as
which form. Does not know file layouts.
"""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

from fabai.training.checkpoint import sha256
from fabai.training.evaluate import subject
from fabai.training.opened import Opened
from fabai.training.slice.manifest import FOLDER as SLICE
from fabai.training.slice.manifest import read_manifest
from fabai.training.slice.unslice import unslice

from fabai.errors import ExportError, WriterError
from fabai.writers.adapter import json_object
from fabai.writers.gguf import read_gguf
from fabai.writers.lora import write_lora
from fabai.writers.probe import Probe

from . import gguf, quantise
from .compare import Likeness, Prompt, Seen, in_llamacpp, in_torch, look
from .manifest import Compared, Form, Numbers
from .merging import merge

AGREE = 0.97
"""Least share of equal likeliest tokens of a form of 16 bits."""
RAN = 0.9
"""The same in llama.cpp, of a file in Q8_0 and of an adapter beside a quantised base."""
BROKEN = 0.4
"""Below this a coarser form is not rounded but wrong."""
_LEAST = {"BF16": AGREE, "F16": AGREE, "F32": RAN, "Q8_0": RAN}
_WIDENED = 2_000_000_000
_MARGIN = 16

Beside = Literal["original", "dequantised"]


class Forms:
    """Makes them one after the other; each model leaves memory before the next is loaded."""

    def __init__(
        self, found: Opened, work: Path, prompts: Sequence[Prompt], tell: Callable[[str], None], even_so: bool
    ) -> None:
        """work: the Release under way, which holds the adapter already."""
        self._found, self._work, self._prompts = found, work, prompts
        self._tell, self._even_so = tell, even_so
        self._settings = found.settings | {"slice": "", "model": str(found.base)}
        self._quantised = self._settings["quantisation"] != "none"
        self._rope = found.adapter.trained.rope(json_object(found.base / "config.json"))

    def make(self, merged: bool, ggufs: Sequence[str], full: bool, original: Path | None) -> Iterator[Form]:
        """Those asked for, and an adapter for llama.cpp wherever one can be placed."""
        self._tell("asking the adapter on its base")
        trained = self._adapted(None)
        if merged or ggufs:
            with tempfile.TemporaryDirectory(dir=self._work, prefix=".whole-") as scratch:
                yield from self._whole(Path(scratch), merged, ggufs, full, original, trained)
        yield from self._beside_llamacpp(trained)

    def _whole(
        self, scratch: Path, merged: bool, ggufs: Sequence[str], full: bool, original: Path | None, trained: Seen
    ) -> Iterator[Form]:
        folder, sixteen, form = self._merged(scratch, trained)
        kept = None
        if full and (folder / SLICE / "manifest.json").is_file():
            self._tell("restoring the full vocabulary")
            about, rows = read_manifest(folder)
            unslice(folder, scratch / "full", original)
            kept = [int(one) for one in rows[: about.tokens]]
            # the same texts by the full vocabulary's numbers
            there = [Prompt(tuple(kept[token] for token in one.ids), one.start) for one in self._prompts]
            whole = self._plain(scratch / "full", there)
            found = in_torch(sixteen, whole, self._prompts, [int(one) for one in rows])
            form = self._form("merged", scratch / "full", "BF16", "the sliced model", found, trained)
            folder = scratch / "full"
        for numbers in ggufs:
            yield self._gguf(scratch, folder, numbers, sixteen, trained, kept)
        if merged:
            target = self._work / "merged"
            folder.rename(target)
            yield Form(form.kind, "merged", form.numbers, form.size, form.sha256, form.compared, form.note)

    def _merged(self, scratch: Path, trained: Seen) -> tuple[Path, Seen, Form]:
        """The model folder that does best what the adapter was trained to do."""
        tried: list[tuple[Likeness, Path, Seen, Form]] = []
        ways: tuple[Beside, ...] = ("original", "dequantised") if self._quantised else ("original",)
        for way in ways:
            self._tell(f"merging into the {'base’s own' if way == 'original' else 'dequantised'} weights")
            target = scratch / way
            double = bool(self._settings["double_quantisation"])
            merge(
                self._found.base,
                self._found.adapter,
                target,
                rounded=way == "dequantised",
                rope=self._rope,
                double=double,
            )
            # beside the weights that it is merged into
            reference = self._adapted("none") if self._quantised and way == "original" else trained
            seen = self._plain(target)
            found = in_torch(reference, seen, self._prompts)
            beside = "the adapter on the 16-bit base" if way == "original" else "the adapter on the 4-bit base"
            form = self._form("merged", target, "BF16", beside, found, trained)
            tried.append((found, target, seen, form))
        tried.sort(key=lambda one: one[0].loss)
        _, folder, seen, form = tried[0]
        notes = "; ".join(f"{one[1].name} weights: loss {one[0].loss:.4f}, kl {one[0].kl:.4f}" for one in tried)
        return folder, seen, Form(form.kind, form.file, form.numbers, form.size, form.sha256, form.compared, notes)

    def _gguf(
        self, scratch: Path, folder: Path, numbers: str, sixteen: Seen, trained: Seen, kept: Sequence[int] | None
    ) -> Form:
        self._tell(f"writing {numbers} for llama.cpp")
        name = self._work.name.strip(".").removesuffix(".unfinished")
        inside = self._work / "gguf"
        inside.mkdir(exist_ok=True)
        target = inside / f"{name}-{numbers}.gguf"
        if quantise.is_k_quant(numbers):
            whole = scratch / "f16.gguf"
            if not whole.is_file():
                gguf.write(folder, whole, "F16", name)
            quantise.quantise(whole, target, numbers)
        else:
            written: Numbers = numbers  # type: ignore[assignment]  # looked at by write
            gguf.write(folder, target, written, name)
        self._tell(f"loading {target.name} again")
        with closing(Probe(target, self._context())) as probe:
            found = in_llamacpp(sixteen, probe, self._prompts, kept)
        read = None if kept is not None or not self._widened() else self._read_back(target, sixteen)
        return self._form("gguf", target, numbers, "the merged model in 16 bits", found, trained, read=read)

    def _read_back(self, target: Path, sixteen: Seen) -> float | None:
        """The file's weights as another program reads them, computed in 32 bits; None where that cannot read them
        (transformers takes every Qwen3 for one with heads of 128).
        """
        try:
            found = self._look(subject.of_gguf(target, self._found.base))
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            self._tell(f"transformers does not read {target.name} back: {str(error).splitlines()[0][:120]}")
            return None
        return in_torch(sixteen, found, self._prompts).top1

    def _beside_llamacpp(self, trained: Seen) -> Iterator[Form]:
        """The adapter as llama.cpp loads it beside a base in GGUF, where one is here."""
        base = self._found.adapter.base_gguf()
        if base is None:
            return
        target = self._work / "gguf" / "adapter.gguf"
        target.parent.mkdir(exist_ok=True)
        self._tell(f"placing the adapter beside {base.name} for llama.cpp")
        try:
            write_lora(self._found.adapter, read_gguf(base), target)
        except WriterError as error:
            self._tell(f"no adapter for llama.cpp was made: {error}")
            return
        if base.stem != self._found.base.name.removesuffix("-folder"):
            # the base file has other numbers than the folder, and no reference of the same precision is here
            with closing(Probe(base, self._context(), target)) as probe:
                found = in_llamacpp(trained, probe, self._prompts)
            beside = f"the base as trained; {base.name} has other numbers"
            yield self._form("gguf-adapter", target, "F32", beside, found, trained, must=False)
            return
        reference = self._adapted("none") if self._quantised else trained
        with closing(Probe(base, self._context(), target)) as probe:
            found = in_llamacpp(reference, probe, self._prompts)
        yield self._form("gguf-adapter", target, "F32", f"the adapter on {base.stem}", found, trained)

    def _form(
        self,
        kind: Literal["merged", "gguf", "gguf-adapter"],
        path: Path,
        numbers: str,
        beside: str,
        found: Likeness,
        trained: Seen,
        must: bool = True,
        read: float | None = None,
    ) -> Form:
        least = _LEAST.get(numbers, BROKEN) if must else BROKEN
        said = f"{path.name}: the same likeliest token at {found.top1:.1%} of {found.positions:,} positions"
        if found.top1 < least and not self._even_so:
            raise ExportError(
                f"{said}, and {least:.0%} are wanted: the form does not do what the adapter does, so nothing was kept; "
                "please report this, or keep it with --even-so"
            )
        said += f" ({found.clear_top1:.1%} of the {found.clear:,} where it leads by a tenth of a nat)"
        if read is not None:
            said += f" ({read:.1%} with its weights computed in 32 bits)"
        self._tell(f"{said}, kl {found.kl:.4f} nats, loss {found.loss:.4f} ({found.reference_loss:.4f})")
        file = path / "model.safetensors" if (path / "model.safetensors").is_file() else path
        size = sum(one.stat().st_size for one in path.rglob("*.safetensors")) if path.is_dir() else path.stat().st_size
        compared = Compared(
            beside, found.prompts, found.positions, found.top1, found.kl, found.loss, found.reference_loss,
            self._loss(trained), read, found.clear, found.clear_top1,
        )  # fmt: skip
        inside = str(path.relative_to(self._work)) if path.is_relative_to(self._work) else path.name
        return Form(kind, inside, numbers, size, sha256(file) if file.is_file() else "", compared)

    def _loss(self, trained: Seen) -> float:
        return in_torch(trained, trained, self._prompts).loss

    def _adapted(self, quantisation: str | None) -> Seen:
        """The adapter on its base, the latter in the numbers of training or in others."""
        found = subject.load(
            self._settings, self._found.base, self._work / "adapter", "bfloat16", quantisation,
            widened=self._widened() and (quantisation == "none" or not self._quantised),
        )  # fmt: skip
        return self._look(found)

    def _plain(self, folder: Path, prompts: Sequence[Prompt] | None = None) -> Seen:
        settings = self._settings | {"model": str(folder), "quantisation": "none", "rope_factor": 1.0}
        return self._look(subject.load(settings, folder, None, "bfloat16", widened=self._widened()), prompts)

    def _look(self, found: subject.Subject, prompts: Sequence[Prompt] | None = None) -> Seen:
        seen = look(found, self._prompts if prompts is None else prompts)
        del found
        gc.collect()
        return seen

    def _widened(self) -> bool:
        """Whether the model is small enough to be computed in 32 bits, so that the weights alone differ."""
        size = sum(one.stat().st_size for one in self._found.base.glob("*.safetensors"))
        return size < 2 * _WIDENED

    def _context(self) -> int:
        return max(len(one.ids) for one in self._prompts) + _MARGIN
