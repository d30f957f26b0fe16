"""The tables that a form asks for, filled from the dossier, with their sums, as Markdown that a person can still read.

Knows which column of a form takes which value, by its heading in three languages. Does not know where rows come from
(fabai.submission.rows), nor Word, which sets the columns' widths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from fabai.demands import Column, Table
from fabai.form import in_language
from fabai.report import Language, Report, fold
from fabai.store.project import Project
from fabai.submission.amounts import money, written
from fabai.submission.rows import Row, Value, rows

_FIELDS: tuple[tuple[str, str], ...] = (
    ("creditor_nif", r"(?:acreedor|creditor|proveedor|proveidor|supplier).*\b(?:nif|cif|tax)"),
    ("creditor", r"acreedor|creditor|proveedor|proveidor|supplier|payee"),
    ("nif", r"\bnif\b|\bcif\b|tax number|vat number"),
    ("number", r"num\w* (?:de |del |d )?(?:document|factura)|numero|number|factura n|invoice"),
    ("concept", r"concept|descripci|description"),
    ("issued", r"(?:fecha|data|date)\b.*(?:emis|factura|issue)"),
    ("paid", r"(?:fecha|data|date)\b.*(?:pag|payment)"),
    ("done", r"\b(?:yes or no|si o no)\b"),
    ("share", r"porcentaje|percentatge|percentage|per cent|%"),
    ("granted", r"concedid|atorgad|atorgat|granted|presupuest|pressupost|aprobad|aprovat|"
     r"lump sum share|previst[oa]? \(eur"),
    ("spent", r"ejecutad|executad|executat|spent|gasto|despesa realitzada"),
    ("difference", r"desviaci|deviation|diferencia|difference"),
    ("heading", r"partida|budget category|cost category|capitol|capitulo|heading"),
    ("base", r"base imponible|sin iva|sense iva|without vat"),
    ("vat", r"\biva\b|\bvat\b"),
    ("planned", r"previst|planned|promes|compromes"),
    ("actual", r"dedicad|reali[tz]|actual|imputad[ao]s"),
    ("amount", r"import|amount|coste|cost\b"),
    ("months", r"person\w* (?:mes|mesos|meses|months?)\b|(?:mesos|meses|months) person"),
    ("person", r"nombre|nom\b|name|person"),
    ("role", r"funcion|funcio|function|role|rol\b|carrec|cargo"),
    ("start", r"alta|joining|inicio|inici|start"),
    ("end", r"baja|baixa|leaving|fin\b|fi\b|end\b"),
    ("target", r"objetivo|objectiu|target|esperad|expected|meta|valor previst"),
    ("achieved", r"alcanzad|assolit|achieved|obtenid|obtingut|reached|completed"),
    ("unit", r"unidad|unitat|unit"),
    ("parent", r"work packages?|paquete|paquet|related"),
    ("ref", r"\bref|codigo|codi|code|id\b"),
    ("when", r"due|plazo|termini|fecha|data\b|date|mes\b|month"),
    ("status", r"estado|estat|status|grado|grau"),
    ("doi", r"\bdoi\b"),
    ("evidence", r"verificaci|evidenc|source|fuente|font\b|proof|prueba|prova"),
    ("explanation", r"observac|remarks|comentari|explicaci|mitigation|motiv"),
    ("text", r"activi|tarea|tasca|task|entregable|lliurable|deliverable|hito|fita|milestone|riesgo|risc|risk|"
             r"indicador|indicator|"
             r"resultad|result|titul|titol|title|dato|dada|fact|objetiu|work package"),
)  # fmt: skip
_TOTAL: dict[Language, str] = {"es": "Total", "ca": "Total", "en": "Total"}
_MONTH = re.compile(r"[Mm]\s?(\d{1,3})")
"""As proposals write the months of a project."""


def with_tables(project: Project, report: Report) -> Report:
    """The report with each required table that the dossier can fill put at the end of its section, where there is
    no table of those columns yet.
    """
    out = report
    for section in report:
        spec = project.form.spec(section.spec)
        if spec is None:
            continue
        made = [
            markdown
            for table in spec.tables
            if not is_there(table, section.text) and (markdown := filled(project, table, report.language))
        ]
        if made:
            text = "\n\n".join([section.text.strip(), *made]).strip()
            out = out.with_section(replace(section, text=text))
    return out


def filled(project: Project, table: Table, language: Language) -> str:
    """The table as Markdown, "" where the dossier has no rows for it, or no more than what they are called."""
    found = rows(project, table, language)
    fields = [_field(column) for column in table.columns]
    said = any(_value(row, field, place) for row in found for place, field in enumerate(fields) if place)
    return markdown(table, found, language) if said or (found and not table.rows) else ""


def markdown(table: Table, given: Sequence[Row], language: Language) -> str:
    """Rows under the table's own headings, sums where a column asks for one; what no field gives stays empty."""
    fields = [_field(column) for column in table.columns]
    heads = [_capital(in_language(column.heading, language)) for column in table.columns]
    cells = [
        [
            _shown(_value(row, field, place), column, language)
            for place, (column, field) in enumerate(zip(table.columns, fields, strict=True))
        ]
        for row in given
    ]
    marks = ["---:" if column.kind in ("amount", "count", "percent") else "---" for column in table.columns]
    lines = [_line(heads), _line(marks), *(_line(row) for row in cells)]
    if any(column.total for column in table.columns):
        sums: list[str] = []
        for place, (column, field) in enumerate(zip(table.columns, fields, strict=True)):
            values = [value for row in given if isinstance(value := _value(row, field, place), Decimal)]
            known = column.total and values
            sums.append(f"**{_shown(sum(values, Decimal(0)), column, language)}**" if known else "")
        label = next((place for place, column in enumerate(table.columns) if not column.total), None)
        if label is not None and not sums[label]:
            sums[label] = f"**{_TOTAL[language]}**"
        lines.append(_line(sums))
    title = in_language(table.title, language)
    return "\n".join(lines) + (f"\n\n: {title}" if title else "")


