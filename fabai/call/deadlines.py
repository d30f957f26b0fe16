"""The deadline for handing in the account that a line states: so many months or days after an event, capped by a date.

Knows the wordings of Spanish, Catalan and English calls, and which other deadlines a call is full of (to mend an
application, to appeal, to accept, to pay). Does not know dates of a project.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fabai.call.lines import sentences
from fabai.call.numbers import NUMBER, whole
from fabai.demands import Start

_TERM = (
    rf"(?P<n>{NUMBER})\s*(?:\(\d+\)\s*)?(?P<u>meses|mes|mesos|months?|d[ií]as|dies|days?)\b"
    r"(?P<w>\s*(?:h[aá]biles|h[aà]bils|working)|\s*(?:naturales|naturals|calendar))?"
)
_WORKING_FIRST = rf"(?P<n>{NUMBER})\s*(?P<w>working|business)\s+(?P<u>days?)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?:plazo|termini|per[ií]ode?o?|period|deadline|within|en (?:los|el)|dins (?:dels?|de)|d[’']|"
        rf"dentro de los)[^.;\d]{{0,150}}?\b{_TERM}",
        rf"(?:plazo|termini|within|period)[^.;\d]{{0,60}}?\b{_WORKING_FIRST}",
        rf"\b{_TERM}\s*(?:siguientes?|seg[uü]ents?|a contar|a comptar|following|after|despu[eé]s|from|desde|des de)",
        rf"\b{_WORKING_FIRST}\s*(?:following|after|from)",
    )
)
_ACCOUNT = re.compile(
    r"(?i)justificaci[oó]|justificativ|justificar|justificante|rendici[oó]n de cuenta|memoria (?:final|"
    r"justificativa|econ[oó]mica)|"
    r"mem[oò]ria (?:final|justificativa|econ[oò]mica)|informe final|final report|periodic report|"
    r"compte justificatiu|reporting period|financial report"
)
_HANDING_IN = re.compile(
    r"(?i)present(?:a|e|i|ó|en)|aport|remit|entreg|lliur|justificar|submit|hand|send|deliver|rendir|tramet"
)
_OTHER = re.compile(
    r"(?i)subsan|esmen|recurso|recurs |recórrer|recurrir|alegaci|al·legaci|acept(?:e|ar|aci)|accept(?:i|ar|aci|"
    r"ance)|desist|requer|"
    r"apercib|solicitud(?:es)? (?:de ayuda|se)|formaliz|formalitz|transferir|improrrogable de (?:15|quince)|"
    r"audiencia|audi[eè]ncia|"
    r"ordena|ordenar[aà]|abona|pagar[aá]|resolver|notificar[aá]? la resoluci|evaluaci[oó]n|proposta de resoluci|"
    r"se aprobar[aá]"
)
_EVENTS: tuple[tuple[Start, str], ...] = (
    (
        "end",
        r"finaliza|final del|fi de|fin de|acab|conclu|termin|end of|ends?\b|completion|"
        r"realizaci[oó]n de la actividad|finalitz|cierre|tancament|close",
    ),
    ("notification", r"notifica|notificaci"),
    ("payment", r"pago|pagament|cobro|abono|payment|recepci[oó]n de los fondos|percepci"),
    ("award", r"resoluci|concesi|concessi|award|adjudica|grant agreement"),
)
_CAP = re.compile(
    r"(?i)(?:como m[aá]ximo|com a m[aà]xim|a m[aá]s tardar|en todo caso|en tot cas|at the latest|no later than|"
    r"fins(?: a)?l?|hasta el|antes del?|abans del?|by)"
    r"[^.;]{0,40}?\b(?P<d>\d{1,2})\s*(?:de |d[’'])?(?P<m>[a-zç]+)\s*(?:de |del )?(?P<y>20\d\d)"
)
_FIXED_LINE = re.compile(
    r"(?i)(?:plazo|termini|fecha l[ií]mite|data l[ií]mit|deadline|hasta el|fins al|antes del|abans del)"
)
_MONTHS = {
    name: number
    for number, names in enumerate(
        ("enero gener january", "febrero febrer february", "marzo març march", "abril april", "mayo maig may",
         "junio juny june", "julio juliol july", "agosto agost august", "septiembre setiembre setembre september",
         "octubre october", "noviembre novembre november", "diciembre desembre december"), 1)
    for name in names.split()
}  # fmt: skip
_NOT_EXTENDABLE = re.compile(
    r"(?i)no (?:ser[aá] |es )?(?:susceptible de ampliaci|se podr[aá] ampliar|pod(?:r[aá]|rà) (?:ser )?amplia|"
    r"admite pr[oó]rroga|prorrogable)|improrrogable|no (?:es )?pot (?:ser )?ampliar|not be extended|"
    r"no ampliable|no extension"
)
_EXTENDABLE = re.compile(
    r"(?i)(?:podr[aá]|podrà|may) (?:ser |be )?(?:ampliad|prorrogad|ampliat|prorrogat|extended)|prorrogable(?! )"
)


@dataclass(frozen=True, slots=True)
class StatedDeadline:
    """A deadline as a call states it; days count working ones where `working`."""

    starts: Start
    months: int | None
    days: int | None
    working: bool
    latest: str | None
    extendable: bool | None
    quote: str


def deadlines_in(text: str, heading: str) -> Iterator[StatedDeadline]:
    """The deadlines for the account in one line. heading: that of its section, which tells what the line is about."""
    about = _ACCOUNT.search(heading) is not None
    for sentence in sentences(text):
        account = _ACCOUNT.search(sentence)
        if account is None and not (about and re.search(r"(?i)documentaci|informe|memoria|mem[oò]ria", sentence)):
            continue
        if _OTHER.search(sentence) or not _HANDING_IN.search(sentence):
            continue
        match = next((found for pattern in _PATTERNS if (found := pattern.search(sentence)) is not None), None)
        cap = _date(sentence)
        extendable = False if _NOT_EXTENDABLE.search(text) else True if _EXTENDABLE.search(text) else None
        if match is None:
            if cap is not None and _FIXED_LINE.search(sentence):
                yield StatedDeadline("fixed", None, None, False, cap, extendable, text)
            continue
        number = whole(match["n"])
        starts = _event(sentence, match.end())
        if number is None or number == 0 or starts is None:
            continue
        months = number if match["u"].lower().startswith("m") else None
        working = re.search(r"(?i)h[aá]bil|h[aà]bil|working|business", match["w"] or "") is not None
        days = None if months is not None else number
        yield StatedDeadline(starts, months, days, working, cap, extendable, text)


def _event(sentence: str, behind: int) -> Start | None:
    """The event named nearest behind the term, else in front of it."""
    found = [
        (match.start(), start)
        for start, words in _EVENTS
        for match in [re.search(rf"(?i)\b(?:{words})", sentence[behind:])]
        if match
    ]
    if found:
        return min(found)[1]
    before = [start for start, words in _EVENTS if re.search(rf"(?i)\b(?:{words})", sentence[:behind])]
    return before[0] if before else None


def _date(sentence: str) -> str | None:
    match = _CAP.search(sentence)
    month = None if match is None else _MONTHS.get(match["m"].lower())
    if match is None or month is None:
        return None
    try:
        return datetime.date(int(match["y"]), month, int(match["d"])).isoformat()
    except ValueError:
        return None
