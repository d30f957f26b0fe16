"""K-quants (Q4_K_M and its like) by llama.cpp's own program, where this machine has it.

Knows how the program is found and called. Does not know what is in the files.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from fabai.errors import ExportError, MissingPart

PROGRAM = "llama-quantize"
_K_QUANT = re.compile(r"Q[2-6]_K(?:_[SML])?")
_SECONDS = 4 * 3_600.0


def is_k_quant(numbers: str) -> bool:
    """Whether numbers of this kind need the program."""
    return _K_QUANT.fullmatch(numbers) is not None


def program(numbers: str) -> str:
    """Its full path; MissingPart where it is not here."""
    found = shutil.which(PROGRAM)
    if found is None:
        raise MissingPart(
            f"{numbers} is made by llama.cpp's {PROGRAM}, which is not on this machine: install llama.cpp, or take "
            "--gguf Q4_0, Q5_1 or Q8_0, which fabai writes itself"
        )
    return found


def quantise(source: Path, target: Path, numbers: str) -> None:
    """Write `target` from a GGUF file of 16 bits."""
    # a program of this machine by its full path, with words of our own
    done = subprocess.run(  # noqa: S603
        [program(numbers), str(source), str(target), numbers],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if done.returncode != 0 or not target.is_file():
        said = (done.stderr or done.stdout).strip().splitlines()
        raise ExportError(
            f"{PROGRAM} did not make {numbers}: {said[-1] if said else f'it ended with {done.returncode}'}"
        )
