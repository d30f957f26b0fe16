"""llama.cpp's server in a process of its own, for machines without a card: `python -m fabai.serving.embedded JSON`.

Knows how xllamacpp is told to listen with a key. The key comes in the environment, never on the command line, where
other people's `ps` shows it. Ends when the program that started it does. Does not know Releases.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from fabai.errors import WriterError
from fabai.serving.launch import Launch
from fabai.serving.served import Served
from fabai.settings import ServeSettings, WriterSettings
from fabai.writers.gguf import read_gguf
from fabai.writers.loading import context_of, loaded, parameters

KEY = "FABAI_SERVED_KEY"
_STEP = 1.0


def launch(what: Served, settings: ServeSettings, key: str, threads: int | None = None) -> Launch:
    """The command. WriterError where no GGUF file of the model is here."""
    if what.gguf is None:
        raise WriterError(
            f"llama.cpp needs {what.base or 'the base'} as a GGUF file, and none is here: fabai get lists some, "
            "or give the .gguf file"
        )
    adapter = None if what.adapter is None else what.adapter.folder.resolve()
    learnt = context_of(read_gguf(what.gguf), what.adapter)
    short = (
        f"the model takes {learnt:,} tokens, fewer than the {settings.context:,} wanted: draft with --cap {learnt - 16}"
    )
    order = {
        "model": str(what.gguf.resolve()),
        "adapter": None if adapter is None else str(adapter),
        "name": what.name,
        "host": settings.host,
        "port": settings.port,
        "context": min(settings.context, learnt),
        "slots": settings.slots,
        "threads": threads,
    }
    words = (sys.executable, "-m", "fabai.serving.embedded", json.dumps(order))
    return Launch(
        words, {KEY: key}, frozenset({KEY}), (what.name,), "llama.cpp", (short,) if learnt < settings.context else ()
    )


def serve(order: dict[str, Any], key: str) -> None:
    """Load and listen until the parent has gone."""
    parent = os.getppid()
    adapter = None if order["adapter"] is None else Path(order["adapter"])
    settings = WriterSettings(context=order["context"], threads=order["threads"])
    with parameters(Path(order["model"]), order["context"], settings, order["slots"], adapter) as params:
        params.hostnames = [order["host"]]
        params.port = order["port"]
        params.api_keys = [key]
        params.model_alias = {order["name"]}
        # no page of the web asks this server: fabai does
        params.cors_origins = ""
        server = loaded(params, Path(order["model"]))
        print("listening", flush=True)
        while os.getppid() == parent:
            time.sleep(_STEP)
        del server


if __name__ == "__main__":
    try:
        serve(json.loads(sys.argv[1]), os.environ.pop(KEY))
    except WriterError as error:
        print(f"RuntimeError: {error}", file=sys.stderr)
        sys.exit(1)
