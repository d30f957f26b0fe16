"""Every shipped form filled from a dossier of tests/data/dossiers, so that people can look at its pages.
Run: python -m benches.filled_forms -o DIR [--docs docs] [FORM...]

Writes of each form the Word file that `fabai export` writes, its PDF, sheets of six pages as PNG, and the fields of a
portal as text. Reports are the dossiers' own; proposals and answers stand in filled_texts. Tables that the dossier can
fill are taken out of the texts first. The last line is JSON, by form: pages, tables filled, and what
`fabai check FILE.docx --form FORM` finds.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image

from fabai.brief import read_brief
from fabai.dossier.publications import add_publications, read_publications
from fabai.dossier.request import response_form
from fabai.form import Form, built_in, find_form
from fabai.formats.libreoffice import to_pdf
from fabai.formats.read import read
from fabai.report import Language, Report
from fabai.store.project import Project
from fabai.submission.document import with_cover, word_file
from fabai.submission.finished import check_document
from fabai.submission.package import portal_fields
from fabai.submission.tables import filled, is_there
from tests.dossier.conftest import DOSSIERS, FORMS, account, bind, spent, take

TEXTS = Path(__file__).parent / "filled_texts"
FILLED = {
    **{form: name for name, form in FORMS.items()},
    "aei-pid-memoria": "es-aguasens",
    "cdti-pte-memoria": "es-aguasens",
    "generic": "ca-nucli",
    "horizon-part-b": "en-riverlink",
    "response": "ca-hort",
}
"""Form -> the dossier that fills it; of two, the last one named."""
COVERS: dict[Language, dict[str, str | None]] = {
    "es": {"call": "Convocatoria 2025", "date": "15 de enero de 2026"},
    "ca": {"call": "Convocatòria 2025", "date": "15 de gener de 2026"},
    "en": {"call": "Call of 2025", "date": "30 October 2025"},
}
TITLES = {
    "aei-pid-memoria": "AGUASENS: memoria científico-técnica",
    "cdti-pte-memoria": "AGUASENS ORBITAL: memoria técnica",
    "horizon-part-b": "RIVERLINK: shared flood warnings for small river towns",
    "response": "Fem barri a l'hort: resposta al requeriment",
}
LISTS = {"hours": "hours.xlsx", "people": "people.csv", "indicators": "indicators.*"}
DPI, ACROSS, DOWN = 72, 3, 2
SHOWN = {
    "aei-informe-final": ("report-aei.png", (3, 4, 7)),
    "barcelona-justificacio": ("report-barcelona.png", (5, 6, 7)),
}
"""Form -> the picture in docs/ and its pages, counted from one."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=Path("out/filled-forms"))
    parser.add_argument("--docs", type=Path, metavar="DIR", help="write the pictures that docs/forms.md shows here")
    parser.add_argument("forms", nargs="*", default=[form.id for form in built_in()])
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    told = {}
    for name in args.forms:
        told[name] = one = fill(name, args.output)
        if args.docs is not None and name in SHOWN:
            picture, pages = SHOWN[name]
            show(args.output / f"{name}.pdf", pages, args.docs / picture)
        print(f"{name}: {one['pages']} pages, {one['tables']} tables filled, findings: {one['findings'] or 'none'}")
    print(json.dumps(told, ensure_ascii=False))


def fill(name: str, folder: Path) -> dict[str, Any]:
    """Write a form's files; its pages, tables and findings."""
    with tempfile.TemporaryDirectory() as made, project_of(Path(made), name) as project:
        report, tables = without_tables(project, with_cover(project, COVERS[project.language]))
        data = word_file(project, report)
        fields = portal_fields(project.form, report)
        found = check_document(data, project.form, project.language, names=[report.meta.get("organisation", "")])
    pdf = to_pdf(data)
    (folder / f"{name}.docx").write_bytes(data)
    (folder / f"{name}.pdf").write_bytes(pdf)
    for number, (heading, text) in enumerate(fields, start=1):
        (folder / f"{name}-field-{number}.txt").write_text(f"{heading}\n\n{text}\n", encoding="utf-8")
    pages = draw(folder / f"{name}.pdf")
    findings = [f"{one.rule} {one.section or ''} {one.found} {one.expected}".strip() for one in found.violations]
    return {"pages": pages, "tables": tables, "findings": findings}


