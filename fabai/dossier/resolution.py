"""Commitments proposed from a resolution, a grant agreement or an amendment: what is decided in sentences and tables.

Knows how a grant, its period, deadlines, tolerance, publicity duties and changes are worded in three languages. Does
not know proposals (fabai.dossier.proposal) or projects.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from fabai.dossier.commitment import Bound, Commitment
from fabai.dossier.place import Place
from fabai.dossier.promise_tables import from_table
from fabai.dossier.promises import Promise, amount_in, dates_in, duration_in, shortened
from fabai.dossier.proposal import propose
from fabai.dossier.topics import label_of
from fabai.figures import figures
from fabai.formats import ast
from fabai.formats.changes import read_texts
from fabai.formats.document import Document
from fabai.report import Language, fold
from fabai.settings import ReadingLimits

_LIMITS = ReadingLimits()
_I = re.IGNORECASE
_GRANT = re.compile(
    r"\b(?:ajut|ajuda|subvenci[oó]n?|ayuda|grant|contribution)\b.{0,80}?\b(?:import|importe|total|quantia|cuant[ií]a|amount"
    r"|of|de)\b",
    _I,
)
_AWARD = re.compile(r"\b(?:atorg|conced|concedir|aprovar|aprobar|award|grant)", _I)
_JUSTIFY = re.compile(
    r"\bjustific|\bperiodic report|\bfinal report|\breport(?:s|ing)? (?:is|are|must|shall)|\bsubmi"
    r"|\b(?:informe|memoria|memòria) (?:final|intermedi|peri[oó]dic|de |se |es |d')",
    _I,
)
_TERM = re.compile(r"\btermini|\bplazo|\bdeadline|\bwithin\b|\bdays after|\bmonths after|\bno later than", _I)
_PUBLICITY = re.compile(
    r"\blogotip|\blogos?\b|\bpublicita|\bpublicidad|\bdifusi|\bfer constar|\bhacer constar|\backnowledg"
    r"|\bemblem|\bvisibilit",
    _I,
)
_DUTY = re.compile(
    r"\bhaur|\bdeber|\bdebe\b|\bcal(?:dr)?|\bobliga|\bmust\b|\bshall\b|\bhan? d(?:e\b|['’])|\brequire", _I
)
_PERIOD = re.compile(
    r"\bper[ií]ode|\bperiodo|\bper[ií]odo|\bexecuci|\bejecuci|\bvig[eè]ncia|\bvigencia|\bperiod\b"
    r"|\bduration|\bproject runs",
    _I,
)
_PAID = re.compile(r"\bpagad|\bpagamen|\bpago|\babonad|\bpaid\b|\bpayment", _I)
_TOLERANCE = re.compile(r"\bdesviaci|\bcompensaci|\bdeviation|\btransfer", _I)
_STARTS = (
    ("notification", re.compile(r"\bnotificaci|\bnotified|\bnotification", _I)),
    ("payment", re.compile(
        r"\bcobrament|\bpagament de l[ae] ?(?:bestreta|subvenci)|\bpago de la subvenci"
        r"|\bpayment of the grant", _I)),
    ("end", re.compile(
        r"\bfinalitzaci|\bfinalizaci|\bacabament|\bfi del|\bfin del|\bend of|\bfi de l"
        r"|\bperiod\b|\bper[ií]ode|\bper[ií]odo", _I)),
    ("award", re.compile(r"\bconcessi[oó]|\bconcesi[oó]n|\baward", _I)),
)  # fmt: skip
_SENTENCE = re.compile(r"(?<=[.;!?])\s+(?=[A-ZÀ-Ý¿¡«\"])")
_CHANGE = re.compile(
    r"\b(?:passa|pasa|passen|pasan|es modifica|se modifica|changes?|is changed|reduced|increased|redueix"
    r"|reduce|augmenta|aumenta"
    r"|amplia|amplía|prorrog|postpon|ajorna|aplaza|extended|moved|substitu|sustitu|elimina|suprim"
    r"|withdrawn|deleted)", _I
)  # fmt: skip
_GONE = re.compile(r"\b(?:elimina|suprim|withdrawn|deleted|retira|es deixa sense efecte|deja sin efecto)", _I)
_QUOTED = re.compile(r"[«“\"']([^»”\"']{3,120})[»”\"']")
_REF = re.compile(r"\b([A-Z]{1,3}\d+(?:\.\d+)*)\b")


def decided(
    document: Document, file: str, sha256: str, bound: Bound, limits: ReadingLimits = _LIMITS
) -> tuple[Commitment, ...]:
    """What a resolution or an amendment decides, in the order of its text."""
    language = document.language or "es"
    trees = read_texts([section.text for section in document.sections], limits)
    found: list[Commitment] = []
    seen: set[str] = set()
    for section, blocks in zip(document.sections, trees, strict=True):
        place = Place(file, sha256, section=section.heading)
        for promise in _promises(blocks, language):
            if promise.key in seen:
                continue
            seen.add(promise.key)
            found.append(
                Commitment(
                    promise.kind, shortened(promise.text), place, ref=promise.ref, parent=promise.parent,
                    target=promise.target, amount=promise.amount, start=promise.start, due=promise.due,
                    when=promise.when, role=promise.role, quote=promise.quote or promise.text, bound=bound,
                )
            )  # fmt: skip
    # what it lists as a proposal does (deliverables, indicators, people) binds too
    for one in propose(document, file, sha256, limits):
        if one.key not in seen and one.kind not in ("budget", "period", "objective"):
            seen.add(one.key)
            found.append(replace(one, bound=bound))
    return tuple(replace(one, number=number) for number, one in enumerate(found, start=1))


def _promises(blocks: Sequence[ast.Element], language: Language) -> Iterator[Promise]:
    for block in blocks:
        kind = block["t"]
        if kind in ("Para", "Plain"):
            for sentence in _SENTENCE.split(ast.text(block)):
                yield from _sentence(sentence.strip(), language)
        elif ast.is_list(block):
            for item in block["c"] if kind == "BulletList" else block["c"][1]:
                yield from _promises(item, language)
        elif kind == "Table":
            yield from from_table(block, "budget", "", language)
        elif kind in ("BlockQuote", "Div"):
            yield from _promises(block["c"] if kind == "BlockQuote" else block["c"][1], language)


def _sentence(text: str, language: Language) -> Iterator[Promise]:
    if len(text) < 12:
        return
    start, due, _ = dates_in(text, language)
    if _AWARD.search(text) and _GRANT.search(text):
        amount = amount_in(text, language)
        if amount is not None:
            yield Promise("budget", "grant", "grant", amount=amount, quote=text)
    if _TERM.search(text) and _JUSTIFY.search(text) and (duration_in(text) or due is not None):
        yield Promise(
            "deadline", text, "report", target=duration_in(text), due=due, when=_event(text, language), quote=text
        )
    elif _PAID.search(text) and due is not None and start is None and _DUTY.search(text):
        yield Promise("deadline", text, "payment", due=due, quote=text)
    if _TOLERANCE.search(text):
        percent = next((one for one in figures(text, language) if one.kind == "percent"), None)
        if percent is not None:
            yield Promise("budget", text, "tolerance", target=f"{percent.value} %", quote=text)
    if _PERIOD.search(text) and start is not None and due is not None:
        yield Promise("period", text, "period", start=start, due=due, target=duration_in(text), quote=text)
    if _PUBLICITY.search(text) and _DUTY.search(text):
        yield Promise("publicity", text, quote=text)


def _event(text: str, language: Language) -> str:
    """What a term runs from: the event that is named behind the duration."""
    duration = duration_in(text)
    behind = text[text.find(duration) + len(duration) :] if duration else text
    del language
    found = [(match.start(), name) for name, pattern in _STARTS if (match := pattern.search(behind)) is not None]
    return min(found)[1] if found else ""


def amended(document: Document, file: str, sha256: str, standing: Sequence[Commitment]) -> tuple[Commitment, ...]:
    """The standing commitments that an amendment changes, as they are to be, and those that it adds.

    A sentence with a word of change names a commitment by its ref, by its words between quotes or by its words alone;
    what it says last (an amount, a date, a month, a figure) is the new value.
    """
    language = document.language or "es"
    changed: dict[str, Commitment] = {}
    for section in document.sections:
        place = Place(file, sha256, section=section.heading)
        for paragraph in re.split(r"\n{2,}|\n(?=[-*] )", section.text):
            for sentence in _changes(" ".join(paragraph.split())):
                if not _CHANGE.search(sentence):
                    continue
                one = _meant(sentence, standing)
                if one is not None:
                    before = changed.get(one.key, one)
                    changed[one.key] = _as_changed(before, sentence, place, language)
    by_key = {one.key for one in standing}
    for one in decided(document, file, sha256, "amendment"):
        same = next((old for old in standing if old.key == one.key), None)
        if one.key in by_key and same is not None and one.key not in changed:
            merged = _with_news(same, one)
            if merged is not None:
                changed[one.key] = merged
        elif one.key not in by_key and not any(one.quote and one.quote in old.quote for old in changed.values()):
            changed[one.key] = one
    return tuple(replace(one, number=number) for number, one in enumerate(changed.values(), start=1))


def _changes(paragraph: str) -> Iterator[str]:
    """The sentences of a paragraph; one that changes two named things is parted in front of the second name."""
    for sentence in _SENTENCE.split(paragraph):
        starts = [match.start() for match in _QUOTED.finditer(sentence)]
        if len(starts) < 2:
            yield sentence
            continue
        ends = [0, *starts[1:], len(sentence)]
        yield from (sentence[start:end] for start, end in pairwise(ends))


def _meant(sentence: str, standing: Sequence[Commitment]) -> Commitment | None:
    refs = {match[1] for match in _REF.finditer(sentence)}
    label = label_of(re.sub(r"^\W*(?:the|el|la|l['’])\s*", "", sentence, flags=_I))
    if label is not None:
        refs.add(label[1])
    by_ref = [one for one in standing if one.ref and (one.ref.upper() in refs or one.label in sentence)]
    if by_ref:
        return by_ref[0]
    words = [fold(match[1]) for match in _QUOTED.finditer(sentence)]
    for same in (True, False):
        for one in standing:
            text = fold(one.text)
            if any(word == text if same else (word in text or text in word) for word in words if text):
                return one
    plain = fold(sentence)
    named = [
        one
        for one in standing
        if one.kind in ("budget", "person", "indicator") and len(fold(one.text)) > 3 and fold(one.text) in plain
    ]
    if named:
        return max(named, key=lambda one: len(one.text))
    if _PERIOD.search(sentence):
        return next((one for one in standing if one.kind == "period"), None)
    return None


def _as_changed(one: Commitment, sentence: str, place: Place, language: Language) -> Commitment:
    """The commitment with what the sentence says last."""
    new = replace(one, bound="amendment", place=place, quote=sentence)
    if _GONE.search(sentence):
        return replace(new, target="0", explanation=one.explanation)
    found = figures(sentence, language)
    own = fold(one.text)
    values = [figure for figure in found if figure.kind in ("amount", "percent", "count", "number")]
    values = [figure for figure in values if fold(sentence[figure.start : figure.end]) not in own.split()]
    days = [
        datetime.date.fromisoformat(figure.value)
        for figure in found
        if figure.kind == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", figure.value)
    ]
    month = re.findall(r"(?<![\w.])M(\d{1,2})(?!\w|\.\d)", sentence)
    if one.kind == "budget" and values:
        amount = amount_in(sentence[values[-1].start :], language)
        return replace(new, amount=amount if amount is not None else one.amount)
    if days:
        new = replace(new, due=days[-1], when="" if not month else new.when)
    if month and one.kind != "milestone":
        new = replace(new, when=f"M{month[-1]}")
    if values and one.kind in ("indicator", "objective", "activity", "person", "publicity"):
        last = values[-1]
        noun = re.match(r"\s*[^\W\d_]+", sentence[last.end :]) if last.kind == "count" else None
        new = replace(new, target=sentence[last.start : last.end + (len(noun[0]) if noun is not None else 0)].strip())
    return new


def _with_news(old: Commitment, new: Commitment) -> Commitment | None:
    """The old commitment with the values that the new text gives otherwise; None where it says the same."""
    values = {
        name: getattr(new, name)
        for name in ("target", "amount", "start", "due", "when", "role")
        if getattr(new, name) not in ("", None) and getattr(new, name) != getattr(old, name)
    }
    if not values:
        return None
    return replace(old, **values, bound=new.bound, place=new.place, quote=new.quote)
