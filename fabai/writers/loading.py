"""A GGUF file loaded into llama.cpp's server in this process (xllamacpp), with a trained adapter where there is one.

Knows the server's parameters, the processor's threads, and signals while it loads. Does not know what is asked of it.
"""

from __future__ import annotations

import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fabai.errors import MissingPart, WriterError
from fabai.settings import WriterSettings
from fabai.writers.adapter import Adapter, read_adapter
from fabai.writers.gguf import Gguf, read_gguf
from fabai.writers.lora import write_lora

# tokens read between two looks at whether the answer is still wanted; 512 is llama.cpp's own physical batch
_BATCH = 512


@contextmanager
def parameters(
    path: Path, context: int, settings: WriterSettings, parallel: int = 1, adapter: Path | None = None
) -> Iterator[Any]:
    """xllamacpp's parameters for a model, with no place to listen at yet; to be loaded within the block.

    context: tokens of each of the `parallel` answers.
    """
    try:
        import xllamacpp  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingPart(f"the embedded model needs the package xllamacpp ({error}): pip install xllamacpp") from error
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context * parallel
    params.n_parallel = parallel
    params.n_batch = _BATCH
    params.n_ubatch = _BATCH
    cores = settings.threads if settings.threads is not None else _cores()
    params.cpuparams.n_threads = cores
    params.cpuparams_batch.n_threads = cores
    params.ui = False
    params.endpoint_slots = False
    params.warmup = False
    params.n_cache_reuse = settings.moved
    params.verbosity = 0
    with tempfile.TemporaryDirectory(prefix="fabai-") as folder:
        if adapter is not None:
            found, base = read_adapter(adapter), read_gguf(path)
            if (factor := found.trained.rope_factor) > 1:
                params.rope_scaling_type = xllamacpp.llama_rope_scaling_type.LLAMA_ROPE_SCALING_TYPE_YARN
                params.rope_freq_scale = 1 / factor
                params.yarn_orig_ctx = found.trained.positions or base.context
            # llama.cpp reads it whole, so it may go once the model is loaded
            file = Path(folder) / "adapter.gguf"
            write_lora(found, base, file)
            one = xllamacpp.CommonAdapterLoraInfo()
            one.path, one.scale = str(file), 1.0
            params.lora_adapters = [one]
        yield params


def context_of(base: Gguf, adapter: Adapter | None) -> int:
    """Tokens that the model takes, with the adapter's stretched positions where it has them."""
    run = None if adapter is None else adapter.trained
    if run is None or run.rope_factor <= 1:
        return base.context
    return int((run.positions or base.context) * run.rope_factor)


def loaded(params: Any, path: Path) -> Any:
    """llama.cpp's server with these parameters, ready."""
    import xllamacpp

    try:
        with _undisturbed():
            server = xllamacpp.Server(params)
            # one token: a server that is freed before its loop runs hangs too
            server.handle_completions('{"prompt": [1], "max_tokens": 1, "cache_prompt": false}', lambda _: False)
    except RuntimeError as error:
        raise WriterError(
            f"the model {path} cannot be loaded: this version of llama.cpp does not know it, or the memory is too "
            f"small for it with {params.n_ctx} tokens of context"
        ) from error
    return server


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C and the like wait until the block ends: llama.cpp takes them itself while it loads a model, and then
    neither ends nor comes back.
    """
    requests = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, requests)
    handlers = {one: signal.getsignal(one) for one in requests}
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            for one, handler in handlers.items():
                signal.signal(one, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _cores() -> int:
    """OMP_NUM_THREADS, as PyTorch takes it; else the cores that this process may use."""
    told = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    if told.isdecimal() and int(told) > 0:
        return int(told)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
