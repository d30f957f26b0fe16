"""`fabai forms`"""

from __future__ import annotations

from fabai.form import built_in

from .conftest import Run


def test_the_layout_for_scripts(run: Run) -> None:
    forms = run("forms", "--json").json["forms"]
    assert [form["id"] for form in forms] == [form.id for form in built_in()]
    assert all(list(form) == ["id", "name", "languages", "source", "date"] for form in forms)
    assert all(isinstance(form["name"], str) and form["name"] for form in forms)


def test_a_form_is_shown_with_each_rule_its_source_and_its_date(run: Run) -> None:
    ran = run("forms", "memoria-justificativa", "--lang", "ca")
    assert "Resultats obtinguts" in ran.out
    assert "(Real Decreto 887/2006, art. 72.1, 2026-11-29)" in ran.out
    assert "convocatòria" in ran.err


def test_a_form_for_scripts_has_sections_limits_and_rules(run: Run) -> None:
    form = run("forms", "aei-informe-final", "--json").json
    assert [section["id"] for section in form["sections"]][:3] == ["a", "a1", "a2"]
    assert all(rule["source"] and rule["date"] and rule["text"] for rule in form["rules"])


def test_an_unknown_form_offers_the_nearest(run: Run) -> None:
    ran = run("forms", "genric")
    assert (ran.code, "did you mean 'generic'" in ran.err) == (1, True)
