"""How fast a corpus is built, and in how much memory: python -m benches.corpus [FOLDER] [--count N] [--docx N]

Documents are generated from the Markdown of the shared data: sections of real documents put together anew, figures and
some words changed, so that no two are alike; the Word files are made from the same texts. The build runs as a program
of its own; memory is that of all its processes together, sampled five times a second, and is called flat where the last
quarter needs no more than a tenth above the second. A busy machine slows the clock, not the processor: both are
given. Then the training examples of one long document (`benches.corpus_examples`). The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benches import corpus_examples
from fabai.formats.pandoc import executable

FOLDERS = ("grants-en", "calls-es", "calls-ca", "memorias-es")
_SPLIT = re.compile(r"(?m)^(?=#{1,4} )")
_PAGE = 4096


@dataclass(frozen=True, slots=True)
class Measure:
    """Of one build. per_core_pair: documents a second that two free cores would give, by processor time."""

    documents: int
    words: int
    seconds: float
    per_second: float
    per_core_pair: float
    peak_mib: int
    flat: bool


def sections(folder: Path) -> dict[str, list[str]]:
    """Sections of 40 to 400 words with their headings, by folder."""
    found: dict[str, list[str]] = {}
    for name in FOLDERS:
        for path in sorted((folder / name).rglob("*.md")):
            text = path.read_text(encoding="utf-8", errors="replace")
            found.setdefault(name, []).extend(one for one in _SPLIT.split(text) if 40 <= len(one.split()) <= 400)
    return found


def made_up(rng: random.Random, pool: list[str], number: int) -> str:
    """One document of about a thousand words."""
    chosen: list[str] = []
    while sum(len(one.split()) for one in chosen) < 900:
        chosen.append(rng.choice(pool))
    text = "\n\n".join(one.strip() for one in chosen)
    text = re.sub(r"\d", lambda match: rng.choice("0123456789") if rng.random() < 0.5 else match[0], text)
    words = re.sub(
        r"(?<= )[a-záéíóúàèòç]{5,}(?= )", lambda match: match[0] if rng.random() < 0.97 else "actividad", text
    )
    return f"# Informe {number}\n\n{words}\n"


def generate(folder: Path, into: Path, count: int, word: int) -> list[int]:
    """Write the documents; the words of each."""
    rng = random.Random(1)
    pools = list(sections(folder).values())
    sizes = []
    for number in range(max(count, word)):
        text = made_up(rng, rng.choice(pools), number)
        sizes.append(len(text.split()))
        if number < count:
            (into / "md").mkdir(parents=True, exist_ok=True)
            (into / "md" / f"informe-{number:05}.md").write_text(text, encoding="utf-8")
        if number < word:
            (into / "docx").mkdir(parents=True, exist_ok=True)
            target = into / "docx" / f"informe-{number:05}.docx"
            command = [executable(), "--sandbox", "-f", "gfm", "-t", "docx", "-o", str(target)]
            subprocess.run(command, input=text.encode(), check=True, stderr=subprocess.DEVNULL)
    return sizes


def memory(process: int) -> int:
    """MiB that a process and all under it hold in memory."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    waiting, pages = [process], 0
    while waiting:
        one = waiting.pop()
        waiting += parents.get(one, [])
        try:
            pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
        except OSError:
            continue
    return pages * _PAGE // 2**20


def build(into: Path, kind: str, words: int) -> Measure:
    """Build a corpus of one kind of file."""
    sources = into / f"{kind}.toml"
    sources.write_text(f'[[source]]\npath = "{kind}"\nlicence = "CC0-1.0"\nconsent = "bench"\n', encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "fabai",
        "corpus",
        "build",
        str(sources),
        "-o",
        str(into / f"corpus-{kind}"),
        "--json",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    samples = []
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        while process.poll() is None:
            samples.append(memory(process.pid))
            time.sleep(0.2)
        assert process.stdout is not None
        summary = json.loads(process.stdout.read())
    seconds = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    count = summary["documents"]
    quarter = max(len(samples) // 4, 1)
    second, last = max(samples[quarter : 2 * quarter], default=0), max(samples[-quarter:], default=0)
    return Measure(
        count,
        words,
        round(seconds, 1),
        round(count / seconds, 1),
        round(2 * count / spent, 1),
        max(samples),
        last <= 1.1 * second,
    )


def main() -> None:
    """Generate, build, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--count", type=int, default=1_000, help="Markdown documents")
    parser.add_argument("--docx", type=int, default=200, help="Word documents")
    arguments = parser.parse_args()
    measures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="fabai-bench-") as place:
        into = Path(place)
        words = round(statistics.median(generate(arguments.folder, into, arguments.count, arguments.docx)))
        for kind, count in (("md", arguments.count), ("docx", arguments.docx)):
            if count:
                measures[kind] = asdict(build(into, kind, words))
                print(kind, measures[kind])
    measures["examples"] = corpus_examples.measure()
    print("examples", measures["examples"])
    print(json.dumps(measures))


if __name__ == "__main__":
    main()
