"""What stands in a text and should not: slips in names, wrong days, leftovers, other languages, repetition, copies."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabai.checks.copied import Index, index_of
from fabai.checks.report import check_report
from fabai.checks.slip import distance
from fabai.errors import UnreadableFile
from fabai.report import Language
from tests.checks.desk import desk, found, quotes

PERIOD = (("inicio", "1 de enero de 2025"), ("fin", "31 de diciembre de 2025"))
ES = "La entidad organizó durante el año las actividades que figuran en la memoria y rindió cuentas de todas ellas."
CA = "L'entitat va organitzar durant l'any les activitats que figuren a la memòria i va retre comptes de totes elles."
EN = "During the year the organisation held the activities which the report describes and gave an account of them all."


# names


def test_a_slip_in_a_name_of_the_ledger_is_mended_by_the_suggestion() -> None:
    facts = (("entidad", "Asociación Aula Abierta de Valdeluz"),)
    (one,) = found(desk("Según la Asociación Aula Abierta de Valdeuz, hubo acuerdo.", facts=facts), "name-varies")
    assert (one.severity, one.suggestion) == ("error", "Asociación Aula Abierta de Valdeluz")


def test_a_slip_in_a_name_inside_a_longer_one_is_found() -> None:
    facts = (("lugar", "Illes Balears"),)
    text = "Ho va aprovar l'Agència de Desenvolupament Regional de les Iles Balears."
    assert quotes(desk(text, facts=facts, language="ca"), "name-varies") == ["Iles Balears"]


def test_a_name_is_right_that_the_report_uses_most() -> None:
    text = "Lo firmó Marta Puigdevall y lo leyó Marta Puigdevall. Después habló Marta Pugidevall con todos."
    (one,) = found(desk(text), "name-varies")
    assert (one.quote, one.severity) == ("Marta Pugidevall", "warning")


@pytest.mark.parametrize(
    "text", ["Vino la Directora General, antes Director General.", "Los Centros Cívicos y el Centro Cívico."]
)
def test_plural_and_gender_are_no_slips(text: str) -> None:
    assert found(desk(f"{text} {text}", facts=(("a", "Director General"), ("b", "Centro Cívico"))), "name-varies") == []


def test_a_table_of_people_is_what_the_text_is_held_against() -> None:
    table = "| Nombre | Cargo |\n|---|---|\n| Núria Casadevall | Coordinadora |\n| Unai Otaegi | Educador |"
    text = "Es un equipo de 3 personas. Coordinó el Sr. Unai Otaegi con la Dra. Inés Quispe. Habló Núria Casadeval."
    findings = found(desk(f"{table}\n\n{text}"), "people-count", "people-unlisted", "name-varies")
    assert [(one.rule, one.found, one.suggestion) for one in findings] == [
        ("people-count", "3", "2"),
        ("people-unlisted", "Inés Quispe", None),
        ("name-varies", "Núria Casadeval", "Núria Casadevall"),
    ]


def test_an_acronym_with_two_meanings_and_one_that_nobody_explains_are_found() -> None:
    text = "El Plan de Acción Local (PAL) sigue. El Programa de Apoyo Laboral (PAL) acaba."
    assert [one.expected for one in found(desk(text), "acronym-twice")] == ["Plan de Acción Local"]
    facts = (("entidad", "Fundación Far de Ponent"), ("siglas", "FFP"))
    (one,) = found(desk("La FFP firmó el convenio.", facts=facts), "acronym-unexplained")
    assert one.suggestion == "Fundación Far de Ponent (FFP)"


@given(st.text("abcd", max_size=8), st.text("abcd", max_size=8))
def test_the_distance_of_two_words_is_a_distance(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)
    assert abs(len(one) - len(other)) <= distance(one, other) <= max(len(one), len(other))


# dates and periods


def test_days_outside_the_period_are_found_and_those_of_laws_are_not() -> None:
    text = "El pago fue el 12 de enero de 2026. Según la Ley 38/2003, de 17 de noviembre de 2003, se firmó el 3/2/2025."
    (one,) = found(desk(text, facts=PERIOD), "date-outside")
    assert (one.quote, one.severity) == ("12 de enero de 2026", "error")


@pytest.mark.parametrize(
    ("text", "language", "quote"),
    [
        ("Del 5 de marzo de 2025 al 1 de febrero de 2025.", "es", "1 de febrero de 2025"),
        ("Des del 5 de març de 2025 fins al 2 de gener de 2025.", "ca", "2 de gener de 2025"),
        ("From 5 March 2025 to 1 February 2025.", "en", "1 February 2025"),
    ],
)
def test_an_end_before_its_beginning_is_found(text: str, language: Language, quote: str) -> None:
    assert quotes(desk(text, language=language), "date-order") == [quote]


def test_phrases_of_an_earlier_period_are_found_by_their_year_and_by_their_report() -> None:
    (one,) = found(
        desk("Durante el año 2023 la entidad siguió igual. En 1998 se fundó.", facts=PERIOD), "earlier-period"
    )
    assert one.quote == "2023"
    sentence = "En total se atendió a 318 personas en los talleres que la entidad celebró en los barrios del norte."
    made = desk(f"{sentence} Otra cosa.")
    earlier = desk("x", sources=(f"Antes. {sentence} Después.",)).sources()
    assert [one.rule for one in check_report(made, earlier=earlier).violations] == ["earlier-phrase"]


# claims, praise, coverage


def test_all_went_well_is_contradicted_by_late_rows() -> None:
    table = "| Entregable | Estado |\n|---|---|\n| E1 | entregado |\n| E2 | retrasado |\n| E3 | No cumplido |"
    (one,) = found(desk(f"El proyecto acabó sin desviaciones.\n\n{table}"), "claim-contradicted")
    assert (one.expected, one.evidence) == ("2", "E2: retrasado; E3: No cumplido")
    assert found(desk("El proyecto acabó sin desviaciones."), "claim-contradicted") == []


def test_praise_needs_a_figure() -> None:
    assert quotes(desk("Fue un rotundo éxito. Un gran éxito: 312 asistentes."), "superlative") == ["rotundo éxito"]


def test_what_is_denied_a_name_and_a_mark_are_no_praise() -> None:
    said = {
        "No és insuperable el que queda.": [],
        "És insuperable, i no només això.": ["insuperable"],
        "Ho va dir la Guàrdia Revolucionària. El resultat va ser excel·lent.": ["excel·lent"],
        "La qualificació és deficient, bona o excel·lent, i «excel·lent» no la té ningú.": [],
    }
    assert {text: quotes(desk(text, language="ca"), "superlative") for text in said} == said


# leftovers


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Se pagó [falta: importe] en mayo.", "hole"),
        ("Firmó {{persona_2}} el acta.", "reference-left"),
        ("La [nombre de la entidad] acordó.", "placeholder"),
        ("Fueron XXX personas.", "placeholder"),
        ("Lorem ipsum dolor sit amet.", "placeholder"),
        ("Sede: por definir.", "placeholder"),
        ("La sede (pendiente de completar) es nueva.", "placeholder"),
        ("D......., con NIF ......., declara lo siguiente.", "placeholder"),
        ("Nombre: .........", "placeholder"),
        ("Claro, aquí tienes el texto de la sección:\n\nHubo talleres.", "model-talk"),
        ("Hubo talleres. Espero que te sirva.", "model-talk"),
        ("Esto es **importante y nada lo cierra.", "markdown-left"),
        ("##Título pegado", "markdown-left"),
        ("<think>veamos</think> Hubo talleres.", "markdown-left"),
    ],
)
def test_what_was_left_over_is_found(text: str, rule: str) -> None:
    assert [one.rule for one in found(desk(text))][:1] == [rule]


@pytest.mark.parametrize(
    "text",
    [
        "Alguacil....... 42.350 y nada más.",
        "Encuadernador rayador........... Ac 8",
        "Oficial 1.º ........ 100\n\nSerenos ........ 200\n\nde la Dirección ........ de Obras ........ 300",
        "No llegué a completar la solicitud.",
        "La fecha (dd/mm/aaaa) se escribe a mano.",
        "#PatrimonioVivo llenó las redes de la comarca.",
        "¿Quieres que todos lo intenten antes de ver la solución?",
        "El método, por definir cada fase, es propio.",
        "Como dice la obra [1] y [otra](https://ejemplo.org), y [sic].",
        "Claro está que hubo **mucho** trabajo y *poco* tiempo.",
        "El siglo XXI, la talla XXL y el 100 % de todo.",
        "```\nTODO: nada\n```",
    ],
)
def test_what_only_looks_like_it_is_left_alone(text: str) -> None:
    assert found(desk(text), "hole", "placeholder", "model-talk", "markdown-left") == []


# language


def test_a_paragraph_in_another_language_is_found_and_a_quotation_is_not() -> None:
    assert [(one.found, one.expected) for one in found(desk(f"{ES}\n\n{CA}\n\n{ES}"), "language-paragraph")] == [
        ("ca", "es")
    ]
    assert found(desk(f"{ES}\n\n> {EN}\n\n«{CA}»"), "language-paragraph") == []
    assert found(desk(ES, EN, headings=("Resumen", "Abstract")), "language-paragraph") == []


def test_official_terms_of_the_other_language_are_named() -> None:
    (one,) = found(desk("S'ha pagat el gasto amb tota la documentació.", language="ca"), "language-term")
    assert (one.quote, one.suggestion) == ("gasto", "despesa")


# repetition and copies


def test_a_sentence_said_again_in_nearly_the_same_words_is_found() -> None:
    again = ES.replace("todas ellas", "todas")
    assert [one.rule for one in found(desk(f"{ES} Otra cosa pasó. {again}"))] == ["repeated-sentence"]
    (one,) = found(desk(ES, f"Otra cosa. {again}"))
    assert (one.rule, one.section, one.expected) == ("repeated-across", "s1", "Apartado 0")


def test_sentences_that_point_elsewhere_or_deny_are_other_cases() -> None:
    guide = "There is more to read about all of it in the complete [guide](https://docs.example.net/{})."
    assert found(desk(guide.format("a"), guide.format("b"), language="en")) == []
    assert [one.rule for one in found(desk(guide.format("a"), guide.format("a"), language="en"))] == ["repeated-across"]
    shown = (
        "Aquesta funció només està disponible quan s'ha triat exactament un certificat de l'entitat, i aquest {}és bo."
    )
    assert found(desk(f"{shown.format('')}\n\n{shown.format('encara no ')}", language="ca"), "repeated-sentence") == []


def test_a_paragraph_that_repeats_a_short_item_of_a_list_is_found_and_an_item_is_not() -> None:
    item = "El sistema no guarda las carpetas, solo los documentos que contienen."
    assert len(found(desk(f"- {item}\n- Otra cosa.\n\n{item}\n"), "repeated-sentence")) == 1
    assert found(desk(f"- {item}\n- Otra cosa.\n\nTexto.\n\n- {item}\n- Más.\n"), "repeated-sentence") == []


def test_a_short_sentence_with_one_word_in_the_place_of_another_is_another_case() -> None:
    text = "Si se pulsa el botón no se marcará ninguna {} para la búsqueda."
    assert found(desk(f"{text.format('cuenta')}\n\n{text.format('categoría')}"), "repeated-sentence") == []
    assert len(found(desk(f"{text.format('cuenta')}\n\n{text.format('sola cuenta')}"), "repeated-sentence")) == 1


def test_the_mark_of_a_note_and_the_words_of_an_address_are_not_left_over() -> None:
    assert found(desk("Criterios del cuadro.\n\n(**) Si no se supera el umbral se desestima."), "markdown-left") == []
    assert found(desk("Sale <title>Inicio</title> en la pantalla de la web."), "placeholder") == []
    text = "Es bloqueja /dotnet/solicitud/alta i tot el que hi ha a sota."
    assert found(desk(text, language="ca"), "language-term") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "En el primer dibujo la bola de acero se mueve hacia la pared del fondo de la sala.",
            "En el segundo dibujo la bola de acero se mueve hacia la pared del fondo de la sala.",
        ),
        (
            "Revisada la solicitud, la entidad cumple todos los requisitos establecidos en la convocatoria pública.",
            "Revisada la solicitud, la entidad no cumple todos los requisitos establecidos en la convocatoria pública.",
        ),
        (
            "Orden de la consejera de Comercio por la que se establecen las bases de las ayudas a la industria.",
            "La Orden de la consejera de Comercio por la que se establecen las bases de las ayudas a la industria.",
        ),
        (
            "![Una bola de acero rueda por una mesa de madera y cae al suelo de la sala.](a.png)",
            "![Una bola de acero rueda por una mesa de madera y cae al suelo de la sala.](b.png)",
        ),
        (
            "ANA RUIZ - EVA MIR - LUIS GIL - PERE COLL - JOAN PI - MAR SOL, consejeros del Gobierno.",
            "ANA RUIZ - EVA MIR - LUIS GIL - PERE COLL - JOAN PI - MAR SOL, consejeros del Gobierno.",
        ),
    ],
)
def test_contrasts_titles_of_laws_captions_and_lists_of_names_are_no_repetition(one: str, other: str) -> None:
    assert found(desk(f"{one}\n\nOtra cosa.\n\n{other}"), "repeated-sentence") == []


def test_a_sentence_with_the_long_name_of_a_body_is_no_list_of_names() -> None:
    said = "Créase la Comisión para la Inclusión Social y Productiva de Pequeños y Medianos Productores Rurales."
    assert len(found(desk(f"{said}\n\nOtra cosa.\n\n{said}"), "repeated-sentence")) == 1


def test_sentences_alike_but_for_an_address_are_two_cases() -> None:
    said = "El buzón para solicitantes, {}@universidad.example, seguirá abierto durante todo el estado de alarma."
    made = desk("\n\n".join(said.format(name) for name in ("fpu", "galindo")))
    assert found(made, "repeated-sentence") == []


def test_sentences_alike_but_for_their_figures_are_two_cases() -> None:
    text = "En el barrio de {} la entidad celebró {} talleres para las familias que viven en él."
    assert found(desk(f"{text.format('Arriba', 12)} {text.format('Abajo', 15)}"), "repeated-sentence") == []


def test_a_loop_is_found_and_its_first_round_left() -> None:
    (one,) = found(desk("Se hizo " + "el taller de lectura y " * 5 + "nada más."), "loop")
    assert (one.found, one.suggestion) == (5, "")


def test_a_copied_passage_is_found_with_its_origin() -> None:
    words = [random.Random(3).choice(ES.lower().split()) + str(at % 7) for at in range(80)]  # noqa: S311
    passage = " ".join(words)
    (one,) = found(desk(f"Antes de todo. {passage}. Y después.", sources=(f"Uno dos. {passage} tres.",)), "copied")
    assert one.expected == "fuente 0"
    assert isinstance(one.found, int)
    assert one.found > 60
    assert found(desk(" ".join(words[:20]), sources=(passage,)), "copied") == []


def test_an_index_is_kept_in_a_file(tmp_path: Path) -> None:
    index = index_of([("a", ES * 3), ("b", CA)])
    index.save(tmp_path / "i")
    again = Index.load(tmp_path / "i")
    assert (len(again), again.origins) == (len(index), ["a", "b"])
    (tmp_path / "i").write_bytes((tmp_path / "i").read_bytes()[:-3])
    with pytest.raises(UnreadableFile):
        Index.load(tmp_path / "i")
