"""The matrix of what was promised and what was done: rows, a file for others, and Markdown for a model's window.

Knows its columns in three languages and which sections need it. Does not know how commitments are found or confirmed.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from fabai.dossier.commitment import Commitment
from fabai.dossier.rules import money
from fabai.errors import ExportError
from fabai.report import Language, fold

_HEADS: dict[Language, tuple[str, ...]] = {
    "es": ("Ref.", "Compromiso", "Previsto", "Realizado", "Estado", "Evidencia", "Explicación"),
    "ca": ("Ref.", "Compromís", "Previst", "Realitzat", "Estat", "Evidència", "Explicació"),
    "en": ("Ref.", "Commitment", "Promised", "Done", "Status", "Evidence", "Explanation"),
}
_STATUS: dict[Language, dict[str, str]] = {
    "es": {"": "sin valorar", "achieved": "cumplido", "partly": "parcial", "not": "no cumplido"},
    "ca": {"": "sense valorar", "achieved": "assolit", "partly": "parcial", "not": "no assolit"},
    "en": {"": "not yet stated", "achieved": "achieved", "partly": "partly", "not": "not"},
}
_KIND: dict[Language, dict[str, str]] = {
    "es": {
        "objective": "Objetivo",
        "activity": "Actividad",
        "deliverable": "Entregable",
        "milestone": "Hito",
        "indicator": "Indicador",
        "person": "Persona",
        "budget": "Partida",
        "publicity": "Publicidad",
        "deadline": "Plazo",
        "period": "Periodo",
    },
    "ca": {
        "objective": "Objectiu",
        "activity": "Activitat",
        "deliverable": "Lliurable",
        "milestone": "Fita",
        "indicator": "Indicador",
        "person": "Persona",
        "budget": "Partida",
        "publicity": "Publicitat",
        "deadline": "Termini",
        "period": "Període",
    },
    "en": {
        "objective": "Objective",
        "activity": "Activity",
        "deliverable": "Deliverable",
        "milestone": "Milestone",
        "indicator": "Indicator",
        "person": "Person",
        "budget": "Budget",
        "publicity": "Publicity",
        "deadline": "Deadline",
        "period": "Period",
    },
}
_NEEDS = {
    "objective": (
        "objective",
        "objetivo",
        "objectiu",
        "progress",
        "progreso",
        "progres",
        "resultado",
        "resultat",
        "result",
    ),
    "activity": (
        "activit",
        "activid",
        "actuacio",
        "work",
        "trabajo",
        "treball",
        "task",
        "tarea",
        "tasca",
        "action",
        "accion",
        "accio",
    ),
    "deliverable": ("deliverable", "entregable", "lliurable", "work", "result", "product"),
    "milestone": ("milestone", "hito", "fita", "work", "progress"),
    "indicator": ("indicator", "indicador", "result", "impact", "outcome"),
    "person": ("team", "equipo", "equip", "personal", "personnel", "participant", "people"),
    "budget": ("budget", "presupuesto", "pressupost", "economic", "gasto", "despes", "resource", "recurs", "cost"),
    "publicity": ("publicity", "publicidad", "publicitat", "dissemination", "difusi", "visib"),
}
_UNNUMBERED = ("person", "budget", "deadline", "period")
_DEVIATIONS = ("deviation", "desviaci", "difference", "diferenci", "change", "cambio", "canvi", "modifica")


def heads(language: Language) -> tuple[str, ...]:
    """The titles of the columns."""
    return _HEADS[language]


def matrix_rows(commitments: Iterable[Commitment], language: Language) -> list[tuple[str, ...]]:
    """One row for each commitment, as a person reads it."""
    return [
        (
            shown_ref(one) or _KIND[language][one.kind],
            one.text,
            _promised(one, language),
            one.achieved,
            _STATUS[language][one.status],
            "; ".join(one.evidence),
            one.explanation,
        )
        for one in commitments
    ]


def shown_ref(one: Commitment) -> str:
    """The number that its document gives a commitment, "" where it gives none: a heading, a deadline or a period has a
    name of ours ("grant", "report") that no person knows.
    """
    return "" if one.kind in _UNNUMBERED else one.label


def _promised(one: Commitment, language: Language) -> str:
    parts = [
        "" if one.amount is None else money(one.amount, language),
        one.target if one.kind != "budget" or one.ref == "tolerance" else "",
        "" if one.start is None else f"{one.start:%d/%m/%Y} –",
        "" if one.due is None else f"{one.due:%d/%m/%Y}",
        one.when if one.kind != "deadline" else "",
    ]
    return " ".join(part for part in parts if part)


def markdown(commitments: Sequence[Commitment], language: Language) -> str:
    """The matrix as a pipe table of Markdown; "" where there is nothing."""
    if not commitments:
        return ""
    lines = [heads(language), tuple("---" for _ in heads(language)), *matrix_rows(commitments, language)]
    return "\n".join("| " + " | ".join(_cell(text) for text in line) + " |" for line in lines)


def material(commitments: Sequence[Commitment], language: Language) -> str:
    """The matrix for a model's window: one heading for each kind, one line for each commitment; "" where there is none.

    Headings and lines name the kind, so that a section about deliverables finds the deliverables.
    """
    _, _, promised, done, status, evidence, why = (head.lower() for head in heads(language))
    parts: list[str] = []
    for kind, name in _KIND[language].items():
        own = [one for one in commitments if one.kind == kind]
        if not own:
            continue
        lines = [f"## {name}", ""]
        for one in own:
            row = matrix_rows([one], language)[0]
            said = [(promised, row[2]), (done, row[3]), (status, row[4]), (evidence, row[5]), (why, row[6])]
            told = "; ".join(f"{label}: {text}" for label, text in said if text)
            ref = shown_ref(one)
            label = f"{name} {ref}" if ref else name
            lines.append(f"- {label}: {' '.join(one.text.split())}. {told[:1].upper()}{told[1:]}.")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def for_section(commitments: Sequence[Commitment], heading: str, guidance: str = "") -> tuple[Commitment, ...]:
    """The commitments that a section must account for, by its heading, else by its guidance: deviations want those that
    deviate.
    """
    for text in (heading, guidance):
        plain = fold(text)
        if any(word in plain for word in _DEVIATIONS):
            return tuple(one for one in commitments if one.deviates or one.explanation)
        kinds = {kind for kind, words in _NEEDS.items() if any(word in plain for word in words)}
        if kinds:
            return tuple(one for one in commitments if one.kind in kinds)
    return ()


def write_matrix(path: Path, commitments: Sequence[Commitment], language: Language, title: str) -> None:
    """The matrix as .docx, .xlsx, .csv or .md; ExportError with one sentence for other endings."""
    rows = [heads(language), *matrix_rows(commitments, language)]
    suffix = path.suffix.lower()
    if suffix == ".md":
        data = (markdown(commitments, language) + "\n").encode()
    elif suffix == ".csv":
        out = io.StringIO(newline="")
        # what opens the file must not take a text for a formula
        csv.writer(out, delimiter=";").writerows([[_harmless(cell) for cell in row] for row in rows])
        data = out.getvalue().encode("utf-8-sig")
    elif suffix == ".xlsx":
        from fabai.formats.sheet_fill import new_sheet

        data = new_sheet(title or "Matrix", rows)
    elif suffix == ".docx":
        from fabai.formats.word_table import table_document

        data = table_document(title or heads(language)[1], rows, language)
    else:
        raise ExportError(f"a matrix is written as .docx, .xlsx, .csv or .md, not '{path.suffix}'")
    path.write_bytes(data)


def _harmless(text: str) -> str:
    signed = text[:1] in ("+", "-") and text[1:].replace(",", "").replace(".", "").isdigit()
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") and not signed else text
