"""The regional variety of a text, as a BCP 47 tag: Barcelona's Catalan is not the Balearic or the Andorran.

Knows words, institutions and places that give a variety away. Does not guess: without two kinds of evidence, or where
two varieties come out close, there is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from fabai.report import Language

_MARKS: Mapping[Language, Mapping[str, str]] = {
    "ca": {
        "ca-x-balear": r"Illes\s+Balears|\bCAIB\b|\bBOIB\b|Mallorca|Menorca|Eivissa|Formentera|\bPalma\b|\bIDI\b|"
        r"ADR\s+Balears|Consell\s+Insular|\bal·lot\w*|\bdoblers\b|\bhorabaixa|\bqualque\b",
        "ca-AD": r"Andorr\w+|\bBOPA\b|Consell\s+General|Butlletí\s+Oficial\s+del\s+Principat|\bEscaldes|"
        r"Sant\s+Julià\s+de\s+Lòria|\bEncamp\b|\bcomuns?\b(?=\s+(?:d|i\s))|\bM\.?\s?I\.?\s+Govern",
        "ca-valencia": r"Comunitat\s+Valenciana|Generalitat\s+Valenciana|\bDOGV\b|\bValència\b|\bAlacant\b|"
        r"\bxiquet\w*|\beixida\b|\bservici\b|\bhui\b|\beste\b|\beixe\b|\bvore\b|\bdesenrotlla\w+",
        "ca-ES": r"Barcelona|Generalitat\s+de\s+Catalunya|\bDOGC\b|Catalunya|\bGirona\b|\bLleida\b|\bTarragona\b|"
        r"\bbarri\b|\bnoi(?:s|a|es)?\b|\bUPC\b|\bUAB\b|\bUB\b",
    },
    "es": {
        "es-UY": r"Uruguay\w*|Rep[úu]blica\s+Oriental|Montevideo|\bIMPO\b|Poder\s+Ejecutivo|Asamblea\s+General",
        "es-CL": r"\bChile\b|chilen\w+|Santiago\s+de\s+Chile|Universidad\s+de\s+Chile|ingeniero\s+civil\s+en",
        "es-MX": r"M[ée]xic\w+|mexican\w+|CONACYT|\bUNAM\b",
        "es-AR": r"Argentin\w+|Buenos\s+Aires|CONICET|\bvos\s+(?:ten[ée]s|pod[ée]s)",
        "es-CO": r"Colombia\w*|Bogot[áa]|COLCIENCIAS|Minciencias",
        "es-ES": r"Espa[ñn]\w+|Madrid|\bBOE\b|Boletín\s+Oficial\s+del\s+Estado|\bCDTI\b|Ministerio\s+de|\bANECA\b|"
        r"Universidad\s+(?:Rey\s+Juan\s+Carlos|de\s+(?:Granada|Sevilla|Le[óo]n|Burgos|C[áa]diz))|"
        r"\bordenador(?:es)?\b|\bvosotros\b",
    },
    "en": {
        "en-GB": r"\b(?:organi|recogni|reali|utili|optimi|speciali|minimi|maximi|summari)s(?:e[ds]?|ing|ation)\b|"
        r"\b(?:col|behavi|fav|lab|hon|neighb)our\w*|\bprogramme\b|\bcentre[sd]?\b|\blicence\b|\bmodelling\b",
        "en-US": r"\b(?:organi|recogni|reali|utili|optimi|speciali|minimi|maximi|summari)z(?:e[ds]?|ing|ation)\b|"
        r"\b(?:col|behavi|fav|lab|hon|neighb)or(?:s|ed|ing|able|hood)?\b|\bcenter(?:s|ed)?\b|\bNSF\b|\bDARPA\b|\bNIH\b",
    },
}
_COMPILED = {
    language: {tag: re.compile(pattern, 0 if language != "en" else re.IGNORECASE) for tag, pattern in marks.items()}
    for language, marks in _MARKS.items()
}
_SAMPLE = 400_000


def variety(language: Language | None, text: str) -> str | None:
    """The tag with the most evidence, None where there is little, or the next one has nearly as much."""
    if language is None:
        return None
    counts = []
    for tag, pattern in _COMPILED[language].items():
        found = [match[0].lower() for match in pattern.finditer(text, 0, _SAMPLE)]
        counts.append((len(found), len(set(found)), tag))
    counts.sort(reverse=True)
    (most, kinds, best), (second, *_) = counts[0], counts[1]
    return best if most >= 3 and kinds >= 2 and most >= 2 * second else None
