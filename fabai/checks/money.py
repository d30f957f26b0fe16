"""Numbers in cells of a table, with minus signs, accounting brackets, dashes and currencies.

Reads "(50,00)", "−50,00", ",50", "€ 1.234,56", "12 %" and "–", in the style of its table. Does not know what is summed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from fabai.figures import currency_code, decimal
from fabai.report import Language

_MINUS = "-−–‒"
_SPACE = " \u00a0\u202f\u2009"
_SIGN = r"€|\$|£|EUR|USD|GBP|US\$|[Ee]uros?|[Dd]ollars?|[Pp]ounds?|[Dd][óò]lar(?:es|s)?|[Ll]ibras?|[Ll]liur(?:a|es)"
_NUMBER = re.compile(
    rf"^[~≈]?(?P<open>\()?\s*(?P<minus>[{_MINUS}+])?\s*(?P<front>{_SIGN})?\s*(?P<inner>[{_MINUS}])?\s*"
    rf"(?P<number>\d[\d.,{_SPACE}'’]*\d|\d|,\d+)\s*(?P<behind>{_SIGN}|%)?\s*(?P<close>\))?(?P<late>-)?(?:/\w+)?\.?$"
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A cell's number. places: its decimals as written. unit: a currency (ISO 4217), "%", or "" where none is written.
    dash: the cell holds a dash, which is nothing. start, end: of the digits within the cell's plain text.
    """

    value: Decimal
    places: int
    unit: str
    dash: bool = False


def amount(plain: str, language: Language, comma: bool | None = None) -> Amount | None:
    """The number of a cell's plain text, None where it is none. comma: whether the table writes decimals with a comma,
    None where it does not tell.
    """
    bare = plain.strip(f"{_SPACE}*")
    if bare and set(bare) <= set(_MINUS):
        return Amount(Decimal(0), 0, "", True)
    match = _NUMBER.match(bare)
    if match is None or (match["open"] is None) != (match["close"] is None):
        return None
    written = match["number"]
    if re.search(rf"\d[{_SPACE}]\d{{1,2}}(?!\d)|\d{{4}}[{_SPACE}]\d", written):
        return None
    sign = match["behind"] or match["front"] or ""
    unit = "%" if sign == "%" else currency_code(sign) or "" if sign else ""
    value = _value(written, language, comma, bool(unit) and unit != "%")
    if value is None:
        return None
    if match["open"] or (match["minus"] or "+") in _MINUS or match["inner"] or match["late"]:
        value = -value
    exponent = value.as_tuple().exponent
    return Amount(value, max(0, -exponent) if isinstance(exponent, int) else 0, unit)


def comma_of(cells: list[str]) -> bool | None:
    """Whether the numbers of a table have a decimal comma, where one of them tells."""
    votes = 0
    for cell in cells:
        bare = re.sub(rf"[^\d.,{_SPACE}'’]", "", cell).strip(f"{_SPACE}.,'’")
        if re.search(r"\d\.\d{3},\d|\d\.\d{3}\.\d{3}|^\d+,(?:\d{1,2}|\d{4,})$", bare):
            votes += 1
        elif re.search(r"\d,\d{3}\.\d|\d,\d{3},\d{3}|^\d+\.(?:\d{1,2}|\d{4,})$", bare):
            votes -= 1
    return None if votes == 0 else votes > 0


def _value(written: str, language: Language, comma: bool | None, money: bool) -> Decimal | None:
    bare = re.sub(rf"[{_SPACE}'’]", "", written)
    if bare.startswith(","):
        bare = f"0{bare}"
    if comma is not None and re.fullmatch(r"\d{1,3}[.,]\d{3}", bare):
        mark = bare[-4]
        return Decimal(bare.replace(mark, "." if (mark == ",") == comma else ""))
    if not re.fullmatch(r"\d+(?:[.,]\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?", bare):
        return None
    return decimal(bare, language, money=money)