def project_of(folder: Path, name: str) -> Project:
    """A project of the form with a dossier in it, as a person takes it in."""
    source = DOSSIERS / FILLED[name]
    language: Language = FILLED[name][:2]  # type: ignore[assignment]
    project = Project.create(folder / "filled.fabai", form_of(name, source, language), language, "")
    bind(project, source.name)
    take(project, spent(source.name), "expenses")
    for kind, pattern in LISTS.items():
        for path in source.glob(pattern):
            take(project, path, kind)  # type: ignore[arg-type]
    for path in (*source.glob("*.bib"), *source.glob("*.ris")):
        add_publications(project, read_publications(path))
    account(project, source.name)
    project.workbench.describe(title=TITLES.get(name, read_brief(source / "brief.toml").title))
    if (TEXTS / f"{name}.md").exists():
        document = read(TEXTS / f"{name}.md")
        project.import_document(document, f"{name}.md")
    return project


def form_of(name: str, source: Path, language: Language) -> Form:
    if name != "response":
        return find_form(name)
    return response_form(read(source / "request.md"), "request.md", language, datetime.date(2026, 4, 7))


def without_tables(project: Project, report: Report) -> tuple[Report, int]:
    """The report without the tables that the dossier fills, and how many those are."""
    count = 0
    for section in report:
        spec = project.form.spec(section.spec)
        made = [] if spec is None else [one for one in spec.tables if filled(project, one, report.language)]
        text = section.text
        for block in re.findall(r"(?m)(?:^[|+].*\n?)+(?:\n: .*\n?)?", section.text):
            same = next((one for one in made if is_there(one, block)), None)
            # a table of the text that says more is kept
            if same is not None and filled(project, same, report.language).count("\n|") >= block.count("\n|") - 2:
                text = text.replace(block, "")
        report = report.with_section(replace(section, text=text))
        count += sum(not is_there(one, text) for one in made)
    return report, count


def show(pdf: Path, pages: tuple[int, ...], picture: Path) -> None:
    """Some pages side by side."""
    with tempfile.TemporaryDirectory() as name:
        images = []
        for page in pages:
            place, number = f"{name}/{page}", str(page)
            command = ["pdftoppm", "-r", "66", "-png", "-singlefile", "-f", number, "-l", number, pdf, place]
            subprocess.run(command, check=True)
            images.append(Image.open(f"{place}.png"))
        gap, height = 12, max(one.height for one in images)
        sheet = Image.new("RGB", (sum(one.width + gap for one in images) + gap, height + 2 * gap), (210, 214, 220))
        left = gap
        for one in images:
            sheet.paste(one, (left, gap))
            left += one.width + gap
        sheet.quantize(64).save(picture, optimize=True)


def draw(pdf: Path) -> int:
    """Sheets of six pages beside the PDF; returns its pages."""
    with tempfile.TemporaryDirectory() as name:
        subprocess.run(["pdftoppm", "-r", str(DPI), "-png", pdf, f"{name}/page"], check=True)  # noqa: S607
        pages = sorted(Path(name).glob("*.png"))
        for start in range(0, len(pages), ACROSS * DOWN):
            images = [Image.open(one) for one in pages[start : start + ACROSS * DOWN]]
            width, height = max(one.width for one in images), max(one.height for one in images)
            sheet = Image.new("RGB", (ACROSS * width, height * -(-len(images) // ACROSS)), "grey")
            for place, image in enumerate(images):
                sheet.paste(image, (place % ACROSS * width, place // ACROSS * height))
            sheet.save(pdf.with_name(f"{pdf.stem}-{start // (ACROSS * DOWN) + 1}.png"))
    return len(pages)


if __name__ == "__main__":
    main()
