"""Which section of the form each child of a Word body belongs to, and the headings in order.

Knows headings by style, outline level or as bold lines with a section's own words. Does not know rules.
"""

from __future__ import annotations

from dataclasses import dataclass

from fabai.form import Form, SectionSpec
from fabai.formats.package import Package
from fabai.formats.wordbody import heading_levels, open_controls, styles_of, toc_children
from fabai.formats.wordml import W, squeezed, text_of
from fabai.report import fold


@dataclass(frozen=True, slots=True)
class Place:
    """A heading: the position of its body child, its words, its level, and the spec that it answers, if any."""

    child: int
    heading: str
    level: int
    spec: SectionSpec | None


class Places:
    """The headings of a package against a form's sections; content controls with headings are opened in place."""

    def __init__(self, package: Package, form: Form) -> None:
        styles = styles_of(package)
        open_controls(package, styles)
        body = package.body
        self.contents = toc_children(body, styles)
        levels = heading_levels(body, styles, self.contents)
        known = {fold(words): spec for spec in form.sections for words in spec.heading.values() if fold(words)}
        self.headings: list[Place] = []
        for index, one in enumerate(body):
            if one.tag != W + "p" or index in self.contents:
                continue
            words = squeezed(text_of(one))
            spec = known.get(fold(words))
            if index in levels:
                self.headings.append(Place(index, words, levels[index], spec))
            elif spec is not None:
                # a template may set its headings by hand, in bold
                self.headings.append(Place(index, words, spec.level, spec))

    def of(self, child: int) -> Place | None:
        """The heading that a body child stands under, None in front of the first."""
        found = None
        for place in self.headings:
            if place.child > child:
                break
            found = place
        return found

    def spec_of(self, child: int) -> str | None:
        """The id of the nearest spec at or above a child's heading, None where the form has none there."""
        found: str | None = None
        for place in self.headings:
            if place.child > child:
                break
            if place.spec is not None:
                found = place.spec.id
        return found
