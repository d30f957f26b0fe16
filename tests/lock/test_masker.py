"""Masks are what trying every token would find."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from benches.lock_strings import ledger
from fabai.lock import Constraint
from fabai.lock.automaton import Automaton, State
from fabai.lock.masker import Masker
from fabai.lock.vocabulary import Vocabulary

LOCK = Constraint(ledger(40, "es"), "es")
WORDS = [" 1", "12", "0 personas", " €", " dos", "talleres.", " €. ", "2025", " el", "a 1", "%"]
PIECES = [bytes([one]) for one in range(256)] + [word.encode() for word in WORDS] + [b" \xe2"]
END = len(PIECES)
MASKER = Masker(LOCK.automaton, Vocabulary([*PIECES, None], END + 3), [END])
WALKS = st.lists(st.integers(0, 2**16), max_size=40)


def walked(choices: list[int]) -> State:
    """Where the choices lead, each of a token that may come, two of three of a digit so that values are begun."""
    state = MASKER.start
    for choice in choices:
        ways = [place for place in range(END) if not MASKER.forbidden(state)[place]]
        digits = [place for place in ways if any(48 <= byte < 58 for byte in PIECES[place])]
        ways = digits if digits and choice % 3 else ways
        if not ways:
            break
        following = MASKER.step(state, ways[choice // 3 % len(ways)])
        assert following is not None
        state = following
    return state


@settings(max_examples=60, deadline=None)
@given(WALKS)
def test_a_mask_leaves_the_tokens_that_the_automaton_can_read(choices: list[int]) -> None:
    state = walked(choices)
    mask, automaton = MASKER.forbidden(state), LOCK.automaton
    assert [bool(one) for one in mask[:END]] == [automaton.run(piece, state) is None for piece in PIECES]
    assert bool(mask[END]) == (not automaton.final(state) and not all(mask[:END]))
    assert mask[END + 1 :].all()


def stepped(automaton: Automaton, data: bytes, state: State) -> State | None:
    for byte in data:
        following = automaton.step(state, byte)
        if following is None:
            return None
        state = following
    return state


@given(WALKS, st.one_of(st.sampled_from(PIECES), st.text(max_size=12).map(str.encode)))
def test_bytes_read_at_once_lead_where_they_lead_one_by_one(choices: list[int], data: bytes) -> None:
    state = walked(choices)
    assert LOCK.automaton.run(data, state) == stepped(LOCK.automaton, data, state)
