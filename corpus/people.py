"""Names of people in running text: by given names and surnames, by titles, by roles.

Knows Spanish, Catalan and English names (Faker's lists and people.toml) and what bears a person's name without being
one: streets, universities, prizes. Reads a whole document first, so that 'Marta Soler' and 'Marta Soler Puig' are one
person, and so that a word that the document also writes small is no surname. Misses given names alone, surnames alone
and rare names without a title or role: corpus/README.md has figures. Does not know identifiers.
"""

from __future__ import annotations

import functools
import importlib
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import resources

from fabai.errors import MissingPart

from .extra import INSTALL
from .found import Found

_GIVEN = ("first_names", "first_names_male", "first_names_female")
_SURNAMES = ("last_names", "last_names_male", "last_names_female")
LOCALES = ("es_ES", "es_CA", "es_MX", "es_AR", "es_CL", "es_CO", "en_GB", "en_US", "fr_FR", "it_IT", "pt_PT", "de_DE")

_CAPITAL = r"[A-ZÁÉÍÓÚÀÈÌÒÙÄËÏÖÜÂÊÎÔÛÑÇŠŽĆČ]"
_TOKEN = rf"(?:{_CAPITAL}[\w·'’]*(?:-{_CAPITAL}[\w·'’]+)?)"
_INITIAL = rf"{_CAPITAL}\."
_JOIN = r"(?:(?:de|del|de\s+la|de\s+las|de\s+los|dels|de\s+les|la|i|y|van|von|da|dos|di)\s+|d['’])"
_RUN = re.compile(rf"(?<![\w@/.#-])(?:{_INITIAL}|{_TOKEN})(?:[ \u00a0](?:{_JOIN})?(?:{_INITIAL}|{_TOKEN}))*")
_REVERSED = re.compile(
    rf"(?<![\w@/-])({_TOKEN}(?:[ ](?:{_JOIN})?{_TOKEN})?),[ ]({_TOKEN}(?:[ ]{_TOKEN})?)(?=[\s.;,)\]|*]|$)"
)
_WORD = re.compile(rf"{_INITIAL}|{_TOKEN}|\w+")
_LOWER = re.compile(r"(?<![\w.])[a-záéíóúàèìòùäëïöüâêîôûñç·'’]{3,}")
_BEFORE = re.compile(r"([\w·/.ª]+)[\s*_]+(?:(?:de|del|de\s+la|dels|of|the|la|el|els|les)\s+|d['’]|l['’])?[\"'«“*_]*$")
_NAMED = re.compile(
    r"(?i)(?:contact|full|first|legal\s+representative)\s+name|persona\s+de\s+contact[oe]|contact\s+person"
)
_AFTER_NAME = re.compile(rf"{_CAPITAL}[\w·'’.]*[ ](?:{_JOIN})?$")
_NUMERAL = re.compile(r"[IVX]+")
_SHORT = re.compile(rf"{_CAPITAL}\.")
_LONGEST = 7
"""Tokens of a name, particles not counted."""


@dataclass(frozen=True, slots=True)
class _Known:
    """Folded: lower case without accents."""

    given: frozenset[str]
    surnames: frozenset[str]
    doubtful: frozenset[str]
    bearers: frozenset[str]
    never: frozenset[str]
    titles: frozenset[str]
    roles: frozenset[str]


