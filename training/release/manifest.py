"""What a Release says of itself, in release.json: what was trained on what, every form of it, and how each compared.

    RELEASE/release.json   this                         RELEASE/adapter/    the adapter in PEFT's layout, the tokenizer
    RELEASE/run.json       the run's own account        RELEASE/slice/      the id map of a sliced vocabulary
    RELEASE/README.md      the model card               RELEASE/evaluation/ what fabai eval found
    RELEASE/merged/        base and adapter in one      RELEASE/gguf/       files for llama.cpp

Knows the record. Does not know how it comes about.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

FORMAT = 1
Numbers = Literal["F16", "BF16", "Q8_0", "Q5_1", "Q4_0"]
"""What the gguf package writes by itself."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A form beside the adapter on a base of the same precision (`beside`).

    prompts, positions: looked at. top1: share of positions with the same likeliest token. kl: mean nats a position, of
    the form from its reference; for llama.cpp over the form's likeliest tokens and the rest, which is a lower bound.
    loss, reference_loss: of the text itself a position; trained_loss: of the adapter in the numbers that it was trained
    beside. weights_top1: as top1, for the file's weights computed in 32 bits, which llama.cpp does not do; None where
    that was not looked at. clear: positions at which the reference's likeliest token leads by a tenth of a nat, so
    that rounding alone does not change it; clear_top1: as top1, of those.
    """

    beside: str
    prompts: int
    positions: int
    top1: float
    kl: float
    loss: float
    reference_loss: float
    trained_loss: float
    weights_top1: float | None = None
    clear: int = 0
    clear_top1: float | None = None


@dataclass(frozen=True, slots=True)
class Form:
    """One thing to load. file: within the Release. numbers: "BF16", "Q8_0" ... compared: None where nothing could be
    compared, and `note` says why.
    """

    kind: Literal["adapter", "merged", "gguf", "gguf-adapter"]
    file: str
    numbers: str
    size: int
    sha256: str
    compared: Compared | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Manifest:
    """release.json. base: name, mark, sha256, tokenizer, licence, positions. corpus: id, sha256 of the examples, mode,
    cap, decay, documents. recipe: name, sha256, settings. prompts: where the texts of the comparisons are from.
    files: sha256 of all else.
    """

    format: int
    name: str
    created: str
    base: dict[str, Any]
    corpus: dict[str, Any]
    recipe: dict[str, Any]
    seeds: dict[str, int]
    versions: dict[str, str]
    languages: tuple[str, ...]
    licences: dict[str, Any]
    prompts: str
    forms: tuple[Form, ...]
    files: dict[str, str] = field(default_factory=dict)
    parent: dict[str, Any] | None = None
    slice: dict[str, Any] | None = None
    evaluation: dict[str, Any] | None = None
