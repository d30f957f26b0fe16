"""Engines side by side on one card under one memory cap: python -m fabai.training.bench --model DIR --suite speed

Cases (`case`) of one engine and model run in one process, in order.
Each result is one JSON line on stdout and, with --out, in a file; the last line of stdout is the whole list. Knows
measuring; `peers` knows the engines.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fabai.errors import FabaiError

from .case import SUITES, Case
from .measured import card, commit, gib, host_peak, reset_host_peak, versions
from .shape import shape_of

# attention -> what the names of its kernels hold; the first that fits
_KERNELS = {"cudnn": "sdpa", "flash": "flash_", "efficient": "fmha_cutlass", "triton": "attention"}
# what the compiler makes of the work around an attention carries its name
_AROUND = ("triton_poi", "triton_red", "triton_per")

# a line of a child process that holds a result
_MARK = "result: "


def main(argv: Sequence[str] | None = None) -> int:
    """Run the cases asked for; exit code 1 where something cannot be run at all."""
    parser = argparse.ArgumentParser(prog="python -m fabai.training.bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--model", type=Path, required=True, help="checkpoint folder (made with --make where it is missing)"
    )
    parser.add_argument(
        "--make", metavar="SHAPE", help="write random NF4 weights of this shape to --model, e.g. qwen3-8b"
    )
    parser.add_argument("--rows", type=int, help="vocabulary rows of the made model")
    parser.add_argument("--suite", action="append", default=[], choices=SUITES, help="a named list of cases")
    parser.add_argument("--case", action="append", default=[], help='a case, e.g. "fabai 20480 tile=8192"')
    parser.add_argument("--cap", type=float, default=14.5, help="GiB that the allocator may take")
    parser.add_argument("--rank", type=int, default=16, help="LoRA rank")
    parser.add_argument("--gpus", type=int, default=1, help="cards, data parallel (fabai only)")
    parser.add_argument("--limit", type=float, default=900, help="seconds after which a silent case is given up")
    parser.add_argument("--out", type=Path, help="append the results to this file, one JSON object a line")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    try:
        texts = [case for suite in args.suite for case in SUITES[suite]] + args.case
        cases = [Case.read(text, args.model) for text in texts]
        if args.child:
            return _child(cases, args)
        if args.make and not (args.model / "config.json").is_file():
            from .random_model import write

            shape = shape_of(args.make)
            write(shape, {args.model: args.rows or shape.vocabulary})
        results = _all(cases, args)
    except FabaiError as error:
        print(f"bench: {error}", file=sys.stderr)
        return error.exit_code
    print(json.dumps(results))
    return 0


def _all(cases: Sequence[Case], args: argparse.Namespace) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = []
    groups: dict[tuple[str, Path, str], list[Case]] = {}
    for case in cases:
        # a peer's compiled code keeps the attention that it was compiled with, so each choice gets a process of its own
        choice = "" if case.engine == "fabai" else str(case.options.get("attention", "auto"))
        groups.setdefault((case.engine, case.model, choice), []).append(case)
    command = f"python -m fabai.training.bench {' '.join(map(_quoted, sys.argv[1:]))}"
    for group in groups.values():
        pending = list(group)
        while pending:
            # a process that dies or hangs loses the case it was at; the cases after it get a new one
            rows: list[dict[str, Any]] = []
            for row in _run(pending, args):
                rows.append(row | {"command": command})
                _report(rows[-1], args.out)
            results += rows
            pending = pending[len(rows) :]
    return results


def _run(cases: Sequence[Case], args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """A row for each case that one process works off, as it comes; the last says why where the process ends early."""
    words = ["--model", str(cases[0].model), "--cap", str(args.cap), "--rank", str(args.rank)]
    words += ["--gpus", str(args.gpus)]
    for case in cases:
        words += ["--case", case.text()]
    start = [sys.executable, "-m", "fabai.training.bench"]
    environment = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", **os.environ}
    if args.gpus > 1:
        start = [sys.executable, "-m", "torch.distributed.run", f"--nproc-per-node={args.gpus}", *start[1:]]
        # else torchrun allows one: the look-up in an embedding that lives on the host would crawl
        environment.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // args.gpus)))
    done = 0
    with subprocess.Popen(  # noqa: S603  (our own command)
        [*start, *words, "--child"], env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as child:
        watch = _Watch(child.pid, args.limit)
        for line in child.stdout or ():
            if not line.startswith(_MARK):
                print(line, end="", file=sys.stderr)
                continue
            watch.again()
            done += 1
            yield json.loads(line.removeprefix(_MARK))
        watch.end()
    if done == len(cases):
        return
    late = f"no result within {args.limit:.0f} s"
    yield _blank(cases[done], args) | {
        "error": late if watch.late else f"the process ended with code {child.returncode}"
    }


class _Watch:
    """Ends a process and its children (a session of their own) when `again` is not called for `limit` seconds."""

    def __init__(self, process: int, limit: float) -> None:
        self._process, self._limit, self.late = process, limit, False
        self._timer = threading.Timer(limit, self._stop)
        self._timer.start()

    def again(self) -> None:
        """A sign of life."""
        self.end()
        self._timer = threading.Timer(self._limit, self._stop)
        self._timer.start()

    def end(self) -> None:
        """The process may take as long as it likes."""
        self._timer.cancel()

    def _stop(self) -> None:
        self.late = True
        os.killpg(self._process, signal.SIGKILL)


def _blank(case: Case, args: argparse.Namespace) -> dict[str, Any]:
    return {
        "engine": case.engine, "tokens": case.tokens, "cap_gib": args.cap, "peak_gib": None, "tokens_per_s": None,
        "host_gib": None, "attention": case.options.get("attention", "auto"), "rank": args.rank, "gpus": args.gpus,
        "labelled": case.labelled, "settings": case.options, "model": case.model.name, "commit": commit(),
    }  # fmt: skip


def _report(result: dict[str, Any], out: Path | None) -> None:
    print(json.dumps(result), flush=True)
    if out is not None:
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")


def _child(cases: Sequence[Case], args: argparse.Namespace) -> int:
    import torch

    from . import peers

    engine, model = cases[0].engine, cases[0].model
    rank_of_process = int(os.environ.get("LOCAL_RANK", "0"))
    if torch.cuda.is_available():
        torch.cuda.set_device(rank_of_process)
    if args.gpus > 1:
        torch.distributed.init_process_group("nccl")
    trainee = peers.load(engine, model, args.rank, max(case.tokens for case in cases))
    parameters = [one for one in trainee.model.parameters() if one.requires_grad]
    optimizer = _optimizer(parameters)
    for case in cases:
        result = _measured(case, trainee, parameters, optimizer, args)
        if rank_of_process == 0:
            print(_MARK + json.dumps(result), flush=True)
    if args.gpus > 1:
        torch.distributed.destroy_process_group()
    return 0


def _measured(
    case: Case, trainee: Any, parameters: list[Any], optimizer: Any, args: argparse.Namespace
) -> dict[str, Any]:
    import torch

    cuda = torch.cuda.is_available()
    result = _blank(case, args) | {
        "vocab_rows": trainee.model.config.vocab_size, "card": card(), "versions": versions(case.engine),
    }  # fmt: skip
    device = torch.device("cuda", torch.cuda.current_device()) if cuda else torch.device("cpu")
    seconds: list[float] = []
    try:
        if cuda:
            total = torch.cuda.get_device_properties(device).total_memory
            torch.cuda.set_per_process_memory_fraction(1.0)
        trainee.prepare(case.options)
        optimizer.zero_grad(set_to_none=True)
        if cuda:
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
            torch.cuda.set_per_process_memory_fraction(args.cap * 2**30 / total)
            result["static_gib"] = gib(torch.cuda.memory_allocated())
        reset_host_peak()
        ids, labels = _example(case, trainee.model.config.vocab_size, device)
        if case.engine == "fabai":
            trainee.engine.reserve(case.tokens)
        for _ in range(case.steps):
            _wait(cuda)
            start = time.perf_counter()
            loss = trainee.loss(ids, labels)
            loss.backward()
            if args.gpus > 1:
                trainee.engine.reduce_gradients()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            _wait(cuda)
            seconds.append(time.perf_counter() - start)
        result["loss"] = round(float(loss.detach()), 4)
        if case.engine != "fabai" and case.profile:
            step = partial(_once, trainee, ids, labels)
            result["attention"], result["attention_kernels"] = _attention_seen(step, cuda)
    except torch.OutOfMemoryError as error:
        result["error"] = f"out of memory: {str(error).split('.')[0]}"
    except FabaiError as error:
        result["error"] = str(error)
    if seconds:
        result["step_s"] = [round(one, 3) for one in seconds]
        result["tokens_per_s"] = round(args.gpus * case.tokens / min(seconds[1:] or seconds))
    if cuda:
        result["peak_gib"] = gib(torch.cuda.max_memory_reserved())
        result["peak_allocated_gib"] = gib(torch.cuda.max_memory_allocated())
    result["host_gib"] = host_peak()
    engine = getattr(trainee, "engine", None)
    if engine is not None:
        result["attention"], result["pinned"] = engine.attention, engine.locked
        result["engine_host_gib"] = gib(engine.host_bytes)
    return result


def _once(trainee: Any, ids: Any, labels: Any) -> None:
    trainee.loss(ids, labels).backward()


def _attention_seen(work: Callable[[], object], cuda: bool) -> tuple[str, list[str]]:
    """Which attention ran during `work`, and the kernels' names that say so."""
    import torch

    if not cuda:
        work()
        return "cpu", []
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        work()
        torch.cuda.synchronize()
    return attention_of([event.key for event in profiler.key_averages()])


