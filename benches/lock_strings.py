"""Facts and texts for the lock's benches: real kinds of facts, sentences that hold them, and ways to spoil a sentence.

Knows no automaton and no checker. All names are made up.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from fabai.ledger import Fact
from fabai.report import Language

NOUNS: dict[Language, tuple[str, ...]] = {
    "es": ("personas", "talleres", "sesiones", "horas", "familias", "voluntarios", "entidades", "jornadas", "mujeres"),
    "ca": ("persones", "tallers", "sessions", "hores", "famílies", "voluntaris", "entitats", "jornades", "dones"),
    "en": ("people", "workshops", "sessions", "hours", "families", "volunteers", "organisations", "open days", "women"),
}
_LAW = {"es": "Ley", "ca": "Llei", "en": "Act"}
_CONTEXTS: dict[Language, tuple[str, ...]] = {
    "es": ("Participaron {} en el proyecto.", "El importe fue de {}, según lo previsto", "- {}\n- {}\n",
           "**{}** y {}",
           "Se alcanzó un {} ({}).", "| Partida | {} |\n|---|---|\n| Otra | {} |\n", "Total: {}; resto: {}", "«{}»",
           "Durante el periodo, {} de las actividades", "mil {} mil", "{} {}", "no menos de {} por hora",
           "**mil** {} y *treinta* y {}"),
    "ca": ("Hi van participar {} al projecte.", "L'import va ser de {}, segons el previst", "- {}\n- {}\n",
           "**{}** i {}",
           "S'ha arribat a un {} ({}).", "| Partida | {} |\n|---|---|\n| Altra | {} |\n", "Total: {}; resta: {}",
           "«{}»",
           "Durant el període, {} de les activitats", "mil {} mil", "{} {}", "no menys de {} per hora",
           "**mil** {} i *trenta* i {}"),
    "en": ("Some {} took part in the project.", "The amount was {}, as planned", "- {}\n- {}\n", "**{}** and {}",
           "We reached {} ({}).", "| Item | {} |\n|---|---|\n| Other | {} |\n", "Total: {}; rest: {}", "“{}”",
           "During the period, {} of the activities", "thousand {} million", "{} {}", "no less than {} an hour",
           "**a thousand** {} and *thirty* and {}"),
}  # fmt: skip
# fmt: off
_SPOILS = [
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "000", ",", ".", ":", ";", "/", "-", "–",
    "−", "+", "=", "%", "‰", "€", "$", "£", "k", "K", "M", "mil", "miles", "millones", "millón",
    "milions", "thousand", "million", "hundred", "docenas", "y", "medio", "i", "mig", "half", "dos",
    "dues", "two", "treinta", "²", "³", "½", "①", "Ⅳ", "٣", "１", "一", "\u200b", "\xad", "\u202e",
    "\xa0", "\n", "\t", "'", "’", "·", "(", ")", "[", "]", "{", "}", "{{", "}}", "*", "**", "_", "|",
    "#", '"', "personas", "talleres", "euros", "EUR", "USD", "por", "ciento", "per", "cent", "percent",
    "de", "del", "en", "el", "durante", "in", "año", "ejercicio", "l'", "d'", "a", "x",
]
# fmt: on


def ledger(size: int, language: Language, seed: int = 0) -> tuple[Fact, ...]:
    """So many facts of all kinds; the first ones are prefixes of each other, one is nought, one negative, one has no
    figure.
    """
    pick = random.Random(seed)
    nouns = NOUNS[language]
    first = [
        Fact("talleres uno", f"1 {nouns[1]}", "s"), Fact("talleres doce", f"12 {nouns[1]}", "s"),
        Fact("talleres ciento veinte", f"120 {nouns[1]}", "s"), Fact("participantes", f"180 {nouns[0]}", "s"),
        Fact("importe", "18.500,00 €" if language != "en" else "€18,500.00", "s"), Fact("remanente", "0 €", "s"),
        Fact("desviación", "-500 €", "s"), Fact("entidad", "Asociación Torvak", "s"),
    ]  # fmt: skip
    found = {fact.value: fact for fact in first}
    kinds = ["amount"] * 4 + ["count"] * 3 + (["percent", "date", "year", "law"] if size <= 300 else [])
    while len(found) < size:
        number = pick.randrange(10**6)
        kind = pick.choice(kinds)
        if kind == "amount":
            cents = pick.choice((f"{pick.randrange(50, 5_000)}00000", str(pick.randrange(10**4, 10**8))))
            whole, small = f"{int(cents) // 100:,}", f"{int(cents) % 100:02d}"
            value = f"{whole}.{small} EUR" if language == "en" else f"{whole.replace(',', '.')},{small} €"
        elif kind == "count":
            value = f"{pick.randrange(2, max(3_000, size))} {pick.choice(nouns)}"
        elif kind == "percent":
            value = f"{pick.randrange(1, 1_000) / 10:g} %".replace(".", "." if language == "en" else ",")
        elif kind == "date":
            value = f"{pick.randrange(2015, 2027)}-{pick.randrange(1, 13):02d}-{pick.randrange(1, 29):02d}"
        elif kind == "year":
            value = str(pick.randrange(2010, 2028))
        else:
            value = f"{_LAW[language]} {pick.randrange(1, 60)}/{pick.randrange(1980, 2025)}"
        found.setdefault(value, Fact(f"dato {number}" if kind != "year" else "año", value, "s"))
    return tuple(found.values())[:size]


def mutated(forms: Sequence[str], language: Language, count: int, seed: int = 0) -> Iterator[str]:
    """Sentences with forms in them, each spoilt in none to four places."""
    pick = random.Random(seed)
    for _ in range(count):
        pattern = pick.choice(_CONTEXTS[language])
        text = pattern.format(*(_form(forms, pick) for _ in range(pattern.count("{}"))))
        for _ in range(pick.randrange(5)):
            text = _spoil(text, forms, pick)
        yield text


def _form(forms: Sequence[str], pick: random.Random) -> str:
    """A form, or parts of two."""
    one = pick.choice(forms)
    if pick.random() < 0.15:
        other = pick.choice(forms)
        one = one[: pick.randrange(len(one) + 1)] + pick.choice(("", " ")) + other[pick.randrange(len(other)) :]
    return one


def _spoil(text: str, forms: Sequence[str], pick: random.Random) -> str:
    at = pick.randrange(len(text) + 1)
    if pick.random() < 0.7:
        # beside a digit, where it hurts
        places = [place for place, one in enumerate(text) if one.isdigit()]
        if places:
            at = min(len(text), max(0, pick.choice(places) + pick.choice((-2, -1, 0, 1, 2, 3))))
    way = pick.randrange(6)
    if way == 0:
        return text[:at] + text[at + 1 :]
    if way == 1:
        return text[:at] + pick.choice(_SPOILS) + text[at:]
    if way == 2:
        return text[:at] + pick.choice((" ", "")) + pick.choice(_SPOILS) + " " + text[at:]
    if way == 3:
        return text[:at] + pick.choice(_SPOILS) + text[at + 1 :]
    if way == 4:
        return text[:at] + pick.choice(("", " ", "-", ", ")) + pick.choice(forms) + text[at:]
    end = min(len(text), at + pick.randrange(1, 6))
    return text[:at] + text[at:end] * 2 + text[end:]
