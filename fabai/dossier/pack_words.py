"""What a contribution pack says to a partner, in three languages.

Knows its sentences. Does not know packs.
"""

from __future__ import annotations

from fabai.form import Limit
from fabai.report import Language

WORDS: dict[Language, dict[str, str]] = {
    "es": {
        "report": "Memoria",
        "box": "Qué se pide en este apartado (este recuadro se quita solo)",
        "commitments": "Compromisos de los que hay que dar cuenta:",
        "shared": "Varios socios escriben este apartado: escriba solo su parte.",
        "how": "Escriba debajo del recuadro. Puede usar control de cambios y comentarios.",
    },
    "ca": {
        "report": "Memòria",
        "box": "Què es demana en aquest apartat (aquest requadre es treu sol)",
        "commitments": "Compromisos dels quals cal donar compte:",
        "shared": "Diversos socis escriuen aquest apartat: escriviu només la vostra part.",
        "how": "Escriviu sota el requadre. Podeu fer servir el control de canvis i els comentaris.",
    },
    "en": {
        "report": "Report",
        "box": "What this section asks for (this box is taken out again)",
        "commitments": "Commitments to account for:",
        "shared": "Several partners write this section: write your own part only.",
        "how": "Write below the box. Tracked changes and comments are welcome.",
    },
}
_UNITS: dict[Language, dict[str, str]] = {
    "es": {
        "characters": "caracteres",
        "characters_without_spaces": "caracteres sin espacios",
        "words": "palabras",
        "pages": "páginas",
    },
    "ca": {
        "characters": "caràcters",
        "characters_without_spaces": "caràcters sense espais",
        "words": "paraules",
        "pages": "pàgines",
    },
    "en": {
        "characters": "characters",
        "characters_without_spaces": "characters without spaces",
        "words": "words",
        "pages": "pages",
    },
}
_BOUNDS: dict[Language, tuple[str, str]] = {
    "es": ("Como máximo {} {}.", "Como mínimo {} {}."),
    "ca": ("Com a màxim {} {}.", "Com a mínim {} {}."),
    "en": ("At most {} {}.", "At least {} {}."),
}


def limit_line(limit: Limit, language: Language) -> str:
    """One line for a limit: 'At most 500 words.'"""
    unit = _UNITS[language][limit.unit]
    bounds = zip(_BOUNDS[language], (limit.maximum, limit.minimum), strict=True)
    return " ".join(text.format(number, unit) for text, number in bounds if number is not None)
