"""Errors planted in real documents, each beside a clean control: one maker per rule, the same for every language.

A maker takes a document and a source of chance and gives a Case, or None where the document offers no place. It reads
figures and names with patterns of its own, not with those of the product. Does not know the rules.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from benches.checks_documents import Sample
from benches.checks_forms import FORMS, HARMLESS, NEUTRAL, TABLE, TALK
from fabai.ledger import Fact
from fabai.report import Language

Sections = tuple[tuple[str, int, str], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """sections: the planted document; clean: the control. spots: what each must be found at, (section, start, end).

    base: the document before anything was put in, where the control has something of its own. calm: places of the control that were changed without harm. facts, sources: the brief of both.
    """

    sections: Sections
    clean: Sections
    spots: tuple[tuple[int, int, int], ...]
    facts: tuple[Fact, ...] = ()
    sources: tuple[tuple[str, str], ...] = ()
    note: str = ""
    calm: tuple[tuple[int, int, int], ...] = field(default=())
    base: Sections = ()


Maker = Callable[[Sample, Sequence[Sample], random.Random], Case | None]

_MONEY = re.compile(
    r"(?<![\w.,/-])\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{2})?(?=[ \u00a0]?(?:€|euros?\b|EUR\b|USD\b))|(?<=[$£€])\d{1,3}(?:,\d{3})+(?:\.\d\d)?(?![\d.,]*[/\w])|(?<![\w.,/-])\d{3,6}(?:,\d\d)?(?=[ \u00a0]?(?:€|euros?\b))"
)
_PERCENT = re.compile(r"(?<![\w.,/-])\d{1,3}(?:[.,]\d{1,2})?(?=[ \u00a0]?%(?![\w%]))")
_COUNT = re.compile(
    r"(?<![\w.,/:#()\[\]@-])(?<![\w][ ])(?:1[3-9]|[2-9]\d|[1-9]\d\d)(?=[ \u00a0](?!de |del |d'|por |per |y |i |o |and |to |or |h\b)[a-záéíóúàèòçñ]{5,}\b)"
)
_COUNTED = re.compile(r"(?<![\w.,/:#()\[\]@-])(?P<number>[2-9]|[1-9]\d{1,2})[ ](?P<noun>[a-záéíóúàèòçñ]{4,}s)\b")
TELLING: dict[Language, frozenset[str]] = {
    "es": frozenset(
        ["y", "con", "los", "las", "del", "una", "por", "para", "su", "sus", "como", "más", "fue", "está", "lo"]
    ),
    "ca": frozenset(
        ["i", "amb", "els", "dels", "una", "per", "seva", "seu", "com", "més", "va", "està", "aquest", "aquesta", "pel"]
    ),
    "en": frozenset(["the", "and", "of", "to", "in", "is", "for", "with", "that", "are", "was", "this", "by", "on"]),
}
_NAME = re.compile(
    r"(?<=[a-záéíóúàèòçñ,] )[A-ZÁÉÍÓÚÀÈÒÇ][a-záéíóúàèòçñ]{3,}(?: (?:de |del |de la |of |d')?[A-ZÁÉÍÓÚÀÈÒÇ][a-záéíóúàèòçñ]{3,}){1,3}\b(?![ ](?:de |del |of )?[A-Z])"
)
_SENTENCE = re.compile(r"(?:(?<=\n\n)|(?<=[.!?] ))[A-ZÁÉÍÓÚÀÈÒÇ][^\n.!?|`$\\\[\]<>{}]{70,400}[.](?=\s|$)")
_PLAIN = re.compile(r"[^\n|`$\\\[\]<>{}#+]{120,900}")


def _cut(one: Sample, rng: random.Random, most: int = 3) -> tuple[int, Sections] | None:
    """Some neighbouring sections with text in them, as a document of their own."""
    filled = [number for number, (_, level, text) in enumerate(one.sections) if level and 300 < len(text) < 15_000]
    if not filled:
        return None
    at = rng.choice(filled)
    return at, one.sections[at : at + most]


def _put(sections: Sections, number: int, start: int, end: int, text: str) -> Sections:
    heading, level, old = sections[number]
    return (*sections[:number], (heading, level, old[:start] + text + old[end:]), *sections[number + 1 :])


def _whole(one: Sample) -> str:
    return "\n\n".join(f"{heading}\n\n{text}" for heading, _, text in one.sections)


def _in_code(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return (
        text[:at].count("```") % 2 == 1
        or line.count("`") % 2 == 1
        or "http" in line[-80:]
        or line.startswith(("    ", "\t"))
    )


def figures(one: Sample, others: Sequence[Sample], rng: random.Random) -> Case | None:  # noqa: ARG001
    """A figure with another digit; the document as it was is its source. Control: the figure written in another way."""
    cut = _cut(one, rng)
    if cut is None:
        return None
    _, sections = cut
    number = rng.randrange(len(sections))
    text = sections[number][2]
    kind, pattern = rng.choice((("money", _MONEY), ("percent", _PERCENT), ("count", _COUNT)))
    places = [match for match in pattern.finditer(text) if not _in_code(text, match.start())]
    if not places:
        return None
    place = rng.choice(places)
    whole = _whole(one)
    for _ in range(20):
        wrong = _slip(place[0], rng)
        if re.sub(r"\D", "", wrong) not in re.sub(r"(?<=\d)[.,  ](?=\d)", "", whole):
            break
    else:
        return None
    planted = _put(sections, number, *place.span(), wrong)
    other = _rewritten(place[0], kind, one.language, rng)
    clean = _put(sections, number, *place.span(), other)
    spot = (number, place.start(), place.start() + len(wrong))
    calm = (number, place.start(), place.start() + len(other))
    return Case(planted, clean, (spot,), (), (("fuente", whole),), f"{place[0]} -> {wrong} | {other}", (calm,))


def _slip(written: str, rng: random.Random) -> str:
    digits = [place for place, sign in enumerate(written) if sign.isdigit()]
    at = rng.choice(digits)
    first = at == digits[0]
    new = rng.choice([one for one in ("123456789" if first else "0123456789") if one != written[at]])
    return written[:at] + new + written[at + 1 :]


def _rewritten(written: str, kind: str, language: Language, rng: random.Random) -> str:
    """The same number with other marks of thousands and decimals."""
    if kind != "money":
        return written
    tail = re.search(r"[.,](\d\d)$", written)
    whole = re.sub(r"\D", "", written[: tail.start()] if tail is not None else written)
    grouped = [f"{int(whole):,}".replace(",", mark) for mark in (("," if language == "en" else "."), " ", "\u00a0")]
    body = rng.choice([*grouped, whole])
    if tail is not None and tail[1] == "00" and rng.random() < 0.5:
        return body
    cents = tail[1] if tail is not None else "00" if rng.random() < 0.5 else ""
    return f"{body}{'.' if language == 'en' else ','}{cents}" if cents else body


def swaps(one: Sample, others: Sequence[Sample], rng: random.Random) -> Case | None:  # noqa: ARG001
    """Two counts that changed places. Control: the counts where they belong, one of them with an adjective."""
    cut = _cut(one, rng)
    if cut is None:
        return None
    _, sections = cut
    number = rng.randrange(len(sections))
    text = sections[number][2]
    places = [match for match in _COUNTED.finditer(text) if not _in_code(text, match.start())]
    rng.shuffle(places)
    pair = next(
        (
            sorted((first, second), key=lambda match: match.start())
            for first in places
            for second in places
            if first["number"] != second["number"]
            and first["noun"][:4] != second["noun"][:4]
            and first["noun"] not in NEUTRAL[one.language]
            and second["noun"] not in NEUTRAL[one.language]
            and _single(text, first)
            and _single(text, second)
        ),
        None,
    )
    if pair is None:
        return _swapped_sentence(one, sections, number, rng)
    first, second = pair
    facts = tuple(Fact(f"{match['noun']}", f"{match['number']} {match['noun']}", "Acta") for match in pair)
    planted = _put(sections, number, *second.span("number"), first["number"])
    planted = _put(planted, number, *first.span("number"), second["number"])
    shift = len(second["number"]) - len(first["number"])
    spots = (
        (number, first.start(), first.start() + len(second["number"])),
        (number, second.start() + shift, second.start() + shift + len(first["number"])),
    )
    calm = tuple((number, *match.span("number")) for match in pair)
    return Case(planted, sections, spots, facts, (), f"{first[0]} <-> {second[0]}", calm)


def _single(text: str, one: re.Match[str]) -> bool:
    """Whether what is counted is counted once in the section, so that the ledger's fact is plain."""
    return len(re.findall(rf"\d+ {one['noun']}\b", text)) == 1


