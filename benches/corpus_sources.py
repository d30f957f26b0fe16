"""SOURCES.toml for the shared data, made from its manifest: python -m benches.corpus_sources [FOLDER] > SOURCES.toml

FOLDER is ../shared/data. A project is an author or a repository; grant applications that many teams keep in one
repository are one project for each team. Joined files, and the files that they join, are one project.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

KINDS = {
    "memoria": "memoria",
    "thesis": "thesis",
    "report": "report",
    "proposal": "proposal",
    "law": "law",
    "long-docx": "memoria",
}
CONSENT = "published by its authors under this licence"
_TEAM = re.compile(r"w3f(?:gen|open|delivery|eval)__(.+)\.md$")
_STAGE = re.compile(r"(?i)[-_](?:\d+_[\w-]*|milestone.*|m?\d+|phase.*|mvp.*|operations.*|dsm-w3f|takahser)$")


def rows(folder: Path) -> Iterator[dict[str, str]]:
    """The manifest's lines that are documents."""
    with (folder / "manifest.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if not row["kind"].startswith("text:") and (folder / row["file"]).is_file():
                yield row


def projects(found: list[dict[str, str]]) -> dict[str, str]:
    """The project of each file. A joined file names those that it joins by the folders that they lie in."""
    owner = {row["file"]: _project(row) for row in found}
    joined = [row for row in found if row["source"].startswith("several")]
    parts = {word for row in joined for word in row["source"].partition(":")[2].split()}
    together = {owner[row["file"]] for row in found if set(Path(row["file"]).parts) & parts}
    together |= {owner[row["file"]] for row in joined}
    return {file: "cc0-tfg" if project in together else project for file, project in owner.items()}


def _project(row: dict[str, str]) -> str:
    team = _TEAM.search(row["file"])
    if team is None:
        return row["source"]
    name = team[1].lower()
    while (shorter := _STAGE.sub("", name)) != name:
        name = shorter
    return "w3f-" + re.sub(r"(?:^project[-_]|[-_])", "", name)


def tables(folder: Path) -> str:
    """The whole SOURCES.toml."""
    found = list(rows(folder))
    project = projects(found)
    out = ["# made by `python -m benches.corpus_sources`: the shared data as sources of a corpus\n"]
    for row in found:
        path = row["file"]
        kind = KINDS.get(row["kind"], "call" if row["kind"].startswith("call") else "other")
        if path.startswith("long-ca/"):
            kind = "law"
        table: dict[str, object] = {
            "path": path,
            "licence": row["licence"],
            "consent": CONSENT,
            "language": row["language"] if row["language"] in ("es", "ca", "en") else "auto",
            "project": project[path],
            "kind": kind,
        }
        if row["notes"].startswith("DERIVED"):
            table["derived_from"] = [row["source"]]
        # a JSON string is a TOML string
        lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items()]
        out.append("[[source]]\n" + "\n".join(lines) + "\n")
    return "\n".join(out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    print(tables(parser.parse_args().folder), end="")
