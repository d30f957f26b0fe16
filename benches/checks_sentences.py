"""Sentences planted in real documents: a paragraph in another language, and a sentence said again.

Does not know the rules.
"""

from __future__ import annotations

import random
import re

from benches.checks_case import SENTENCE, Case, Ground, end_of_paragraph, in_code, paragraph, put
from benches.checks_forms import FORMS


def language(ground: Ground, rng: random.Random) -> Case | None:
    """A paragraph of a document in another language. Control: one in the same language, an abstract, or a quotation."""
    one, sections = ground.document, ground.sections
    number = rng.randrange(len(sections))
    text = sections[number][2]
    stop = end_of_paragraph(text, rng)
    foreign = paragraph([other for other in ground.others if other.language != one.language], rng)
    own = paragraph(
        [other for other in ground.others if other.language == one.language and other.name != one.name], rng
    )
    if stop is None or foreign is None or own is None:
        return None
    # where another language is legitimate, nothing is planted
    if re.match(r"(?i)abstract|summary|resumen|resum\b|referenc|bibliogra|licen", sections[number][0]):
        return None
    planted = put(sections, number, stop, stop, f"\n\n{foreign}")
    spot = (number, stop + 2, stop + 2 + len(foreign))
    way = rng.randrange(3)
    if way == 0:
        clean = put(sections, number, stop, stop, f"\n\n{own}")
    elif way == 1:
        heading = rng.choice(("Abstract", "Resumen", "Resum", "Summary"))
        clean = (*sections, (heading, 1, foreign))
    else:
        quote = rng.choice(("> {}", "«{}»", "“{}”")).format(foreign)
        clean = put(sections, number, stop, stop, f"\n\n{quote}")
    calm = (len(clean) - 1, 0, len(foreign)) if way == 1 else (number, stop + 2, stop + 2 + len(foreign))
    return Case(planted, clean, (spot,), (), (), foreign[:80], (calm,))


def duplicates(ground: Ground, rng: random.Random) -> Case | None:
    """A sentence said again, as it is or with a word or two changed. Control: a sentence of another document."""
    one, sections = ground.document, ground.sections
    found = [
        (number, match)
        for number, (_, _, text) in enumerate(sections)
        for match in SENTENCE.finditer(text)
        if not in_code(text, match.start()) and not _aside(text, match.start())
    ]
    found = [(number, match) for number, match in found if len(match[0].split()) >= 12]
    other = paragraph([two for two in ground.others if two.language == one.language and two.name != one.name], rng)
    number = rng.randrange(len(sections))
    stop = end_of_paragraph(sections[number][2], rng)
    if not found or other is None or stop is None or _aside(sections[number][2], stop):
        return None
    _, match = rng.choice(found)
    again = match[0]
    words = again.split(" ")
    changes = rng.randrange(0, 3) if len(words) >= 20 else rng.randrange(0, 2) if len(words) >= 15 else 0
    for _ in range(changes):
        at = rng.randrange(1, len(words) - 1)
        if words[at].isalpha() and words[at].islower():
            words[at] = rng.choice(FORMS[one.language]["adjectives"]) if rng.random() < 0.5 else ""
    again = re.sub(" +", " ", " ".join(words))
    planted = put(sections, number, stop, stop, f" {again}")
    clean = put(sections, number, stop, stop, f"\n\n{other}")
    # the later of the two is the repetition
    earlier = (found_at := next(n for n, m in found if m is match)) < number or (
        found_at == number and match.start() < stop
    )
    if earlier:
        spot = (number, stop + 1, stop + 1 + len(again))
    else:
        shift = len(again) + 1 if found_at == number else 0
        spot = (found_at, match.start() + shift, match.end() + shift)
    return Case(planted, clean, (spot,), (), (), again[:80], ((number, stop, stop + 2 + len(other)),), sections)


def _aside(text: str, at: int) -> bool:
    """In a block of code between tildes, or in an image's description, which may say what the text says."""
    return text[:at].count("~~~") % 2 == 1 or text.rfind("![", 0, at) > text.rfind("](", 0, at)
