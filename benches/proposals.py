"""What `fabai facts import` proposes from real documents against labels made by hand: precision, recall, per document.

    python -m benches.proposals [--shared DIR] [--show]

A proposal is right where its value says the same as a label (`fabai.facts.read_value`); its name is a person's to mend.
Wilson intervals at 95 %. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import tomllib
from pathlib import Path

from benches.checks_desk import wilson
from fabai.facts import read_fact, read_value
from fabai.proposals import propose
from fabai.proposals.wording import proposal_words

_LABELS = Path(__file__).with_suffix(".toml")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path(os.environ.get("FABAI_SHARED", "../shared")))
    parser.add_argument("--show", action="store_true", help="print what was wrong and what was missed")
    args = parser.parse_args()
    totals = {"seen": [0, 0, 0, 0], "unseen": [0, 0, 0, 0]}
    for one in tomllib.loads(_LABELS.read_text(encoding="utf-8"))["document"]:
        language = one["language"]
        wanted = {read_value(value, language).key: value for value in one["facts"]}
        roles = {*proposal_words(language).roles, *proposal_words(language).kinds.values()}
        facts = [candidate.fact for candidate in propose(args.shared / "data" / one["file"], language).candidates]
        facts = [fact for fact in facts if not (fact.kind == "name" and fact.name in roles)]
        keys = [read_fact(fact, language).key for fact in facts]
        hits, met = sum(key in wanted for key in keys), sum(key in keys for key in wanted)
        kind = "seen" if one.get("seen", False) else "unseen"
        print(f"{one['file']} ({kind}): {hits} of {len(facts)} right, {met} of {len(wanted)} facts found")
        if args.show:
            for fact, key in zip(facts, keys, strict=True):
                if key not in wanted:
                    print(f"  wrong: {fact.name} = {fact.value}")
            for key, value in wanted.items():
                if key not in keys:
                    print(f"  missed: {value}")
        totals[kind] = [sum(pair) for pair in zip(totals[kind], (hits, len(facts), met, len(wanted)), strict=True)]
    print(json.dumps({"bench": "proposals", **{kind: _rates(*counts) for kind, counts in totals.items()}}))


def _rates(right: int, proposed: int, found: int, labelled: int) -> dict[str, object]:
    return {
        "precision": f"{right} of {proposed}",
        "precision_95": [round(bound, 3) for bound in wilson(right, proposed)],
        "recall": f"{found} of {labelled}",
        "recall_95": [round(bound, 3) for bound in wilson(found, labelled)],
    }


if __name__ == "__main__":
    main()