def _swapped_sentence(one: Sample, sections: Sections, number: int, rng: random.Random) -> Case | None:
    words = FORMS[one.language]
    first, second = rng.sample(words["counted"], 2)
    low, high = rng.sample(range(3, 900), 2)
    frame = rng.choice(words["frames"])
    adjective = rng.choice(words["adjectives"])
    stop = _end_of_paragraph(sections[number][2], rng)
    if stop is None:
        return None

    def sentence(one_value: int, other: int, extra: str) -> tuple[str, int, int]:
        body = frame.format(a=f"{one_value} {extra}{first}", b=f"{other} {second}")
        return body, body.index(f"{one_value} {extra}{first}"), body.index(f"{other} {second}")

    extra = f"{adjective} " if rng.random() < 0.4 else ""
    right, here, there = sentence(low, high, extra)
    wrong, at, to = sentence(high, low, extra)
    facts = (Fact(first, f"{low} {first}", "Acta"), Fact(second, f"{high} {second}", "Acta"))
    planted = _put(sections, number, stop, stop, f" {wrong}")
    clean = _put(sections, number, stop, stop, f" {right}")
    base = stop + 1
    spots = ((number, base + at, base + at + len(str(high))), (number, base + to, base + to + len(str(low))))
    calm = ((number, base + here, base + here + len(str(low))), (number, base + there, base + there + len(str(high))))
    return Case(planted, clean, spots, facts, (), wrong, calm)


