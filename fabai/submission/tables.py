"""The tables that a form asks for, filled from the dossier, with their sums, as Markdown that a person can still read:
expenses, budget against spending, hours, people, commitments, indicators, publications, income, verified facts.

Knows which column of a form takes which value, by its heading in three languages. Does not know spreadsheets or Word.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from fabai.demands import Column, Table
from fabai.dossier.commitments import standing
from fabai.dossier.expenses import expenses
from fabai.dossier.granted import terms_of
from fabai.dossier.lists import hours, indicators, people
from fabai.dossier.publications import publications
from fabai.dossier.rules import by_heading
from fabai.form import in_language
from fabai.report import Language, Report, fold
from fabai.store.project import Project
from fabai.submission.amounts import money, written

Value = str | Decimal | date | None
Row = Mapping[str, Value]
_WIDE, _LINE, _PADDING = 32, 95, 3
"""In characters: of a cell from which it may break into lines, of a line of a table, of a cell's edges."""
_CENT = Decimal("0.01")
_FIELDS: tuple[tuple[str, str], ...] = (
    ("creditor_nif", r"(?:acreedor|creditor|proveedor|proveidor|supplier).*\b(?:nif|cif|tax)"),
    ("creditor", r"acreedor|creditor|proveedor|proveidor|supplier|payee"),
    ("nif", r"\bnif\b|\bcif\b|tax number|vat number"),
    ("number", r"num\w* (?:de |del |d )?(?:document|factura)|numero|number|factura n|invoice"),
    ("concept", r"concept|descripci|description"),
    ("issued", r"(?:fecha|data|date)\b.*(?:emis|factura|issue)"),
    ("paid", r"(?:fecha|data|date)\b.*(?:pag|payment)"),
    ("share", r"porcentaje|percentatge|percentage|per cent|%"),
    ("granted", r"concedid|atorgad|atorgat|granted|presupuest|pressupost|aprobad|aprovat|"
     r"lump sum share|previst[oa]? \(eur"),
    ("spent", r"ejecutad|executad|executat|spent|gasto|despesa realitzada"),
    ("difference", r"desviaci|deviation|diferencia"),
    ("heading", r"partida|budget category|cost category|capitol|capitulo|heading"),
    ("base", r"base imponible|sin iva|sense iva|without vat"),
    ("vat", r"\biva\b|\bvat\b"),
    ("planned", r"previst|planned|promes|compromes"),
    ("actual", r"dedicad|reali[tz]|actual|imputad[ao]s"),
    ("amount", r"import|amount|coste|cost\b"),
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
    ("evidence", r"verificaci|evidenc|source|fuente|font\b|proof|prueba|prova"),
    ("explanation", r"observac|remarks|comentari|explicaci|mitigation|motiv"),
    ("text", r"activi|tarea|tasca|task|entregable|lliurable|deliverable|hito|fita|milestone|riesgo|risc|risk|"
             r"indicador|indicator|"
             r"resultad|result|titul|titol|title|dato|dada|fact|objetiu|work package"),
)  # fmt: skip
_COMMITMENT_KINDS = {"workpackages": ("activity",), "deliverables": ("deliverable",), "milestones": ("milestone",)}
_TOTAL: dict[Language, str] = {"es": "Total", "ca": "Total", "en": "Total"}
_STATUS: dict[Language, dict[str, str]] = {
    "es": {"achieved": "cumplido", "partly": "parcial", "not": "no cumplido"},
    "ca": {"achieved": "assolit", "partly": "parcial", "not": "no assolit"},
    "en": {"achieved": "achieved", "partly": "partly", "not": "not achieved"},
}
_ORIGINAL = re.compile(r"(?i)^\s*(?:s[ií]|yes|x|true|1|original|incluid|inclòs)")


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
            if not _is_there(table, section.text) and (markdown := filled(project, table, report.language))
        ]
        if made:
            text = "\n\n".join([section.text.strip(), *made]).strip()
            out = out.with_section(replace(section, text=text))
    return out


def filled(project: Project, table: Table, language: Language) -> str:
    """The table as Markdown, "" where the dossier has no rows for it."""
    rows = _rows(project, table, language)
    return markdown(table, rows, language) if rows else ""


def markdown(table: Table, rows: Sequence[Row], language: Language) -> str:
    """Rows under the table's own headings, sums where a column asks for one; what no field gives stays empty."""
    fields = [_field(column) for column in table.columns]
    heads = [_capital(in_language(column.heading, language)) for column in table.columns]
    cells = [
        [
            _shown(_value(row, field, place), column, language)
            for place, (column, field) in enumerate(zip(table.columns, fields, strict=True))
        ]
        for row in rows
    ]
    lines = [_line(heads), *(_line(row) for row in cells)]
    sums: list[str] = []
    if any(column.total for column in table.columns):
        for place, (column, field) in enumerate(zip(table.columns, fields, strict=True)):
            values = [value for row in rows if isinstance(value := _value(row, field, place), Decimal)]
            sums.append(f"**{_shown(sum(values, Decimal(0)), column, language)}**" if column.total else "")
        label = next((place for place, column in enumerate(table.columns) if not column.total), None)
        if label is not None and not sums[label]:
            sums[label] = f"**{_TOTAL[language]}**"
        lines.append(_line(sums))
    lines.insert(1, _rule(table.columns, [heads, *cells, *([sums] if sums else [])]))
    title = in_language(table.title, language)
    return "\n".join(lines) + (f"\n\n: {title}" if title else "")


