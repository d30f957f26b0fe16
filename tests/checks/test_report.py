"""All rules together: in the order of the text, switched off by id, the same after an edit as from the start."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.checks.report import check_report
from fabai.checks.rules import BY_ID, RULES, switchable
from fabai.checks.violation import Violation
from fabai.checks.wording import words
from fabai.dossier.wording import sentence
from fabai.dossier.wording import words as dossier_words
from fabai.errors import UnknownName, UsageError
from fabai.form import find_form
from fabai.ledger import Fact
from fabai.report import LANGUAGES, Language
from fabai.store.project import Made, Project
from tests.checks.desk import desk, found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_says_one_sentence_in_each_language(language: Language) -> None:
    for rule in RULES:
        text = sentence(Violation(rule.id, None, rule.severity, "eso", "aquello"), language)
        assert text.endswith(".")
        assert "{" not in text
    assert len(BY_ID) == len(RULES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_register_has_every_rule_that_has_a_sentence_and_no_other(language: Language) -> None:
    worded = {*words(language), *(name for name in dossier_words(language) if not name.startswith("field-"))}
    assert worded - {"whole", "error", "warning"} == set(BY_ID)


def test_a_rule_that_guards_what_is_presented_is_never_switched_off() -> None:
    assert switchable("expense-nif").group == "expenses"
    with pytest.raises(UsageError, match="blocked-hole"):
        switchable("blocked-hole")
    with pytest.raises(UnknownName, match="did you mean 'expense-nif'"):
        switchable("expense-nfi")


def test_findings_stand_in_the_order_of_the_text() -> None:
    made = desk("Son 18.050 €. Y XXX.", "Fueron [falta: cuántas].", facts=(("importe", "18.500 €"),))
    assert [(one.section, one.rule) for one in found(made)] == [
        ("s0", "figure-unknown"), ("s0", "placeholder"), ("s1", "hole"),
    ]  # fmt: skip


def test_a_rule_that_is_off_says_nothing() -> None:
    findings = check_report(desk("Fueron [falta: cuántas]."), off={"hole"})
    assert findings.violations == ()


def test_without_facts_and_sources_a_notice_says_that_figures_were_not_compared() -> None:
    assert "were not compared" in check_report(desk("Fueron 345 personas.")).notices[0]
    assert check_report(desk("")).notices == ()


def test_a_project_is_checked_as_it_stands_now(tmp_path: Path) -> None:
    with Project.create(
        tmp_path / "p.fabai", find_form("generic"), "es", "T", facts=(Fact("a", "12 actas", "x"),)
    ) as p:
        assert check_report(p).ok
        assert p.rules_off() == {}
        p.set_rule("hole", " no\nhace falta ")
        assert p.rules_off() == {"hole": "no hace falta"}
        p.set_rule("hole", None)
        assert p.rules_off() == {}
        assert Made("person").writer == "person"


ODD = st.text(st.characters(exclude_categories=("Cs",)), max_size=200) | st.text(
    "|+-=#*[]{}()0123456789.,€% \n\\<>`$_aA", max_size=200
)


@given(st.lists(ODD, min_size=1, max_size=3), st.sampled_from(LANGUAGES))
def test_no_text_breaks_a_rule_and_every_span_lies_in_its_section(texts: list[str], language: Language) -> None:
    made = desk(
        *texts, facts=(("talleres", "12 talleres"), ("entidad", "Casa Abierta"), ("fin", "3/4/2025")), language=language
    )
    for one in found(made):
        assert sentence(one, language)


@given(st.data())
def test_a_check_after_an_edit_is_the_check_of_the_edited_text(data: st.DataObject) -> None:
    parts = ["Hubo 12 talleres.", "Son 40 €.", "Habló Marta Puigdevall hoy.", "[falta: x]", "Total: 3 de mayo de 2024."]
    texts = data.draw(st.lists(st.sampled_from(parts), min_size=3, max_size=3))
    made = desk(*texts, facts=(("talleres", "12 talleres"),))
    check_report(made)
    changed = data.draw(st.sampled_from(parts))
    section = replace(made.held.sections[1], text=changed)
    edited = replace(made, held=made.held.with_section(section))
    assert check_report(edited) == check_report(desk(texts[0], changed, texts[2], facts=(("talleres", "12 talleres"),)))