def _end_of_paragraph(text: str, rng: random.Random) -> int | None:
    ends = [
        match.start()
        for match in re.finditer(r"(?<=[a-záéíóúàèòçñ][.])(?=\n\n[A-ZÁÉÍÓÚ]|\Z)", text)
        if not _in_code(text, match.start())
    ]
    return rng.choice(ends) if ends else None


def arithmetic(one: Sample, others: Sequence[Sample], rng: random.Random) -> Case | None:  # noqa: ARG001
    """A table that sums, put behind a paragraph, with one result changed by a digit. Control: the table as it sums."""
    cut = _cut(one, rng)
    if cut is None:
        return None
    _, sections = cut
    number = rng.randrange(len(sections))
    text = sections[number][2]
    stop = _end_of_paragraph(text, rng)
    words = re.findall(r"(?<![\w*_`/])[A-ZÁÉÍÓÚ]?[a-záéíóúàèòçñ]{5,12}(?![\w*_`/])", text)
    if stop is None or len(words) < 10:
        return None
    head, rows, results = TABLE(one.language, rng, words)
    row, column = rng.choice(results)
    right = rows[row][column]
    for _ in range(30):
        wrong = _slip(right, rng)
        if (
            wrong != right
            and re.search(r"\d", wrong) is not None
            and abs(_plain(wrong) - _plain(right)) > (2 if "%" in right else 0)
        ):
            break
    else:
        return None
    changed = [list(one_row) for one_row in rows]
    changed[row][column] = wrong
    write = rng.choice((_pipe, _grid))
    planted, clean = (f"\n\n{write(head, one_table)}\n" for one_table in (changed, rows))
    sections_wrong = _put(sections, number, stop, stop, planted)
    at = stop + _cell_at(planted, wrong, row, column)
    return Case(
        sections_wrong, _put(sections, number, stop, stop, clean), ((number, at, at + len(wrong)),), (), (),
        f"{head[column]}: {right} -> {wrong}", ((number, stop, stop + len(clean)),),
    )  # fmt: skip


