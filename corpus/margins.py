"""What signing and registering print into the margin of a document, where it came through as text.

Knows the words of electronic signatures and registries in Spanish and Catalan, and that a margin is a block of its own.
The reader of PDFs takes out what repeats on its pages; this is for what is left, and for other formats.
"""

from __future__ import annotations

import re

_STAMP = re.compile(
    r"""(?ix)
    ^\W*(?:
      FIRMANTE\s*\(\d+\)
    | (?:C[óo]digo|Codi)\s+segur[oe]?\s+(?:de\s+)?verificaci[óo]n?
    | C(?:ó|o)d(?:igo|i)\.?\s+segur\w*\s+de\s+verificaci\w+
    | CSV\s*[:.]
    | (?:Documento|Document)\s+(?:firmado|signat)\s+(?:electr[óo]nicamente|digitalmente|electr[òo]nicament|digitalment)
    | (?:Firmado|Signat)\s+(?:electr[óo]nicamente|digitalmente|electr[òo]nicament|digitalment|por\s*:|per\s*:)
    | (?:Puede|Podeu?|Pot)\s+(?:verificar|comprobar|comprovar)\s+(?:la\s+)?
      (?:autenticidad|integridad|validez|l'autenticitat|l'integritat|este\s+documento|aquest\s+document)
    | (?:La\s+autenticidad|L'autenticitat)\s+(?:de\s+este|d'aquest)\s+document\w*\s+(?:se\s+)?(?:puede|pot)
    | (?:REGISTRO|REGISTRE)\s+(?:DE\s+)?(?:ENTRADA|SALIDA|SORTIDA|ELECTR[ÓO]NIC[OA]?|GENERAL)\b.*\d
    | (?:N[ºo°.]*|N[úu]m\w*\.?)\s*(?:de\s+)?registr[oe]\b\W*[A-Z0-9/-]*\d
    | (?:URL|Direcci[óo]n|Adre[çc]a)\s+(?:de\s+)?(?:verificaci[óo]n?|validaci[óo]n?)
    | (?:HASH|Hash\s+del\s+documento|Huella\s+digital)\s*[:.]\s*[0-9a-f]{16,}
    | (?:P[áa]gina|P[àa]gina|Page|P[áa]g\.)\s+\d+\s*(?:de|of|/)\s*\d+\W*$
    )"""
)
_LONGEST = 400


def is_margin(block: str) -> bool:
    """Whether a Markdown block is nothing but a stamp of signing, registering or paging."""
    lines = [line for line in block.split("\n") if line.strip()]
    return 0 < len(block) <= _LONGEST and all(_STAMP.match(line.strip("> \t*_")) for line in lines)
