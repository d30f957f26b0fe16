"""How many LaTeX documents come in with their words: python -m benches.latex [FOLDER]

FOLDER is ../shared/data. The words of a document are those of its source without commands, drawings and listings, as
the fallback reader strips them; they are looked for in what the ordinary reader gives. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path

from fabai.errors import FabaiError
from fabai.formats.encoding import decode
from fabai.formats.latex_fallback import detex
from fabai.formats.read import read

ENOUGH = 0.95
_LEFT_OUT = re.compile(r"\\begin\{(tikzpicture|lstlisting|thebibliography)\}.*?\\end\{\1\}", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{3,}")


def kept(path: Path) -> float:
    """The share of the source's words that come in."""
    body = decode(path.read_bytes()).partition("\\begin{document}")[2]
    wanted = Counter(_WORD.findall(detex(_LEFT_OUT.sub("", body)).lower()))
    found = Counter(_WORD.findall(read(path).text.lower()))
    return (wanted & found).total() / max(wanted.total(), 1)


def main() -> None:
    """Read every LaTeX document, print its share, and how many have enough."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    shares = {}
    for path in sorted(parser.parse_args().folder.rglob("*.tex")):
        if b"\\documentclass" not in path.read_bytes():
            continue
        try:
            shares[path.name] = round(kept(path), 4)
        except FabaiError as error:
            shares[path.name] = 0.0
            print(f"{path.name}: {error}")
        print(f"{shares[path.name]:.4f}  {path.name}", flush=True)
    enough = sum(share >= ENOUGH for share in shares.values())
    print(json.dumps({"documents": len(shares), "enough": enough, "least": min(shares.values())}))


if __name__ == "__main__":
    main()
