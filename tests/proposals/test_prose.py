"""Facts in running text, in three languages."""

from __future__ import annotations

import pytest

from fabai.proposals.prose import of_text
from fabai.report import Language


def facts(text: str, language: Language = "es") -> list[tuple[str, str]]:
    return [(one.fact.name, one.fact.value) for one in of_text(text, language)]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("La subvención concedida fue de 18.500,00 €.", "es", [("subvención concedida", "18.500,00 €")]),
        ("**Importe concedido:** 18.500,00 €", "es", [("importe concedido", "18.500,00 €")]),
        ("- Coordinadora: Ana Pérez Ruiz", "es", [("coordinadora", "Ana Pérez Ruiz")]),
        ("Devolución: 9 años, con un año de carencia.", "es", [("devolución", "9 años")]),
        (
            "Participaron 126 personas en 12 talleres de lectura.",
            "es",
            [("personas", "126 personas"), ("talleres de lectura", "12 talleres")],
        ),
        ("La tasa de éxito alcanzó el 92,5 %.", "es", [("tasa de éxito alcanzó", "92,5 %")]),
        ("El consumo bajó a 1.200 kWh.", "es", [("consumo bajó", "1.200 kWh")]),
        (
            "El proyecto se ejecuta del 1 de marzo al 31 de diciembre de 2025.",
            "es",
            [
                ("proyecto se ejecuta (inicio)", "1 de marzo de 2025"),
                ("proyecto se ejecuta (fin)", "31 de diciembre de 2025"),
            ],
        ),
        ("Según la Ley 38/2003, de 17 de noviembre, y su artículo 30.", "es", [("Ley 38/2003", "Ley 38/2003")]),
        (
            "La Agencia Estatal de Investigación (AEI) lo financia.",
            "es",
            [("Agencia Estatal de Investigación", "AEI"), ("agencia", "Agencia Estatal de Investigación")],
        ),
        (
            "La dirige la doctora, D.ª Marta Soler Vidal, coordinadora del proyecto.",
            "es",
            [("coordinadora", "Marta Soler Vidal")],
        ),
        ("L'ajut atorgat va ser de 18.500,00 €.", "ca", [("ajut atorgat", "18.500,00 €")]),
        ("The grant awarded was 18,500.00 EUR.", "en", [("grant awarded", "18,500.00 EUR")]),
    ],
)
def test_a_sentence_states_its_facts(text: str, language: Language, expected: list[tuple[str, str]]) -> None:
    assert facts(text, language) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Véase la tabla 12 y la página 3.",
        "En 2025 se amplió.",
        "Fondos FEDER 21-27 deberán acreditarlo.",
        "Texto sin cifra alguna.",
        "https://ejemplo.org/2025/1200",
    ],
)
def test_what_is_no_fact_is_not_proposed(text: str) -> None:
    assert facts(text) == []
