"""From what a person names after --model to a folder with the model's tokenizer and chat template.

Knows model folders, tokenizer folders, GGUF files and the catalogue's names. A GGUF's vocabulary is written out once as
a tokenizer folder beside the models. Does not know what is counted.
"""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

from fabai.errors import MissingPart, UnreadableFile
from fabai.writers.gguf import fast_tokenizer, read_gguf
from fabai.writers.models import find_model, folder, installed

_PROBE = "L'ajut de 1.250,50 € (2024): d'Olot, núm. 3… It's 12:30! «Año» col·legi"


def model_folder(wish: str) -> Path:
    """The folder for a wish; WriterError or UnknownName where there is none, MissingPart where a package is."""
    path = Path(wish).expanduser()
    if path.is_dir():
        return path
    if path.suffix == ".gguf":
        return _unpacked(path)
    if path.exists():
        raise UnreadableFile(f"{path} is no model: name its folder, a GGUF file, or a model that 'fabai get' lists")
    model = find_model(wish)
    found = installed(wish, model.kind)
    return found if model.kind == "folder" else _unpacked(found)


def _unpacked(path: Path) -> Path:
    """The tokenizer folder of a GGUF file, made the first time."""
    gguf = read_gguf(path)
    place = folder() / f"{path.stem}-{gguf.mark}-tokenizer"
    if (place / "tokenizer.json").is_file():
        return place
    try:
        transformers: Any = importlib.import_module("transformers")
    except ImportError:
        raise MissingPart("reading a model's tokenizer needs transformers; run: pip install 'fabai[corpus]'") from None
    transformers.utils.logging.set_verbosity_error()
    try:
        tokenizer: Any = transformers.AutoTokenizer.from_pretrained(
            str(path.parent), gguf_file=path.name, local_files_only=True
        )
    except (OSError, ValueError, KeyError) as error:
        raise UnreadableFile(f"the vocabulary in {path} cannot be read: {str(error).splitlines()[0]}") from error
    own = fast_tokenizer(path)
    if own is not None and own.ids(_PROBE) != tokenizer(_PROBE, add_special_tokens=False)["input_ids"]:
        raise UnreadableFile(f"the vocabulary in {path} is not read as llama.cpp reads it: take the model's folder")
    fresh = place.with_name(f".{place.name}.part")
    shutil.rmtree(fresh, ignore_errors=True)
    tokenizer.save_pretrained(fresh)
    if place.exists():
        shutil.rmtree(place)
    fresh.replace(place)
    return place
