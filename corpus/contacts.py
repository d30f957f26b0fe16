"""Ways to reach a person in running text: e-mail, telephone, profile pages.

Knows how they are written in Spain and abroad. An amount is no telephone. Does not know postal addresses.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from fabai.errors import MissingPart

from .extra import INSTALL
from .found import Found

_MAIL = re.compile(
    r"(?i)<?(?:mailto:)?(?<![\w.+-])([a-z0-9](?:\\?[a-z0-9._%+'-])*)\\?@((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,24})(?![\w-])>?"
)
_SPELT = re.compile(
    r"(?i)(?<![\w.+-])([a-z0-9._%+-]+)\s*(?:\\?[\[({]\s*(?:at|arroba|@)\s*\\?[\])}]|\s(?:arroba)\s)\s*"
    r"((?:[a-z0-9-]+\s*(?:\.|\\?[\[({]\s*(?:dot|punto|punt)\s*\\?[\])}])\s*)+[a-z]{2,24})\b"
)
_MAIL_LINK = re.compile(r"(?i)\[[^\[\]]*\]\(mailto:([^()\s]+)\)")
_PROFILE = re.compile(
    r"(?i)(?:https?://)?(?:[a-z]{2,3}\.)?(?:linkedin\.com/(?:in|pub)|(?<![\w.-])(?:twitter|x|instagram|facebook|t)\.(?:com|me)|"
    r"orcid\.org|researchgate\.net/profile|scholar\.google\.\w+/citations\?user=)"
    r"/?=?[\w%.+@-]+/?(?<![.,])"
)
_SHARED = re.compile(
    r"(?i)(?:twitter|x|instagram|facebook|t)\.(?:com|me)/(?:home|share|intent|hashtag|search|groups|events|pages)\b"
)
_ORCID = re.compile(r"(?<![\w-])\d{4}-\d{4}-\d{4}-\d{3}[\dX](?![\w-])")

_LABEL = re.compile(
    r"(?i)(?:\btel[ée]fonos?\b|\btel[èe]fons?\b|\btelf?\b|\btlfs?\b|\btfno?s?\b|\bm[óo]vil(?:es)?\b|\bm[òo]bils?\b|"
    r"\bfax\b|\bphones?\b|\btelephones?\b|\bmobile\s*:|whatsapp|telegram|☎|📞|📱|tel:)[^\d\n+]{0,25}$"
)
_NATIONAL = re.compile(
    r"(?<![\w.,/+=-])(?:\(?(?:\+|00)34\)?[ .-]?)?\(?[6-9]\d{2}\)?"
    r"(?:[ .-]\d{3}[ .-]\d{3}|[ .-]\d{2}[ .-]\d{2}[ .-]\d{2}|[ ]?\d{6})(?![\w]|[.,-]?\d)"
    r"|(?<![\w.,/+=-])(?:\(?(?:\+|00)34\)?[ .-]?)?\(?[89]\d\)?[ .-]\d{3}[ .-]\d{2}[ .-]\d{2}(?![\w]|[.,-]?\d)"
)
_ABROAD = re.compile(r"(?<![\w.,/=-])(?:\+|00(?=[1-9]\d[ .-]))\(?\d{1,3}\)?(?:[ .\-()/]{0,2}\d){6,13}(?![\w]|[.,-]?\d)")
_AMERICAN = re.compile(r"(?<![\w.,/+=-])\(\d{3}\)[ .-]?\d{3}[ .-]\d{4}(?![\w]|[.,-]?\d)")
_LABELLED = re.compile(r"(?<![\w.,/+=-])\(?\d(?:[ .\-()/]{0,2}\d){6,13}(?![\w]|[.,-]?\d)")
_UNIT = re.compile(
    r"\s?(?:€|\$|£|%|‰|eur\b|euros?\b|usd\b|gbp\b|d[óo]lar|d[òo]lar|libras|lliures|persona|visit|usu|hab|m2|m²|km|kg|kwh|"
    r"millon|milion|people|users|tokens|bytes)",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r"[€$£]\s?$|\b(?:EUR|USD|GBP)\s?$")
_DATE = re.compile(r"\d{1,2}[ ./-]\d{1,2}[ ./-](?:19|20)?\d{2}|(?:19|20)\d{2}[ ./-]\d{1,2}[ ./-]\d{1,2}")


def contacts(text: str) -> Iterator[Found]:
    """Every way to reach a person in a text, e-mail first."""
    for match in _MAIL_LINK.finditer(text):
        if _MAIL.fullmatch(match[1]):
            yield Found(match.start(), match.end(), "correo", _mail(match[1]))
    for match in _MAIL.finditer(text):
        yield Found(match.start(), match.end(), "correo", _mail(f"{match[1]}@{match[2]}"))
    if "[" in text or "(" in text or "{" in text or " arroba " in text:
        for match in _SPELT.finditer(text):
            domain = re.sub(r"(?i)\W*(?:dot|punto|punt)\W*(?=[a-z])|\s", ".", match[2]).replace("..", ".")
            yield Found(match.start(), match.end(), "correo", _mail(f"{match[1]}@{domain}"))
    for match in _PROFILE.finditer(text):
        if not _SHARED.search(match[0]):
            yield Found(match.start(), match.end(), "perfil", match[0].lower().rstrip("/").rpartition("//")[2])
    for match in _ORCID.finditer(text):
        if _is_orcid(match[0]):
            yield Found(match.start(), match.end(), "perfil", match[0])
    yield from _telephones(text)


def _mail(address: str) -> str:
    return re.sub(r"(?i)^mailto:|[\\<>]", "", address).lower()


def _telephones(text: str) -> Iterator[Found]:
    for pattern, labelled in ((_ABROAD, False), (_NATIONAL, False), (_AMERICAN, False), (_LABELLED, True)):
        for match in pattern.finditer(text):
            named = _LABEL.search(text, max(0, match.start() - 60), match.start()) is not None
            if labelled and (not named or _DATE.fullmatch(match[0])):
                continue
            digits = re.sub(r"\D", "", match[0])
            plus = match[0].lstrip("( ").startswith(("+", "00"))
            if not named and not plus and (match[0].isdigit() or _is_amount(text, match)):
                continue
            if 7 <= len(digits) <= 15 and not _UNIT.match(text, match.end()):
                yield Found(match.start(), match.end(), "telefono", re.sub(r"^(?:00)?34(?=[6-9]\d{8}$)", "", digits))


def _is_amount(text: str, match: re.Match[str]) -> bool:
    """Whether a number in groups of three may as well be an amount: '612.345.678', a sum, or figures in a row."""
    groups = re.fullmatch(r"\d{3}([ .])\d{3}\1\d{3}", match[0])
    if groups is None:
        return False
    before, behind = text[max(0, match.start() - 4) : match.start()], text[match.end() : match.end() + 2]
    in_a_row = re.search(r"\d[%‰]? ?$", before) is not None or re.match(r",| \d", behind) is not None
    return groups[1] == "." or bool(_CURRENCY.search(before)) or in_a_row


@functools.cache
def _is_orcid(number: str) -> bool:
    try:
        from stdnum.iso7064 import mod_11_2
    except ImportError:
        raise MissingPart(f"recognising identifiers needs the package python-stdnum; run: {INSTALL}") from None
    return bool(mod_11_2.is_valid(number.replace("-", "")))
