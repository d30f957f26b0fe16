"""Single promises in a line of text: names of people, targets, amounts, durations, dates.

Knows how they are written in three languages. Does not know where the line stands.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from fabai.dossier.commitment import Kind, key_of
from fabai.figures import figures
from fabai.report import Language

_LONGEST = 600
NUMBERS = {
    "un": 1, "una": 1, "one": 1, "dos": 2, "dues": 2, "two": 2, "three": 3, "tres": 3, "quatre": 4, "cuatro": 4,
    "four": 4, "five": 5, "cinc": 5, "cinco": 5, "six": 6, "sis": 6, "seis": 6, "ten": 10, "deu": 10, "diez": 10,
    "twelve": 12, "doce": 12, "dotze": 12, "fifteen": 15, "quince": 15, "quinze": 15, "twenty": 20, "vint": 20,
    "veinte": 20, "thirty": 30, "trenta": 30, "treinta": 30, "sixty": 60, "seixanta": 60, "sesenta": 60,
}  # fmt: skip
"""Numbers as deadlines and durations spell them out."""

_DURATION = re.compile(
    rf"\b(\d+(?:[.,]\d+)?|{'|'.join(NUMBERS)})[\s-]*"
    r"(full |working |calendar |person[- ])?(days?|weeks?|months?|years?|hours?|d[ií]as?|semanas?"
    r"|mes(?:es)?|a[ñn]os?|horas?"
    r"|dies|dia|setmanes|setmana|mesos|anys?|hores|hora)\b",
    re.IGNORECASE,
)
_MONTH_REF = re.compile(r"(?<![\w.])(?:M|month |mes )(\d{1,2})(?!\w|\.\d)", re.IGNORECASE)
_NAME = re.compile(
    r"(?:(?:Dra?|Prof|Sra?|Mr|Ms|Mrs|Ing)\.?\s+)?[A-ZÀ-Ý][\w'’·-]+(?:\s+(?:de|del|de la|i|y|van|von|da"
    r"|[A-ZÀ-Ý]\.|[A-ZÀ-Ý][\w'’·-]+))*"
    r"\s+[A-ZÀ-Ý][\w'’·-]+"
)
_ROLE_FIRST = re.compile(r"^\W*([^:]{2,60}):\s*(.+)$")
_NOT_NAMES = re.compile(
    r"\b(?:university|universi\w+|institute|institut\w*|department|team|project|grant|ltd|gmbh|inc|s\.?l\.?|s\.?a\.?"
    r"|foundation|fundaci\w+|associaci\w+|asociaci\w+|ajuntament|ayuntamiento|computational|human cell)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Promise:
    """A commitment in the making; fields as in Commitment."""

    kind: Kind
    text: str
    ref: str = ""
    parent: str = ""
    target: str = ""
    amount: Decimal | None = None
    start: datetime.date | None = None
    due: datetime.date | None = None
    when: str = ""
    role: str = ""
    quote: str = ""

    @property
    def key(self) -> str:
        return key_of(self.kind, self.parent, self.ref, self.text)


def shortened(text: str) -> str:
    """The text on one line, cut between words where it is very long."""
    line = re.sub(r"^:\w+:\s*", "", " ".join(text.split())).strip(" ;")
    if len(line) <= _LONGEST:
        return line
    return line[:_LONGEST].rsplit(" ", 1)[0] + " …"


def duration_in(text: str) -> str:
    """ "5 Days", "3 months", "" where the text has no duration."""
    match = _DURATION.search(text)
    return "" if match is None else match[0]


def target_in(text: str, language: Language) -> str:
    """The first figure with what it counts: "120 participants", "80 %"; "" where there is none."""
    for figure in figures(text, language):
        if figure.kind in ("count", "percent", "amount", "number"):
            end = figure.end
            if figure.kind == "count":
                noun = re.match(r"\s*(?:de |d['’]|of )?[^\W\d_]+", text[end:])
                end += len(noun[0]) if noun is not None else 0
            return text[figure.start : end].strip()
    return ""


def amount_in(text: str, language: Language) -> Decimal | None:
    """The first amount of money, else the only number; None where there is none."""
    found = figures(text, language)
    money = [one for one in found if one.kind == "amount"]
    if money:
        return Decimal(money[0].value)
    numbers = [one for one in found if one.kind == "number"]
    return Decimal(numbers[0].value) if len(numbers) == 1 and len(text) < 60 else None


def first_number(text: str, language: Language) -> Decimal | None:
    """The first amount, else the first number of any kind: '1 BTC'."""
    amount = amount_in(text, language)
    if amount is not None:
        return amount
    numbers = [one for one in figures(text, language) if one.kind in ("count", "number")]
    return Decimal(numbers[0].value) if numbers else None


def dates_in(text: str, language: Language) -> tuple[datetime.date | None, datetime.date | None, str]:
    """(first of two dates, last date, the last month of the project that is named: "M12")."""
    days = []
    for figure in figures(text, language):
        if figure.kind == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", figure.value):
            try:
                days.append(datetime.date.fromisoformat(figure.value))
            except ValueError:
                continue
    months = _MONTH_REF.findall(text)
    when = f"M{months[-1]}" if months else ""
    if len(days) >= 2:
        return days[0], days[-1], when
    return None, days[0] if days else None, when


def people_in(text: str) -> Iterator[tuple[str, str]]:
    """(name, role) of each person in a line: 'Engineers: Ada Soler, Pau Riu', 'Ada Soler (lead)', 'Ada Soler, lead'."""
    if len(text) > 300 or "http" in text:
        return
    role = ""
    keyed = _ROLE_FIRST.match(text)
    if keyed is not None and not _NAME.fullmatch(keyed[1].strip()):
        role, text = keyed[1].strip(), keyed[2]
    pieces = re.split(r"\s*[;,]\s*|\s+(?:and|y|i)\s+(?=[A-ZÀ-Ý])", text)
    last: tuple[str, str] | None = None
    for piece in pieces:
        match = _NAME.search(piece)
        if match is None or match.start() > 3 or _NOT_NAMES.search(match[0]):
            if last is not None and not role and piece and len(piece) < 60:
                last = (last[0], piece.strip(" .()")) if not last[1] else last
            continue
        if last is not None:
            yield last
        rest = piece[match.end() :].strip(" .–—-:")
        inner = re.match(r"\(([^)]+)\)", rest)
        last = (match[0], role or (inner[1] if inner is not None else rest[:60]))
    if last is not None:
        yield last
