"""The ledger in a project: everything known about a fact is kept, derived facts follow, proposals wait apart."""

from __future__ import annotations

import pytest

from fabai.errors import BadSetting, UnknownName
from fabai.ledger import Fact, Origin
from fabai.store.project import Project

ORIGIN = Origin("gastos.xlsx", "ab" * 32, None, "Gastos", "E12", "")


def test_everything_that_is_known_about_a_fact_is_kept(project: Project) -> None:
    fact = Fact(
        "personal", "900", "hoja Gastos", "amount", "", "EUR", ORIGIN, "Marta Soler", "2026-01-02T03:04:05+00:00"
    )
    project.set_fact(fact)
    with Project.open(project.path) as again:
        assert again.ledger().facts == (fact,)


def test_who_confirms_is_stamped_with_the_time(project: Project) -> None:
    project.set_fact(Fact("a", "1 €", "s", confirmed_by="Marta Soler"))
    (fact,) = project.ledger()
    assert fact.confirmed.startswith("20")


def test_a_derived_fact_follows_the_facts_it_is_computed_from(project: Project) -> None:
    project.set_fact(Fact("a", "10,00 €", "s"))
    project.set_fact(Fact("b", "2,50 €", "s"))
    project.set_fact(Fact("total", "", "s", derived="{a} + {b}"))
    project.set_fact(Fact("doble", "", "s", derived="2 * {total}"))
    project.set_fact(Fact("a", "20,00 €", "s"))
    assert [fact.value for fact in project.ledger()] == ["20,00 €", "2,50 €", "22,50 €", "45,00 €"]
    changes = [event.detail for event in project.events() if event.kind == "fact" and "derived" in event.detail]
    assert [(one["name"], one["value"]) for one in changes] == [("total", "22,50 €"), ("doble", "45,00 €")]


def test_a_derived_value_that_somebody_typed_is_computed_all_the_same(project: Project) -> None:
    project.set_fact(Fact("a", "10,00 €", "s"))
    project.set_fact(Fact("x", "999,00 €", "s", derived="{a} + {a}"))
    assert project.ledger().facts[1].value == "20,00 €"


@pytest.mark.parametrize("fact", [Fact("a", "diez", "s"), Fact("a", "10 USD", "s"), Fact("a", "", "s", derived="{x}")])
def test_what_would_break_a_formula_is_refused_and_changes_nothing(project: Project, fact: Fact) -> None:
    project.set_fact(Fact("a", "10,00 €", "s"))
    project.set_fact(Fact("b", "10,00 €", "s"))
    project.set_fact(Fact("x", "", "s", derived="{a} + {b}"))
    before, events = project.ledger(), project.events()
    with pytest.raises(BadSetting):
        project.set_fact(fact)
    assert project.ledger() == before
    assert project.events() == events


def test_a_fact_is_taken_out_unless_another_needs_it(project: Project) -> None:
    project.set_fact(Fact("a", "10,00 €", "s"))
    project.set_fact(Fact("x", "", "s", derived="{a} * 2"))
    with pytest.raises(BadSetting, match="'x' is computed from 'a'"):
        project.remove_fact("a")
    project.remove_fact("x")
    project.remove_fact("a")
    assert len(project.ledger()) == 0
    with pytest.raises(UnknownName):
        project.remove_fact("a")


def test_proposals_wait_apart_until_somebody_decides(project: Project) -> None:
    first, second = project.propose(
        [(Fact("a", "1 €", "s", origin=ORIGIN), "a | 1 €"), (Fact("b", "2 €", "s"), "b | 2 €")]
    )
    assert len(project.ledger()) == 0
    assert project.propose([(first.fact, first.context)]) == []
    project.confirm({first.id: first.fact}, "Marta Soler")
    project.reject([second.id], "Marta Soler")
    (fact,) = project.ledger()
    assert (fact.origin, fact.confirmed_by) == (ORIGIN, "Marta Soler")
    assert project.proposals() == ()
    with pytest.raises(UnknownName, match="no open proposal"):
        project.reject([second.id], "Marta Soler")


def test_nobody_is_no_one_to_decide(project: Project) -> None:
    (one,) = project.propose([(Fact("a", "1 €", "s"), "")])
    with pytest.raises(BadSetting, match="say who"):
        project.confirm({one.id: one.fact}, " ")
    assert len(project.proposals()) == 1


def test_ten_thousand_facts_are_stored_and_read(project: Project) -> None:
    ones = project.propose((Fact(f"dato {n}", f"{n} personas", "s"), str(n)) for n in range(10_000))
    project.confirm({one.id: one.fact for one in ones}, "M")
    project.set_fact(Fact("suma", "", "s", derived="{dato 1} + {dato 12} + {dato 120}"))
    ledger = project.ledger()
    assert len(ledger) == 10_001
    assert ledger.facts[-1].value == "133 personas"
