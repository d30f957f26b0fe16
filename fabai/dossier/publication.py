"""A Publication: what a project has published, as a bibliography file has it.

Knows its fields and how a DOI is written. Does not know files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^`\[\]]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Publication:
    """authors: "Family, Given". year: 0 where unknown. note: everything in the record that may acknowledge a grant.
    file: where it was read. kind: CSL's type ("article-journal"). id: its key in that file, by which a text cites it.
    """

    title: str
    authors: tuple[str, ...] = ()
    year: int = 0
    container: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    url: str = ""
    kind: str = ""
    note: str = ""
    file: str = ""
    id: str = ""

    @property
    def key(self) -> str:
        """What makes two records one: the DOI, else the letters of the title."""
        return self.doi.lower() or re.sub(r"\W+", "", self.title.lower())[:120]

    def citation(self) -> str:
        """One line: authors (year). title. container, volume(issue), pages. DOI."""
        people = "; ".join(self.authors[:6]) + (" et al." if len(self.authors) > 6 else "")
        volume = f"{self.volume}({self.issue})" if self.issue and self.volume else self.volume or self.issue
        inside = ", ".join(part for part in (self.container, volume, self.pages) if part)
        head = (
            f"{people} ({self.year})." if people and self.year else people or (f"({self.year})." if self.year else "")
        )
        parts = [head, f"{self.title}." if self.title else "", f"{inside}." if inside else ""]
        link = f"https://doi.org/{self.doi}" if self.doi else self.url
        return " ".join(part for part in (*parts, link) if part)


def doi_in(text: str) -> str:
    """The first DOI in a text, lower case and without what a sentence puts behind it; "" where there is none."""
    match = _DOI.search(text)
    if match is None:
        return ""
    doi = match[0].rstrip(".,;:")
    while doi.endswith(")") and doi.count(")") > doi.count("("):
        doi = doi[:-1].rstrip(".,;:")
    return doi.lower()
