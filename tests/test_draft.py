"""Drafting with the scripted Writer; the real models are drafted with in tests/cli/test_demo.py."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.draft import draft, draft_all, note, prepare, read_ahead, used
from fabai.errors import UnknownName, WriterError
from fabai.form import Form, Limit, SectionSpec
from fabai.ledger import Fact
from fabai.lock import Constraint
from fabai.lock.switch import locked, switch
from fabai.settings import Mode, SamplingSettings, WindowSettings, WriterSettings
from fabai.states import kept
from fabai.store.project import Project
from fabai.store.record import Made
from fabai.summaries import summaries, summarise
from fabai.window.summary import text_hash
from fabai.writers.llamacpp import LlamaCpp
from fabai.writers.scripted import Scripted

CASE = Path(__file__).parent / "data" / "cases" / "045-think-blocks-stay-out"
WINDOW = WindowSettings(cap=1500, reserve=300)


def form(*headings: str, limit: int | None = None) -> Form:
    limits = () if limit is None else (Limit("characters", maximum=limit),)
    specs = tuple(SectionSpec(f"s{n}", {"es": heading}, limits=limits) for n, heading in enumerate(headings, 1))
    return Form("f", {"es": "Modelo"}, ("es",), "la convocatoria", "2026-01-01", sections=specs)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    facts = [Fact("importe", "18.500,00 €", "Resolución")]
    with Project.create(
        tmp_path / "p.fabai", form("Objetivos", "Plan", "Resultados"), "es", "Memoria", facts=facts
    ) as one:
        yield one


def text_of(project: Project, section: str) -> str:
    report = project.report()
    return report.sections[report.index(section)].text


def test_a_draft_is_saved_shown_and_remembers_how_it_was_made(project: Project) -> None:
    writer = Scripted(["La sala abrió en octubre."])
    prepared = prepare(project, "s1", writer, WINDOW)
    version = draft(project, "s1", writer, window=WINDOW, sampling=SamplingSettings(seed=0))
    assert (version.text, version.partial, note(version)) == ("La sala abrió en octubre.", False, "")
    assert text_of(project, "s1") == version.text
    assert version.made.settings["sampling"]["seed"] == 0
    assert version.made.window == prepared.digest
    assert used(version)["finish"] == "stop"


def test_the_writer_is_sent_the_prepared_messages_and_they_hold_the_facts(project: Project) -> None:
    writer = Scripted(["Uno."])
    prepared = prepare(project, "s1", writer, WINDOW)
    draft(project, "s1", writer, window=WINDOW)
    assert writer.asked == [prepared.messages]
    assert "18.500,00 €" in prepared.messages[-1].content
    assert prepared.window.tokens == writer.count_messages(prepared.messages)


def test_a_base_model_is_given_the_heading_as_the_beginning_of_its_answer(project: Project) -> None:
    writer = Scripted(["Uno."], chat=False)
    prepared = prepare(project, "s2", writer, WINDOW)
    assert prepared.messages[-1].role == "assistant"
    assert prepared.messages[-1].content == "# 2 Plan\n\n"
    assert writer.count_messages(prepared.messages) + prepared.window.reserve <= WINDOW.cap + 8


def test_sections_in_order_see_the_ones_before(project: Project) -> None:
    writer = Scripted(["El primero habla de tortugas.", "El segundo.", "El tercero."])
    versions = list(draft_all(project, ["s1", "s2", "s3"], writer, window=WINDOW))
    assert [version.section for version in versions] == ["s1", "s2", "s3"]
    assert "tortugas" in writer.asked[1][-1].content
    assert "tortugas" not in writer.asked[0][-1].content


def test_case_045_reasoning_never_reaches_a_version(tmp_path: Path) -> None:
    scripts = json.loads((CASE / "guiones.json").read_text(encoding="utf-8"))
    headings = [f"Sección {n}" for n in range(1, 5)]
    with Project.create(tmp_path / "p.fabai", form(*headings), "es", "") as project:
        writer = Scripted(scripts)
        versions = list(draft_all(project, ["s1", "s2", "s3", "s4"], writer, window=WINDOW))
    texts = [version.text for version in versions]
    assert texts[0] == texts[1] == "La sala abrió en octubre."
    assert (texts[2], versions[2].partial) == ("", True)
    assert "only reasoned" in note(versions[2])
    assert texts[3] == "El efecto fue claro (p<0,05) y se usó <la plantilla>."
    assert [version.partial for version in versions] == [False, False, True, False]


def test_a_model_that_runs_on_is_stopped_at_the_next_heading(project: Project) -> None:
    writer = Scripted(["# Objetivos\n\nUno.\n\n# Plan\n\n" + "Dos. " * 500])
    version = draft(project, "s1", writer, window=WINDOW)
    assert version.text == "Uno."
    assert not version.partial
    assert writer.cancelled == 1


def test_a_loop_is_stopped_cut_and_told(project: Project) -> None:
    writer = Scripted(["Se abrió la sala. " + "La asociación organizó talleres para todas las edades. " * 100])
    version = draft(project, "s1", writer, window=WindowSettings(cap=4000, reserve=1500))
    assert version.text.count("organizó") == 1
    assert "repeat" in note(version)
    assert writer.cancelled == 1


def test_the_forms_limit_bounds_the_answer_and_the_text_lands_on_a_sentence(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.fabai", form("Objetivos", limit=300), "es", "") as project:
        long = " ".join(f"Esta es la frase número {n} de la sección." for n in range(100))
        version = draft(project, "s1", Scripted([long]), window=WINDOW)
    assert 250 < len(version.text) <= 300
    assert version.text.endswith("de la sección.")
    assert "whole sentence" in note(version)
    assert not version.partial


def test_a_model_that_writes_past_the_limit_is_stopped_there(tmp_path: Path) -> None:
    """The budget of tokens has a margin; what is past the limit in characters is not waited for."""
    with Project.create(tmp_path / "p.fabai", form("Objetivos", limit=300), "es", "") as project:
        writer = Scripted([" ".join(f"El grupo {n} abrió la sala {n}." for n in range(400))])
        prepared = prepare(project, "s1", writer, WindowSettings(cap=4_000, reserve_room=4.0))
        version = draft(project, "s1", writer, prepared=prepared)
    assert writer.cancelled == 1
    assert len(version.text) <= 300


def test_a_first_sentence_past_the_limit_is_kept_as_partial(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p.fabai", form("Objetivos", limit=20), "es", "") as project:
        version = draft(project, "s1", Scripted(["Una frase demasiado larga."]), window=WINDOW)
    assert version.partial
    assert "first sentence" in note(version)


def test_what_a_failing_model_wrote_is_kept_as_partial_and_the_failure_says_so(project: Project) -> None:
    writer = Scripted(["La sala abrió y\x00the server broke off midway"])
    with pytest.raises(WriterError, match="broke off midway; what was written is kept as version 1, marked partial"):
        draft(project, "s1", writer, window=WINDOW)
    (version,) = project.versions("s1")
    assert (version.text, version.partial) == ("La sala abrió y", True)


def test_a_model_that_fails_at_once_leaves_no_version(project: Project) -> None:
    with pytest.raises(WriterError, match="not there"):
        draft(project, "s1", Scripted([WriterError("not there")]), window=WINDOW)
    assert not project.versions("s1")


def test_a_partial_text_does_not_take_the_place_of_a_whole_one(project: Project) -> None:
    draft(project, "s1", Scripted(["Texto entero."]), window=WINDOW)
    with pytest.raises(WriterError):
        draft(project, "s1", Scripted(["Medio\x00gone"]), window=WINDOW)
    assert text_of(project, "s1") == "Texto entero."


def test_writing_that_is_not_wanted_any_more_stops_and_is_kept_as_partial(project: Project) -> None:
    shown: list[str] = []
    writer = Scripted(["La sala abrió en octubre. " * 20])
    version = draft(project, "s1", writer, window=WINDOW, on_text=shown.append, wanted=lambda: len(shown) < 5)
    assert version.partial
    assert version.text
    assert "stopped" in note(version)
    assert writer.cancelled == 1


def test_an_interrupt_from_the_keyboard_keeps_the_partial_text(project: Project) -> None:
    def interrupted(text: str) -> None:
        if "octubre" in text:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        draft(project, "s1", Scripted(["La sala abrió en octubre. Y más."]), window=WINDOW, on_text=interrupted)
    assert project.versions("s1")[0].partial


def test_an_answer_of_nothing_is_an_empty_partial_with_a_sentence(project: Project) -> None:
    version = draft(project, "s1", Scripted(["\n\n"]), window=WINDOW)
    assert (version.text, version.partial) == ("", True)
    assert "nothing" in note(version)


def test_live_text_only_grows(project: Project) -> None:
    shown: list[str] = []
    draft(
        project,
        "s1",
        Scripted(["<think>\nHm</think>\n\n# Objetivos\n\nUno. Dos."]),
        window=WINDOW,
        on_text=shown.append,
    )
    assert shown[-1] == "Uno. Dos."
    assert all(after.startswith(before) for before, after in itertools.pairwise(shown))


def test_an_image_that_is_not_the_projects_leaves_its_caption(project: Project) -> None:
    version = draft(project, "s1", Scripted(["Uno ![la sala](https://example.org/a.png)."]), window=WINDOW)
    assert version.text == "Uno la sala."


WHO = ("La sala", "El equipo", "La comisión", "El barrio", "La escuela", "El grupo motor", "La red", "El centro")
DID = ("abrió en octubre", "acogió a las familias", "revisó el plan", "llevó la cuenta", "formó a doce jóvenes")
TEXTS = {
    f"s{n}": " ".join(
        f"{who} {DID[(n * at + at) % 5]} {'y más ' * (at % 3)}en la fase {n}{at}." for at, who in enumerate(WHO * 3)
    )
    for n in range(1, 9)
}


def drafted_in(path: Path, calls: list[list[str]], window: WindowSettings) -> list[str]:
    """The prompts that were sent, with the project opened anew for each call."""
    headings = [f"Parte {n}" for n in range(1, 9)]
    with Project.create(path, form(*headings), "es", "Memoria"):
        pass
    prompts: list[str] = []
    for sections in calls:
        writer = Scripted([TEXTS[section] for section in sections])
        with Project.open(path) as project:
            list(draft_all(project, sections, writer, window=window))
        prompts += [message.content for asked in writer.asked for message in asked]
    return prompts


@pytest.mark.parametrize("mode", ["fill", "tiers", "warm"])
def test_section_by_section_over_several_calls_sends_the_same_bytes_as_one_call(tmp_path: Path, mode: Mode) -> None:
    window = WindowSettings(mode=mode, cap=1400, reserve=300)
    sections = [f"s{n}" for n in range(1, 9)]
    at_once = drafted_in(tmp_path / "one.fabai", [sections], window)
    assert drafted_in(tmp_path / "many.fabai", [[one] for one in sections], window) == at_once
    assert "[…]" in at_once[-1]


def test_a_kept_state_is_dropped_where_settings_or_tokenizer_are_others_or_it_cannot_be_read(project: Project) -> None:
    warm = WindowSettings(mode="warm", cap=1500, reserve=300)
    writer = Scripted(["Uno."])
    list(draft_all(project, ["s1"], writer, window=warm))
    assert kept(project, writer, warm) is not None
    assert kept(project, writer, replace(warm, decay=0.5)) is None
    assert kept(project, writer, replace(warm, mode="tiers")) is None
    assert kept(project, Scripted([], name="another"), warm) is None
    owner = str(project.state("warm")).partition("\n")[0]
    for broken in ("{", '{"mode": "warm", "of_a_later_version": 1}', "[]"):
        project.save_state("warm", f"{owner}\n{broken}")
        assert kept(project, writer, warm) is None


def test_what_was_read_ahead_is_how_the_next_prompt_begins(project: Project) -> None:
    warm = WindowSettings(mode="warm", cap=1500, reserve=300)
    writer = Scripted(["El primero.", "x", "El segundo."])
    list(draft_all(project, ["s1"], writer, window=warm))
    read_ahead(project, "s2", writer, warm)
    list(draft_all(project, ["s2"], writer, window=warm))
    ahead, asked = ("\n".join(message.content for message in one) for one in writer.asked[1:])
    assert asked.startswith(ahead)
    assert "El primero." in ahead
    assert "«2 Plan»" in asked.removeprefix(ahead)


def test_the_writer_summarises_what_it_wrote_and_what_the_window_lacks(tmp_path: Path) -> None:
    window = WindowSettings(cap=1600, reserve=300)
    headings = [f"Parte {n}" for n in range(1, 8)]
    with Project.create(tmp_path / "p.fabai", form(*headings), "es", "Memoria") as project:
        for n in range(1, 7):
            version = project.save_version(f"s{n}", TEXTS[f"s{n}"] * 2, Made("person"))
            project.accept(version.id)
        lacking = [one.section for one in prepare(project, "s7", Scripted([]), window).window.pieces
                   if one.state == "summary"]  # fmt: skip
        answers = [f"La sala abrió en octubre, según la parte {n}." for n in "abcd"[: len(lacking)]]
        writer = Scripted([*answers, TEXTS["s7"], "La sala acogió talleres."])
        list(draft_all(project, ["s7"], writer, window=window, condense=True))
        assert lacking
        assert [project.summary(text_hash(text_of(project, str(one)))) for one in lacking] == answers
        assert project.summary(text_hash(text_of(project, "s7"))) == "La sala acogió talleres."


@pytest.mark.slow
def test_a_real_model_summarises_and_finds_in_its_cache_what_it_read_ahead(tmp_path: Path, english_model: Path) -> None:
    text = "The association opened a reading room in Bilbao. Forty people joined its workshops on family budgets. "
    window = WindowSettings(mode="warm", cap=1900, reserve=64)
    specs = tuple(SectionSpec(f"s{n}", {"en": f"Part {n}"}) for n in range(1, 4))
    plain = Form("f", {"en": "Form"}, ("en",), "the call", "2026-01-01", sections=specs)
    with (
        closing(LlamaCpp(english_model, WriterSettings(context=2048))) as writer,
        Project.create(tmp_path / "p.fabai", plain, "en", "Report") as project,
    ):
        project.accept(project.save_version("s1", text * 16, Made("person")).id)
        summary = summarise(project, "s1", writer)
        assert 0 < writer.count(summary) <= 100
        assert summaries(project, writer)["s1"] == summary
        read_ahead(project, "s2", writer, window)
        (version,) = draft_all(project, ["s2"], writer, window=window)
        assert used(version)["cached"] >= 0.7 * used(version)["prompt_tokens"]


def test_under_the_lock_verified_figures_are_written_and_the_version_says_so(project: Project) -> None:
    lock = Constraint(project.ledger(), "es")
    writer = Scripted(["La ayuda fue de 18.500,00 € en total."], locks=True)
    version = draft(project, "s1", writer, window=WINDOW, constraint=lock)
    assert (version.text, version.partial) == ("La ayuda fue de 18.500,00 € en total.", False)
    assert version.made.settings["lock"] == "values"
    (kept_to,) = writer.constraints
    assert kept_to is not None
    assert set(kept_to.forms) <= set(lock.forms)


def test_slots_are_tried_where_values_leave_facts_out_and_the_fuller_text_is_kept(project: Project) -> None:
    lock = Constraint(project.ledger(), "es", "both")
    writer = Scripted(["La ayuda llegó.", "La ayuda fue de {{importe}} euros."], locks=True)
    version = draft(project, "s1", writer, window=WINDOW, constraint=lock)
    assert (version.text, version.partial) == ("La ayuda fue de 18.500 €.", False)
    assert version.made.settings["lock"] == "slots"
    full = Scripted(["La ayuda fue de 18.500 €."], locks=True)
    assert draft(project, "s1", full, window=WINDOW, constraint=lock).made.settings["lock"] == "values"
    assert len(full.asked) == 1


def test_a_second_try_that_fails_takes_nothing_from_the_first(project: Project) -> None:
    lock = Constraint(project.ledger(), "es", "both")
    writer = Scripted(["La ayuda llegó.", WriterError("no model")], locks=True)
    version = draft(project, "s1", writer, window=WINDOW, constraint=lock)
    assert (version.text, version.partial) == ("La ayuda llegó.", False)


def test_only_the_sections_that_are_switched_on_are_locked(project: Project) -> None:
    switch(project, "s2", True)
    assert locked(project) == {"s2"}
    writer = Scripted(["Vinieron 340 personas.", "La ayuda fue de 18.500 €."], locks=True)
    lock = Constraint(project.ledger(), "es")
    versions = list(draft_all(project, ["s1", "s2"], writer, window=WINDOW, constraint=lock, locked=locked(project)))
    assert [version.made.settings.get("lock") for version in versions] == [None, "values"]
    switch(project, "s2", False)
    assert locked(project) == frozenset()
    with pytest.raises(UnknownName):
        switch(project, "s99", True)


def test_a_figure_that_is_no_fact_ends_the_text_before_it(project: Project) -> None:
    writer = Scripted(["Se hizo un taller. Vinieron 340 personas."], locks=True)
    with pytest.raises(WriterError, match="marked partial"):
        draft(project, "s1", writer, window=WINDOW, constraint=Constraint(project.ledger(), "es"))
    kept_version = project.versions("s1")[-1]
    assert kept_version.partial
    assert "340" not in kept_version.text


def test_a_writer_that_cannot_lock_writes_nothing(project: Project) -> None:
    with pytest.raises(WriterError, match="cannot lock its figures"):
        draft(project, "s1", Scripted(["Texto."]), window=WINDOW, constraint=Constraint(project.ledger(), "es"))
    assert project.versions("s1") == ()
