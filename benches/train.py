"""Kill a training run at 20 random moments, go on, and compare with the run that nobody killed.

    python -m benches.train [--kills 20] [--first 0] [--steps 20]

Each run is a process that ends by SIGKILL, every third while a checkpoint is being written. Knows a tiny random model
in 4 bits with dropout and 8-bit Adam; the last line is JSON. Equal means: each step's loss, learning rate, gradient
norm and examples, and the final weights to the bit.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.training.made import examples, write_recipe
from tests.training.test_resume import SETTINGS, facts, same_weights, train
from tests.writers import tiny


def main() -> None:
    """Print a line for each kill."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="number of the first kill, to go on in parts")
    parser.add_argument("--steps", type=int, default=20)
    args = parser.parse_args()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["fabai.training.trainer", "fabai.training.train", "datasets", "peft"])
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        model, data = tiny.make(folder / "model"), examples(folder / "data")
        recipe = write_recipe(folder / "r.toml", model, **(SETTINGS | {"steps": args.steps}))
        whole = folder / "whole"
        _, seconds = once(context, recipe, data, whole, None)
        rows = []
        for number in range(args.first, args.first + args.kills):
            dice = random.Random(number)
            output = folder / f"run-{number}"
            moment = "saving" if number % 3 == 0 else dice.random() * seconds
            killed, _ = once(context, recipe, data, output, moment)
            begun = time.perf_counter()
            again = context.Process(target=train, args=(str(recipe), str(data), str(output), killed is not None))
            again.start()
            again.join()
            equal = again.exitcode == 0 and facts(output) == facts(whole) and same_weights(output, whole)
            rows.append({"killed": killed, "equal": equal, "resume_s": round(time.perf_counter() - begun, 2)})
            print(
                f"{number + 1:3} killed {'while saving' if number % 3 == 0 else 'at random   '} {killed}: equal {equal}"
            )
        found = {
            "kills": len(rows),
            "equal": sum(row["equal"] for row in rows),
            "resume_s": statistics.median(row["resume_s"] for row in rows),
        }
    print(json.dumps(found))


def once(context: Any, recipe: Path, data: Path, output: Path, moment: float | str | None) -> tuple[str | None, float]:
    """(the last checkpoint of a run that was killed, seconds of training); `moment`: seconds after the first
    checkpoint, "saving", or None to let it end.
    """
    process = context.Process(target=train, args=(str(recipe), str(data), str(output), False))
    process.start()
    folder = output / "checkpoints"
    while process.is_alive() and not (folder / "step-000001").exists():
        time.sleep(0.001)
    begun = time.perf_counter()
    if moment == "saving":
        while process.is_alive() and not any(folder.glob(".step-*.unfinished")):
            time.sleep(0.0002)
    elif moment is not None:
        process.join(float(moment))
    if moment is not None:
        process.kill()
    process.join()
    last = sorted(path.name for path in folder.glob("step-*"))
    return (last[-1] if moment is not None and last else None), time.perf_counter() - begun


if __name__ == "__main__":
    main()
