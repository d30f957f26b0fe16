"""A GGUF model made heavier without a change in what it writes, to measure what the lock costs beside a bigger model.

    python -m benches.lock_heavier FROM.gguf TO.gguf --layers 240
    python -m benches.lock --only speed --gguf TO.gguf

The layers that are added are copies of the first whose last matrices are zero, so that each hands on what it was given.
Random weights of a big shape would not do: what they write is refused far more often than words are.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import gguf
import numpy as np

_LAST = ("attn_output", "ffn_down")
_OWN = ("GGUF.", "general.architecture")
"""Keys that a writer makes itself."""


def heavier(source: Path, target: Path, layers: int) -> None:
    """Write `target`, with so many layers in all."""
    reader = gguf.GGUFReader(source)
    family = reader.fields["general.architecture"].contents()
    writer = gguf.GGUFWriter(target, family)
    count = f"{family}.block_count"
    for key, one in reader.fields.items():
        if not key.startswith(_OWN):
            value = layers if key == count else one.contents()
            writer.add_key_value(key, value, one.types[0], sub_type=one.types[-1] if len(one.types) > 1 else None)
    tensors = {one.name: one for one in reader.tensors}
    for name, one in tensors.items():
        writer.add_tensor(name, one.data, raw_dtype=one.tensor_type)
    first = {name: one for name, one in tensors.items() if name.startswith("blk.0.")}
    for number in range(reader.fields[count].contents(), layers):
        for name, one in first.items():
            # in every kind of numbers bytes of zero are zero
            data = np.zeros_like(one.data) if name.split(".")[2] in _LAST else one.data
            writer.add_tensor(name.replace("blk.0.", f"blk.{number}."), data, raw_dtype=one.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--layers", type=int, default=240)
    args = parser.parse_args()
    heavier(args.source, args.target, args.layers)


if __name__ == "__main__":
    main()