def _rows(project: Project, table: Table, language: Language) -> list[Row]:
    if table.filled == "expenses":
        return [
            {
                "creditor": one.creditor, "nif": one.nif,
                "creditor_nif": f"{one.creditor} ({one.nif})" if one.nif else one.creditor,
                "number": one.number, "concept": one.concept, "heading": one.heading, "base": one.base, "vat": one.vat,
                "amount": one.amount, "spent": one.amount, "actual": one.amount, "issued": one.issued, "paid": one.paid,
            }
            for one in expenses(project)
        ]  # fmt: skip
    if table.filled in ("deviations", "budget"):
        return _budget(project)
    if table.filled == "hours":
        return _hours(project)
    if table.filled == "people":
        return _people(project, table)
    if table.filled == "indicators":
        return [
            {"text": one.indicator, "unit": one.unit, "target": one.target, "planned": one.target,
             "achieved": one.achieved,
             "actual": one.achieved, "evidence": one.source}
            for one in indicators(project)
        ]  # fmt: skip
    if table.filled == "publications":
        return [
            {"text": one.citation(), "evidence": one.doi, "when": str(one.year or "")} for one in publications(project)
        ]
    if table.filled == "income":
        return [{"text": name, "creditor": name, "amount": amount} for name, amount in terms_of(project).income.items()]
    if table.filled == "ledger":
        return [{"text": fact.name, "amount": fact.value, "evidence": fact.source} for fact in project.ledger()]
    return _commitments(project, table, language)


def _budget(project: Project) -> list[Row]:
    terms = terms_of(project)
    if not terms.heading:
        return []
    rows: list[Row] = []
    for name, spent in by_heading(expenses(project), terms).items():
        granted = terms.heading.get(name)
        difference = None if granted is None else spent - granted
        share = (
            None if not granted or difference is None else (100 * difference / granted).quantize(_CENT, ROUND_HALF_UP)
        )
        rows.append({"heading": name, "granted": granted, "spent": spent, "difference": difference, "share": share})
    return rows


def _hours(project: Project) -> list[Row]:
    planned = {fold(name): most for name, most in terms_of(project).hours.items()}
    worked: dict[str, Decimal] = {}
    for one in hours(project):
        worked[one.person] = worked.get(one.person, Decimal(0)) + (one.hours or Decimal(0))
    return [{"person": name, "planned": planned.get(fold(name)), "actual": sum_} for name, sum_ in worked.items()]


def _people(project: Project, table: Table) -> list[Row]:
    """Of two tables, 'incluido' and 'no incluido', each takes its own people."""
    title = fold(" ".join((table.title or {}).values()))
    rows: list[Row] = []
    for one in people(project):
        original = _ORIGINAL.match(one.original) is not None
        if "inclu" in title and original == title.startswith(("no ", "not ")):
            continue
        dates: dict[str, Value] = {"start": one.start, "end": one.end}
        rows.append({"person": one.name, "role": one.role, **dates})
    return rows


def _commitments(project: Project, table: Table, language: Language) -> list[Row]:
    kinds = _COMMITMENT_KINDS.get(table.filled or "", ())
    return [
        {
            "text": f"{one.ref} {one.text}".strip(), "ref": one.ref, "parent": one.parent, "person": one.role,
            "when": one.due or one.when, "target": one.target, "achieved": one.achieved, "amount": one.amount,
            "granted": one.amount, "status": _STATUS[language].get(one.status, ""), "explanation": one.explanation,
            "evidence": "; ".join(one.evidence), "start": one.start, "end": one.due,
        }
        for one in standing(project)
        if one.kind in kinds
    ]  # fmt: skip


def _field(column: Column) -> str:
    names = [fold(text) for text in column.heading.values()]
    return next((field for field, words in _FIELDS if any(re.search(words, name) for name in names)), "")


def _value(row: Row, field: str, place: int) -> Value:
    if field in row:
        return row[field]
    # the first column says what a row is about, whatever the form calls it
    return row.get("text") if place == 0 else None


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
    return " ".join(str(value).replace("|", "\\|").split())


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _rule(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
    """The line under the headings; its hyphens give the columns their widths: first the longest word whole, then what
    is left of the line to the columns with long texts.
    """
    widths, wishes = [], []
    for place in range(len(columns)):
        texts = [row[place].replace("*", "") for row in rows if place < len(row)]
        word = max((_breadth(one) for text in texts for one in text.replace("\u00a0", "_").split(" ")), default=0)
        widths.append(word + _PADDING)
        wishes.append(max(0, min(max(map(len, texts), default=0), _WIDE) - word))
    spare, wished = max(_LINE - sum(widths), 0), sum(wishes)
    parts = []
    for column, width, wish in zip(columns, widths, wishes, strict=True):
        length = width + (round(min(spare, wished) * wish / wished) if wished else 0)
        parts.append("-" * length + (":" if column.kind in ("amount", "count", "percent") else "-"))
    return "|" + "|".join(parts) + "|"


def _breadth(word: str) -> int:
    """Letters' room; digits and capitals take a quarter more, wide letters half as much again."""
    return math.ceil(sum(1.25 if one.isdigit() or one.isupper() else 1.5 if one in "mw" else 1 for one in word))


def _is_there(table: Table, text: str) -> bool:
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