def _plain(written: str) -> float:
    return float(re.sub(r"\D", "", written) or 0)


def _pipe(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join('---:' if at else '---' for at in range(len(head)))}|"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)])


def _grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[at]) for row in (head, *rows)) + 2 for at in range(len(head))]

    def rule(sign: str) -> str:
        return "+" + "+".join(sign * width for width in widths) + "+"

    def line(row: Sequence[str]) -> str:
        return "|" + "|".join(f" {cell:<{width - 1}}" for cell, width in zip(row, widths, strict=True)) + "|"

    return "\n".join([rule("-"), line(head), rule("="), *(part for row in rows for part in (line(row), rule("-")))])


def _cell_at(table: str, cell: str, row: int, column: int) -> int:
    """Where the cell of a row stands in the table's text."""
    place = 0
    seen = -2
    for text_line in table.split("\n"):
        if text_line.startswith("|") and not re.match(r"^\|[-:|]+\|$", text_line):
            seen += 1
            if seen == row:
                bars = [match.start() for match in re.finditer(r"\|", text_line)]
                return place + text_line.index(cell, bars[column])
        place += len(text_line) + 1
    raise ValueError("the table lacks its row")


def names(one: Sample, others: Sequence[Sample], rng: random.Random) -> Case | None:  # noqa: ARG001
    """A name with a slip in one letter; the ledger has it, or the document has it more often. Control: untouched."""
    cut = _cut(one, rng, 5)
    if cut is None:
        return None
    _, sections = cut
    found = [
        (number, match)
        for number, (_, _, text) in enumerate(sections)
        for match in _NAME.finditer(text)
        if not _in_code(text, match.start())
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
    planted = _put(sections, number, *match.span(), wrong)
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


def placeholders(one: Sample, others: Sequence[Sample], rng: random.Random) -> Case | None:  # noqa: ARG001
    """Something left to fill in, or the model's talk. Control: what looks like it and is none."""
    cut = _cut(one, rng)
    if cut is None:
        return None
    _, sections = cut
    number = rng.randrange(len(sections))
    text = sections[number][2]
    sentences = [match for match in _SENTENCE.finditer(text) if not _in_code(text, match.start())]
    if not sentences:
        return None
    sentence = rng.choice(sentences)
    if rng.random() < 0.25:
        planted_text = rng.choice(TALK[one.language])
        at = sentence.start()
        planted = _put(sections, number, at, at, f"{planted_text}\n\n" if rng.random() < 0.5 else f"{planted_text} ")
        harmless = rng.choice(HARMLESS[one.language])
        spaces = [match.start() for match in re.finditer(" ", sentence[0])]
        calm_at = sentence.start() + rng.choice(spaces)
        clean = _put(sections, number, calm_at, calm_at, f" {harmless}")
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
        _put(sections, number, at, at, f" {planted_text}"),
        _put(sections, number, at, at, f" {harmless}"),
        ((number, at + 1, at + 1 + len(planted_text)),), (), (), planted_text,
        ((number, at + 1, at + 1 + len(harmless)),),
    )  # fmt: skip


def language(one: Sample, others: Sequence[Sample], rng: random.Random) -> Case | None:
    """A paragraph of a document in another language. Control: one in the same language, an abstract, or a quotation."""
    cut = _cut(one, rng)
    if cut is None:
        return None
    _, sections = cut
    number = rng.randrange(len(sections))
    text = sections[number][2]
    stop = _end_of_paragraph(text, rng)
    foreign = _paragraph([other for other in others if other.language != one.language], rng)
    own = _paragraph([other for other in others if other.language == one.language and other.name != one.name], rng)
    if stop is None or foreign is None or own is None:
        return None
    # where another language is legitimate, nothing is planted
    if re.match(r"(?i)abstract|summary|resumen|resum\b|referenc|bibliogra|licen", sections[number][0]):
        return None
    planted = _put(sections, number, stop, stop, f"\n\n{foreign}")
    spot = (number, stop + 2, stop + 2 + len(foreign))
    way = rng.randrange(3)
    if way == 0:
        clean = _put(sections, number, stop, stop, f"\n\n{own}")
    elif way == 1:
        heading = rng.choice(("Abstract", "Resumen", "Resum", "Summary"))
        clean = (*sections, (heading, 1, foreign))
    else:
        quote = rng.choice(("> {}", "«{}»", "“{}”")).format(foreign)
        clean = _put(sections, number, stop, stop, f"\n\n{quote}")
    calm = (len(clean) - 1, 0, len(foreign)) if way == 1 else (number, stop + 2, stop + 2 + len(foreign))
    return Case(planted, clean, (spot,), (), (), foreign[:80], (calm,))


