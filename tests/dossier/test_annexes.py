"""Photos, proofs and publications: kept, linked, numbered, checked."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from fabai.dossier.annexes import add_photo, add_proof, annexes, link, missing, photos
from fabai.dossier.granted import terms_of
from fabai.dossier.publication import Publication, doi_in
from fabai.dossier.publications import (
    add_publications,
    check_publications,
    grant_references,
    publications,
    read_publications,
    table,
)
from fabai.dossier.terms import Terms
from fabai.errors import BadSetting, UnknownName, UnreadableFile
from fabai.formats.photo import scaled
from fabai.formats.printed import shown_media

from .conftest import DOSSIERS, Opened, take

CA = DOSSIERS / "ca-hort"


def test_a_photo_keeps_no_place_device_or_name(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        path = CA / "photos" / "placa-hort-1.jpg"
        assert b"Fictional Phones" in path.read_bytes()
        photo = add_photo(project, path)
        kept = project.media()[photo.name]
        assert b"Fictional" not in kept
        assert b"Laia" not in kept
        with Image.open(io.BytesIO(kept)) as picture:
            assert not picture.getexif()
            assert picture.size == (320, 240)
        logo = add_photo(project, CA / "photos" / "logotip.png")
        assert b"Laia" not in project.media()[logo.name]
        assert [one.file for one in photos(project)] == ["placa-hort-1.jpg", "logotip.png"]


def test_what_is_no_picture_is_refused(dossier: Opened, tmp_path: Path) -> None:
    path = tmp_path / "x.jpg"
    path.write_text("no", encoding="utf-8")
    with dossier("ca-hort") as project:
        with pytest.raises(UnreadableFile, match="is no picture"):
            add_photo(project, path)
        with pytest.raises(UnreadableFile, match="is no PDF and no picture"):
            add_proof(project, path)


def test_a_large_photo_is_scaled_and_a_small_one_stays_as_it_is() -> None:
    out = io.BytesIO()
    Image.effect_noise((3_000, 1_500), 60).convert("RGB").save(out, "JPEG", quality=95)
    with Image.open(io.BytesIO(scaled(out.getvalue()))) as picture:
        assert picture.size == (2_400, 1_200)
    small = (CA / "photos" / "cartell.jpg").read_bytes()
    assert scaled(small) is small
    assert scaled(b"\xff\xd8\xff broken") == b"\xff\xd8\xff broken"


def test_proofs_find_their_rows_and_are_numbered_in_the_order_of_the_list(dossier: Opened) -> None:
    with dossier("ca-hort") as project:
        take(project, CA / "expenses.xlsx", "expenses")
        for path in sorted((CA / "proofs").iterdir(), reverse=True):
            assert len(add_proof(project, path).rows) == 1
        found = annexes(project)
        assert [(one.number, one.file, one.rows) for one in found][:4] == [
            (1, "N-2025-03.pdf", (1,)),
            (2, "N-2025-04.pdf", (2,)),
            (3, "N-2025-05.pdf", (3,)),
            (4, "A-114.pdf", (10,)),
        ]
        lacking = [one.rule for one in missing(project).violations]
        assert lacking.count("proof-missing") == 24 - 5
        assert lacking.count("annex-missing") == sum(one.required for one in project.form.annexes)


def test_a_person_says_what_a_proof_proves(dossier: Opened, tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes((CA / "proofs" / "A-114.pdf").read_bytes() + b"\n")
    with dossier("ca-hort") as project:
        take(project, CA / "expenses.xlsx", "expenses")
        assert add_proof(project, path).rows == ()
        link(project, "scan.pdf", [4, 5])
        assert annexes(project)[0].rows == (4, 5)
        link(project, "scan.pdf", [], "publicitat")
        assert annexes(project)[0].title != "scan.pdf"
        with pytest.raises(BadSetting, match="there is no expense 99; the list has 24"):
            link(project, "scan.pdf", [99])
        with pytest.raises(UnknownName, match="did you mean 'scan"):
            link(project, "scam.pdf", [1])


def test_bibliographies_are_read_as_they_are_written() -> None:
    bib = read_publications(DOSSIERS / "es-aguasens" / "publications.bib").publications
    assert bib[2].container == "Actas del Congreso Ficticio de Hidrología"
    assert (bib[1].volume, bib[1].issue, bib[1].pages, bib[1].doi) == ("7", "2", "33–52", "10.5555/wss.2025.0033")
    ris = read_publications(DOSSIERS / "en-riverlink" / "publications.ris").publications
    assert [one.authors[0] for one in ris] == ["Okonjo-Vale, Adaeze", "Tavares, Inês"]
    dois = read_publications(DOSSIERS / "en-riverlink" / "dois.txt")
    assert [one.doi for one in dois.publications] == ["10.5555/jih.2024.0005", "10.5555/wss.2025.0140"]
    assert "'not-a-doi' is no DOI" in dois.notices[0]


def test_a_bibliography_without_records_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.bib"
    path.write_text("nothing here\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="holds no publications"):
        read_publications(path)


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("https://doi.org/10.1000/ABC.1.", "10.1000/abc.1"),
        ("(doi:10.1000/x(2)3)", "10.1000/x(2)3"),
        ("10.12/x", ""),
        ("", ""),
    ],
)
def test_a_doi_ends_where_the_sentence_goes_on(text: str, doi: str) -> None:
    assert doi_in(text) == doi


def test_one_work_of_two_files_is_one_record(dossier: Opened) -> None:
    with dossier("en-riverlink") as project:
        assert add_publications(project, read_publications(DOSSIERS / "en-riverlink" / "dois.txt")) == 2
        assert add_publications(project, read_publications(DOSSIERS / "en-riverlink" / "publications.ris")) == 1
        found = {one.doi: one for one in publications(project)}
        assert found["10.5555/jih.2024.0005"].title == "Open gauges for small rivers"
        assert len(table(found.values(), "en")) == 4


def test_publications_outside_the_period_without_doi_or_grant_are_found(dossier: Opened) -> None:
    with dossier("es-aguasens") as project:
        add_publications(project, read_publications(DOSSIERS / "es-aguasens" / "publications.bib"))
        references = grant_references(project)
        assert references == ("PID2021-900001OB-I00",)
        found = check_publications(publications(project), terms_of(project), references).violations
        assert sorted((one.rule, one.quote[:8]) for one in found) == [
            ("publication-no-doi", "Urrutia "),
            ("publication-no-grant", "Marquina"),
            ("publication-outside-period", "Marquina"),
        ]


def test_a_title_that_stands_twice_is_found() -> None:
    twice = [Publication("Same title", doi="10.1000/a1"), Publication("Same Title.", doi="10.1000/a2")]
    assert [one.rule for one in check_publications(twice, Terms(), ()).violations] == ["publication-duplicate"]


def test_a_photo_is_scaled_when_the_report_goes_out_and_kept_whole_in_the_project() -> None:
    out = io.BytesIO()
    Image.effect_noise((3_000, 300), 60).convert("RGB").save(out, "JPEG", quality=95)
    media = {"media/a.jpg": out.getvalue()}
    shown = shown_media(media, "![x](media/a.jpg)", [])
    with Image.open(io.BytesIO(shown["media/a.jpg"])) as picture:
        assert picture.size[0] == 2_400
