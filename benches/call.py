"""How well a form is read from calls: precision and recall on labelled ones: python -m benches.call [FOLDER] [--show]

FOLDER holds calls-es/, calls-ca/, grants-en/ and pdf/ (by default ../shared/data). benches/call_labels.toml says, for
each file, what a person found in it: limits of length, letters, spacing, margins, file size, deadlines of the
account, and the sections that it asks for; a file with an empty list says nothing of the kind. The readers were
mended after the first run on these same files, so these are not figures of calls never seen. The last line is JSON.
"""

from __future__ import annotations

import argparse
import datetime
import json
import time
import tomllib
from collections import Counter
from pathlib import Path

from fabai.call.proposal import Proposal, propose
from fabai.errors import FabaiError
from fabai.form import BESIDE
from fabai.formats.read import read
from fabai.report import fold


def items(proposals: list[Proposal]) -> set[str]:
    """What proposals state, each in one canonical line."""
    out: set[str] = set()
    for proposal in proposals:
        form = proposal.form
        for spec in form.sections:
            out |= {f"section {fold(heading)}" for heading in spec.heading.values()}
        for limit in (*form.limits, *(one for spec in form.sections for one in spec.limits)):
            low = "" if limit.minimum is None else f"{limit.minimum}<="
            high = "" if limit.maximum is None else f"<={limit.maximum}"
            beside = ",".join(sorted({_beside(one) for one in limit.excludes}))
            out.add(f"{low}{limit.unit}{high}" + (f" without {beside}" if beside else ""))
        if form.font is not None:
            out |= {f"size {form.font.size:g}"} if form.font.size is not None else set()
            out |= {f"font {name}" for name in form.font.names}
        if form.page is not None:
            out |= {f"spacing {form.page.spacing:g}"} if form.page.spacing is not None else set()
            for side in ("top", "right", "bottom", "left"):
                length = getattr(form.page, side)
                out |= {f"{side} {length:g}"} if length is not None else set()
        if form.file is not None and form.file.megabytes is not None:
            out.add(f"megabytes {form.file.megabytes:g}")
        for deadline in form.deadlines:
            span = f"{deadline.months} months" if deadline.months is not None else f"{deadline.days} days"
            span = "" if deadline.starts == "fixed" else f"{span} "
            cap = f" by {deadline.latest}" if deadline.latest is not None else ""
            out.add(f"deadline {span}from {deadline.starts}{cap}" + (" fixed" if deadline.extendable is False else ""))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description="Precision and recall of forms read from calls.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--show", action="store_true", help="print what was found wrongly or missed")
    parser.add_argument("--only", help="files with this in their name")
    arguments = parser.parse_args()
    labels = tomllib.loads((Path(__file__).parent / "call_labels.toml").read_text(encoding="utf-8"))["call"]
    group: Counter[str] = Counter()
    kinds: dict[str, Counter[str]] = {}
    unread: list[str] = []
    start = time.perf_counter()
    for label in labels:
        path = arguments.folder / label["file"]
        if not path.exists() or (arguments.only is not None and arguments.only not in path.name):
            continue
        try:
            document = read(path)
        except FabaiError as error:
            print(f"not counted: {error}", flush=True)
            unread.append(path.name)
            continue
        found = items(propose(document, path.name, template=False, today=datetime.date(2026, 11, 30)))
        wanted = set(label["items"])
        group["files"] += 1
        for kind, some in (("right", found & wanted), ("wrong", found - wanted), ("missed", wanted - found)):
            group[kind] += len(some)
            for one in some:
                kinds.setdefault(_kind(one), Counter())[kind] += 1
            if arguments.show and kind != "right":
                for one in sorted(some):
                    print(f"{path.name}: {kind}: {one}", flush=True)
    out: dict[str, object] = {**_shares(group), "unread": unread}
    out["kinds"] = {name: _shares(counts) for name, counts in sorted(kinds.items())}
    out["seconds"] = round(time.perf_counter() - start)
    print(json.dumps(out, ensure_ascii=False))


def _beside(excluded: str) -> str:
    """'summary' and 'annexes' whatever the sections are called."""
    if excluded in BESIDE:
        return excluded
    return next((name for name, word in (("summary", "resum"), ("annexes", "annex")) if word in excluded), excluded)


def _kind(item: str) -> str:
    first = item.split(" ")[0]
    return (
        first
        if first in ("section", "size", "font", "spacing", "megabytes", "deadline")
        else "margin"
        if first in ("top", "right", "bottom", "left")
        else "limit"
    )


def _shares(group: Counter[str]) -> dict[str, float | int]:
    found, wanted = group["right"] + group["wrong"], group["right"] + group["missed"]
    out: dict[str, float | int] = {"items": wanted}
    if group["files"]:
        out["files"] = group["files"]
    if found:
        out["precision"] = round(group["right"] / found, 3)
    if wanted:
        out["recall"] = round(group["right"] / wanted, 3)
    return out


if __name__ == "__main__":
    main()
