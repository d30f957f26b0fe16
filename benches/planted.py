"""Synthetic personal data, and what looks like them: made up at random, with right check digits, as people write them.

Whatever is made here belongs to nobody: numbers are drawn, names are put together from two lists that the recogniser
does not have. Does not know the recogniser.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from stdnum import luhn
from stdnum.es import dni, nie
from stdnum.iso7064 import mod_97_10

GIVEN = [
    "Marta", "Jordi", "Núria", "Ferran", "Mireia", "Arnau", "Laia", "Biel", "Meritxell", "Oriol", "Aina", "Roger",
    "Gemma", "Pau", "Montserrat", "Ignasi", "Carme", "Eulàlia", "Lluís", "Quim", "Begoña", "Íñigo", "Arantza",
    "Gorka", "Ainhoa", "Unai", "Xoán", "Sabela", "Brais", "Uxía", "Lucía", "Álvaro", "Inés", "Gonzalo", "Rocío",
    "Hugo", "Paula", "Sergio", "Noelia", "Rubén", "Beatriz", "Adrián", "Yolanda", "Mohamed", "Fátima", "Youssef",
    "Aicha", "Ibrahima", "Oksana", "Dmytro", "Valentina", "Thiago", "Camila", "Facundo", "Emily", "Oliver",
    "Charlotte", "Harry", "Fiona", "Declan", "Siobhan", "Priya", "Wei", "Giulia", "Matteo", "Élodie", "Jürgen",
]  # fmt: skip
SURNAMES = [
    "Puigdevall", "Vilaseca", "Casadevall", "Torrents", "Ferrusola", "Bonastre", "Rovira", "Camprubí", "Figuerola",
    "Masdéu", "Serrallonga", "Pujadas", "Etxeberria", "Agirrezabala", "Goikoetxea", "Lasagabaster", "Otaegi",
    "Castiñeira", "Vilariño", "Loureiro", "Outeiriño", "Seoane", "Quintanilla", "Barrientos", "Villafranca",
    "Cascales", "Escudero", "Olavarría", "Manzanares", "Peñalver", "Redondo", "Sepúlveda", "Zabala", "Cifuentes",
    "Benali", "Bouazza", "Diallo", "Kovalenko", "Shevchuk", "Restrepo", "Quispe", "Huamán", "Whitcombe", "Ashworth",
    "Pemberton", "Gallagher", "Fairweather", "Bianchi", "Ferretti", "Lefèvre", "Hoffmann", "Chakraborty", "Zhao",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """text as written into a sentence; secret: what must not be left of it."""

    kind: str
    text: str
    secret: str


Maker = Callable[[random.Random], Planted]


def _digits(rng: random.Random, count: int) -> str:
    return "".join(rng.choice("0123456789") for _ in range(count))


def _dni(rng: random.Random) -> Planted:
    number = f"{rng.randrange(1_000_000, 99_999_999):08d}"
    letter = dni.calc_check_digit(number)
    dotted = f"{number[:2]}.{number[2:5]}.{number[5:]}"
    forms = [f"{number}{letter}", f"{number}-{letter}", f"{dotted}-{letter}", f"{dotted}{letter}", f"{number} {letter}"]
    forms += [f"{number}{letter.lower()}", f"{number[:2]} {number[2:5]} {number[5:]} {letter}"]
    written = rng.choice(forms)
    return Planted("dni", written, written)


def _nie(rng: random.Random) -> Planted:
    number = rng.choice("XYZ") + _digits(rng, 7)
    letter = nie.calc_check_digit(number)
    forms = [f"{number}{letter}", f"{number[0]}-{number[1:]}-{letter}", f"{number}-{letter}"]
    forms.append(f"{number[0]}{number[1]}.{number[2:5]}.{number[5:]}-{letter}")
    written = rng.choice(forms)
    return Planted("nie", written, written)


def _nif(rng: random.Random) -> Planted:
    number = _digits(rng, 7)
    # K, L and M: the letter of an identity document over the seven figures
    written = f"{rng.choice('KLM')}{number}{dni.calc_check_digit(number)}"
    return Planted("nif", written, written)


def _iban(rng: random.Random) -> Planted:
    country, length = rng.choice([("ES", 20), ("ES", 20), ("AD", 20), ("DE", 18), ("PT", 21), ("FR", 23), ("GB", 18)])
    account = (
        _ccc(rng)
        if country == "ES"
        else ("WEST" if country == "GB" else "") + _digits(rng, length - 4 * (country == "GB"))
    )
    bare = country + mod_97_10.calc_check_digits(account + country) + account
    spaced = " ".join(bare[place : place + 4] for place in range(0, len(bare), 4))
    written = rng.choice([bare, spaced, spaced.replace(" ", "-")])
    return Planted("iban", written, written)


def _ccc(rng: random.Random) -> str:
    from stdnum.es import ccc

    bank, account = _digits(rng, 8), _digits(rng, 10)
    return bank + ccc.calc_check_digits(f"{bank}00{account}") + account


def _account(rng: random.Random) -> Planted:
    bare = _ccc(rng)
    written = rng.choice(
        [f"{bare[:4]} {bare[4:8]} {bare[8:10]} {bare[10:]}", f"{bare[:4]}-{bare[4:8]}-{bare[8:10]}-{bare[10:]}"]
    )
    return Planted("iban", written, written)


def _card(rng: random.Random) -> Planted:
    bare = rng.choice("45") + _digits(rng, 14)
    bare += luhn.calc_check_digit(bare)
    written = " ".join(bare[place : place + 4] for place in range(0, 16, 4))
    return Planted("tarjeta", written, written)


def _social(rng: random.Random) -> Planted:
    province, number = f"{rng.randrange(1, 53):02d}", rng.randrange(10_000_000, 99_999_999)
    check = f"{int(f'{province}{number}') % 97:02d}"
    forms = [f"{province}/{number}/{check}", f"{province} {number} {check}", f"NUSS {province}{number}{check}"]
    forms.append(f"núm. de la Seguridad Social: {province}{number}{check}")
    written = rng.choice(forms)
    return Planted("seguridad_social", written, written.rpartition(": ")[2].removeprefix("NUSS "))


def _telephone(rng: random.Random) -> Planted:
    number = rng.choice("6789") + _digits(rng, 8)
    a, b, c = number[:3], number[3:6], number[6:]
    forms = [
        f"{a} {b} {c}",
        f"{a} {b[:2]} {b[2]}{c[0]} {c[1:]}",
        f"+34 {a} {b} {c}",
        f"+34{number}",
        f"(+34) {a} {b} {c}",
    ]
    forms += [
        f"0034 {a} {b} {c}",
        f"{a}-{b}-{c}",
        f"tel. {number}",
        f"Tel.: {number}",
        f"móvil {number}",
        f"telèfon: {number}",
    ]
    forms += [f"+376 {_digits(rng, 3)} {_digits(rng, 3)}", f"+44 20 {_digits(rng, 4)} {_digits(rng, 4)}"]
    forms += [
        f"+33 6 {_digits(rng, 2)} {_digits(rng, 2)} {_digits(rng, 2)} {_digits(rng, 2)}",
        f"{a}.{b[:2]}.{b[2]}{c[0]}.{c[1:]}",
    ]
    written = rng.choice(forms)
    return Planted("telefono", written, written.split(" ", 1)[1] if written[0] in "tTm" else written)


def _mail(rng: random.Random) -> Planted:
    user = rng.choice(["m.puig", "joan_serra", "ana-lopez", "info.proyecto", "n.vila+ajuts", "xavier88"]) + _digits(
        rng, 2
    )
    host = rng.choice(["ejemplo.org", "correu.exemple.cat", "mail.example.co.uk", "uni-ejemplo.es"])
    forms = [f"{user}@{host}"] * 4 + [
        f"<{user}@{host}>",
        f"[{user}@{host}](mailto:{user}@{host})",
        f"{user.upper()}@{host}",
    ]
    forms.append(f"{user} [at] {host}")
    written = rng.choice(forms)
    return Planted("correo", written, written.strip("<>[]").partition("]")[0])


def _address(rng: random.Random) -> Planted:
    street = rng.choice(
        ["C/ Mayor", "calle de la Fuente", "carrer de Sant Pau", "Avda. de la Constitución", "Carrer Major"]
    )
    street = rng.choice([street, "Pl. de la Vila", "Passeig de Gràcia", "Calle Gran Vía", "avinguda Diagonal"])
    number = rng.randrange(1, 300)
    door = rng.choice(
        ["3º 2ª", "2n 1a", "5º B", "bajos", "àtic 1a", "piso 4, puerta 2", "esc. B, 3.º izq.", "1º dcha."]
    )
    town = rng.choice(["08001 Barcelona", "28013 Madrid", "17001 Girona", "41001 Sevilla"])
    dwelling = [
        f"{street}, {number}, {door}",
        f"{street} {number}, {door}, {town}",
        f"{street}, núm. {number}, {door}, {town}",
    ]
    told = [
        f"domicilio en {street}, {number}, {town}",
        f"amb domicili a {street}, {number}",
        f"resident a {street} {number}, {town}",
    ]
    written = rng.choice(dwelling * 2 + told)
    return Planted("direccion", written, f"{number}, " if f"{number}, " in written else f" {number}")


def _profile(rng: random.Random) -> Planted:
    name = f"{rng.choice(['marta', 'john', 'nuria'])}-{rng.choice(['puig', 'smith', 'vila'])}-{_digits(rng, 4)}"
    written = rng.choice(
        [f"https://www.linkedin.com/in/{name}", f"linkedin.com/in/{name}/", f"https://es.linkedin.com/in/{name}"]
    )
    return Planted("perfil", written, name)


def _passport(rng: random.Random) -> Planted:
    number = rng.choice(["AAB", "PAC", "XD"]) + _digits(rng, 6)
    return Planted(
        "pasaporte", rng.choice([f"pasaporte {number}", f"passaport núm. {number}", f"passport no. {number}"]), number
    )


def _foreign(rng: random.Random) -> Planted:
    from stdnum.ar import cuit
    from stdnum.br import cpf
    from stdnum.cl import rut
    from stdnum.fr import nir

    kind = rng.randrange(4)
    if kind == 0:
        bare = _digits(rng, 9)
        written = cpf.format(bare + cpf._calc_check_digits(bare))
    elif kind == 1:
        bare = str(rng.randrange(5_000_000, 29_999_999))
        written = rut.format(bare + rut.calc_check_digit(bare))
    elif kind == 2:
        bare = rng.choice(["20", "27"]) + _digits(rng, 8)
        written = cuit.format(bare + cuit.calc_check_digit(bare))
    else:
        bare = f"{rng.choice('12')}{rng.randrange(40, 99)}{rng.randrange(1, 13):02d}75{_digits(rng, 6)}"
        written = nir.format(bare + nir.calc_check_digits(bare))
    return Planted("documento", written, written)


IDENTIFIERS: dict[str, Maker] = {
    "dni": _dni, "nie": _nie, "nif": _nif, "iban": _iban, "account": _account, "tarjeta": _card,
    "seguridad_social": _social, "telefono": _telephone, "correo": _mail, "direccion": _address, "perfil": _profile,
    "pasaporte": _passport, "documento": _foreign,
}  # fmt: skip


def name(rng: random.Random) -> Planted:
    """A made-up person: one given name or two, one surname or two."""
    given = rng.choice(GIVEN)
    family = rng.sample(SURNAMES, rng.choice([1, 2, 2]))
    joint = rng.choice([" ", " ", " i "]) if len(family) == 2 else ""
    full = f"{given} {joint.join(family)}"
    forms = [full] * 6 + [
        f"{' '.join(family)}, {given}",
        full.upper(),
        f"Dra. {full}",
        f"Sr. {family[0]}",
        f"{given[0]}. {family[0]}",
    ]
    written = rng.choice(forms)
    return Planted("persona", written, family[0].upper() if written.isupper() else family[0])


def lookalike(rng: random.Random) -> str:
    """A code, amount, date or reference that must stay as it is."""
    n = rng.randrange
    number = f"{n(10_000_000, 99_999_999)}"
    wrong = next(letter for letter in "TRWAGMYFPDXBNJZSQVHLCKE" if letter != dni.calc_check_digit(number))
    grant = [
        f"PID{n(2018, 2025)}-{n(100000, 140000)}OB-I00",
        f"TED2021-{n(129000, 132999)}B-C21",
        f"2021 SGR {n(0, 1999):05d}",
        f"IDI-{n(2015, 2025)}{n(1000, 1999)}",
        f"RTC-2017-{n(5000, 6999)}-{n(1, 9)}",
        f"BDNS {n(400000, 799999)}",
        f"101{n(0, 999999):06d}",
        f"2022-1-ES01-KA220-HED-{n(0, 99999):09d}",
        f"H2020-MSCA-ITN-2018-{n(800000, 899999)}",
        f"SUBV{n(2015, 2025)}{n(100000, 999999)}",
        f"expediente {n(1, 9999)}/{n(2015, 2025)}",
    ]
    reference = [
        f"{number}{wrong}",
        f"CIF {_entity(rng)}",
        f"BOE-A-2003-{n(10000, 29999)}",
        f"Ley {n(1, 60)}/{n(1990, 2025)}",
        f"Real Decreto {n(100, 1999)}/{n(1990, 2025)}",
        f"art. {n(1, 99)}.{n(1, 9)}",
        f"CPV {n(10, 98)}000000-{n(0, 9)}",
        f"ISBN 978-84-{n(100, 999)}-{n(1000, 9999)}-{n(0, 9)}",
        f"ISSN {n(1000, 9999)}-{n(1000, 9999)}",
        f"https://doi.org/10.{n(1000, 9999)}/{n(10000000, 99999999)}",
        f"192.168.{n(0, 255)}.{n(1, 254)}",
        f"v{n(1, 9)}.{n(0, 20)}.{n(0, 9)}",
        f"{n(36, 43)}.{n(1000, 9999)}, -{n(0, 9)}.{n(1000, 9999)}",
        f"0x{n(16**12, 16**13):x}",
        f"partida {n(600, 699)}000000",
        f"ES{n(10, 99)} {n(1000, 9999)} {n(1000, 9999)}",
        f"ref. {n(1000, 9999)}-{n(10, 99)}-{n(1000, 9999)}",
        f"X{n(1000000, 9999999)}",
    ]
    amount = [
        f"{n(1, 999)}.{n(100, 999)},{n(10, 99)} €",
        f"{n(1, 99)}.{n(100, 999)}.{n(100, 999)} euros",
        f"{n(600, 999)} {n(100, 999)} {n(100, 999)} €",
        f"{n(600, 999)}.{n(100, 999)}.{n(100, 999)} euros",
        f"{n(1, 99)}.{n(100, 999)}.{n(100, 999)},00 EUR",
        f"EUR {n(600, 999)},{n(100, 999)}.{n(10, 99)}",
        f"{n(1, 99)},{n(1, 9)} %",
        f"{n(1000, 9999)} persones en {n(2, 99)} tallers",
    ]
    date = [
        f"{n(1, 28)}/{n(1, 12):02d}/{n(2015, 2026)}",
        f"{n(2015, 2026)}-{n(1, 12):02d}-{n(1, 28):02d}",
        f"{n(1, 28)} de marzo de {n(2015, 2026)}",
        f"del {n(1, 15)} al {n(16, 28)} de mayo de 2024",
        f"{n(2015, 2025)}-{n(2015, 2025)}",
    ]
    return rng.choice([*grant, *reference, *amount, *date])


def _entity(rng: random.Random) -> str:
    from stdnum.es import cif

    bare = rng.choice("ABG") + _digits(rng, 7)
    return bare + cif.calc_check_digits(bare)[0]
