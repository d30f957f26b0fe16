"""What changed in a section: untouched blocks are told from edited, new, moved and removed ones."""

from __future__ import annotations

from fabai.formats import ast, pandoc
from fabai.formats.changes import Change, Fresh, Kept, changes, read_texts
from fabai.formats.document import Block, DocumentSection
from fabai.report import Report, Section
from fabai.settings import ReadingLimits

LIMITS = ReadingLimits()
BLOCKS = (
    Block("Primer párrafo, que dice algo del programa.", (1,)),
    Block("", (2,)),
    Block("Segundo párrafo, con otras palabras y 140 jóvenes.", (3,)),
    Block("- uno\n- dos", (4, 5)),
    Block("Último párrafo del apartado.", (6,)),
)
SOURCE = DocumentSection("A", 1, BLOCKS, (0,))


def change(text: str) -> Change:
    report = Report("T", "es", (Section("a", "A", 1, text),))
    return changes(report, {"a": SOURCE}, LIMITS)[0]


def marks(found: Change) -> str:
    """k kept, o opaque, f new, r replaced."""
    return "".join(
        ("k" if item.block.markdown else "o") if isinstance(item, Kept) else ("f" if item.instead is None else "r")
        for item in found.items
    )


def test_an_equal_text_keeps_every_block() -> None:
    found = change(SOURCE.text)
    assert marks(found) == "kokkk"
    assert found.heading_kept


def test_another_wrapping_of_the_same_text_keeps_every_block() -> None:
    assert marks(change(SOURCE.text.replace("- uno", "-   uno").replace("- dos", "-   dos"))) == "kokkk"


def test_an_edited_block_knows_what_it_replaces() -> None:
    found = change(SOURCE.text.replace("140", "141"))
    assert marks(found) == "korkk"
    edited = found.items[2]
    assert isinstance(edited, Fresh)
    assert edited.instead == BLOCKS[2]


def test_a_new_block_replaces_nothing_and_a_removed_one_is_gone() -> None:
    assert marks(change(SOURCE.text + "\n\nAlgo enteramente distinto, añadido al final.")) == "kokkkf"
    found = change(SOURCE.text.replace(BLOCKS[2].markdown + "\n\n", ""))
    assert marks(found) == "kokk"
    assert found.gone == (BLOCKS[2],)


def test_a_moved_block_is_kept_in_its_new_place() -> None:
    moved = "\n\n".join(BLOCKS[index].markdown for index in (2, 0, 3, 4))
    found = change(moved)
    assert [item.block for item in found.items if isinstance(item, Kept) and item.block.markdown] == [
        BLOCKS[2],
        BLOCKS[0],
        BLOCKS[3],
        BLOCKS[4],
    ]


def test_an_item_added_to_a_list_changes_the_list() -> None:
    found = change(SOURCE.text.replace("- dos", "- dos\n- tres"))
    assert marks(found) == "kokrk"


def test_a_section_written_anew_keeps_only_what_no_text_shows() -> None:
    found = change("Otra cosa.")
    assert [item.block.markdown for item in found.items if isinstance(item, Kept)] == [""]
    assert len(found.gone) == 4


def test_a_renamed_section_does_not_keep_its_heading() -> None:
    report = Report("T", "es", (Section("a", "B", 1, SOURCE.text),))
    found = changes(report, {"a": SOURCE}, LIMITS)[0]
    assert not found.heading_kept
    assert marks(found) == "kokkk"


def test_texts_are_read_apart_whatever_they_leave_open() -> None:
    trees = read_texts(["```\nabierto", "Uno.", "::: {.x}\nDos.", "[^1]\n\n[^1]: nota", ""], LIMITS)
    assert len(trees) == 5
    assert trees[1][0]["t"] == "Para"
    assert trees[4] == []


def test_of_blocks_that_say_the_same_the_one_in_its_place_is_the_same() -> None:
    source = DocumentSection("A", 1, (Block("Sí", (1,)), Block("Sí", (2,)), Block("No", (3,))), (0,))
    report = Report("T", "es", (Section("a", "A", 1, "Sí, claro\n\nSí\n\nNo"),))
    found = changes(report, {"a": source}, LIMITS)[0]
    assert [item.block.children for item in found.items if isinstance(item, Kept)] == [(2,), (3,)]


def test_a_block_of_several_paragraphs_is_replaced_whole() -> None:
    blocks = (Block("Uno del cuadro.\n\nDos del cuadro.\n\nTres del cuadro.", (1,)), Block("Fuera.", (2,)))
    source = DocumentSection("A", 1, blocks, (0,))
    text = "Uno del cuadro.\n\nDos y medio del cuadro.\n\nTres del cuadro.\n\nFuera."
    found = changes(Report("T", "es", (Section("a", "A", 1, text),)), {"a": source}, LIMITS)[0]
    edited, kept = found.items
    assert isinstance(edited, Fresh)
    assert (len(edited.trees), len(edited.before)) == (3, 3)
    assert edited.instead == blocks[0]
    assert isinstance(kept, Kept)


def test_a_text_that_would_spill_into_its_neighbours_is_read_apart_from_them() -> None:
    texts = [f"Texto *{number}*." for number in range(64)]
    texts[40] = "```\nsin cerrar"
    trees = read_texts(texts, LIMITS)
    said = [f"Texto {number}." for number in range(64)]
    assert len(trees) == 64
    assert [ast.text(tree) for tree in trees[:40]] == said[:40]
    assert [ast.text(tree) for tree in trees[41:]] == said[41:]


def test_a_text_that_was_read_before_is_not_read_again_and_its_tree_belongs_to_who_asked() -> None:
    texts = ["Un párrafo que se lee una vez, con nota[^1].\n\n[^1]: al pie", "- uno\n- dos"]
    first = read_texts(texts, LIMITS)
    expected = read_texts(texts, ReadingLimits(seconds=LIMITS.seconds + 1))
    first[0].clear()
    with pandoc.kept():
        assert read_texts(texts, LIMITS) == expected
        assert pandoc._kept[-1]._process is None
        assert read_texts([*texts, "*Otro*, que es nuevo."], LIMITS)[:2] == expected
        assert pandoc._kept[-1]._process is not None


def test_a_text_whose_links_are_explained_in_another_is_read_with_it_each_time() -> None:
    linked = "Véase [la convocatoria][bases]."
    alone, both = (read_texts(texts, LIMITS)[0] for texts in ([linked], [linked, "[bases]: https://example.org/b"]))
    assert [one["t"] for one in ast.walk(both) if one["t"] == "Link"] == ["Link"]
    assert "Link" not in [one["t"] for one in ast.walk(alone)]
    assert read_texts([linked], LIMITS)[0] == alone


def test_a_mark_without_a_note_stays_as_it_was_typed() -> None:
    trees = read_texts(["Uno.", "Véase [^5] y [^a].\n\n[^a]: nota", "Otro [^a], **y [^5]**"], LIMITS)
    assert [ast.text(tree) for tree in trees] == ["Uno.", "Véase [^5] y .", "Otro [^a], y [^5]"]


def test_a_link_that_begins_with_raised_letters_is_no_mark_of_a_note() -> None:
    linked = "De la masa.[^[[7]]{.underline}^](https://example.org/a) Era grande."
    found = read_texts(["Uno.", linked], LIMITS)[1]
    assert ast.text(found) == "De la masa.[7] Era grande."
