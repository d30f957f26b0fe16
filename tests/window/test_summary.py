"""Extracted summaries: whole sentences, facts first, within the budget, of the present text."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.ledger import Fact, Ledger
from fabai.message import Message
from fabai.report import LANGUAGES, Language
from fabai.settings import SummarySettings
from fabai.window.summary import extract, text_hash
from fabai.window.words import words


class Characters:
    """Counts one token for every four characters; not a model's tokenizer, but as subadditive as one."""

    name = "characters"

    def count(self, text: str) -> int:
        return -(-len(text) // 4)

    def count_messages(self, messages: Sequence[Message]) -> int:
        return sum(self.count(message.content) for message in messages)


COUNTER = Characters()
LEDGER = Ledger((Fact("importe concedido", "18.500,00 €", "Resolución"), Fact("talleres", "12", "Acta")))
TEXT = """La entidad trabaja en el barrio desde hace años. El importe concedido fue de 18.500 €, según el art. 3 de
la resolución. Hizo buen tiempo. El huerto del barrio se abrió en marzo y el barrio lo usa.

Se celebraron 12 talleres en el centro cívico. Vino el Sr. Puig.[^1] Duró 12 días.

- Primer punto de la lista, sobre el huerto del barrio.
- Segundo punto

[^1]: Una nota. Con el importe de 18.500 €.

| Partida | Importe |
|---------|---------|
| Total   | 18.500  |

```
código. Con 18.500.
```
"""


def test_sentences_with_facts_come_first_and_in_the_order_of_the_text() -> None:
    found = extract(TEXT, LEDGER, "es", COUNTER, SummarySettings(tokens=33))
    assert found == (
        "El importe concedido fue de 18.500 €, según el art. 3 de la resolución. "
        "Se celebraron 12 talleres en el centro cívico."
    )


def test_central_sentences_fill_what_is_left() -> None:
    found = extract(TEXT, LEDGER, "es", COUNTER, SummarySettings(tokens=60))
    assert "18.500" in found
    assert "huerto del barrio" in found


def test_without_facts_the_central_sentences_are_taken() -> None:
    found = extract(TEXT, Ledger(), "es", COUNTER, SummarySettings(tokens=20))
    assert found
    assert "Hizo buen tiempo" not in found


def test_a_small_number_counts_only_with_what_it_counts() -> None:
    ledger = Ledger((Fact("talleres", "12", "Acta"),))
    assert (
        extract("Duró 12 días. Hubo 12 talleres.", ledger, "es", COUNTER, SummarySettings(tokens=8))
        == "Hubo 12 talleres."
    )


def test_tables_code_and_notes_are_left_out() -> None:
    found = extract(TEXT, LEDGER, "es", COUNTER, SummarySettings(tokens=4_000))
    assert "|" not in found
    assert "código" not in found
    assert "[^1]" not in found
    assert "Una nota" not in found


def test_what_repeats_a_chosen_sentence_is_left_out() -> None:
    text = "El huerto urbano abrió en marzo. El huerto urbano abrió en marzo. Vinieron familias del barrio."
    found = extract(text, Ledger(), "es", COUNTER, SummarySettings(tokens=100))
    assert found.count("huerto") == 1


@given(
    st.lists(st.sampled_from([*TEXT.split("\n"), "", "palabra " * 300, "👩‍👩‍👧 fin.", "# Título", "a\x00b."])).map(
        "\n".join
    )
    | st.text(),
    st.integers(8, 200),
    st.sampled_from(LANGUAGES),
)
def test_a_summary_keeps_its_budget_and_says_nothing_else(text: str, tokens: int, language: Language) -> None:
    found = extract(text, LEDGER, language, COUNTER, SummarySettings(tokens=tokens))
    assert COUNTER.count(found) <= tokens
    assert set(words(found)) <= set(words(text))
    assert found == extract(text, LEDGER, language, COUNTER, SummarySettings(tokens=tokens))


@pytest.mark.parametrize("text", ["", " \n ", "...", "| a |\n|---|\n| b |", "1234", "palabra " * 5_000])
def test_there_is_no_summary_of_nothing(text: str) -> None:
    assert extract(text, LEDGER, "ca", COUNTER) == ""


def test_another_text_has_another_key() -> None:
    assert text_hash("El importe es 18.500 €.") != text_hash("El importe es 18.501 €.")
    assert len(text_hash("\ud800")) == 64
