"""A number in the form in which a ledger of one language has it: "18.500,00 €", "92,5 %", "126 personas".

Knows the marks of Spanish, Catalan and English. Does not know which other forms a text may use (fabai.lock does).
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from fabai.report import Language

_SIGNS = {"EUR": "€"}


def write_number(number: Decimal, decimals: int, language: Language) -> str:
    """ "18.500,00" in Spanish and Catalan, "18,500.00" in English; rounded half up."""
    rounded = number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP) + 0
    text = f"{rounded:,.{decimals}f}"
    return text if language == "en" else text.translate(str.maketrans(",.", ".,"))


def write_amount(number: Decimal, currency: str, decimals: int, language: Language) -> str:
    """currency: ISO 4217. "18.500,00 €"; "18,500.00 EUR" in English; other currencies by their code."""
    sign = currency if language == "en" else _SIGNS.get(currency, currency)
    return f"{write_number(number, decimals, language)} {sign}"


def write_percent(number: Decimal, decimals: int, language: Language) -> str:
    """ "92,5 %", "92.5%" in English."""
    return f"{write_number(number, decimals, language)}{'%' if language == 'en' else ' %'}"
