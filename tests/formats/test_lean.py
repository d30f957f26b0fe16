"""What pandoc reads of a Word file is lean, and reads the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from fabai.formats import pandoc
from fabai.formats.lean import drop_unread, drop_unused_styles
from fabai.formats.package import Package, to_bytes


@pytest.mark.parametrize(
    "name",
    ["tika__testWORD_various", "pandoc__german_styled_lists", "docling__word_sample", "poi__IllustrativeCases"],
)
def test_pandoc_gives_the_same_tree_of_the_lean_file(shared: Path, name: str) -> None:
    package = Package((shared / "data" / "docx" / f"{name}.docx").read_bytes())
    whole = pandoc.read(package.save(), "docx").ast
    root, part = package.edit(package.document), package.related("styles")
    drop_unread(root)
    assert part is not None
    numbering = package.related("numbering")
    drop_unused_styles(package.edit(part), [root, *([] if numbering is None else [package.xml(numbering)])])
    lean = package.save({package.document: to_bytes(root)})
    assert len(lean) < len(package.save()) + 1
    assert pandoc.read(lean, "docx").ast == whole
