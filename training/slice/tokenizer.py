"""The sliced tokenizer: the same files, with the dropped tokens gone and every id mapped.

Ids keep their order, so the sliced ids of the BPE model come first and added ones after it as before. Knows
tokenizer.json, tokenizer_config.json, added_tokens.json, special_tokens_map.json, vocab.json and merges.txt, chat
templates, and the id keys of config.json and generation_config.json. Does not know weights.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from fabai.errors import UnreadableFile

from .families import Family

COPIED = ("special_tokens_map.json", "chat_template.jinja", "chat_template.json", "additional_chat_templates")
# SentencePiece's own file holds the whole vocabulary in another form; transformers reads tokenizer.json
LEFT_OUT = ("tokenizer.model", "spiece.model", "sentencepiece.bpe.model")
_ID_KEY = re.compile(
    r"(_token_ids?|_token_index|^(begin_)?suppress_tokens|^bad_words_ids|^forced_decoder_ids|^sequence_bias)$"
)


def sliced_table(family: Family, ids: Mapping[int, int]) -> dict[str, Any]:
    """tokenizer.json with the tokens of `ids` (old id -> new id) only; a merge stays if its three parts do."""
    table = json.loads(json.dumps(family.table))
    model = table["model"]
    model["vocab"] = {
        string: ids[token] for string, token in sorted(family.vocab.items(), key=lambda item: item[1]) if token in ids
    }
    paired = bool(model["merges"]) and isinstance(model["merges"][0], list)
    model["merges"] = [
        [family.strings[left], family.strings[right]] if paired else f"{family.strings[left]} {family.strings[right]}"
        for left, right, made in family.merges
        if left in ids and right in ids and made in ids
    ]
    table["added_tokens"] = [{**entry, "id": ids[entry["id"]]} for entry in table["added_tokens"] if entry["id"] in ids]
    if table.get("padding"):
        table["padding"]["pad_id"] = ids[table["padding"]["pad_id"]]
    if table.get("post_processor"):
        table["post_processor"] = _processor(table["post_processor"], ids)
    return dict(table)


def _processor(value: Any, ids: Mapping[int, int]) -> Any:
    """Post-processors name special tokens by id: {"ids": [..]} in templates, ["<s>", 0] pairs in RoBERTa's."""
    if isinstance(value, list):
        return [_processor(one, ids) for one in value]
    if not isinstance(value, dict):
        return value
    found = {}
    for key, one in value.items():
        if key == "ids" and isinstance(one, list):
            found[key] = [ids[token] for token in one]
        elif key in ("sep", "cls") and isinstance(one, list) and len(one) == 2:
            found[key] = [one[0], ids[one[1]]]
        else:
            found[key] = _processor(one, ids)
    return found


def load(table: Mapping[str, Any]) -> Tokenizer:
    """A tokenizer of the library from the content of a tokenizer.json."""
    return Tokenizer.from_str(json.dumps(table, ensure_ascii=False))


def write_tokenizer(source: Path, target: Path, family: Family, ids: Mapping[int, int]) -> list[str]:
    """Write the sliced tokenizer's files into the folder `target`; returns the names of files left out."""
    table = sliced_table(family, ids)
    write_json(target / "tokenizer.json", table)
    for name in COPIED:
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
        elif (source / name).is_file():
            shutil.copyfile(source / name, target / name)
    if (source / "tokenizer_config.json").is_file():
        config = read_json(source / "tokenizer_config.json")
        if "added_tokens_decoder" in config:
            config["added_tokens_decoder"] = {
                str(ids[int(token)]): entry
                for token, entry in config["added_tokens_decoder"].items()
                if int(token) in ids
            }
        write_json(target / "tokenizer_config.json", remapped(config, ids, source / "tokenizer_config.json"))
    if (source / "added_tokens.json").is_file():
        added = read_json(source / "added_tokens.json")
        write_json(target / "added_tokens.json", {text: ids[token] for text, token in added.items() if token in ids})
    if (source / "vocab.json").is_file():
        write_json(target / "vocab.json", table["model"]["vocab"], indent=None)
    if (source / "merges.txt").is_file():
        lines = (entry if isinstance(entry, str) else " ".join(entry) for entry in table["model"]["merges"])
        (target / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return [name for name in LEFT_OUT if (source / name).exists()]


def remapped(config: Any, ids: Mapping[int, int], where: Path) -> Any:
    """A config with every token id in it mapped, nested ones too; UnreadableFile where one of them is no kept token."""

    def one(token: Any) -> Any:
        if isinstance(token, bool) or not isinstance(token, int) or token < 0:
            return token
        if token not in ids:
            raise UnreadableFile(
                f"{where} names token {token}, which the tokenizer does not have: the two do not belong together"
            )
        return ids[token]

    return _walk(config, one)


def special_ids(config: Any) -> set[int]:
    """Every token id that a config names."""
    found: set[int] = set()

    def note(token: Any) -> Any:
        if isinstance(token, int) and not isinstance(token, bool) and token >= 0:
            found.add(token)
        return token

    _walk(config, note)
    return found


def _walk(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, list):
        return [_walk(one, change) for one in value]
    if not isinstance(value, dict):
        return value
    return {key: _deep(one, change) if _ID_KEY.search(key) else _walk(one, change) for key, one in value.items()}


def _deep(value: Any, change: Callable[[Any], Any]) -> Any:
    return [_deep(one, change) for one in value] if isinstance(value, list) else change(value)


def template_texts(source: Path) -> list[str]:
    """What the chat template may emit: its own text, and conversations rendered with it."""
    raw = []
    if (source / "chat_template.jinja").is_file():
        raw.append((source / "chat_template.jinja").read_text(encoding="utf-8"))
    if (source / "tokenizer_config.json").is_file():
        template = read_json(source / "tokenizer_config.json").get("chat_template")
        raw += [template] if isinstance(template, str) else [one["template"] for one in template or []]
    return raw + [text for template in raw for text in _rendered(source, template)]


def _rendered(source: Path, template: str) -> Iterable[str]:
    from jinja2 import TemplateError
    from transformers import AutoTokenizer

    turns = [
        {"role": "user", "content": "¿Qué se hizo?"},
        {"role": "assistant", "content": "Se hizo."},
        {"role": "user", "content": "More"},
    ]
    tool = {
        "type": "function",
        "function": {"name": "f", "description": "d", "parameters": {"type": "object", "properties": {}}},
    }
    tokenizer = AutoTokenizer.from_pretrained(source)
    for messages in ([{"role": "system", "content": "You write."}, *turns], turns):
        for extra in ({}, {"enable_thinking": False}, {"enable_thinking": True}, {"tools": [tool]}):
            try:
                yield str(
                    tokenizer.apply_chat_template(
                        messages, chat_template=template, tokenize=False, add_generation_prompt=True, **extra
                    )
                )
            except (TemplateError, ValueError, TypeError, KeyError):
                # some templates take no system turn or no tools and say so by raising; their own text is kept anyway
                continue


def read_json(path: Path) -> Any:
    """The content of a JSON file; UnreadableFile where it is not one."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableFile(f"{path} cannot be read as JSON: {error}") from None


def write_json(path: Path, value: Any, *, indent: int | None = 2) -> None:
    """Write JSON as these files are written elsewhere."""
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent) + "\n", encoding="utf-8")
