"""Writes what five partners send back into tests/data/dossiers. Run: python -m benches.make_partner_files

Each file begins as a real contribution pack; text, tracked changes, comments and renamed headings are put in as Word
writes them. The packs' own marks are taken out, because they belong to the project that made them; one file keeps its
mark, of a period that nobody knows.
"""

from __future__ import annotations

import copy
import io
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from lxml import etree

from fabai.dossier.packs import make_pack
from fabai.dossier.partners import add_partner
from fabai.form import find_form
from fabai.formats.package import Package
from fabai.formats.slots import section_mark
from fabai.formats.wordml import Element, W, add, add_text, element
from fabai.store.project import Project

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "dossiers" / "en-riverlink" / "partners"
ASKED = {
    "NMU": ("Northmoor University", ("recommendations", "data")),
    "DHI": ("Delta Hydraulics Institute", ("workpackages",)),
    "FAC": ("Fiume Aperto Cooperative", ("workpackages", "tasks")),
    "SSL": ("Sensoria Systems Ltd", ("workpackages", "resources")),
    "ADV": ("Agência dos Vales", ("exploitation",)),
}
_DATE = "2025-09-12T10:00:00Z"
_COMMENTS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"


class Edited:
    """A pack in the hands of a partner."""

    def __init__(self, data: bytes) -> None:
        self.package = Package(data)
        self.package.edit(self.package.document)
        self._number = 500
        self._comments: list[Element] = []

    def heading(self, section: str) -> Element:
        name = section_mark(section)
        mark = next(one for one in self.package.body.iter(W + "bookmarkStart") if one.get(W + "name") == name)
        parent = mark.getparent()
        assert parent is not None
        return parent

    def rename(self, section: str, text: str) -> None:
        words = list(self.heading(section).iter(W + "t"))
        words[0].text = text
        for rest in words[1:]:
            rest.text = ""

    def write(self, section: str, paragraphs: Sequence[Sequence[tuple[str, str, str]]]) -> None:
        """Paragraphs of (kind, author, text); kind: '' plain, 'ins', 'del', 'comment' (the author's, on "
        "what precedes)."""
        after = self.heading(section).getnext()
        assert after is not None
        line = after.getnext()
        assert line is not None
        for pieces in reversed(paragraphs):
            line.addnext(self._paragraph(pieces))

    def _paragraph(self, pieces: Sequence[tuple[str, str, str]]) -> Element:
        paragraph = element("p")
        last: Element | None = None
        for kind, author, text in pieces:
            self._number += 1
            if kind == "comment":
                assert last is not None
                number = self._comment(author, text)
                last.addprevious(element("commentRangeStart", id=number))
                last.addnext(element("commentRangeEnd", id=number))
                add(add(paragraph, "r"), "commentReference", id=number)
                continue
            holder = paragraph
            if kind:
                holder = add(paragraph, kind, id=self._number, author=author, date=_DATE)
            run = add(holder, "r")
            add_text(run, text, "delText" if kind == "del" else "t")
            last = run if holder is paragraph else holder
        return paragraph

    def loose_comment(self, author: str, text: str) -> None:
        """A comment that nothing in the text refers to."""
        self._comment(author, text)

    def _comment(self, author: str, text: str) -> int:
        number = len(self._comments)
        comment = element("comment", id=number, author=author, date=_DATE, initials=author[:1])
        add_text(add(add(comment, "p"), "r"), text)
        self._comments.append(comment)
        return number

    def save(self, path: Path, keep_mark: bool = False) -> None:
        if not keep_mark:
            for mark in list(self.package.body.iter(W + "bookmarkStart")):
                if (mark.get(W + "name") or "").startswith("_fabai_p_"):
                    holder = mark.getparent()
                    assert holder is not None
                    ends = [one for one in holder.iter(W + "bookmarkEnd") if one.get(W + "id") == mark.get(W + "id")]
                    for one in (mark, *ends):
                        holder.remove(one)
        if self._comments:
            root = element("comments")
            for comment in self._comments:
                root.append(copy.deepcopy(comment))
            kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
            self.package.put("word/comments.xml", root, kind)
            self.package.add_relation(self.package.document, _COMMENTS.rsplit("/", 1)[-1], "comments.xml")
        path.write_bytes(_still(self.package.save()))


def _still(data: bytes) -> bytes:
    """The package with one date on every part, so that making it again gives the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename.endswith(".xml"):
                content = etree.tostring(
                    etree.fromstring(content), xml_declaration=True, encoding="UTF-8", standalone=True
                )
            new.writestr(zipfile.ZipInfo(entry.filename, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def said(*texts: str) -> list[list[tuple[str, str, str]]]:
    return [[("", "", text)] for text in texts]


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        form = find_form("eu-periodic-report")
        with Project.create(Path(folder) / "p.fabai", form, "en", "RIVERLINK") as project:
            for name, (full, sections) in ASKED.items():
                add_partner(project, name, full, sections)
            packs = {name: make_pack(project, name) for name in ASKED}
    nmu = Edited(packs["NMU"])
    nmu.write(
        "recommendations",
        said("The reviewers asked for a test in winter. All 36 gauges ran from November 2024 to March 2025."),
    )
    nmu.write("data", said("The readings are published every day under CC BY 4.0."))
    nmu.save(FOLDER / "NMU.docx")
    dhi = Edited(packs["DHI"])
    dhi.write(
        "workpackages",
        said("WP2. Delta installed 36 gauges; D2.2 was submitted in month 29.", "WP3. D3.1 was submitted in month 24."),
    )
    dhi.save(FOLDER / "DHI.docx")
    fac = Edited(packs["FAC"])
    fac.write(
        "workpackages",
        [
            [
                ("", "", "WP4. The handbook D4.1 was published in month "),
                ("del", "Carlo Bruni", "21"),
                ("ins", "Carlo Bruni", "22"),
                ("", "", "."),
            ],
            [("ins", "Rosa Altieri", "The handbook was translated into three languages.")],
        ],
    )
    fac.write(
        "tasks",
        [
            [
                ("", "", "Task 4.1 is behind plan: 148 of 160 volunteers were trained."),
                ("comment", "Rosa Altieri", "Say that the course of the Vales was called off."),
                ("del", "Carlo Bruni", " We regret this very much."),
            ],
        ],
    )
    fac.loose_comment("Carlo Bruni", "I am away until the 20th.")
    fac.save(FOLDER / "FAC.docx")
    ssl = Edited(packs["SSL"])
    ssl.rename("workpackages", "What Sensoria did")
    ssl.rename("resources", "Money")
    ssl.write("workpackages", said("WP2. Sensoria finished the gauge at 230 EUR per unit."))
    ssl.write("resources", said("Equipment cost 52,000.00 EUR of the 54,000.00 EUR planned."))
    ssl.save(FOLDER / "SSL.docx")
    for name, words in (
        ("ADV.docx", "Two papers were published."),
        ("ADV-second.docx", "Two papers and a film were published."),
    ):
        adv = Edited(packs["ADV"])
        adv.write("exploitation", said(words))
        adv.save(FOLDER / name)
    old = Edited(packs["ADV"])
    old.write("exploitation", said("In the first period one paper was submitted."))
    old.save(FOLDER / "ADV-first-period.docx", keep_mark=True)


if __name__ == "__main__":
    main()
