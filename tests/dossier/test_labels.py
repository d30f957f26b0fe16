"""Commitments proposed from real proposals against labels made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benches import dossier as bench


@pytest.mark.slow
def test_proposals_are_read_with_the_precision_and_recall_that_the_docs_state(shared: Path) -> None:
    assert shared / "data" == bench.SHARED
    rows = bench.commitments()
    right, proposed, labels = (sum(row[name] for row in rows) for name in ("right", "proposed", "labels"))
    assert right / proposed >= 0.9
    assert right / labels >= 0.8
    unseen = [row for row in rows if row["first"] is not None]
    assert len(unseen) >= 3


def test_a_commitment_counts_for_one_label_only() -> None:
    from fabai.dossier.commitment import Commitment
    from fabai.dossier.place import Place

    found = [Commitment("activity", "Write the tutorial", Place("p"))]
    assert bench.matched(found, [("activity", "tutorial"), ("activity", "write")]) == 1
    assert bench.matched(found, [("deliverable", "tutorial")]) == 0
