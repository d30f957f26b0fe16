"""How well personal data are recognised: python -m benches.personal_data [FOLDER] [--count N] [--show]

Synthetic identifiers, names, and codes that look like them (benches/planted.py) are written into real paragraphs of the
shared data in three languages. Recall: planted values of which nothing is left. Harm: codes, amounts and dates that did
not come through as they were. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import tarfile
from collections import Counter
from pathlib import Path

from fabai.corpus.cleaning import clean
from fabai.corpus.intake import Taken

from benches.planted import IDENTIFIERS, Planted, lookalike, name
from fabai.settings import CorpusSettings

FRAMES = {
    "es": [
        "La persona responsable ({}) firmó el acta.",
        "Datos: {}.",
        "Consta {} en el expediente.",
        "- Contacto: {}",
        "{}",
    ],
    "ca": [
        "La persona responsable ({}) va signar l'acta.",
        "Dades: {}.",
        "Consta {} a l'expedient.",
        "- Contacte: {}",
        "{}",
    ],
    "en": ["The person in charge ({}) signed.", "Details: {}.", "The file shows {} as agreed.", "- Contact: {}", "{}"],
}
NAMED = {
    "es": [
        "La coordinación la llevó {} durante todo el año.",
        "Según {}, el grupo creció.",
        "Firmado: {}",
        "- {}, educadora",
        "Tutor: {}",
    ],
    "ca": [
        "La coordinació la va dur {} durant tot l'any.",
        "Segons {}, el grup va créixer.",
        "Signat: {}",
        "- {}, educadora",
        "Tutora: {}",
    ],
    "en": [
        "The work was led by {} for the whole year.",
        "According to {}, the group grew.",
        "Author: {}",
        "- {}, trainer",
        "Supervisor: {}",
    ],
}
TEXTS = {
    "es": "text/es/ministerio-universidades.txt",
    "ca": "text/ca/legalize-ad.txt",
    "en": "text/en/astropy-automates.txt",
}


def paragraphs(folder: Path) -> dict[str, list[str]]:
    """Real lines of 100 to 600 characters, by language."""
    found: dict[str, list[str]] = {}
    with tarfile.open(folder / "text.tar.xz") as archive:
        for language, member in TEXTS.items():
            file = archive.extractfile(member)
            assert file is not None
            lines = file.read().decode("utf-8", "replace").splitlines()
            found[language] = [line.strip() for line in lines if 100 <= len(line) <= 600 and "@" not in line]
    return found


def cleaned(texts: list[str], names: bool) -> list[str]:
    """Each text as a section of one document comes out of cleaning."""
    # headings keep the sections apart and in order
    taken = Taken("", None, tuple((f"s{number}", 1, text) for number, text in enumerate(texts)))
    done = clean(taken, b"bench", CorpusSettings(names=names))
    return [section.text for section in done.sections]


def planted_texts(rng: random.Random, real: list[str], items: list[str], frames: list[str]) -> list[str]:
    """Each item in a sentence, the sentence inside or after a real paragraph."""
    out = []
    for item in items:
        sentence = rng.choice(frames).format(item)
        around = rng.choice(real)
        middle = around.find(". ", len(around) // 3)
        inside = f"{around[: middle + 1]} {sentence} {around[middle + 2 :]}"
        apart = (
            f"{around}\n\n{sentence}" if not sentence.startswith("- ") else f"{around}\n\n{sentence}\n- {around[:60]}"
        )
        out.append(inside if middle > 0 and not sentence.startswith("- ") and rng.random() < 0.5 else apart)
    return out


def interval(right: int, whole: int) -> str:
    """The 95 % interval of Wilson."""
    z, p = 1.96, right / whole
    centre = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    return f"{max(centre - half, 0):.3f}-{min(centre + half, 1):.3f}"


def main() -> None:
    """Plant, clean, count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--count", type=int, default=100, help="of each kind and language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what went wrong")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    real = paragraphs(arguments.folder)
    right: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    harmed = looked = 0
    for language, lines in real.items():
        for kind, make in [*IDENTIFIERS.items(), ("persona", name)]:
            items: list[Planted] = [make(rng) for _ in range(arguments.count)]
            frames = NAMED[language] if kind == "persona" else FRAMES[language]
            texts = planted_texts(rng, lines, [item.text for item in items], frames)
            for item, before, after in zip(items, texts, cleaned(texts, names=kind == "persona"), strict=True):
                gone = item.secret not in after and after.count("{{") > 0
                right[kind] += gone
                whole[kind] += 1
                if not gone and arguments.show:
                    place = before.find(item.text)
                    print(f"missed {kind}: …{before[max(0, place - 30) : place + len(item.text) + 10]!r}")
        codes = [lookalike(rng) for _ in range(arguments.count * 10)]
        texts = planted_texts(rng, lines, codes, FRAMES[language])
        for code, after in zip(codes, cleaned(texts, names=True), strict=True):
            looked += 1
            if code not in re.sub(r"\\(?=\W)", "", after):
                harmed += 1
                if arguments.show:
                    print(f"harmed: {code!r}")
    table = {
        kind: {
            "recall": round(right[kind] / whole[kind], 4),
            "of": whole[kind],
            "wilson": interval(right[kind], whole[kind]),
        }
        for kind in whole
    }
    for kind, row in table.items():
        print(f"{kind:18} {row['recall']:.4f} of {row['of']}  ({row['wilson']})")
    kinds = [kind for kind in whole if kind != "persona"]
    found, planted = sum(right[kind] for kind in kinds), sum(whole[kind] for kind in kinds)
    print(f"identifiers        {found / planted:.4f} of {planted}  ({interval(found, planted)})")
    print(f"look-alikes harmed {harmed} of {looked}")
    print(
        json.dumps(
            {
                "recall": round(found / planted, 4),
                "planted": planted,
                "harmed": harmed,
                "lookalikes": looked,
                "kinds": table,
            }
        )
    )


if __name__ == "__main__":
    main()
