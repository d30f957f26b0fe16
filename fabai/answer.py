"""From what a model streams to the text of a section: reasoning out, the end found, loops cut, Markdown mended.

Knows text only. Does not know models, windows or projects. Everything works on the text so far, so that the same
rules decide while it is written and at the end.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Literal

from fabai.report import Language, fold
from fabai.window.segment import boundaries

Ended = Literal["", "heading", "loop", "thinking", "limit"]

_OPEN, _CLOSE = "<think>", "</think>"
_ATX = re.compile(r" {0,3}(#{1,9})(?:[ \t]+(.*?))?[ \t]*#*[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
_WHOLE_FENCE = re.compile(r"\A\s*(`{3,}|~{3,})[ \t]*(?:markdown|md)?[ \t]*\n(.*?)\n?(?:\1[`~]*[ \t]*)?\s*\Z", re.DOTALL)
_BOLD = re.compile(r"[ \t]*(?:\*\*|__)[^*_]+:?(?:\*\*|__):?[ \t]*$")
_IMAGE = re.compile(r"!\[([^\]]*)\]\(\s*<?([^)\s>]*)>?[^)]*\)(?:\{[^}\n]*\})?")
_NOTE = re.compile(r"\[\^([^\]\s]+)\](?!:)")
_NOTE_TEXT = re.compile(r"(?m)^ {0,3}\[\^([^\]\s]+)\]:")
_OPENED = re.compile(r"(\*{1,3})(?=[^\s*])")
# what XML, and so Word, cannot hold; tab and newline stay
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_LONGEST_HEADING = 300  # characters
_LONGEST_PERIOD = 600
_SENTENCE_LOOP = 30  # characters; shorter sentences may well be said three times


@dataclass(frozen=True, slots=True)
class Target:
    """The section that is written. following: the heading of the next section, "" where there is none. others: folded
    headings of the report's other sections; a model that writes one of them has gone on to that section. headings
    False: any heading ends the section.
    """

    heading: str
    level: int
    language: Language
    following: str = ""
    others: frozenset[str] = frozenset()
    headings: bool = True


@dataclass(frozen=True, slots=True)
class Seen:
    """The part of the stream that belongs to the section. ended: why nothing that comes later will belong to it, ""
    while it may.
    """

    text: str
    ended: Ended = ""


def see(raw: str, target: Target, final: bool = False, loops: bool = True) -> Seen:
    """What of the stream so far is the section's text. final: nothing comes any more, so an unfinished line counts as
    a line.

    loops False leaves out the search for repetitions, which costs some milliseconds.
    """
    text, thinking = _without_thinking(raw, final)
    text = _without_own_heading(text, target, final)
    end = _run_on(text, target, final)
    ended: Ended = "thinking" if thinking and final else ""
    if end is not None:
        whole = final or "\n" in text[end:]
        text, ended = text[:end], "heading" if whole else ""
    loop = _loop(text, target.language) if loops or final else None
    if loop is not None:
        text, ended = text[:loop], "loop"
    return Seen(text.rstrip() if ended or final else text, ended)


def land(text: str, language: Language) -> tuple[str, bool]:
    """A text that was cut by length, back to its last whole sentence, list item or table row; False where there is
    none.
    """
    text = text.rstrip()
    lines = text.split("\n")
    if _kind(lines[-1]) == "row":
        first = len(lines) - 1
        while first and _kind(lines[first - 1]) == "row":
            first -= 1
        # a row without all its cells goes
        whole = lines[-1].endswith("|") and lines[-1].count("|") >= lines[first].count("|")
        return ("\n".join(lines if whole else lines[:-1]).rstrip(), True)
    ends = [0, *boundaries(text, language)]
    last = text[ends[-2] :] if len(ends) > 1 else ""
    if last.rstrip().endswith((".", "!", "?", "…", ".»", '."', ".”", ".)", ":**")) and len(ends) > 1:
        return text, True
    landed = text[: ends[-2]].rstrip() if len(ends) > 1 else ""
    # a list marker or an introduction without what it introduces is no end
    lines = landed.split("\n")
    while lines and (_ITEM.fullmatch(lines[-1] + " ") or lines[-1].rstrip().endswith(":") or not lines[-1].strip()):
        lines.pop()
    landed = "\n".join(lines).rstrip()
    return (landed, True) if landed else (text, False)


def mend(text: str, media: frozenset[str] = frozenset()) -> str:
    """The text as Markdown that no converter stumbles over; words are never changed.

    A fence around the whole answer goes, closed or not, any other open one is closed, lists and tables get the blank
    line in front that Markdown wants, emphasis that opens a line and never closes goes, control characters go, and an
    image that is not one of the project's `media` leaves its caption only.
    """
    # what goes may have been what made the rest whole: a star that seemed to close another
    while (mended := _mended(text, media)) != text:
        text = mended
    return text


def _mended(text: str, media: frozenset[str]) -> str:
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _CONTROL.sub("", text)
    whole = _WHOLE_FENCE.match(text)
    if whole and not _FENCE.match(whole[2].lstrip("\n")):
        text = whole[2]
    notes = set(_NOTE_TEXT.findall(text))
    text = _NOTE.sub(lambda mark: mark[0] if mark[1] in notes else "", text)
    text = _IMAGE.sub(lambda image: image[0] if image[2] in media else image[1], text)
    out: list[str] = []
    fence, since = "", 0
    lines = text.split("\n")
    for index, line in enumerate(lines):
        line = line.rstrip()
        mark = _FENCE.match(line)
        if mark:
            since = since if fence else index
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence:
            opened = _OPENED.match(line)
            if opened and opened[1] not in "\n".join(takewhile(str.strip, lines[index:]))[len(opened[1]) :]:
                line = line[len(opened[1]) :]
            if _kind(line) != "text" and out and _kind(out[-1]) == "text" and out[-1] and not out[-1].startswith(" "):
                out.append("")
            if not line and out and not out[-1]:
                continue
        out.append(line)
    if fence and not any(map(str.strip, lines[:since])):
        return "\n".join(lines[since + 1 :])
    if fence:
        out.append(fence)
    return "\n".join(out).strip("\n").rstrip()


def _kind(line: str) -> str:
    if line.lstrip().startswith("|"):
        return "row"
    return "item" if _ITEM.match(line) else "text"


def _without_thinking(raw: str, final: bool) -> tuple[str, bool]:
    """The text without reasoning, and True where reasoning is all there is because it never closed."""
    text, thought = raw, False
    while True:
        bare = text.lstrip()
        if bare.startswith(_OPEN):
            _, closed, rest = bare.partition(_CLOSE)
            if not closed:
                return "", True
            text, thought = rest.lstrip(), True
            continue
        if not final and bare and _OPEN.startswith(bare):
            return "", False
        break
    before, closed, after = text.rpartition(_CLOSE)
    if closed:
        # reasoning whose opening tag stood in the prompt; a tag with nothing behind it closes a text that was the
        # answer
        text = after.lstrip() if after.strip() or not final else before
    start = re.search(rf"(?m)^[ \t]*{re.escape(_OPEN)}", text) if _OPEN in text else None
    if start:
        text = text[: start.start()].rstrip()
    if thought:
        text = text.lstrip()
    if not final:
        # what may become a tag is not shown before it is known to be none
        begun = next((n for n in range(len(_CLOSE) - 1, 0, -1) if text.endswith(_CLOSE[:n])), 0)
        text = text[: len(text) - begun]
    return text, False


def _without_own_heading(text: str, target: Target, final: bool) -> str:
    """Heading lines in front go: the section has its heading already, whatever the model calls it."""
    while True:
        text = text.lstrip("\n")
        line, newline, rest = text.partition("\n")
        if not newline and not final:
            # an unfinished first line that may become the heading is not shown yet
            waits = line.lstrip().startswith("#") or (
                line.strip() and fold(target.heading).startswith(fold(line) or "#")
            )
            return "" if waits else text
        heading = _ATX.match(line)
        below, _, after = rest.partition("\n")
        bare = line.strip().strip("*_:. ")
        if heading and (len(heading[1]) <= target.level or fold(heading[2] or "") == fold(target.heading)):
            text = rest
        elif bare and target.heading and fold(bare) == fold(target.heading):
            text = after if _SETEXT.match(below) and below.strip() else rest
        else:
            return text


def _run_on(text: str, target: Target, final: bool) -> int | None:
    """Where a heading begins that is not below this section's: by its level, or because it is another section's."""
    at, fence, previous = 0, "", ""
    for line in text.splitlines(keepends=True):
        bare, whole = line.rstrip("\n"), line.endswith("\n") or final
        mark = _FENCE.match(bare)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        elif not fence and bare.strip():
            if not whole and bare.lstrip().startswith("#"):
                # it may become a heading, and is not shown until it is known which
                return at
            # prose is longer than a heading, unless marks say that it is one
            if whole and (len(bare) <= _LONGEST_HEADING or _ATX.match(bare)) and _foreign(bare, target):
                return at
            underline = _SETEXT.match(bare)
            if whole and underline and len(underline[1]) > 2 and previous.strip():
                level = 1 if underline[1].startswith("=") else 2
                if level <= target.level or not target.headings:
                    return at - len(previous)
        previous = line
        at += len(line)
    return None


# the same lines are looked at again with every word that a model adds
@lru_cache(maxsize=2048)
def _foreign(line: str, target: Target) -> bool:
    """Whether a whole line is a heading of another section."""
    heading = _ATX.match(line)
    if heading:
        deeper = len(heading[1]) > max(target.level, 1)
        return not (deeper and target.headings) or fold(heading[2] or "") in target.others
    if _kind(line) != "text":
        return False
    name = fold(line.strip(" *_:"))
    bold = _BOLD.match(line) is not None
    return bool(name) and (name == fold(target.following) or (bold and name in target.others))


def _loop(text: str, language: Language) -> int | None:
    """Where the model begins to say for the second time what it goes on to say a third time."""
    tail = text[-3 * _LONGEST_PERIOD :]
    for period in range(1, len(tail) // 3 + 1):
        one = tail[-period:]
        copies = 3 if period >= 20 else max(4, 60 // period)
        if period * copies <= len(tail) and tail.endswith(one * copies) and any(char.isalnum() for char in one):
            start = len(text) - period * copies
            # further copies in front of the tail
            while text[max(0, start - period) : start] == one:
                start -= period
            return start + period
    seen: Counter[str] = Counter()
    second: dict[str, int] = {}
    at = 0
    for end in boundaries(text, language):
        sentence = text[at:end]
        key = fold(sentence)
        if len(key) >= _SENTENCE_LOOP and not sentence.lstrip().startswith("|"):
            seen[key] += 1
            if seen[key] == 2:
                second[key] = at
            elif seen[key] == 3:
                return second[key]
        at = end
    return None
