"""Run in the environment of `make test-unsloth-import`: Unsloth is there, and our trainer trains two steps with it.

On a machine without a card Unsloth trains on the processor, which shows the same road, not the same kernels. Its
transformers is an older one, so the transformers Writer is tried here too: what its cache kept changes no text.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import unsloth

from fabai.message import Message
from fabai.settings import Cache, SamplingSettings, WriterSettings
from fabai.writers.prefix import Prefix
from fabai.writers.transformers import Transformers
from tests.training import made
from tests.writers import tiny


def main() -> None:
    """Fails where a loss is missing, or is not that of our own engine on the same data."""
    losses = {}
    texts = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        model = tiny.make(folder / "model")
        for kind in ("fresh", "kept", "static"):
            texts[kind] = texts_of(Transformers(model, WriterSettings(cache=kind)), kind)
        data = made.examples(folder / "data", count=3)
        for engine in ("plain", "unsloth"):
            recipe = made.write_recipe(folder / f"{engine}.toml", model, engine=engine, steps=2, dropout=0.0)
            made.run(recipe, data, folder / engine, machine=made.with_unsloth())
            losses[engine] = [line["loss"] for line in made.lines(folder / engine)]
    print(f"unsloth {unsloth.__version__}: losses {losses}")
    assert texts["kept"] == texts["fresh"] == texts["static"]
    assert len(losses["unsloth"]) == 2
    # adapters start from other random numbers, and start as nought: the first loss is the base model's
    assert abs(losses["unsloth"][0] - losses["plain"][0]) < 1e-3 * losses["plain"][0]


def texts_of(writer: Transformers, kind: Cache) -> list[str]:
    """Answers to prompts that begin alike and are read in pieces."""
    writer._prefix = Prefix(kind, writer._model, chunk=16)
    start = "La sala abrió cinco tardes "
    asked = [[Message("user", start + end)] for end in ("por semana.", "y las familias valoraron la actividad.")]
    sampling = SamplingSettings(max_tokens=12, temperature=0.0)
    return ["".join(part for part in writer.stream(one, sampling) if isinstance(part, str)) for one in asked]


if __name__ == "__main__":
    main()
