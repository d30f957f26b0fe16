"""From what a person wrote after --writer to a Writer that is ready.

Knows the names. Does not know any model's workings: each Writer is imported only when it is chosen.
"""

from __future__ import annotations

from pathlib import Path

from fabai.errors import UnknownName, UsageError
from fabai.settings import WriterSettings
from fabai.writers.base import Writer
from fabai.writers.models import installed

DEFAULTS = WriterSettings()
KINDS: dict[str, str] = {
    "llamacpp": "llamacpp[:MODEL|FILE.gguf]",
    "transformers": "transformers:FOLDER",
    "openai": "openai:URL[#MODEL]",
    "scripted": "scripted:FILE.json",
}
HELP = f"the model that writes: {', '.join(KINDS.values())}; without it the embedded one ({DEFAULTS.model})"


def choose(wish: str | None = None, settings: WriterSettings = DEFAULTS) -> Writer:
    """The Writer for a wish like "llamacpp:qwen3-4b-gguf"; None is the embedded one with the default model.

    Raises UsageError or UnknownName where the wish is none, WriterError or MissingPart where the Writer cannot be had
    here.
    """
    kind, _, what = ("llamacpp" if wish is None else wish).partition(":")
    if kind not in KINDS:
        raise UnknownName.nearest("writer", kind, KINDS)
    if kind == "llamacpp":
        from fabai.writers.llamacpp import LlamaCpp

        return LlamaCpp(_model_file(what or settings.model), settings)
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

    folder = Path(what).expanduser()
    return Transformers(folder if folder.exists() or "/" in what else installed(what, "folder"), settings)


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


def _model_file(what: str) -> Path:
    path = Path(what).expanduser()
    return path if path.suffix == ".gguf" or path.exists() else installed(what, "gguf")
