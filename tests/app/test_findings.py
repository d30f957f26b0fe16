"""What is to be mended, as a page is told it, and rules that a person puts aside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fabai.app.events import Hub
from fabai.app.findings import about
from fabai.app.lookout import Lookout
from fabai.app.places import Places
from fabai.app.watch import _BROKEN, Watch

from fabai.checks.rules import RULES
from fabai.checks.violation import Findings, Violation
from fabai.dossier.lists import list_files
from fabai.dossier.recorded import recorded
from fabai.errors import BadSetting, ProjectError, UnknownName, UsageError
from fabai.ledger import Fact, Origin
from fabai.report import LANGUAGES

from .conftest import HORT, Desk
from .test_operations import put

FILE = "expenses-faulty.xlsx"


def superlatives(desk: Desk) -> list[str]:
    return [one["quote"] for one in desk.ask("findings", now=True)["findings"] if one["rule"] == "superlative"]


def test_a_rule_put_aside_is_silent_in_the_whole_report_until_it_is_taken_up(desk: Desk) -> None:
    put(desk, "Fue un proyecto excelente.", 1)
    put(desk, "El equipo es excelente.", 2)
    assert len(superlatives(desk)) == 2
    answer = desk.ask("put-aside", rule="superlative", reason="lo exige la convocatoria", now=True)
    assert answer["aside"] == [
        {"rule": "superlative", "reason": "lo exige la convocatoria (Ana Ferrer)", "says": about("superlative", "es")}
    ]
    assert superlatives(desk) == []
    assert desk.ask("take-up", rule="superlative", now=True)["aside"] == []
    assert len(superlatives(desk)) == 2


def test_a_rule_is_put_aside_only_for_a_reason_and_only_if_there_is_one(desk: Desk) -> None:
    with pytest.raises(BadSetting, match="say why"):
        desk.ask("put-aside", rule="superlative", reason=" \n")
    for rule in ("no-such-rule", "", "../es", "blocked-hole"):
        with pytest.raises((UnknownName, UsageError)):
            desk.ask("put-aside", rule=rule, reason="x")


def test_a_finding_says_whether_its_words_stand_in_the_text(desk: Desk) -> None:
    put(desk, "Fue un proyecto excelente.", 1)
    found = desk.ask("findings", now=True)["findings"]
    assert {one["there"] for one in found if one["rule"] == "superlative"} == {True}
    assert {one["there"] for one in found if one["rule"] == "guidance-uncovered"} <= {False}
    assert {one["there"] for one in found if one["rule"] == "section-empty"} == {False}


def test_every_rule_can_be_named_in_every_language() -> None:
    for language in LANGUAGES:
        names = [about(rule.id, language) for rule in RULES]
        assert all(len(name) > 12 and not name.endswith((":", ".")) for name in names)
        # what a rule asks for is not part of its name
        assert not any("{" in name for name in names)


def test_a_look_that_is_known_is_not_taken_twice(desk: Desk) -> None:
    put(desk, "Fue un proyecto excelente.", 1)
    with desk.space.project("memoria") as project:
        watch: Watch = desk.house.watch
        first = watch.now(project, desk.call().place)
        assert watch.now(project, desk.call().place) is first
        project.set_rule("superlative", "x")
        assert watch.now(project, desk.call().place) is not first


@pytest.mark.parametrize("fault", [RuntimeError("a fault of ours"), ProjectError("the check was ended: try again")])
def test_a_look_that_fails_is_told_once_and_what_was_found_before_stays(
    desk: Desk, fault: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Lookout):
        def look(self, *_: object) -> tuple[str, Findings]:
            raise fault

    place = desk.call().place
    told: list[str] = []

    class Told(Hub):
        def tell(self, _: str, event: dict[str, Any]) -> None:
            told.append(event["type"])

    found = Findings((Violation("superlative", None, "warning", "excelente", ""),))
    watch = Watch(Told(), Failing())
    watch._keep(place, "a mark", found)
    for _ in range(2):
        watch._look(desk.space.path("memoria"), place, 0.0)
    watch.close()
    known = watch.known(place)
    assert known is not None
    assert known.violations == found.violations
    (notice,) = known.notices
    assert notice == (str(fault) if isinstance(fault, ProjectError) else _BROKEN)
    assert told == ["findings"]
    assert ("a fault of ours" in caplog.text) == isinstance(fault, RuntimeError)


def test_a_figure_and_a_datum_lead_to_the_document_that_they_are_known_from(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "acta.md").write_text("# Acta\n\nSe celebraron 12 talleres.\n")
    desk.keep("source", tmp_path / "acta.md")
    with desk.space.project("memoria") as project:
        project.set_fact(Fact("talleres", "12 talleres", "Acta 7", origin=Origin("acta.md")))
    put(desk, "Se celebraron 14 talleres.", 1)
    document = desk.ask("sources")["sources"][0]["id"]
    assert [one["document"] for one in desk.ask("facts")["facts"]] == [document]
    found = [one for one in desk.ask("findings", now=True)["findings"] if one["evidence"].startswith("talleres:")]
    assert [(one["document"], one["words"]) for one in found] == [(document, "12 talleres")]


def test_what_a_list_shows_is_opened_in_its_rows(hort: Desk) -> None:
    hort.ask("save-list", "hort", token=hort.bring("expenses", HORT / "expenses-faulty.xlsx", "hort")["token"])
    with hort.space.project("hort") as project:
        project.set_fact(Fact("total", "1,00", "hoja", origin=Origin("expenses-faulty.xlsx", sheet="Despeses")))
    assert [one["part"] for one in hort.ask("facts", "hort")["facts"]] == ["expenses"]
    # no cell is named
    assert {one["spot"]["field"] for one in hort.ask("facts", "hort")["facts"]} == {""}
    found = [one for one in hort.ask("findings", "hort", now=True)["findings"] if "expenses-faulty" in one["evidence"]]
    assert found
    assert {(one["document"], one["part"]) for one in found} == {(None, "expenses")}


def test_what_a_sheet_is_known_for_leads_to_its_rows(hort: Desk) -> None:
    hort.ask("save-list", "hort", token=hort.bring("expenses", HORT / FILE, "hort")["token"])
    rows = {one["place"] for one in hort.ask("expenses", "hort")["rows"]}
    with hort.space.project("hort") as project:
        places = Places.of(project)
        sums = [one for one in recorded(project).listed if one.name.startswith("Σ")]
        project.set_fact(Fact("total", "1,00", "hoja", origin=Origin(FILE, sheet="Despeses", cell="G7")))
    (fact,) = hort.ask("facts", "hort")["facts"]
    assert fact["spot"]["rows"] == [[7, 7]]
    with hort.space.project("hort") as project:
        (kept,) = [one for one in list_files(project) if one.file == FILE]
    assert kept.columns["Despeses"][fact["spot"]["field"]] == "G"
    for one in sums:
        spot = places.shown(FILE, f"{one.name}: {one.value} ({one.source}); otro: 3 (acta, 4)")["spot"]
        named = {row for first, last in spot["rows"] for row in range(first, last + 1)}
        assert named <= rows
        assert len(named) == int(one.name.removeprefix("Σ "))


@pytest.mark.parametrize(
    ("evidence", "rows"),
    [
        ("g.xlsx, Gastos!2-14,16", [[2, 14], [16, 16]]),
        ("g.xlsx, 2025!3", [[3, 3]]),
        ("g.xlsx, 2025, row 12", [[12, 12]]),
        ("g.xlsx, Gastos, E12", [[12, 12]]),
        ("total: 5 (g.xlsx, 2-14); otro: 7 (a, 9)", [[2, 14]]),
        ("g.xlsx", []),
    ],
)
def test_rows_are_read_from_every_way_in_which_a_place_is_written(evidence: str, rows: list[list[int]]) -> None:
    assert Places({}, {"g.xlsx": "expenses"}, {}).shown("g.xlsx", evidence)["spot"]["rows"] == rows


def test_two_facts_written_in_each_others_place_are_both_flagged(desk: Desk) -> None:
    with desk.space.project("memoria") as project:
        for name, value in (("talleres", "12 talleres"), ("participantes", "180 personas")):
            project.set_fact(Fact(name, value, "Acta 7"))
    put(desk, "Se celebraron 180 talleres con 12 personas.", 1)
    found = [one for one in desk.ask("findings", now=True)["findings"] if one["rule"].startswith("figure-")]
    assert [one["rule"] for one in found] == ["figure-swapped"] * 2
    assert [one["there"] for one in found] == [True, True]
    assert {one["quote"].split()[0] for one in found} == {"180", "12"}