class People:
    """The recogniser for one document."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known = _known()
        self._small: set[str] = set()
        whole = list(texts)
        for text in whole:
            self._small.update(_fold(word) for word in _LOWER.findall(text))
        self._full: dict[str, str] = {}
        self._begin: set[str] = set()
        names: set[str] = set()
        for text in whole:
            for one in self._scan(text):
                names.add(one.value)
                self._begin.add(text[one.start : one.end].split()[0])
        for name in sorted(names, key=len, reverse=True):
            longer = next((other for other in self._full if other.startswith(f"{name} ")), None)
            self._full[name] = self._full[longer] if longer is not None else name

    def find(self, text: str) -> Iterator[Found]:
        """The names in a text of the document. value: the longest form of the name that the document has."""
        if not any(word in text for word in self._begin):
            return
        for one in self._scan(text):
            yield Found(one.start, one.end, one.kind, self._full.get(one.value, one.value))

    def _scan(self, text: str) -> Iterator[Found]:
        for match in _REVERSED.finditer(text):
            family, given = match[1].split(), match[2].split()
            told = self._is_given(given[0]) and not self._is_given(family[0]) and not match[1].isupper()
            told = told and all(_fold(one) in self._known.surnames for one in family if not one.islower())
            if told and not _AFTER_NAME.search(text, max(0, match.start() - 30), match.start()):
                yield self._found(text, match.start(), match.end(), [*given, *family])
        for match in _RUN.finditer(text):
            yield from self._in_run(text, match)

    def _in_run(self, text: str, run: re.Match[str]) -> Iterator[Found]:
        """The names in a run of capitalised words."""
        tokens = [(run.start() + one.start(), run.start() + one.end(), one[0]) for one in _WORD.finditer(run[0])]
        position = 0
        while position < len(tokens):
            start = tokens[position][0]
            length = self._length(text, tokens, position)
            if length:
                words = [token for *_, token in tokens[position : position + length]]
                yield self._found(text, start, tokens[position + length - 1][1], words)
            position += max(length, 1)

    def _length(self, text: str, tokens: list[tuple[int, int, str]], position: int) -> int:
        """How many tokens from here on are a person's name, 0 where none is."""
        start = tokens[position][0]
        first = tokens[position][2]
        if first in self._known.titles:
            return 0
        before = text[max(0, start - 3) : start]
        titled = self._title(text, start) if before.endswith((" ", "\n")) else ""
        role = ":" in before and self._has_role(text, start)
        if not titled and not role and (not self._is_given(first) or self._borne(text, start)):
            return self._initialled(text, tokens, position)
        taken = self._extent(tokens, position)
        words = [
            token
            for *_, token in tokens[position : position + taken]
            if not token.islower() and not token.endswith(".")
        ]
        if titled == "D.":
            # also the letter of a list, or of a set at a sentence's end
            titled = "" if not self._is_given(first) or self._ordinary(first) else titled
        if titled:
            return taken if words and not self._ordinary(words[0]) else 0
        if (
            role
            and taken == len(tokens) - position
            and 2 <= len(words) <= 5
            and not any(self._ordinary(one) for one in words)
        ):
            return taken
        given = next((n for n, one in enumerate(words) if not self._is_given(one)), len(words))
        if given == 0 or len(words) < 2 or self._borne(text, start):
            return 0
        family = words[given:] or words[1:]
        if _NUMERAL.fullmatch(family[0]):
            return 0
        sure = [one for one in family if _fold(one) in self._known.surnames]
        if first.isupper():
            known = sure or self._stands_out(text, start)
            return taken if known and not self._is_doubtful(first) and not any(map(self._ordinary, words)) else 0
        if sure and (not self._ordinary(family[0]) or _fold(family[0]) in self._known.surnames):
            return taken if not self._all_ordinary(words) else 0
        if self._is_doubtful(first) or not words[given:]:
            return 0
        return taken if not self._ordinary(family[0]) and len(family[0]) > 2 else 0

    def _initialled(self, text: str, tokens: list[tuple[int, int, str]], position: int) -> int:
        """Tokens of a name such as 'G. Ferrer': an initial or two, and a surname that is known."""
        names = [token for *_, token in tokens[position : position + 3]]
        initials = next((n for n, one in enumerate(names) if not _SHORT.fullmatch(one)), len(names))
        if not 0 < initials < len(names) or self._borne(text, tokens[position][0]):
            return 0
        known = _fold(names[initials]) in self._known.surnames and not self._ordinary(names[initials])
        return initials + 1 if known and len(names[initials]) > 2 else 0

    def _stands_out(self, text: str, start: int) -> bool:
        """Whether capitals are a choice of this name, not of its whole line."""
        line = text[text.rfind("\n", 0, start) + 1 :].partition("\n")[0]
        return sum(map(str.islower, line)) > sum(map(str.isupper, line))

    def _extent(self, tokens: list[tuple[int, int, str]], position: int) -> int:
        """Tokens from here up to the first that belongs to no name."""
        taken, count = 0, 0
        for number, (*_, token) in enumerate(tokens[position:], start=1):
            if token.islower():
                following = tokens[position + number : position + number + 1]
                if token in ("y", "i") and following and count > 1 and self._is_given(following[0][2]):
                    break
                continue
            if (
                _fold(token) in self._known.never
                or count == _LONGEST
                or any(character.isdigit() for character in token)
            ):
                break
            taken, count = number, count + 1
        return taken

    def _is_given(self, word: str) -> bool:
        return _fold(word) in self._known.given and len(word) > 1

    def _ordinary(self, word: str) -> bool:
        """Whether a word is one of the language, as this document or our list shows."""
        folded = _fold(word)
        return folded in self._known.never or folded in self._small

    def _all_ordinary(self, words: list[str]) -> bool:
        return all(_fold(one) in self._small for one in words)

    def _borne(self, text: str, start: int) -> bool:
        """Whether a place, an institution or a thing bears the name."""
        before = _BEFORE.search(text, max(0, start - 40), start)
        return before is not None and _fold(before[1].strip(".")) in self._known.bearers

    def _is_doubtful(self, word: str) -> bool:
        return _fold(word) in self._known.doubtful or _fold(word) in self._small

    def _title(self, text: str, start: int) -> str:
        """The title in front of a name, "" where there is none."""
        before = re.split(r"[ \n]", text[max(0, start - 8) : start])
        title = before[-2].lstrip("(*_[«|") if len(before) >= 2 and not before[-1] else ""
        return title if title in self._known.titles else ""

    def _has_role(self, text: str, start: int) -> bool:
        line = text[max(0, start - 60) : start].rsplit("\n", 1)[-1]
        before = re.search(r"([\w·/.-]+)(?:\s*\([^()]{0,12}\))?[*_\s]*:[*_\s|]*$", line)
        if before is None:
            return False
        return _fold(before[1]) in self._known.roles or _NAMED.search(line) is not None

    def _found(self, text: str, start: int, end: int, words: list[str]) -> Found:
        if text[start:end].endswith(("'s", "’s")):
            end, words = end - 2, [*words[:-1], words[-1][:-2]]
        joined = " ".join(_fold(one) for one in words if not one.islower())
        return Found(start, end, "persona", joined)


