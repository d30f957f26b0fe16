"""What the exports of the lock say, read back from their own text."""

from __future__ import annotations

from typing import get_args

import pytest

from benches.lock_fuzz import EXPORTS, export_of, fuzz
from benches.lock_machine import Machine
from benches.lock_strings import ledger, mutated
from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.lock.regex import regex
from fabai.lock.vocabulary import Vocabulary
from fabai.report import Language

TOKENS = Vocabulary([bytes([one]) for one in range(256)] + [b" 18", b".500", b" en", b" 2025", b"0 p", b"ersonas"], 262)


@pytest.mark.slow
@pytest.mark.parametrize("language", get_args(Language))
def test_no_export_passes_a_text_in_which_the_checker_finds_a_fault(language: Language) -> None:
    lock = Constraint(ledger(8, language), language)
    for name in EXPORTS:
        found = fuzz(lock, export_of(name, lock, TOKENS), 600, 8, seed=4)
        assert found["violations"] == 0, name
        assert found["figures"] > 60


def test_grammar_and_expression_accept_what_the_automaton_does() -> None:
    lock = Constraint(ledger(12, "en"), "en")
    grammar, expression = Machine.of_gbnf(lock.gbnf()), Machine.of_regex(lock.regex())
    passed = 0
    for text in mutated(lock.forms, "en", 1_500, seed=2):
        right = lock.automaton.accepts(text)
        assert (grammar.accepts(text), expression.accepts(text)) == (right, right), text
        passed += right
    assert passed > 100


def test_slots_are_locked_too() -> None:
    lock = Constraint([Fact("personas", "180", "s"), Fact("importe", "18.500 €", "s")], "es", "slots")
    grammar = Machine.of_gbnf(lock.gbnf())
    for text in ("Fueron {{personas}} y {{importe}}.", "Fueron 180", "{{otra}}", "{{personas}}12", "mil {{importe}}"):
        assert grammar.accepts(text) == lock.automaton.accepts(text), text
    assert grammar.accepts("Fueron {{personas}} y {{importe}}.")
    assert not grammar.accepts("Fueron 180")


def test_an_expression_may_go_on_from_a_text_that_was_begun() -> None:
    lock = Constraint([Fact("personas", "180 personas", "s")], "es")
    machine = Machine.of_regex(regex(lock.forms, "es", lock.state("Fueron mil")[0]))
    assert machine.accepts("lones de 180 personas")
    assert not machine.accepts(" 180 personas")
    assert not machine.accepts("180 personas")


@pytest.mark.parametrize("text", ["root ::= s0 s1", 'root ::= [^a] "b"'])
def test_a_grammar_that_the_reader_does_not_know_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"memory|class"):
        Machine.of_gbnf(text)
