"""Formulas over facts: `{ejecutado} - {concedido}`, `sum({personal}; {viajes})`, `percent({ejecutado}; {concedido})`.

Knows + - * / and brackets, numbers, names of facts in braces, and four functions in Spanish, Catalan and English. Keeps
what is measured apart: euros are not added to dollars or people. Does not know where facts are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal, DivisionByZero, InvalidOperation

from fabai.errors import BadSetting
from fabai.facts.reading import Reading
from fabai.facts.writing import write_amount, write_number, write_percent
from fabai.report import Language

_TOKEN = re.compile(
    r"\s*(?:(?P<name>\{[^{}\n]+\})|(?P<number>\d+(?:[.,]\d+)?)|(?P<word>[^\W\d_]+)|(?P<mark>[-+*/()%;−–×÷]))"
)
_LONGEST = 2_000
"""Characters."""
_DEEPEST = 40
"""Brackets inside brackets."""
_MARKS = {"−": "-", "–": "-", "×": "*", "÷": "/"}
_FUNCTIONS = {
    "sum": ("sum", "suma"),
    "difference": ("difference", "diferencia", "diferència"),
    "percent": ("percent", "porcentaje", "percentatge"),
    "deviation": ("deviation", "desviacion", "desviación", "desviació"),
}
_CALLED = {written: name for name, ways in _FUNCTIONS.items() for written in ways}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and what it measures: dimension "" (a bare number), "%", "amount EUR", "count person", "indicator kwh".

    unit, noun: as written. decimals: the most that a part of it was written with.
    """

    number: Decimal
    dimension: str = ""
    unit: str = ""
    noun: str = ""
    decimals: int = 0

    @classmethod
    def of(cls, reading: Reading) -> Quantity | None:
        """None where the value is no quantity."""
        if reading.number is None:
            return None
        dimension = {
            "amount": f"amount {reading.unit}",
            "percent": "%",
            "indicator": f"indicator {reading.unit.casefold()}",
        }.get(reading.kind, f"count {reading.stem}" if reading.stem else "")
        return cls(reading.number, dimension, reading.unit, reading.noun, reading.decimals)

    def written(self, language: Language) -> str:
        """As a ledger has it: amounts with cents, others with the decimals of their parts."""
        if self.dimension.startswith("amount"):
            # a sum of whole euros stays whole, a product of them need not
            whole = self.number == self.number.to_integral_value() and self.decimals == 0
            return write_amount(self.number, self.unit, 0 if whole else 2, language)
        if self.dimension == "%":
            return write_percent(self.number, _enough(self.number, max(1, self.decimals)), language)
        decimals = _enough(self.number, max(2, self.decimals))
        behind = self.noun or self.unit
        return f"{write_number(self.number, decimals, language)}{f' {behind}' if behind else ''}"


def names_in(formula: str) -> tuple[str, ...]:
    """The facts that a formula is computed from, each once, in order."""
    return tuple(dict.fromkeys(name.strip() for name in re.findall(r"\{([^{}\n]+)\}", formula)))


def compute(name: str, formula: str, value: Callable[[str], Quantity]) -> Quantity:
    """The formula's quantity. name: of the fact that it gives. value: the quantity of another. BadSetting with one
    sentence where the formula cannot be read or computed.
    """
    if len(formula) > _LONGEST:
        raise BadSetting(f"the formula of '{name}' is too long ({_LONGEST} characters at most): compute it in steps")
    return _Parser(name, formula, value).whole()


