"""Facts stated in running text: figures with what they measure, labelled lines, people by their role, entities,
acronyms with what they stand for.

Knows sentences. Does not know tables, files or ledgers. It reads, it does not understand: what it finds waits for a
person's word.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from fabai.facts import read_value
from fabai.figures import Figure, figures
from fabai.ledger import Fact, FactKind
from fabai.names import Name, fold_word, names
from fabai.proposals.candidate import Candidate
from fabai.proposals.naming import before, counted
from fabai.proposals.wording import ProposalWords, proposal_words
from fabai.report import LANGUAGES, Language, fold
from fabai.window.segment import boundaries
from fabai.window.words import stem

_TIMES = (
    "año años any anys year years día días dia dies day days mes meses mesos month months semana semanas setmana "
    "setmanes week weeks hora horas hores hour hours minuto minutos minuts minute minutes"
)
_LABELLED = re.compile(
    r"(?m)^[ \t>]*(?:[-*+•]\s+|\d{1,2}[.)]\s+)?(?P<strong>\*{1,2}|_{1,2})?(?P<key>[^\W\d_][^:|*\n]{1,70}?)"
    r"(?(strong)(?:(?P=strong)\s*:|:\s*(?P=strong))|:)"
    r"[ \t]+(?P<value>[^|\n]{1,160}?)[ \t]*(?:\\)?$"
)
_MARKS = re.compile(r"\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|\[\^[^\]]+\]|`")
_ENACTED = re.compile(
    r"(?:\b(?:ley|real decreto|orden|reglamento|directiva|llei|reial decret|decret|ordre|reglament|regulation|"
    r"directive)\b[^.;:]{0,100}|\b(?:BO[A-Z]{1,3}|DOGC|DOUE)\b[^);:]{0,40})(?:,| |\b)(?:de|d['’]|del|of)\s*$",
    re.IGNORECASE,
)
_MORE = re.compile(
    r" (?:y|i|e|and) (?:(?:de |del |de la |d['’])?)[A-ZÀ-Ý][\w·]+"
    r"(?:(?: (?:de|del|la|las|los|les|dels|i|y|of|the))* [A-ZÀ-Ý][\w·]+)*"
)
_LONGEST = 40
"""Letters of a code; a longer one is an address or a hash."""
_ACRONYM = re.compile(r"\(\s*[«“\"']?(?P<short>[A-ZÀ-ÝÑ][A-ZÀ-ÝÑa-z0-9&./+-]{1,11})[»”\"']?\s*\)")
_UNIT = re.compile(r"[ \u00a0]?(?:k?m²|m³|km|kg|kWh|MWh|ha|h(?:oras|ores|ours)?|t|°C|GB|TB|MB)(?![\w²³])")
_PERSON = re.compile(r"[^\W\d_]+\.?")
_KEPT = frozenset(("name", "acronym", "reference", "date", "amount", "percent", "count", "indicator"))
_TITLED = re.compile(r"(?<!\w)(?P<title>[^\W\d_]{1,4})\.?[ \u00a0]$")
_NOUN = re.compile(r"\s+(?:(?:de\s+|d['’]|of\s+))?([^\W\d_]+(?:[·'’-][^\W\d_]+)*)")
_RANGE = re.compile(r"\d\s?[-–/]\s?$|[^\W\d_]-$")
"""In front of a number that ends a range ("21-27 años") or a code ("ERC-721 tokens")."""
_TIME = frozenset(stem(word, language) for language in LANGUAGES for word in _TIMES.split())
"""A stretch of time counts nothing: what is in front of it says what lasts so long."""


def of_text(text: str, language: Language, place: str = "") -> Iterator[Candidate]:
    """The facts of one block of Markdown text. place: the heading over it, which names what its words do not."""
    words = proposal_words(language)
    labelled: list[tuple[int, int]] = []
    for match in _LABELLED.finditer(text):
        found = _labelled(match, words, language)
        if found is not None:
            labelled.append(match.span())
            yield found
    for start, end in itertools.pairwise((0, *boundaries(text, language))):
        sentence = text[start:end]
        if not any(begin < end and start < stop for begin, stop in labelled):
            yield from _figures(sentence, words, language, place)
        yield from _names(sentence, words)


def _labelled(match: re.Match[str], words: ProposalWords, language: Language) -> Candidate | None:
    key, value = (" ".join(_MARKS.sub("", match[part]).split()) for part in ("key", "value"))
    value = value.rstrip(".;,")
    if not value or len(key.split()) > 8 or set(fold(key).split()) & set(words.skipped):
        return None
    reading = read_value(value, language)
    if reading.kind not in _KEPT or (reading.kind == "name" and len(value.split()) == 1 and not match["strong"]):
        return None
    if reading.kind == "reference" and len(value) > _LONGEST:
        return None
    if reading.kind in ("count", "indicator"):
        # "Devolución: 9 años, con un año de carencia"
        value = re.split(r"[,;]\s| \(", value)[0]
    if reading.kind == "count" and not reading.noun and len(value) < 2:
        return None
    return Candidate(Fact(_lower(key), value, "?", reading.kind), _context(match[0]))


def _figures(sentence: str, words: ProposalWords, language: Language, place: str) -> Iterator[Candidate]:
    found = figures(sentence, language)
    for position, figure in enumerate(found):
        last = found[position - 1] if position else None
        after = found[position + 1] if position + 1 < len(found) else None
        one = _figure(sentence, figure, last, after, words, language)
        if one is not None:
            if place and one.fact.name in words.kinds.values():
                one = replace(one, fact=replace(one.fact, name=_lower(place)))
            elif place and one.fact.name in (words.start, words.end):
                one = replace(one, fact=replace(one.fact, name=f"{_lower(place)} ({one.fact.name})"))
            yield one


def _figure(
    sentence: str, figure: Figure, last: Figure | None, after: Figure | None, words: ProposalWords, language: Language
) -> Candidate | None:
    written = " ".join(sentence[figure.start : figure.end].split())
    floor = last.end if last is not None and last.kind == "date" else 0
    called = before(sentence[floor:], figure.start - floor, language)
    kind: FactKind
    if sentence[max(0, figure.start - 1) : figure.start] == ":" and figure.kind in ("count", "number"):
        # an hour of the day
        return None
    if figure.kind == "date":
        kind = "date"
        if (last is not None and last.kind == "law" and figure.start - last.end < 8) or _ENACTED.search(
            sentence[: figure.start]
        ):
            # "Ley 38/2003, de 17 de noviembre", "BOE de 18 de noviembre": the date is the law's own
            return None
        until = _joined(sentence, figure, after, words)
        since = _joined(sentence, last, figure, words) if last is not None else False
        if until and after is not None:
            if figure.value.startswith("--"):
                year = after.value[:4]
                written += f" {_of(sentence[after.start : after.end])} {year}"
            called = f"{called} ({words.start})" if called else words.start
        elif since and last is not None:
            called = before(sentence, last.start, language)
            called = f"{called} ({words.end})" if called else words.end
        elif len(figure.value) < 7 or figure.value.startswith("--") or "/" in figure.value:
            # a bare year, a day without year and a school year say too little
            return None
        called = called or words.kinds["date"]
    elif figure.kind == "law":
        if figure.noun.startswith("art") or "." in figure.value:
            return None
        kind, called = "reference", written
    elif figure.kind in ("amount", "percent"):
        kind = "amount" if figure.kind == "amount" else "percent"
        called = called or words.kinds[kind]
    elif figure.kind in ("count", "number"):
        unit = _UNIT.match(sentence, figure.end)
        if unit is not None:
            kind, written = "indicator", f"{written}{unit[0]}"
            called = called or words.kinds["indicator"]
        elif figure.kind == "count" and len(figure.noun) > 1 and not _RANGE.search(sentence[: figure.start]):
            noun = _NOUN.match(sentence, figure.end)
            if noun is None or noun[1][0].isupper():
                return None
            kind, written = "count", f"{written}{' '.join(['', *noun[0].split()])}"
            if figure.noun not in _TIME:
                called = counted(noun[1], sentence[noun.end() :])
            elif not called:
                return None
        else:
            return None
    else:
        return None
    if (
        sentence[: figure.start].rstrip()[-1:] in "-−–"
        and figure.kind == "amount"
        and sentence[figure.start - 1] in "-−–"
    ):
        written = f"-{written}"
    return Candidate(Fact(called, written, "?", kind), _context(sentence))


def _joined(sentence: str, one: Figure | None, two: Figure | None, words: ProposalWords) -> bool:
    """Whether two dates are the ends of a stretch: "del 1 de marzo al 31 de diciembre de 2025"."""
    if one is None or two is None or one.kind != "date" or two.kind != "date":
        return False
    between = fold(sentence[one.end : two.start]).removesuffix(" el")
    return between in {*words.until, ""} and two.start - one.end < 16 and "-" in two.value


def _of(date: str) -> str:
    return "de" if " de " in date or " del " in date else ""


def _names(sentence: str, words: ProposalWords) -> Iterator[Candidate]:
    plain = _MARKS.sub("", sentence)
    for match in _ACRONYM.finditer(plain):
        long = _stands_for(plain[: match.start()].rstrip(), match["short"])
        if long:
            yield Candidate(Fact(long, match["short"], "?", "acronym"), _context(sentence))
    for name in names(plain):
        entity = _entity(name, words)
        if entity:
            more = _MORE.match(plain, name.end)
            whole = name.text + (more[0] if more is not None else "")
            yield Candidate(Fact(entity, whole, "?", "name"), _context(sentence))
        elif role := _role(plain, name, words):
            yield Candidate(Fact(role, name.text, "?", "name"), _context(sentence))


def _entity(name: Name, words: ProposalWords) -> str:
    first = fold(name.text)
    found = next((one for one in words.entities if first.startswith(f"{one} ")), "")
    return name.text.split()[0].lower() if found and len(name.text.split()) > 1 else ""


def _role(plain: str, name: Name, words: ProposalWords) -> str:
    """What a person is, by the words beside the name; "" where nothing says that it is a person."""
    parts = [part for part in name.text.split() if part[0].isupper()]
    if not 2 <= len(parts) <= 5 or not all(_PERSON.fullmatch(part) for part in parts) or name.text.isupper():
        return ""
    front, behind = plain[: name.start], plain[name.end : name.end + 40]
    titled = _TITLED.search(front)
    if titled is not None and fold_word(titled["title"]) in words.titles and titled["title"][0].isupper():
        return _nearest(fold(front[-60:]), words) or _nearest(fold(behind), words) or words.kinds["name"]
    gap = front[-40:]
    said = re.search(r"([^,;:.()]*)(?:,|:|\()?\s*(?:(?:el|la|en|na|the)\s+)?$", gap, re.IGNORECASE)
    # "el presidente de la Agencia": what stands behind "de" is no person
    of = re.search(r"(?:\b(?:de|del|d|of|the|la|el|l|als?)['’]?\s*)$", gap, re.IGNORECASE)
    role = _ending(fold(said[1]), words) if said is not None and of is None else ""
    if role:
        return role
    told = re.match(r"\s*[,(]\s*(?:(?:el|la|the|como|com a|as)\s+)?([^,;.()]{3,40})", behind)
    return _beginning(fold(told[1]), words) if told is not None else ""


def _ending(said: str, words: ProposalWords) -> str:
    tail = re.sub(r"\s+(?:de|del|d|of|the|la|el|l)\s+\w+(?:\s+\w+){0,2}$", "", said)
    return next((one for one in _by_length(words) for text in (said, tail) if f" {text}".endswith(f" {one}")), "")


def _beginning(said: str, words: ProposalWords) -> str:
    return next((one for one in _by_length(words) if f"{said} ".startswith(f"{one} ")), "")


def _nearest(said: str, words: ProposalWords) -> str:
    return next((one for one in _by_length(words) if f" {one} " in f" {said} "), "")


@cache
def _sorted(roles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(roles, key=len, reverse=True))


def _by_length(words: ProposalWords) -> tuple[str, ...]:
    return _sorted(words.roles)


def _stands_for(front: str, short: str) -> str:
    """The words in front of an acronym whose initials it is made of, "" where they are not."""
    letters = [letter for letter in fold_word(short) if letter.isalpha()]
    if len(letters) < 2 or sum(map(str.isupper, short)) < 2:
        return ""
    tokens = list(re.finditer(r"[^\W\d_]+(?:·[^\W\d_]+)*", front))
    wanted = len(letters)
    for start in range(len(tokens) - 1, max(-1, len(tokens) - 3 * wanted - 1), -1):
        first = fold_word(tokens[start][0])
        if first[0] != letters[0] or not tokens[start][0][0].isupper():
            continue
        initials = [fold_word(token[0])[0] for token in tokens[start:]]
        capitals = [fold_word(token[0])[0] for token in tokens[start:] if token[0][0].isupper()]
        if (capitals == letters or _within(letters, initials)) and len(tokens) - start >= 2:
            long = front[tokens[start].start() :].strip(" «“\"'»”,")
            return long if not re.search(r"[.;:()|]", long) else ""
    return ""


def _within(letters: list[str], initials: list[str]) -> bool:
    rest = iter(initials)
    return all(letter in rest for letter in letters)


def _lower(key: str) -> str:
    return key if key.isupper() and len(key) < 6 else key[0].lower() + key[1:]


def _context(text: str) -> str:
    plain = " ".join(_MARKS.sub("", text).split())
    return plain if len(plain) <= 300 else f"{plain[:299]}…"
