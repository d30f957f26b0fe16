"""What the documents of a corpus have in common: names that are everybody's, and facts that can be mistaken for one's
own.

Knows projects and languages. Does not know what examples are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from fabai.ledger import Fact
from fabai.names import fold_word, name_words, names
from fabai.settings import ExampleSettings

from .briefs import stated
from .document import CorpusDocument

_FACTS = 24  # of one document
_SECTIONS = 12  # that they are looked for in
DEFAULTS = ExampleSettings()


@dataclass(frozen=True, slots=True)
class Commons:
    """vocabulary: folded words that `settings.common` projects write with a capital. facts: by language, each with its
    project.
    """

    vocabulary: frozenset[str]
    facts: dict[str, tuple[tuple[str, Fact], ...]]

    def others(self, project: str, language: str) -> list[Fact]:
        """Facts of other projects in the language."""
        return [fact for owner, fact in self.facts.get(language, ()) if owner != project]


def commons(documents: Iterable[CorpusDocument], settings: ExampleSettings = DEFAULTS) -> Commons:
    """One pass over the documents."""
    owners: dict[str, set[str]] = defaultdict(set)
    facts: dict[str, list[tuple[str, Fact]]] = defaultdict(list)
    for document in documents:
        words = {
            word for section in document.sections for name in names(section.text) for word in name_words(name.text)
        }
        for word in words:
            # a word that is common already needs no further owner
            if len(owners[word]) < settings.common:
                owners[word].add(document.project)
        if document.language is not None:
            found = stated(document, document.language, _SECTIONS)[:_FACTS]
            facts[document.language].extend((document.project, fact) for fact in found)
    vocabulary = frozenset(word for word, ones in owners.items() if len(ones) >= settings.common)
    return Commons(vocabulary, {language: tuple(ones) for language, ones in facts.items()})


def own_words(document: CorpusDocument) -> frozenset[str]:
    """Words that the document writes in lower case somewhere: with a capital they are a heading's, not a name's."""
    texts = (section.text for section in document.sections)
    return frozenset(fold_word(word) for text in texts for word in text.split() if word.isalpha() and word.islower())
