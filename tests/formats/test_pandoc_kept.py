"""A pandoc that stays gives what one that is started anew gives, and a fault of it harms no later conversion."""

from __future__ import annotations

import pytest

from fabai.errors import UnreadableFile
from fabai.formats import pandoc
from fabai.formats.pandoc_kept import Died, Failed, Kept, Late
from fabai.settings import ReadingLimits

TEXTS = ["hola **qué** tal", "a\tb\n\n\tcódigo con tabulador", "nota[^1]\n\n[^1]: uno\n\n[^1]: dos", ""]


def test_the_tree_and_the_messages_are_the_same() -> None:
    alone = [pandoc.read(text, "markdown") for text in TEXTS]
    with pandoc.kept():
        together = [pandoc.read(text, "markdown") for text in TEXTS]
    assert [(one.ast["blocks"], one.notices) for one in together] == [(one.ast["blocks"], one.notices) for one in alone]
    assert any(one.notices for one in alone)


def test_markdown_is_written_the_same() -> None:
    tree = pandoc.to_json("- uno\n- dos\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nnota[^1]\n\n[^1]: pie", "markdown")[
        "blocks"
    ]
    alone = pandoc.to_markdown(tree)
    with pandoc.kept():
        assert pandoc.to_markdown(tree) == alone


def test_what_cannot_be_read_is_one_sentence_and_the_next_text_is_read() -> None:
    with pandoc.kept():
        with pytest.raises(UnreadableFile, match="cannot be converted"):
            pandoc.read(b"no package", "docx")
        assert pandoc.read("sigue", "markdown").ast["blocks"]


def test_a_conversion_that_takes_too_long_is_ended() -> None:
    with pandoc.kept():
        with pytest.raises(UnreadableFile, match="took longer"):
            pandoc.read("palabra " * 200_000, "markdown", ReadingLimits(seconds=0.1))
        assert pandoc.read("sigue", "markdown").ast["blocks"]


def test_no_file_outside_is_read() -> None:
    with pandoc.kept():
        reading = pandoc.read("\\input{/etc/hostname}x", "latex")
    assert "CouldNotLoadIncludeFile" in {message["type"] for message in reading.log}


def test_a_process_that_died_is_started_anew() -> None:
    kept = Kept(pandoc.executable())
    try:
        assert kept.convert(b"uno", "markdown", "json", 256, 20)[0]
        process = kept._process
        assert process is not None
        process.kill()
        process.wait()
        assert kept.convert(b"dos", "markdown", "json", 256, 20)[0]
        with pytest.raises(Failed):
            kept.convert(b"x", "no-such-format", "json", 256, 20)
        with pytest.raises((Died, Late)):
            kept.convert(b"palabra **x** " * 400_000, "markdown", "json", 32, 2)
    finally:
        kept.close()
