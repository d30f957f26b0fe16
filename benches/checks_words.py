"""Words planted in real documents: a name with a slip in a letter, and things left to fill in.

Reads names with a pattern of its own, not with that of the product. Does not know the rules.
"""

from __future__ import annotations

import random
import re

from benches.checks_case import SENTENCE, Case, Ground, in_code, put
from benches.checks_forms import FORMS, HARMLESS, TALK
from fabai.ledger import Fact

_NAME = re.compile(
    r"(?<=[a-záéíóúàèòçñ,] )[A-ZÁÉÍÓÚÀÈÒÇ][a-záéíóúàèòçñ]{3,}(?: (?:de |del |de la |of |d')?[A-ZÁÉÍÓÚÀÈÒÇ][a-záéíóúàèòçñ]{3,}){1,3}\b(?![ ](?:de |del |of )?[A-Z])"
)


def names(ground: Ground, rng: random.Random) -> Case | None:
    """A name with a slip in one letter; the ledger has it, or the document has it more often. Control: untouched."""
    sections = ground.sections
    found = [
        (number, match)
        for number, (_, _, text) in enumerate(sections)
        for match in _NAME.finditer(text)
        if not in_code(text, match.start())
    ]
    if not found:
        return None
    whole = "\n\n".join(text for _, _, text in sections)
    often = [(number, match) for number, match in found if len(re.findall(rf"\b{re.escape(match[0])}\b", whole)) >= 3]
    by_ledger = not often or rng.random() < 0.5
    number, match = rng.choice(found if by_ledger else often)
    words = [(word.start(), word[0]) for word in re.finditer(r"[A-ZÁÉÍÓÚÀÈÒÇ][a-záéíóúàèòçñ]{4,}", match[0])]
    if not words:
        return None
    at, word = rng.choice(words)
    wrong_word = _misspelt(word, rng)
    wrong = match[0][:at] + wrong_word + match[0][at + len(word) :]
    if wrong_word is None or wrong_word.lower() in whole.lower():
        return None
    planted = put(sections, number, *match.span(), wrong)
    facts = (Fact("entidad", match[0], "Estatutos"),) if by_ledger else ()
    spot = (number, match.start(), match.start() + len(wrong))
    return Case(planted, sections, (spot,), facts, (), f"{match[0]} -> {wrong}", ((number, *match.span()),))


def _misspelt(word: str, rng: random.Random) -> str:
    """One letter left out, doubled, changed or swapped, behind the first and in front of the last two."""
    at = rng.randrange(1, max(2, len(word) - 2))
    kind = rng.randrange(4)
    if kind == 0:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    if kind == 2 and word[at] != word[at + 1]:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + rng.choice([one for one in "aeiourtnslc" if one != word[at]]) + word[at + 1 :]


def placeholders(ground: Ground, rng: random.Random) -> Case | None:
    """Something left to fill in, or the model's talk. Control: what looks like it and is none."""
    one, sections = ground.document, ground.sections
    number = rng.randrange(len(sections))
    text = sections[number][2]
    sentences = [match for match in SENTENCE.finditer(text) if not in_code(text, match.start())]
    if not sentences:
        return None
    sentence = rng.choice(sentences)
    if rng.random() < 0.25:
        planted_text = rng.choice(TALK[one.language])
        at = sentence.start()
        planted = put(sections, number, at, at, f"{planted_text}\n\n" if rng.random() < 0.5 else f"{planted_text} ")
        harmless = rng.choice(HARMLESS[one.language])
        spaces = [match.start() for match in re.finditer(" ", sentence[0])]
        calm_at = sentence.start() + rng.choice(spaces)
        clean = put(sections, number, calm_at, calm_at, f" {harmless}")
        return Case(
            planted,
            clean,
            ((number, at, at + len(planted_text)),),
            (),
            (),
            planted_text,
            ((number, calm_at + 1, calm_at + 1 + len(harmless)),),
        )
    planted_text = rng.choice(FORMS[one.language]["blanks"])
    spaces = [match.start() for match in re.finditer(" ", sentence[0])]
    at = sentence.start() + rng.choice(spaces)
    harmless = rng.choice(HARMLESS[one.language])
    return Case(
        put(sections, number, at, at, f" {planted_text}"),
        put(sections, number, at, at, f" {harmless}"),
        ((number, at + 1, at + 1 + len(planted_text)),), (), (), planted_text,
        ((number, at + 1, at + 1 + len(harmless)),),
    )  # fmt: skip
