"""What is rendered for Word says the same however it is handed to pandoc."""

from __future__ import annotations

from lxml import etree

from fabai.formats import ast, pandoc
from fabai.formats.package import Package
from fabai.formats.wordml import Element, W, child, text_of

TEXT = """Uno **dos tres** y *cuatro* `cinco seis`, 7 % de [un enlace](https://example.org "título") y nota[^1].

- [ ] tarea con palabras
- [x] otra tarea

1.  Punto ~~borrado~~ con\\
    dos líneas

    Segundo párrafo del punto.

| A b | C  d |
|:---|---:|
| uno dos | $x + 1$ y más |

> Cita de *varias* palabras.

[^1]: Al pie, **con** palabras.
"""


def runs(root: Element) -> list[tuple[bytes, str]]:
    """Properties and text of the runs, neighbours of one look together."""
    out: list[tuple[bytes, str]] = []
    last = None
    for run in root.iter(W + "r"):
        properties = child(run, "rPr")
        look = b"" if properties is None else etree.tostring(properties)
        bare = all(one.tag in (W + "rPr", W + "t") for one in run)
        if bare and last is not None and run.getprevious() is last and out[-1][0] == look:
            out[-1] = look, out[-1][1] + text_of(run)
        else:
            out.append((look, text_of(run)))
        last = run if bare else None
    return out


def parts(tree: pandoc.Ast) -> list[tuple[list[tuple[bytes, str]], list[bytes]]]:
    """Runs, and everything else, of the text and its notes."""
    package = Package(pandoc.from_json(tree, "docx"))
    out = []
    for part in (package.document, package.related("footnotes")):
        assert part is not None
        root = package.xml(part)
        said = runs(root)
        for run in list(root.iter(W + "r")):
            for one in run.findall(W + "t"):
                run.remove(one)
        out.append((said, [etree.tostring(one) for one in root.iter(W + "pPr", W + "tblPr", W + "hyperlink")]))
    return out


def test_words_that_go_to_pandoc_in_one_piece_come_out_as_the_same_text_in_the_same_looks() -> None:
    tree = pandoc.to_json(TEXT, pandoc.MARKDOWN)
    joined = ast.joined(tree)
    assert len(list(ast.walk(joined))) < len(list(ast.walk(tree))) * 0.75
    assert [said for said, _ in parts(joined)] == [said for said, _ in parts(tree)]
    assert [len(rest) for _, rest in parts(joined)] == [len(rest) for _, rest in parts(tree)]


def test_the_box_of_a_task_is_not_joined_to_its_words() -> None:
    tree = pandoc.to_json("- [ ] hacer esto\n- [x] hecho", pandoc.MARKDOWN)
    items = ast.joined(tree)["blocks"][0]["c"]
    assert [[one.get("c", " ") for one in item[0]["c"]] for item in items] == [
        ["\u2610", " ", "hacer esto"],
        ["\u2612", " ", "hecho"],
    ]
