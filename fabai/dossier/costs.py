"""What was granted and spent, by heading, as material that a section on costs is written from and checked against.

Knows how the sums are put as text. Does not know rules or spreadsheets.
"""

from __future__ import annotations

from decimal import Decimal
from hashlib import sha256

from fabai.dossier.expenses import expenses, sums_by_heading
from fabai.dossier.granted import terms_of
from fabai.facts.writing import write_number, write_percent
from fabai.report import Language
from fabai.store.project import Project

SOURCE: dict[Language, str] = {
    "es": "Gastos por partida: concedido y ejecutado",
    "ca": "Despeses per partida: atorgat i executat",
    "en": "Costs by heading: granted and spent",
}
"""Name of the source that holds the sums."""
_HEADS: dict[Language, tuple[str, ...]] = {
    "es": ("Partida", "Concedido", "Ejecutado", "Diferencia", "Porcentaje"),
    "ca": ("Partida", "Atorgat", "Executat", "Diferència", "Percentatge"),
    "en": ("Heading", "Granted", "Spent", "Difference", "Percentage"),
}
_ROWS: dict[Language, str] = {
    "es": "La relación tiene {} gastos.",
    "ca": "La relació té {} despeses.",
    "en": "The list has {} expenses.",
}


def keep_costs(project: Project) -> None:
    """Keep the sums among the sources, where the window finds them and the checks know them; none without expenses."""
    count = len(expenses(project))
    if not count:
        return
    text = material(sums_by_heading(project, terms_of(project)), count, project.language)
    project.add_source(SOURCE[project.language], text, sha256(text.encode()).hexdigest(), "costs")


def material(sums: dict[str, tuple[Decimal | None, Decimal]], count: int, language: Language) -> str:
    """The sums as a table, its total last, and the number of expenses."""
    rows = [(name, granted, charged) for name, (granted, charged) in sums.items()]
    spent = sum((charged for _, charged in sums.values()), Decimal(0))
    rows.append(("Total", sum((granted or Decimal(0) for granted, _ in sums.values()), Decimal(0)) or None, spent))
    lines = [_line(_HEADS[language]), _line(("---",) * len(_HEADS[language]))]
    for name, granted, charged in rows:
        shown = ["", write_number(charged, 2, language), "", ""]
        if granted:
            difference = charged - granted
            shown[0], shown[2], shown[3] = (
                write_number(granted, 2, language),
                write_number(difference, 2, language),
                write_percent(100 * difference / granted, 1, language),
            )
        lines.append(_line((name, *shown)))
    return "\n".join([*lines, "", _ROWS[language].format(count)])


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
