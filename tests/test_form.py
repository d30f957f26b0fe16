"""Forms: those that ship, and TOML files of one's own."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from fabai.errors import BadSetting, FabaiError, UnknownName
from fabai.form import Form, Limit, SectionSpec, built_in, find_form, in_language, read_form

FORMS = {form.id: form for form in built_in()}


def test_the_three_forms_of_the_first_release_ship() -> None:
    assert {"generic", "memoria-justificativa", "aei-informe-final"} <= set(FORMS)


def test_the_generic_form_has_no_sections_of_its_own() -> None:
    assert (FORMS["generic"].own_sections, FORMS["generic"].sections) == (False, ())


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_and_rule_has_a_source_and_the_date_it_was_read(form: Form) -> None:
    for source, date in [(form.source, form.date), *((rule.source, rule.date) for rule in form.rules)]:
        assert source.strip()
        datetime.date.fromisoformat(date)
    assert all(spec.source for spec in form.sections)
    assert all(limit.source for limit in (*form.limits, *(one for spec in form.sections for one in spec.limits)))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_text_of_a_form_is_there_in_each_of_its_languages(form: Form) -> None:
    assert set(form.name) == {"es", "ca", "en"}
    texts = [rule.text for rule in form.rules]
    for spec in form.sections:
        tables = (one for table in spec.tables for one in (table.title, table.described()))
        texts.extend(
            one for one in (spec.heading, spec.guidance, spec.criteria, spec.evidence, *tables) if one is not None
        )
    for text in texts:
        assert all(text.get(language, "").strip() for language in form.languages), text


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_form_tells_the_person_to_check_the_call_in_three_languages(form: Form) -> None:
    assert form.notice is not None
    # an answer to a request is checked against the request
    for language, words in (
        ("es", "convocatoria requerimiento"),
        ("ca", "convocatòria requeriment"),
        ("en", "call request"),
    ):
        assert any(word in form.notice[language] for word in words.split())


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_file_of_a_form_is_named_after_it_and_its_tree_skips_no_level(form: Form) -> None:
    level = 0
    for spec in form.sections:
        assert spec.level <= level + 1
        level = spec.level
    assert find_form(form.id) == form


BARE = 'id = "f"\nlanguages = ["es"]\nsource = "s"\ndate = 2026-01-02\nname = { es = "F" }\n'
SECTION = '[[sections]]\nid = "a"\nheading = { es = "A" }\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (BARE.replace('["es"]', "[]") + SECTION, "no language"),
        (BARE, "has no sections"),
        (BARE + SECTION.replace('es = "A"', 'es = "A", cat = "A"'), "unknown language .*'cat'; did you mean 'ca'"),
        (BARE + SECTION.replace('es = "A"', 'es = " "'), "no heading in 'es'"),
        (BARE + SECTION.replace('id = "a"', 'id = ""'), "no id of a section"),
        (BARE + SECTION.replace('id = "a"', 'id = "a b"'), "no id of a section"),
        (BARE + SECTION + 'limits = [{ unit = "words", maximum = -1 }]', "between 0 and"),
        (BARE + SECTION + f'limits = [{{ unit = "words", maximum = {10**30} }}]', "between 0 and"),
    ],
)
def test_a_form_that_no_report_could_follow_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "f.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FabaiError, match=sentence) as caught:
        read_form(path)
    assert "\n" not in str(caught.value)


def test_an_unknown_form_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(UnknownName, match="did you mean 'memoria-justificativa'"):
        find_form("memoria-justificatva")


def test_a_form_of_ones_own_is_read_from_its_path(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'id = "mine"\nlanguages = ["es"]\nsource = "bases"\ndate = 2026-01-02\nname = { es = "Mío" }\n'
        '[[sections]]\nid = "a"\nheading = { es = "A" }\nlimits = [{ unit = "words", maximum = 10 }]\n'
    )
    form = find_form(str(tmp_path / "mine.toml"))
    assert (form.date, form.sections[0].limits) == ("2026-01-02", (Limit("words", 10),))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('id = "a"\nlevl = 2', "did you mean 'level'"),
        ('id = "a"\nlevel = 10', "between 1 and 9"),
        ('id = "a"\nneeds = ["b"]', "section needed by 'a'"),
        ('id = "a"\nlimits = [{ unit = "lines", maximum = 1 }]', "must be one of 'characters'"),
        ('id = "a"\nlimits = [{ unit = "words" }]', "maximum, a minimum or both"),
        ('id = "a"\nlimits = [{ unit = "words", minimum = 3, maximum = 2 }]', "minimum 3 is larger"),
        ('id = "a"\nlimits = [{ unit = "words", maximum = 2, excludes = ["x"] }]', "excluded by a limit"),
        ('id = "first"', "two sections with the id 'first'"),
    ],
)
def test_a_mistake_in_a_form_is_named(tmp_path: Path, change: str, message: str) -> None:
    (tmp_path / "f.toml").write_text(
        'id = "f"\nlanguages = ["es"]\nsource = "s"\ndate = "2026-01-02"\nname = { es = "F" }\n'
        f'[[sections]]\nid = "first"\nheading = {{ es = "A" }}\n[[sections]]\nheading = {{ es = "B" }}\n{change}\n'
    )
    with pytest.raises(FabaiError, match=message):
        read_form(tmp_path / "f.toml")


def test_a_heading_that_lacks_a_language_of_the_form_is_named() -> None:
    with pytest.raises(BadSetting, match="no heading in 'ca'"):
        Form("f", {"es": "F"}, ("es", "ca"), "s", "2026-01-02", sections=(SectionSpec("a", {"es": "A"}),))


def test_a_text_falls_back_to_another_language() -> None:
    assert in_language({"ca": "hola", "en": "hello"}, "es") == "hola"
    assert in_language(None, "es") == ""
    assert in_language({"es": "", "en": "hello"}, "es") == "hello"