def attention_of(kernels: Sequence[str]) -> tuple[str, list[str]]:
    """The attention that kernels of these names belong to ("unknown" where no name says), and the names that say so."""
    found: dict[str, list[str]] = {}
    for kernel in kernels:
        if kernel.startswith(_AROUND):
            continue
        for name, mark in _KERNELS.items():
            if mark in kernel.lower():
                found.setdefault(name, []).append(kernel[:120])
                break
    return "+".join(found) or "unknown", [one for names in found.values() for one in names]


def _example(case: Case, vocabulary: int, device: Any) -> tuple[Any, Any]:
    import torch

    torch.manual_seed(case.tokens)
    ids = torch.randint(0, vocabulary, (1, case.tokens), device=device)
    labels = torch.full_like(ids, -100)
    count = max(2, int(case.tokens * case.labelled))
    labels[:, -count:] = ids[:, -count:]
    return ids, labels


def _optimizer(parameters: list[Any]) -> Any:
    import torch
    from bitsandbytes import optim

    if torch.cuda.is_available():
        optimisers: Any = optim
        return optimisers.PagedAdamW8bit(parameters, lr=1e-4)
    return torch.optim.AdamW(parameters, lr=1e-4)


def _wait(cuda: bool) -> None:
    if cuda:
        import torch

        torch.cuda.synchronize()


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


if __name__ == "__main__":
    raise SystemExit(main())
