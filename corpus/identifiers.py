"""Identity documents, accounts and cards in running text, proven by their check digits (python-stdnum).

Knows the ways in which they are written: with dots, dashes, spaces. A number whose check digit is wrong is none and
stays, and so do codes of grants, amounts and dates. The tax number of an entity (CIF) is public and stays. Documents
without a check digit count only behind the word that names them. Does not know telephones, addresses or names.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from fabai.errors import MissingPart

from .extra import INSTALL
from .found import Found

_BEFORE = r"(?<![\w/=.,_@-])"
_AFTER = r"(?![\w@]|[.,/-]\w)"
_GAP = r"[ \u00a0.\-‐–]?"
_NINO = r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]"
_MAY_HOLD = re.compile(r"\d(?:[ ./\u00a0‐–-]{0,2}\d){5}|[A-Z]{4}[A-Z0-9]{12}")
"""Every identifier has six figures, but the Italian one."""
_SCALE = re.compile(r"[ \u00a0]?(?:€|\$|£|%|eur\b|euros?\b|m€|mm?\b|usd\b|gbp\b|millon|milion)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Rule:
    """pattern: what it may look like. check: of the bare characters. labelled: only behind a word that names it."""

    kind: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool]
    labelled: re.Pattern[str] | None = None


def identifiers(text: str) -> Iterator[Found]:
    """Every identifier in a text, the surest rules first."""
    if not _MAY_HOLD.search(text):
        return
    for rule in _rules():
        for match in rule.pattern.finditer(text):
            bare = _bare(match[0])
            if rule.check(bare) and _stands(rule, text, match):
                yield Found(match.start(), match.end(), rule.kind, bare)


def _stands(rule: _Rule, text: str, match: re.Match[str]) -> bool:
    if rule.labelled is not None and not rule.labelled.search(text, max(0, match.start() - 60), match.start()):
        return False
    # '12.345.678 M€' are millions
    return not (rule.kind == "dni" and _SCALE.match(text, match.end()))


def _bare(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "", text).upper()


@functools.cache
def _rules() -> tuple[_Rule, ...]:
    def rule(kind: str, pattern: str, check: Callable[[str], bool], labelled: str | None = None) -> _Rule:
        found = re.compile(f"{_BEFORE}(?:{pattern}){_AFTER}")
        return _Rule(kind, found, check, re.compile(labelled) if labelled is not None else None)

    return (
        rule("iban", rf"[A-Z]{{2}}\d{{2}}(?:{_GAP}[A-Z0-9]{{4}}){{2,7}}(?:{_GAP}[A-Z0-9]{{1,4}})?", _stdnum("iban")),
        rule("iban", r"\d{4}[ -]\d{4}[ -]\d{2}[ -]?\d{10}|\d{4}(?:[ -]\d{4}){4}", _stdnum("es.ccc")),
        rule("iban", r"\d{20}", _stdnum("es.ccc"), r"(?i)\b(?:cuenta|compte|c\.?c\.?c|account)\b[^\d\n]{0,30}$"),
        rule("tarjeta", r"[3-6]\d{3}[ -]\d{4}[ -]\d{4}[ -]\d{4}", _stdnum("luhn")),
        rule("tarjeta", r"\d{13,19}", _stdnum("luhn"),
             r"(?i)\b(?:tarjeta|targeta|card|visa|mastercard)\b[^\d\n]{0,30}$"),
        rule("dni", rf"\d{{2}}{_GAP}\d{{3}}{_GAP}\d{{3}}{_GAP}[A-Za-z]", _dni),
        rule("dni", rf"\d{{1,2}}\.\d{{3}}\.\d{{3}}{_GAP}[A-Z]", _dni),
        rule("dni", rf"\d{{7,8}}{_GAP}[A-Za-z]", _dni),
        rule("nie", rf"[XYZxyz]{_GAP}\d{_GAP}?\d{{3}}{_GAP}?\d{{3}}{_GAP}[A-Za-z]", _stdnum("es.nie")),
        rule("nif", rf"[KLMklm]{_GAP}\d{{7}}{_GAP}[A-Za-z]", _nif_of_a_person),
        rule("dni", r"\d{1,2}\.?\d{3}\.?\d{3}", lambda bare: len(bare) in (7, 8),
             r"(?i)\bd\.?n\.?i\.?\W{0,3}(?:n[ºo.úu]\w*\W{0,3})?$"),
        rule("seguridad_social", r"\d{2}[ /-]\d{7,8}[ /-]\d{2}", _social),
        rule("seguridad_social", r"\d{2}[ /-]?\d{7,8}[ /-]?\d{2}", _social,
             r"(?i)(?:seguridad\s+social|seguretat\s+social|\bn\.?u\.?s\.?s\b|\bn\.?a\.?f\b|afiliaci[óo]n?)[^\d\n]{0,30}$"),
        rule("documento", r"[A-Z]{6}\d{2}[A-EHLMPR-T]\d{2}[A-Z]\d{3}[A-Z]", _stdnum("it.codicefiscale")),
        rule("documento", r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d", _stdnum("mx.curp")),
        rule("documento", r"[1-8] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", _stdnum("fr.nir")),
        rule("documento", r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", _stdnum("be.nn")),
        rule("documento", r"\d{3}\.\d{3}\.\d{3}-\d{2}", _stdnum("br.cpf")),
        rule("documento", r"\d{1,2}\.\d{3}\.\d{3}-[\dkK]", _rut_of_a_person),
        rule("documento", r"\d{7,8}-[\dkK]", _rut_of_a_person, r"(?i)\br\.?u\.?[tn]\b[^\d\n]{0,15}$"),
        rule("documento", r"(?:20|2[347])-\d{8}-\d", _stdnum("ar.cuit")),
        # these two have no check digit: a project's code looks the same
        rule("documento", r"[EF][ -]?\d{6}[ -]?[A-Z]", _stdnum("ad.nrt"),
             r"(?i)\b(?:n\.?r\.?t\.?|registre\s+tributari)[^\d\n]{0,25}$"),
        rule("documento", rf"{_NINO} ?\d{{2}} ?\d{{2}} ?\d{{2}} ?[A-D]", _is_nino,
             r"(?i)\b(?:nino|n\.?i\.?\s+(?:number|no)|national\s+insurance)\b[^\d\n]{0,25}$"),
        rule("documento", rf"{_NINO} \d{{2}} \d{{2}} \d{{2}} [A-D]", _is_nino),
        rule("documento", r"\d{3}-\d{2}-\d{4}", _stdnum("us.ssn"), r"(?i)\b(?:ssn|social\s+security)\b[^\d\n]{0,25}$"),
        rule("documento", r"\d{1,3}(?:\.?\d{3}){1,3}(?:-\d)?", lambda bare: 6 <= len(bare) <= 11,
             r"(?i)\b(?:c[ée]dula(?:\s+de\s+(?:ciudadan[íi]a|identidad))?|c\.?\s?[ci]\.?)\s*(?:n[ºo.úu]\w*\W{0,3}|:)\s*$"),
        rule("documento", r"\d{11}", _any("pl.pesel", "de.idnr"),
             r"(?i)\b(?:pesel|steuer-?id\w*|idnr)\b[^\d\n]{0,20}$"),
        rule("documento", r"\d{9}", _any("nl.bsn", "pt.nif"),
             r"(?i)\b(?:bsn|burgerservicenummer|nif\s+portugu[ée]s|contribuinte)\b[^\d\n]{0,20}$"),
        rule("documento", r"\d{13}", _any("ro.cnp"), r"(?i)\bcnp\b[^\d\n]{0,20}$"),
        rule("pasaporte", r"[A-Z]{1,3}[ -]?\d{6,8}|\d{9}", str.isalnum,
             r"(?i)\b(?:pasaporte|passaport|passport)\b[^\d\n]{0,25}?\W$"),
    )  # fmt: skip


def _module(name: str) -> Any:
    try:
        return importlib.import_module(f"stdnum.{name}")
    except ImportError:
        raise MissingPart(f"recognising identifiers needs the package python-stdnum; run: {INSTALL}") from None


def _stdnum(name: str) -> Callable[[str], bool]:
    valid: Callable[[str], bool] = _module(name).is_valid
    return valid


def _any(*names: str) -> Callable[[str], bool]:
    checks = [_stdnum(name) for name in names]
    return lambda bare: any(check(bare) for check in checks)


def _dni(bare: str) -> bool:
    return bool(_module("es.dni").is_valid(bare.zfill(9)))


def _nif_of_a_person(bare: str) -> bool:
    return bool(_module("es.nif").is_valid(bare))


def _rut_of_a_person(bare: str) -> bool:
    """Chile's numbers from 50 millions on are of companies."""
    return bool(_module("cl.rut").is_valid(bare)) and int(bare[:-1]) < 50_000_000


def _is_nino(bare: str) -> bool:
    return len(bare) == 9 and bare[:2] not in ("BG", "GB", "NK", "KN", "TN", "NT", "ZZ")


def _social(bare: str) -> bool:
    """The Spanish affiliation number: province, number, and what both leave when parted by 97."""
    if not bare.isdigit() or not 11 <= len(bare) <= 12 or (not 1 <= int(bare[:2]) <= 53 and bare[:2] != "66"):
        return False
    province, number, check = bare[:2], int(bare[2:-2]), int(bare[-2:])
    joined = int(province) * 10_000_000 + number if number < 10_000_000 else int(f"{province}{number}")
    return joined % 97 == check