class _Parser:
    def __init__(self, name: str, formula: str, value: Callable[[str], Quantity]) -> None:
        self._name, self._formula, self._value = name, formula, value
        self._tokens: list[tuple[str, str]] = []
        self._at = self._depth = 0
        position = 0
        text = formula.rstrip()
        while position < len(text):
            match = _TOKEN.match(text, position)
            if match is None:
                raise self._broken(f"'{text[position:].strip()[:12]}' is not understood")
            kind = match.lastgroup or ""
            self._tokens.append((kind, _MARKS.get(match[kind], match[kind])))
            position = match.end()

    def whole(self) -> Quantity:
        result = self._sum()
        if self._at < len(self._tokens):
            raise self._broken(f"'{self._tokens[self._at][1]}' stands where an operation should")
        return result

    def _sum(self) -> Quantity:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._broken("its brackets are nested too deeply")
        left = self._product()
        while (mark := self._next("+", "-")) is not None:
            right = self._product()
            left = self._add(left, right if mark == "+" else replace(right, number=-right.number))
        self._depth -= 1
        return left

    def _product(self) -> Quantity:
        left = self._single()
        while (mark := self._next("*", "/")) is not None:
            right = self._single()
            left = self._times(left, right) if mark == "*" else self._over(left, right)
        return left

    def _single(self) -> Quantity:
        minus = False
        while (mark := self._next("-", "+")) is not None:
            minus ^= mark == "-"
        one = self._factor()
        if self._next("%") is not None:
            if one.dimension:
                raise self._broken("only a bare number takes %")
            one = replace(one, dimension="%", unit="%")
        return replace(one, number=-one.number) if minus else one

    def _factor(self) -> Quantity:
        if self._at >= len(self._tokens):
            raise self._broken("it ends too early")
        kind, sign = self._tokens[self._at]
        self._at += 1
        if kind == "name":
            return self._value(sign[1:-1].strip())
        if kind == "number":
            # a comma and a point are both the decimal mark: a formula groups no thousands
            return Quantity(Decimal(sign.replace(",", ".")), decimals=len(sign.replace(",", ".").partition(".")[2]))
        if kind == "word":
            return self._call(sign)
        if sign == "(":
            inside = self._sum()
            self._close()
            return inside
        raise self._broken(f"'{sign}' stands where a fact or a number should")

    def _call(self, word: str) -> Quantity:
        name = _CALLED.get(word.lower())
        if name is None:
            raise self._broken(f"'{word}' is no function; names of facts stand in braces: {{{word}}}")
        if self._next("(") is None:
            raise self._broken(f"'{word}' needs its facts in brackets")
        parts = [self._sum()]
        while self._next(";") is not None:
            parts.append(self._sum())
        self._close()
        if name == "sum":
            total = parts[0]
            for part in parts[1:]:
                total = self._add(total, part)
            return total
        if len(parts) != 2:
            raise self._broken(f"'{word}' takes two facts with ; between them")
        first, second = parts
        if name == "difference":
            return self._add(first, replace(second, number=-second.number))
        # deviation(granted; spent): how far the second lies from the first
        part = first if name == "percent" else self._add(second, replace(first, number=-first.number))
        whole = second if name == "percent" else first
        ratio = self._over(part, whole)
        if ratio.dimension:
            raise self._broken("a percentage needs two quantities of one kind")
        return Quantity(100 * ratio.number, "%", "%", decimals=2)

    def _add(self, left: Quantity, right: Quantity) -> Quantity:
        if left.dimension != right.dimension:
            raise self._broken(f"{_named(left)} and {_named(right)} cannot be added")
        return replace(left, number=left.number + right.number, decimals=max(left.decimals, right.decimals))

    def _times(self, left: Quantity, right: Quantity) -> Quantity:
        left, right = _share(left, right), _share(right, left)
        if left.dimension and right.dimension:
            raise self._broken(f"{_named(left)} and {_named(right)} cannot be multiplied")
        kept = left if left.dimension else right
        decimals = max(left.decimals, right.decimals)
        return replace(kept, number=left.number * right.number, decimals=decimals)

    def _over(self, left: Quantity, right: Quantity) -> Quantity:
        try:
            number = left.number / right.number
        except (DivisionByZero, InvalidOperation):
            raise self._broken("it divides by zero") from None
        if left.dimension == right.dimension:
            return Quantity(number, decimals=2)
        if right.dimension in ("", "%") or left.dimension.startswith("amount"):
            # euros per person are euros
            share = 100 if right.dimension == "%" else 1
            return replace(left, number=share * number, decimals=max(2, left.decimals))
        raise self._broken(f"{_named(left)} cannot be divided by {_named(right)}")

    def _next(self, *marks: str) -> str | None:
        if self._at < len(self._tokens) and self._tokens[self._at][1] in marks:
            self._at += 1
            return self._tokens[self._at - 1][1]
        return None

    def _close(self) -> None:
        if self._next(")") is None:
            raise self._broken("a bracket is not closed")

    def _broken(self, why: str) -> BadSetting:
        return BadSetting(f"'{self._name}' cannot be computed from '{self._formula.strip()}': {why}")


def _share(one: Quantity, other: Quantity) -> Quantity:
    """10 % of an amount: a percentage is a share where it is multiplied with something else."""
    if one.dimension == "%" and other.dimension != "%":
        return Quantity(one.number / 100, decimals=other.decimals)
    return one


def _named(one: Quantity) -> str:
    return one.noun or one.unit or ("a bare number" if not one.dimension else one.dimension.split()[-1])


def _enough(number: Decimal, most: int) -> int:
    """Decimals that the number needs, at most so many."""
    rounded = round(number, most)
    exponent = rounded.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
