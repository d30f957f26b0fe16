"""Free text under the lock: the characters that it may have, and where in it a value may begin.

Knows words that change what stands beside a value (words.toml). Does not know facts, bytes or models. An allowlist:
what is not named here cannot be written, so no digit of any script, no sign that alters a number, nothing invisible.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from fabai.lock.words import LockWords, lock_words
from fabai.report import Language

LETTERS = frozenset(
    chr(code)
    for code in range(0x41, 0x250)
    if chr(code).isalpha() and chr(code) not in "ªºµ" and len(chr(code).lower()) == 1
)
BLANKS = frozenset(" \u00a0")
OPENING = frozenset("([«“¿¡‘")
MARKS = frozenset('*_"')  # open and close
CLOSING = frozenset(")]»”")
STOPS = frozenset(".,;:!?…")
APOSTROPHES = frozenset("’'·")
DASHES = frozenset("-–—/&")
ALPHABET = LETTERS | BLANKS | OPENING | MARKS | CLOSING | STOPS | APOSTROPHES | DASHES | frozenset("\n|#")

# states; words that are watched have states of their own: "number:mi", "after:y m", "follow:dur"
LINE, READY, WORD, POINT, BULLET, DASH, DASHED, COUNTING, COUNTED = (
    "line", "ready", "word", "point", "bullet", "dash", "dashed", "counting", "counted"
)  # fmt: skip
# behind a value; behind a blank, and at the beginning of the next line, which Markdown shows as a blank
VALUE, VALUED, BELOW, CLOSED = "value", "valued", "below", "closed"
DIGIT, DIGITED, UNDER = "digit", "digited", "under"
SLOT = "slot"
LED = "led"  # what a year's word leads: "en 2025"; it may stand right behind another value


@dataclass(frozen=True, slots=True)
class FreeText:
    """The automaton of one language, by characters.

    moves: state -> character -> state; what is missing cannot be written. begins: states in which a value may begin.
    led: states in which only one led by a year's word may. ends: states in which the text may end.
    """

    moves: dict[str, dict[str, str]]
    begins: frozenset[str]
    led: frozenset[str]
    ends: frozenset[str]


@cache
def free_text(language: Language) -> FreeText:
    """The automaton; its first state is LINE. VALUE, DIGIT and SLOT are entered behind a value, by what it ends in."""
    words = lock_words(language)
    watched = {letter for word in words.number + words.links + words.after + words.follow for letter in word}
    alike = sorted(one for one in LETTERS if one.lower() not in watched)
    single = [one for one in ALPHABET if one not in LETTERS or one.lower() in watched]
    moves: dict[str, dict[str, str]] = {}
    waiting = [LINE, VALUE, DIGIT, SLOT]
    while waiting:
        state = waiting.pop()
        if state in moves:
            continue
        # letters of no watched word all lead the same way
        same = _move(state, alike[0], words)
        found = {} if same is None else dict.fromkeys(alike, same)
        found |= {one: to for one in single if (to := _move(state, one, words)) is not None}
        moves[state] = found
        waiting.extend(sorted(set(found.values()) - moves.keys()))
    begins = {LINE, READY} | {one for one in moves if one.startswith("after:") and one.endswith(" ")}
    ends = {one for one in moves if _may_end(one, words)}
    return FreeText(moves, frozenset(begins), frozenset({VALUED, BELOW}), frozenset(ends))


@cache
def _beginnings(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word[:end] for word in words for end in range(1, len(word) + 1))


def _may_end(state: str, words: LockWords) -> bool:
    kind, _, prefix = state.partition(":")
    if kind == "after":
        return prefix.rstrip() not in words.after
    return kind != "follow" or prefix in words.follow


def _move(state: str, one: str, words: LockWords) -> str | None:
    """Where a character leads from a state, None where it may not stand."""
    kind, _, prefix = state.partition(":")
    if kind in ("number", "linked"):
        return _in_number(kind, prefix, one, words)
    if kind == "after":
        return _in_after(prefix, one, words)
    if kind == "follow":
        return _in_follow(prefix, one, words)
    if state in (VALUE, DIGIT, SLOT):
        return _behind_value(state, one)
    if state in (BELOW, UNDER):
        return _below(state, one, words)
    if one == "\n":
        return {COUNTING: COUNTED, VALUED: BELOW, DIGITED: UNDER}.get(state, LINE)
    if one == "|":
        return READY
    if state == CLOSED:
        return READY if one in BLANKS else CLOSED if one in CLOSING | STOPS | MARKS else None
    if state in (VALUED, DIGITED):
        return _behind_blank(state, one, words)
    return _in_text(state, one, words)


def _in_text(state: str, one: str, words: LockWords) -> str | None:
    if one in LETTERS:
        return WORD if state == WORD else _word(one, words, state in (COUNTING, COUNTED))
    if one in BLANKS:
        return {WORD: READY, POINT: READY, BULLET: READY, DASH: DASHED}.get(state, state)
    if one in STOPS | CLOSING | APOSTROPHES:
        return POINT
    if one in DASHES:
        return BULLET if state in (LINE, COUNTED) and one == "-" else DASHED if state in (DASHED, COUNTING) else DASH
    if state in (LINE, READY) and one != "#":
        return state
    if state == COUNTING or (state == COUNTED and one != "#"):
        # "ciento ochenta (180 personas)"
        return READY if one in OPENING else COUNTING
    # behind a mark another word begins: "ejercicio**mil 500 euros"
    return DASHED if state in (DASH, DASHED, BULLET) else POINT


def _word(one: str, words: LockWords, linked: bool = False) -> str:
    """The state behind the first letter of a word."""
    return _in_number("linked" if linked else "number", "", one, words)


def _in_number(kind: str, prefix: str, one: str, words: LockWords) -> str:
    """Within what may become a number in words; linked: or a word that joins its parts."""
    if one in LETTERS:
        longer = prefix + one.lower()
        known = longer in _beginnings(words.number) or (kind == "linked" and longer in _beginnings(words.links))
        return f"{kind}:{longer}" if known else WORD
    whole = prefix in words.number or (kind == "linked" and prefix in words.links)
    if whole and (one in BLANKS or one in MARKS):
        # "**mil** 180 personas" too
        return COUNTING
    if whole and one == "\n":
        # Markdown shows the end of a line as a blank: "mil" would alter what the next one begins with
        return COUNTED
    found = _move(WORD, one, words)
    assert found is not None
    return found


def _behind_value(state: str, one: str) -> str | None:
    if one == "\n":
        return {VALUE: BELOW, DIGIT: UNDER, SLOT: LINE}[state]
    if one == "|":
        return READY
    if one in STOPS:
        return CLOSED if state != SLOT else POINT
    if one in CLOSING | MARKS:
        return state
    if one in BLANKS:
        return {VALUE: VALUED, DIGIT: DIGITED, SLOT: READY}[state]
    return None


def _behind_blank(state: str, one: str, words: LockWords) -> str | None:
    """Behind a value and a blank: no second value."""
    if one in LETTERS:
        longer = one.lower()
        if state == DIGITED:
            return f"follow:{longer}" if longer in _beginnings(words.follow) else None
        return f"after:{longer}" if longer in _beginnings(words.after) else _word(one, words)
    if one in BLANKS | MARKS:
        return state
    if one in STOPS | CLOSING:
        return CLOSED
    if one in DASHES:
        return DASHED
    return READY if one in OPENING else None


def _below(state: str, one: str, words: LockWords) -> str | None:
    """On the line below a value; a line between them, a list or a heading parts the two."""
    if one in LETTERS:
        return _behind_blank(VALUED if state == BELOW else DIGITED, one, words)
    return state if one in BLANKS | MARKS else _move(LINE, one, words)


def _in_after(prefix: str, one: str, words: LockWords) -> str | None:
    """Within what may become a word that alters the value in front of it."""
    longer = prefix + (" " if one in BLANKS else one.lower())
    if (one in LETTERS or one in BLANKS) and longer in _beginnings(words.after):
        return f"after:{longer}"
    if prefix.endswith(" "):
        return _move(READY, one, words)
    if one in LETTERS:
        return _in_number("number", prefix.rpartition(" ")[2], one, words)
    if prefix in words.after:
        return None
    return _in_number("number", prefix.rpartition(" ")[2], one, words)


def _in_follow(prefix: str, one: str, words: LockWords) -> str | None:
    longer = prefix + one.lower()
    if one in LETTERS:
        return f"follow:{longer}" if longer in _beginnings(words.follow) else None
    if prefix not in words.follow:
        return None
    if one in BLANKS and f"{prefix} " in _beginnings(words.after):
        # "en 2025 y" may become "y medio"
        return f"after:{prefix} "
    return _move(WORD, one, words) if one in BLANKS | STOPS or one == "\n" else None