def _field(column: Column) -> str:
    names = [fold(text) for text in column.heading.values()]
    return next((field for field, words in _FIELDS if any(re.search(words, name) for name in names)), "")


def _value(row: Row, field: str, place: int) -> Value:
    # the first column says what a row is about, whatever the form calls it
    if place == 0 and (field == "parent" or field not in row):
        return row.get("text")
    return row.get(field)


def _shown(value: Value, column: Column, language: Language) -> str:
    if value is None:
        return ""
    if isinstance(value, date):
        return value.isoformat() if language == "en" else f"{value:%d/%m/%Y}"
    if isinstance(value, Decimal):
        if column.kind == "amount":
            return money(value, language)
        if column.kind == "percent":
            return f"{written(value, language)} %"
        return written(value, language, 0 if value == value.to_integral_value() else 2)
    month = _MONTH.fullmatch(value.strip()) if column.kind == "count" else None
    return month[1] if month is not None else " ".join(value.replace("|", "\\|").split())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def is_there(table: Table, text: str) -> bool:
    """Whether a text holds a table most of whose headings are this one's, or say the same in fewer words."""
    names = [{fold(word) for word in column.heading.values()} for column in table.columns]
    for line in text.split("\n"):
        if not line.lstrip().startswith("|"):
            continue
        shown = [one for cell in line.split("|") if len(one := fold(cell.strip("*_ "))) > 2]
        hits = sum(any(_same(one, name) for one in shown for name in some) for some in names)
        if hits >= max(len(names) / 2, 1):
            return True
    return False


def _same(shown: str, name: str) -> bool:
    return shown == name or f" {shown} " in f" {name} " or f" {name} " in f" {shown} "
