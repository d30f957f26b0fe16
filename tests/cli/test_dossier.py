"""The dossier's commands, one after the other as a person would: import, confirm, check, deadlines, the next period."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Run

DOSSIERS = Path(__file__).parents[1] / "data" / "dossiers"
CA = DOSSIERS / "ca-hort"


@pytest.fixture
def project(run: Run, folder: Path) -> Path:
    run("new", "p", "--form", "barcelona-justificacio", "--lang", "ca", "--title", "Hort")
    for kind in ("proposal", "resolution", "amendment"):
        assert run("import", "p", CA / f"{kind}.md", "--as", kind).code == 0
        assert run("commitments", "p", "confirm", "--all", "--by", "Ada Soler").code == 0
    return folder / "p.fabai"


def test_a_faulty_list_ends_with_three_and_a_clean_one_with_zero(run: Run, project: Path) -> None:
    done = run("import", project, CA / "expenses-faulty.xlsx", "--as", "expenses", "--json").json["imported"][0]
    assert (done["rows"], done["columns"][0]["creditor"], done["remembered"]) == (25, "A", False)
    assert [one["ok"] for one in done["sums"]] == [True, True, True, False]
    checked = run("expenses", project, "--check", "--json")
    assert checked.code == 3
    assert "expense-duplicate" in {one["rule"] for one in checked.json["violations"]}
    assert all(one["sentence"] for one in checked.json["violations"])
    run("new", "q", "--form", "barcelona-justificacio", "--lang", "ca")
    assert run("import", "q", CA / "expenses.xlsx", "--as", "expenses").code == 0
    assert run("expenses", "q", "--check").code == 0
    again = run("import", "q", CA / "expenses.xlsx", "--as", "expenses", "--json").json["imported"][0]
    assert (again["remembered"], again["replaced"]) == (True, False)


def test_a_newer_file_of_the_same_name_takes_the_older_ones_rows_with_it(run: Run, project: Path, folder: Path) -> None:
    sheet = folder / "a.csv"
    sheet.write_text("Proveïdor;Núm. factura;Import total\nA;1;10\nB;2;20\n", encoding="utf-8")
    run("import", project, sheet, "--as", "expenses")
    sheet.write_text("Proveïdor;Núm. factura;Import total\nA;1;11\n", encoding="utf-8")
    done = run("import", project, sheet, "--as", "expenses")
    assert "were replaced" in done.err
    assert run("expenses", project, "--json").json["total"] == "11"


def test_the_table_of_expenses_adds_up_by_heading(run: Run, project: Path) -> None:
    run("import", project, CA / "expenses.xlsx", "--as", "expenses")
    shown = run("expenses", project, "--json").json
    assert shown["by_heading"]["Serveis externs"] == {"granted": "3000", "charged": "2980"}
    assert shown["total"] == "11930"
    assert "11\u00a0930,00" in run("expenses", project).out


def test_commitments_are_listed_set_and_written_as_a_matrix(run: Run, project: Path, folder: Path) -> None:
    listed = run("commitments", project, "--json").json
    assert len(listed["commitments"]) == 25
    done = run(
        "commitments",
        project,
        "set",
        "I2",
        "--status",
        "partly",
        "--achieved",
        "21 persones",
        "--explanation",
        "van marxar",
    )
    assert done.code == 0
    assert run("commitments", project, "check").code == 3
    history = run("commitments", project, "history", "I1", "--json").json["history"]
    assert [one["target"] for one in history] == ["120 participants", "90 participants"]
    assert run("commitments", project, "matrix", "--kind", "indicator", "-o", "m.docx").code == 0
    assert (folder / "m.docx").stat().st_size > 5_000
    assert run("commitments", project, "confirm", "--by", "A").code == 2
    assert run("commitments", project, "confirm", "99", "--by", "A").code == 1


def test_deadlines_count_the_days_that_are_left(run: Run, project: Path) -> None:
    found = run("deadlines", project, "--today", "2026-02-01", "--json").json["deadlines"]
    assert {(one["name"], one["day"], one["left"]) for one in found} == {
        ("report", "2026-02-28", 27), ("payment", "2026-02-28", 27),
    }  # fmt: skip


def test_a_commitment_is_corrected_and_withdrawn_and_its_history_keeps_how_it_stood(run: Run, project: Path) -> None:
    before = {one["key"]: one for one in run("commitments", project, "--json").json["commitments"]}
    first = next(one for one in before.values() if one["kind"] == "indicator")
    words = ("--target", "99 persones", "--amount", "1.200,00", "--due", "31/12/2026", "--by", "Ada Soler")
    (new,) = run("commitments", project, "edit", first["key"], *words, "--json").json["commitments"]
    assert (new["key"], new["text"], new["target"]) == (first["key"], first["text"], "99 persones")
    assert (new["amount"], new["due"], new["decided_by"]) == ("1200.00", "2026-12-31", "Ada Soler")
    nothing = ("--amount", "", "--due", "", "--by", "Ada")
    (bare,) = run("commitments", project, "edit", new["key"], *nothing, "--json").json["commitments"]
    assert {"amount", "due"}.isdisjoint(name for name, value in bare.items() if value)
    states = run("commitments", project, "history", first["key"], "--json").json["history"]
    targets = [one.get("target", "") for one in states]
    assert targets[-2:] == ["99 persones", "99 persones"]
    assert first["target"] in targets
    assert run("commitments", project, "edit", first["key"], "--by", "Ada").code == 2
    assert run("commitments", project, "edit", first["key"], "--amount", "molt", "--by", "Ada").code == 1
    assert run("commitments", project, "edit", first["key"], "--due", "demà", "--by", "Ada").code == 1
    assert run("commitments", project, "withdraw", first["key"], "--by", "Ada Soler").code == 0
    left = {one["key"] for one in run("commitments", project, "--json").json["commitments"]}
    assert left == before.keys() - {first["key"]}
    assert run("commitments", project, "withdraw", first["key"], "--by", "Ada Soler").code == 1


def test_a_proposal_is_corrected_by_its_number_before_it_is_confirmed(run: Run) -> None:
    run("new", "q", "--form", "barcelona-justificacio", "--lang", "ca")
    run("import", "q", CA / "proposal.md", "--as", "proposal")
    one = run("commitments", "q", "--json").json["proposed"][0]
    assert run("commitments", "q", "edit", one["number"], "--text", "Una altra cosa", "--by", "Ada").code == 0
    shown = run("commitments", "q", "--json").json
    assert shown["commitments"] == []
    assert "Una altra cosa" in {each["text"] for each in shown["proposed"]}
    assert one["text"] not in {each["text"] for each in shown["proposed"]}


def test_a_term_that_was_set_is_taken_back_and_what_the_documents_say_holds_again(run: Run, project: Path) -> None:
    given = run("terms", project, "--json").json["terms"]
    run("terms", project, "set", "heading:Personal", "1,00")
    run("terms", project, "set", "notified", "15/05/2025")
    assert run("terms", project, "--json").json["terms"]["heading"]["Personal"] == "1.00"
    assert run("terms", project, "remove", "heading:Personal").code == 0
    assert run("terms", project, "remove", "notified", "--json").json["terms"] == given
    assert run("terms", project, "remove", "notified").code == 1


def test_terms_show_where_they_come_from(run: Run, project: Path) -> None:
    run("terms", project, "set", "income:Diputació", "1.500,00", "--source", "conveni")
    shown = run("terms", project).out
    assert "income:Diputació\t1500.00\tconveni" in shown
    assert "heading:Personal\t5400\tamendment.md" in shown
    assert run("terms", project, "set", "x", "1").code == 1


def test_the_next_period_begins_with_what_carries_over(run: Run, project: Path) -> None:
    run("import", project, CA / "report.md")
    done = run("new", "next", "--from", project, "--period", "2", "--json").json
    assert (done["period"], done["texts"], done["commitments"]) == (2, 4, 25)
    assert run("new", "x", "--from", project, "--form", "generic").code == 2
    assert run("new", "x", "--period", "2").code == 2
    assert run("new", "x", "--from", project, "--period", "1").code == 1


def test_a_request_makes_a_project_of_its_questions(run: Run, folder: Path) -> None:
    done = run("new", "r", "--request", CA / "request.md", "--json").json
    assert (done["form"], done["language"], done["sections"]) == ("response", "ca", 3)
    (folder / "empty.md").write_text("# Hello\n\nThank you.\n", encoding="utf-8")
    refused = run("new", "s", "--request", "empty.md")
    assert refused.code == 1
    assert "asks nothing" in refused.err


def test_partners_are_asked_and_answer(run: Run, folder: Path) -> None:
    run("new", "e", "--form", "eu-periodic-report")
    run("partners", "e", "add", "FAC", "Fiume Aperto", "--sections", "tasks", "workpackages")
    assert run("partners", "e", "pack", "-o", "packs").code == 0
    assert (folder / "packs" / "e-FAC.docx").exists()
    back = DOSSIERS / "en-riverlink" / "partners"
    merged = run("partners", "e", "merge", back / "FAC.docx", back / "NMU.docx", "--json")
    assert merged.code == 0
    assert merged.json["merged"][0]["sections"] == {"workpackages": "returned", "tasks": "returned"}
    assert "nothing tells whose file NMU.docx is" in merged.json["failed"][0]["why"]
    assert "Carlo Bruni" in run("partners", "e", "changes").out
    assert {one["sections"]["tasks"] for one in run("partners", "e", "--json").json["partners"]} == {"returned"}


def test_proofs_photos_and_publications_have_their_tables(run: Run, project: Path, folder: Path) -> None:
    run("import", project, CA / "expenses.xlsx", "--as", "expenses")
    assert run("import", project, *sorted((CA / "proofs").iterdir()), "--as", "proofs").code == 0
    assert run("import", project, CA / "photos" / "cartell.jpg", "--as", "photos").code == 0
    listed = run("annexes", project, "--json").json
    assert [one["rows"] for one in listed["annexes"]] == [[1], [2], [3], [10], [11]]
    assert listed["photos"][0]["name"] == "media/cartell.jpg"
    assert run("annexes", project, "missing").code == 3
    assert run("annexes", project, "write", "-o", "a.pdf").code == 0
    assert (folder / "a.pdf").read_bytes().startswith(b"%PDF")
    assert run("import", project, DOSSIERS / "es-aguasens" / "publications.bib", "--as", "publications").code == 0
    assert run("publications", project, "--check").code == 3
    assert "| Núm. |" in run("publications", project, "--md").out
    assert run("publications", project, "--cite").out.count("https://doi.org/") == 3


def test_columns_go_with_spreadsheets_only(run: Run, project: Path) -> None:
    assert run("import", project, CA / "proposal.md", "--as", "proposal", "--columns", "total=A").code == 2


def test_the_funders_sheet_needs_a_place_to_go(run: Run, project: Path) -> None:
    run("import", project, CA / "expenses.xlsx", "--as", "expenses")
    assert run("expenses", project, "--fill", "x.xlsx").code == 2
    assert run("expenses", project, "--fill", "x.xlsx", "-o", "y.xlsx").code == 1


def test_references_are_imported_cited_checked_and_worded_in_a_chosen_style(run: Run, folder: Path) -> None:
    (folder / "refs.bib").write_text("@book{smith, author={Smith, Ann}, title={Uno}, year=2019}", encoding="utf-8")
    (folder / "m.md").write_text("# Uno\n\nDice [@smith] y [@nadie].\n", encoding="utf-8")
    run("new", "p", "--form", "generic", "--lang", "es")
    run("import", "p", "m.md")
    assert "no references yet" in run("references", "p").out
    done = run("import", "p", "refs.bib", "--as", "references", "--json").json["imported"][0]
    assert (done["references"], done["new"], done["notices"]) == (1, 1, [])
    listed = run("references", "p", "--json").json["references"]
    assert listed == [{"key": "smith", "cited": 1, "citation": "Smith, Ann (2019). Uno."}]
    checked = run("check", "p", "--json")
    assert checked.code == 3
    assert [one["found"] for one in checked.json["violations"]] == ["nadie"]
    assert "no reference has the key nadie" in run("export", "p", "-o", "o.docx").err
    (folder / "s.csl").write_text("no style", encoding="utf-8")
    assert "no CSL style" in run("export", "p", "-o", "o.docx", "--csl", "s.csl").err
