"""A reader's sections come out mended, without margins, guidance and personal data, and tagged."""

from __future__ import annotations

import pytest
from fabai.corpus import kinds
from fabai.corpus.cleaning import clean, without_empty
from fabai.corpus.contacts import contacts
from fabai.corpus.damage import mend
from fabai.corpus.document import CorpusSection
from fabai.corpus.guidance import is_guidance
from fabai.corpus.intake import Taken
from fabai.corpus.margins import is_margin
from fabai.corpus.varieties import variety

from fabai.settings import CorpusSettings
from fabai.window.blocks import blocks


def cleaned(*sections: tuple[str, int, str]) -> tuple[CorpusSection, ...]:
    return clean(Taken("Memoria", "es", sections), b"key", CorpusSettings()).sections


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("la reuniÃ³n de la asociaciÃ³n", "la reunión de la asociación"),
        ("finan\u00adçament i pressu\u200bpost", "finançament i pressupost"),
        ("eﬁcacia y conﬂicto", "eficacia y conflicto"),
        ("An\u0303o y cafe\u0301", "Año y café"),
        ("1.234\u00a0€ «entre comillas» ‘así’", "1.234 € «entre comillas» ‘así’"),
        ("\uf0b7 primer punto", "- primer punto"),
    ],
)
def test_encoding_damage_is_mended_and_typography_left(broken: str, whole: str) -> None:
    assert mend(broken) == whole


@pytest.mark.parametrize(
    "stamp",
    [
        "FIRMANTE(1) : NOMBRE FICTICIO | FECHA : 01/02/2021",
        "CSV : GEN-0000-1111 | DIRECCIÓN DE VALIDACIÓN : sede.ejemplo.es",
        "Código Seguro de Verificación: ABCD-1234",
        "Codi segur de verificació: 0000",
        "Document signat electrònicament per l'entitat",
        "Página 3 de 85",
        "Nº registro: E-2024-000123",
    ],
)
def test_signature_and_registry_stamps_are_margins(stamp: str) -> None:
    assert is_margin(stamp)


@pytest.mark.parametrize(
    "text",
    ["El registro de entradas creció un 5 %.", "Los firmantes del convenio se reunieron.", "La página 3 de la web"],
)
def test_sentences_about_signing_are_text(text: str) -> None:
    assert not is_margin(text)


@pytest.mark.parametrize(
    "text",
    [
        "[Describa las actividades realizadas]",
        "*Indique los resultados obtenidos y su impacto.*",
        "Descriviu les activitats (màxim 2.000 caràcters).",
        "Describe the work carried out, maximum 3 pages.",
    ],
)
def test_instructions_to_the_writer_are_guidance(text: str) -> None:
    assert is_guidance(text)


@pytest.mark.parametrize(
    "text",
    [
        "Describir el barrio llevó tres meses.",
        "[enlace](https://ejemplo.org)",
        "El informe tiene como máximo 3 páginas.",
        "Incluya o no el taller, el gasto sube.",
    ],
)
def test_the_writers_own_words_are_no_guidance(text: str) -> None:
    assert not is_guidance(text)


def test_the_guidance_of_the_built_in_forms_is_known() -> None:
    from fabai.form import find_form

    texts = [text for spec in find_form("memoria-justificativa").sections for text in (spec.guidance or {}).values()]
    assert texts
    assert all(is_guidance(text) for text in texts if len(text.split()) > 5)


def test_what_was_taken_out_of_a_section_stands_in_its_tags() -> None:
    section = cleaned(
        ("Actividades", 1, "Página 3 de 9\n\n[Describa lo hecho]\n\nSe hicieron doce talleres en el barrio.")
    )[0]
    assert section.text == "Se hicieron doce talleres en el barrio."
    assert section.tags == ("guidance-removed", "margin-removed")


def test_a_table_stays_a_table_and_is_told() -> None:
    table = "| Partida | Importe |\n|---------|---------|\n| Local   | 100 €   |"
    section = cleaned(("Presupuesto", 1, table))[0]
    assert (section.text, section.kind) == (table, "table")


def test_empty_sections_go_unless_they_stand_above_text() -> None:
    tree = [("a", 1, ""), ("b", 2, "x"), ("c", 1, ""), ("d", 2, ""), ("e", 1, "y"), ("f", 1, "")]
    kept = without_empty([CorpusSection(*one) for one in tree])
    assert [one.heading for one in kept] == ["a", "b", "e"]


def test_names_in_a_list_of_works_stay() -> None:
    text = "García López, María. Los barrios. 2010."
    assert cleaned(("Bibliografía", 1, text))[0].text == text
    assert "{{persona_1}}" in cleaned(("Equipo", 1, text))[0].text


def test_a_text_in_another_language_is_told_by_a_tag() -> None:
    german = "Die Arbeitsgruppe hat im vergangenen Jahr mehrere Veranstaltungen für Jugendliche durchgeführt. "
    assert cleaned(("Bericht", 1, german * 2))[0].tags == ("other-language",)


def test_a_thesis_and_a_law_are_told_by_their_words() -> None:
    assert kinds.looks("Memoria", [], "Trabajo Fin de Grado presentado por la alumna") == "thesis"
    assert kinds.looks("Llei 5/2020", [f"Article {n}" for n in range(12)], "") == "law"
    assert kinds.looks("Memoria del proyecto", ["Objetivos"], "Se hicieron talleres.") is None


def test_the_kind_of_a_section_is_what_most_of_it_is() -> None:
    listed = "- uno dos tres\n- cuatro cinco seis"
    assert kinds.of_section("Puntos", listed, blocks(listed)) == "list"
    assert kinds.of_section("Índice", "x", blocks("x")) == "contents"
    assert kinds.of_section("Vacía", "", ()) == "empty"


def test_balearic_and_andorran_catalan_are_not_barcelonas() -> None:
    assert variety("ca", "El BOIB de les Illes Balears i el Consell Insular de Mallorca") == "ca-x-balear"
    assert variety("ca", "El BOPA i el Consell General d'Andorra, Encamp") == "ca-AD"
    assert variety("ca", "Barcelona, Catalunya i el barri") == "ca-ES"
    assert variety("ca", "Un text sense cap lloc") is None


@pytest.mark.parametrize(
    "written",
    [
        "https://t.me/someone",
        "https://x.com/someone",
        "twitter.com/someone",
        "instagram.com/someone",
        "facebook.com/someone",
        "linkedin.com/in/someone",
        "researchgate.net/profile/some-one",
        "m.puig [at] exemple [dot] cat",
        "m.puig (at) exemple.cat",
        "m.puig arroba exemple.cat",
        "m.puig@exemple.cat",
    ],
)
def test_a_way_to_reach_a_person_is_replaced_though_no_figure_stands_beside_it(written: str) -> None:
    assert [*contacts(written)]
    (section,) = cleaned(("Contacto", 1, f"Se puede escribir a {written} cuando se quiera."))
    assert "someone" not in section.text
    assert "puig" not in section.text
    assert "{{" in section.text
