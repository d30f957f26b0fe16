"""From what a person wrote after --writer to a Writer that is ready.

Knows the names. Does not know any model's workings: each Writer is imported only when it is chosen.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

from fabai import releases
from fabai.errors import UnknownName, UsageError, WriterError
from fabai.settings import Cache, WriterSettings
from fabai.writers.adapter import Adapter, adapter_in, read_adapter
from fabai.writers.base import Writer
from fabai.writers.models import installed

DEFAULTS = WriterSettings()
KINDS: dict[str, str] = {
    "llamacpp": "llamacpp[:MODEL|FILE.gguf[+ADAPTER]|ADAPTER]",
    "transformers": "transformers:FOLDER|ADAPTER[#kept|fresh|static|quantised]",
    "openai": "openai:URL[#MODEL]",
    "scripted": "scripted:FILE.json",
    "release": "release[:NAME]",
}
HELP = f"the model that writes: {', '.join(KINDS.values())}; without it the embedded one ({DEFAULTS.model})"


def choose(wish: str | None = None, settings: WriterSettings = DEFAULTS, parallel: int = 1) -> Writer:
    """The Writer for a wish like "llamacpp:qwen3-4b-gguf"; None is the embedded one with the default model.

    ADAPTER: the folder of a trained adapter, which names its base. parallel: answers that it should write at a time;
    the transformers Writer writes one all the same. Raises UsageError or UnknownName where the wish is none,
    WriterError or MissingPart where the Writer cannot be had here.
    """
    kind, _, what = ("llamacpp" if wish is None else wish).partition(":")
    if kind not in KINDS:
        raise UnknownName.nearest("writer", kind, KINDS)
    if kind == "llamacpp":
        from fabai.writers.llamacpp import LlamaCpp

        model, _, adapter = what.partition("+")
        trained = Path(adapter).expanduser() if adapter else adapter_in(Path(what).expanduser()) if what else None
        if trained is not None and not adapter:
            return LlamaCpp(_base_file(read_adapter(trained)), settings, parallel, trained)
        return LlamaCpp(_model_file(model or settings.model), settings, parallel, trained)
    if kind == "release":
        return _released(what, settings, parallel)
    if not what:
        raise UsageError(f"--writer {kind} needs to know which: {KINDS[kind]}")
    if kind == "scripted":
        from fabai.writers.scripted import Scripted

        return Scripted.read(Path(what))
    if kind == "openai":
        from fabai.writers.openai import OpenAI

        url, _, model = what.partition("#")
        return OpenAI(url, model or None, settings=settings)
    from fabai.writers.transformers import Transformers

    model, _, cache = what.partition("#")
    if cache:
        if cache not in get_args(Cache):
            raise UnknownName.nearest("cache of the transformers writer", cache, get_args(Cache))
        settings = replace(settings, cache=cast(Cache, cache))
    folder = Path(model).expanduser()
    return Transformers(folder if folder.exists() or "/" in model else installed(model, "folder"), settings)


def _released(name: str, settings: WriterSettings, parallel: int) -> Writer:
    """A Release by name, the promoted one without: beside a GGUF base, as its own GGUF file, else in PyTorch."""
    found = releases.find(name) if name else releases.in_use()
    if found is None:
        raise WriterError("no release is in use: fabai releases promote NAME, or name one as --writer release:NAME")
    if found.path is None:
        raise WriterError(f"the folder of the release {found.name} has gone: bring it back, or name another one")
    adapter = read_adapter(found.path)
    if adapter.base_gguf() is not None:
        return choose(f"llamacpp:{adapter.folder}", settings, parallel)
    whole = sorted(path for path in (found.path / "gguf").glob("*.gguf") if not path.name.startswith("adapter"))
    if whole:
        return choose(f"llamacpp:{whole[0]}", settings, parallel)
    return choose(f"transformers:{found.path}", settings, parallel)


def notice_of(writer: Writer) -> str:
    """What a person should be told before this Writer writes, "" where nothing."""
    kind = writer.name.partition(":")[0]
    if kind == "scripted":
        from fabai.writers.scripted import NOTICE

        return NOTICE
    if kind == "openai" and writer.name.endswith(":estimate"):
        return (
            "the server does not count tokens, so they are estimated too high and the window is smaller than it "
            "could be: set FABAI_TOKENIZER to the model's tokenizer folder"
        )
    if not writer.chat:
        return (
            "this is a base model: it goes on writing without heeding instructions, and invents; "
            "fabai get lists models that heed them"
        )
    return ""


def _base_file(adapter: Adapter) -> Path:
    found = adapter.base_gguf()
    if found is None:
        raise WriterError(
            f"the adapter in {adapter.folder} belongs to {adapter.base or 'a base that it does not name'}, of which no "
            "GGUF file is here: fabai get lists some; then --writer llamacpp:MODEL+ADAPTER"
        )
    return found


def _model_file(what: str) -> Path:
    path = Path(what).expanduser()
    return path if path.suffix == ".gguf" or path.is_file() else installed(what, "gguf")