@functools.lru_cache(maxsize=100_000)
def _fold(word: str) -> str:
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKD", word.lower().replace("’", "'"))
    return "".join(one for one in plain if not unicodedata.combining(one))


@functools.cache
def _known() -> _Known:
    table = tomllib.loads(resources.files(__package__).joinpath("people.toml").read_text(encoding="utf-8"))
    words = {name: frozenset(_fold(one) for one in text.split()) for name, text in table.items()}
    given, surnames = _lists()
    return _Known(
        given=given | words["given"] | words["doubtful"],
        surnames=surnames - words["never"],
        doubtful=words["doubtful"],
        bearers=words["bearers"],
        never=words["never"],
        titles=frozenset(table["titles"].split()),
        roles=words["roles"],
    )


def _lists() -> tuple[frozenset[str], frozenset[str]]:
    """Given names and surnames of Faker, folded."""
    given: set[str] = set()
    surnames: set[str] = set()
    spanish: set[str] = set()
    for locale in LOCALES:
        try:
            provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        except ImportError:
            raise MissingPart(
                f"recognising names needs the package Faker; run: {INSTALL}, or give --no-names"
            ) from None
        first = {_fold(one) for name in _values(provider, _GIVEN) for one in name.split() if len(one) > 1}
        last = {_fold(one) for one in _values(provider, _SURNAMES) if len(one) > 1}
        # Spain comes first: what is a surname there and no given name is none anywhere
        given |= first if locale == LOCALES[0] else first - spanish
        surnames |= last
        spanish = surnames - given if locale == LOCALES[0] else spanish
    return frozenset(given), frozenset(surnames)


def _values(provider: type, attributes: tuple[str, ...]) -> list[str]:
    found = [getattr(provider, one, ()) for one in attributes]
    return [str(one) for values in found if isinstance(values, tuple | list | dict) for one in values]