def _paragraph(samples: Sequence[Sample], rng: random.Random) -> str | None:
    for _ in range(30):
        one = rng.choice(samples)
        _, level, text = rng.choice(one.sections)
        found = [
            match[0].strip()
            for match in re.finditer(
                r"(?:(?<=\n\n)|\A)[A-ZÁÉÍÓÚÀÈÒÇ][^\n|`$\\\[\]<>{}#+«»“”\"]{120,700}\.(?=\n\n|\Z)", text
            )
        ]
        # a Spanish report may have an English abstract: the paragraph itself tells
        found = [text for text in found if _in(one.language, text)]
        if found and level:
            return rng.choice(found)
    return None


def _in(language_: Language, text: str) -> bool:
    words = re.findall(r"[a-zà-ÿ]+", text.lower())
    counts = {other: sum(word in tells for word in words) for other, tells in TELLING.items()}
    return counts[language_] >= 3 and all(
        counts[language_] > 2 * counts[other] for other in counts if other != language_
    )


def duplicates(one: Sample, others: Sequence[Sample], rng: random.Random) -> Case | None:
    """A sentence said again, as it is or with a word or two changed. Control: a sentence of another document."""
    cut = _cut(one, rng, 4)
    if cut is None:
        return None
    _, sections = cut
    found = [
        (number, match)
        for number, (_, _, text) in enumerate(sections)
        for match in _SENTENCE.finditer(text)
        if not _in_code(text, match.start())
    ]
    found = [(number, match) for number, match in found if len(match[0].split()) >= 12]
    other = _paragraph([two for two in others if two.language == one.language and two.name != one.name], rng)
    number = rng.randrange(len(sections))
    stop = _end_of_paragraph(sections[number][2], rng)
    if not found or other is None or stop is None:
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
    planted = _put(sections, number, stop, stop, f" {again}")
    clean = _put(sections, number, stop, stop, f"\n\n{other}")
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


MAKERS: dict[str, Maker] = {
    "figures": figures,
    "swaps": swaps,
    "arithmetic": arithmetic,
    "names": names,
    "placeholders": placeholders,
    "language": language,
    "duplicates": duplicates,
}
FAMILIES: dict[str, tuple[str, ...]] = {
    "figures": ("figure-unknown", "figure-varies"),
    "swaps": ("figure-swapped",),
    "arithmetic": ("table-total", "table-row", "table-percent", "table-deviation"),
    "names": ("name-varies",),
    "placeholders": ("placeholder", "hole", "reference-left", "model-talk"),
    "language": ("language-paragraph",),
    "duplicates": ("repeated-sentence", "repeated-across"),
}


def cases(
    rule: str, language_: Language, samples: Sequence[Sample], count: int, seed: str
) -> list[tuple[Sample, Case]]:
    """As many cases of a rule in a language as asked for, or as the documents allow; the same for the same seed."""
    rng = random.Random(f"{seed} {rule} {language_}")
    own = [one for one in samples if one.language == language_]
    found: list[tuple[Sample, Case]] = []
    for _ in range(60 * count):
        if len(found) == count:
            break
        one = rng.choice(own)
        case = MAKERS[rule](one, samples, rng)
        if case is not None:
            found.append((replace(one, sections=case.sections), case))
    return found
