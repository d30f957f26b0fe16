"""What the first pass keeps comes back for the second, and for no other recipe."""

from __future__ import annotations

from pathlib import Path

from fabai.corpus.cleaned import Cleaned, keep, kept, place
from fabai.corpus.document import CorpusSection

ONE = Cleaned(
    "memoria-1", "receta", "a" * 64, "Memoria", "es", None, "thesis",
    (CorpusSection("Uno", 1, "Texto {{dni_1}}", "es", ("mixed-language",), "text"),),
    ("ocr",), {"dni_1": "abc"}, (1, 2**47), {"importe": "1 €"}, ("leído",),
)  # fmt: skip


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    (tmp_path / ".work").mkdir()
    keep(tmp_path, ONE)
    assert kept(tmp_path, ONE.id, "receta") == ONE


def test_another_recipe_or_a_damaged_file_gives_nothing(tmp_path: Path) -> None:
    (tmp_path / ".work").mkdir()
    keep(tmp_path, ONE)
    assert kept(tmp_path, ONE.id, "otra") is None
    assert kept(tmp_path, "otro", "receta") is None
    for damaged in (b"{", b"[]", b'{"recipe": "receta"}', b'{"recipe": "receta", "sections": [{}]}'):
        place(tmp_path, ONE.id).write_bytes(damaged)
        assert kept(tmp_path, ONE.id, "receta") is None
