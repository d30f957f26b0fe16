"""Run in the environment of `make test-unsloth-import`: Unsloth is there, and our trainer trains two steps with it.

On a machine without a card Unsloth trains on the processor, which shows the same road, not the same kernels.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import unsloth

from tests.training import made
from tests.writers import tiny


def main() -> None:
    """Fails where a loss is missing, or is not that of our own engine on the same data."""
    losses = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        model = tiny.make(folder / "model")
        data = made.examples(folder / "data", count=3)
        for engine in ("plain", "unsloth"):
            recipe = made.write_recipe(folder / f"{engine}.toml", model, engine=engine, steps=2, dropout=0.0)
            made.run(recipe, data, folder / engine, machine=made.with_unsloth())
            losses[engine] = [line["loss"] for line in made.lines(folder / engine)]
    print(f"unsloth {unsloth.__version__}: losses {losses}")
    assert len(losses["unsloth"]) == 2
    # adapters start from other random numbers, and start as nought: the first loss is the base model's
    assert abs(losses["unsloth"][0] - losses["plain"][0]) < 1e-3 * losses["plain"][0]


if __name__ == "__main__":
    main()
