"""How far a model has moved away from its base on ordinary texts: KL divergence a token, per language.

Knows the texts that ship with the package (general.toml). Does not know what is too far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch

from fabai.report import LANGUAGES
from fabai.strict import build, read_toml

from .subject import Subject


@dataclass(frozen=True, slots=True)
class Texts:
    """Paragraphs by language."""

    es: tuple[str, ...]
    ca: tuple[str, ...]
    en: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Distance:
    """kl: mean nats a token of KL(base, tuned). base, tuned: mean loss a token. tokens: looked at."""

    kl: float
    base: float
    tuned: float
    tokens: int

    @property
    def gained(self) -> bool:
        """Whether the texts became likelier. Who learns a language moves away from a base that knew little of it."""
        return self.tuned < self.base


def texts() -> dict[str, tuple[str, ...]]:
    """By language."""
    path = Path(__file__).parent / "general.toml"
    found = build(Texts, read_toml(path), path.name)
    return {language: getattr(found, language) for language in LANGUAGES}


def distance(tuned: Subject, base: Subject | None = None) -> Mapping[str, Distance]:
    """By language. base: another model with the same tokens; else the tuned one without its adapter."""
    found = {}
    for language, paragraphs in texts().items():
        kl = ours = theirs = 0.0
        count = 0
        for text in paragraphs:
            ids = tuned.encoder.tokenizer(text, verbose=False)["input_ids"]
            places = range(1, len(ids))
            if not places:
                continue
            after = _logs(tuned, ids, places)
            if base is None:
                with tuned.base():
                    before = _logs(tuned, ids, places)
            else:
                before = _logs(base, ids, places)
            target = torch.tensor(ids[1:])[:, None]
            kl += float((before.exp() * (before - after)).sum())
            ours -= float(after.gather(1, target).sum())
            theirs -= float(before.gather(1, target).sum())
            count += len(places)
        if count:
            found[language] = Distance(kl / count, theirs / count, ours / count, count)
    return found


def _logs(subject: Subject, ids: list[int], places: range) -> torch.Tensor:
    parts = [torch.log_softmax(scores, -1).cpu() for _, scores in subject.logits(ids, places)]
    return torch.cat(parts)
