"""fabai.formats.latex, latex_source and latex_fallback"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from fabai.formats import latex_fallback
from fabai.formats.folder import Folder
from fabai.formats.latex_fallback import detex, mend, salvage
from fabai.formats.latex_source import definitions, flatten
from fabai.formats.read import read
from fabai.settings import ReadingLimits

from .test_read import CASES, PNG, headings, written

LIMITS = ReadingLimits()


def document(body: str, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def flat(folder: Path, text: str) -> tuple[str, list[str]]:
    source = flatten(text, Folder(folder, LIMITS), folder / "main.tex")
    return source.text, source.notices


def test_case_011_parts_macros_and_unknown_commands_are_read_and_nothing_from_outside() -> None:
    found = read(CASES / "011-latex-several-files" / "proyecto" / "main.tex")
    assert headings(found) == [("Contexto", 1), ("Presupuesto ejecutado", 1), ("Desviaciones", 2), ("Conclusiones", 1)]
    for words in ("18.500,00 euros", "Aviso a la persona lectora", "cuatro talleres", "sin fichero propio"):
        assert words in found.text
    assert "NO-DEBE-ENTRAR" not in found.text
    told = " ".join(found.notices)
    assert "fuera.tex was not read: it lies outside" in told
    assert "falta.tex was not read: it is not in the folder" in told
    assert found.title == "Memoria del programa Mareas"


def test_input_include_subfile_and_import_bring_their_files(tmp_path: Path) -> None:
    (tmp_path / "partes" / "img").mkdir(parents=True)
    written(tmp_path / "uno.tex", "UNO")
    written(tmp_path / "partes" / "dos.tex", "DOS \\endinput NUNCA")
    written(
        tmp_path / "partes" / "tres.tex", "\\documentclass[../main]{subfiles}\n\\begin{document}TRES\\end{document}"
    )
    written(tmp_path / "partes" / "cuatro.tex", "CUATRO \\input{cinco}")
    written(tmp_path / "partes" / "cinco.tex", "CINCO")
    text, notices = flat(
        tmp_path,
        "\\input uno.tex\n\\include{partes/dos}\\subfile{partes/tres}\\import{partes/}{cuatro}\n"
        "% \\input{comentado}\n\\begin{verbatim}\n\\input{literal}\n\\end{verbatim}\\verb|\\input{literal}|",
    )
    assert re.findall(r"[A-Z]{3,}", text) == ["UNO", "DOS", "TRES", "CUATRO", "CINCO"]
    assert "documentclass" not in text
    assert notices == []


@pytest.mark.parametrize(
    "name", ["/etc/hostname", "../fuera", "~/secreto", "partes/../../fuera", "enlace", "http://127.0.0.1:1/x", "|id"]
)
def test_no_path_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    written(tmp_path / "fuera.tex", "NO-DEBE-ENTRAR")
    (tmp_path / "dentro").mkdir()
    (tmp_path / "dentro" / "enlace.tex").symlink_to(tmp_path / "fuera.tex")
    text, notices = flat(tmp_path / "dentro", f"a \\input{{{name}}} b")
    assert text == "a  b"
    assert len(notices) == 1
    assert "was not read" in notices[0]


def test_files_that_read_each_other_end(tmp_path: Path) -> None:
    written(tmp_path / "a.tex", "A \\input{b}")
    written(tmp_path / "b.tex", "B \\input{a}")
    text, notices = flat(tmp_path, "\\input{a}")
    assert text.split() == ["A", "B"]
    assert notices == ["a.tex was not read again: it reads itself"]


def test_the_files_of_a_document_are_bounded_together(tmp_path: Path) -> None:
    written(tmp_path / "a.tex", "a" * 600)
    small = replace(LIMITS, file_bytes=1000)
    source = flatten("\\input{a} \\input{a}", Folder(tmp_path, small), tmp_path / "main.tex")
    assert source.text.count("a" * 600) == 1
    assert "too large together" in source.notices[0]


def test_macros_of_a_package_in_the_folder_are_used(tmp_path: Path) -> None:
    written(tmp_path / "propio.sty", "\\newcommand{\\ayuda}{18.500 euros}\n\\def\\x@y{z}\n")
    written(tmp_path / "a.tex", document("La \\ayuda.", "\\usepackage{propio}"))
    assert read(tmp_path / "a.tex").sections[0].text == "La 18.500 euros."


def test_definitions_are_found_whole() -> None:
    text = "x \\newcommand{\\a}[1]{uno {#1}} \\newenvironment{b}{\\bf}{fin} \\def\\c#1{tres} \\newcommand{\\roto}{"
    assert definitions(text) == ["\\newcommand{\\a}[1]{uno {#1}}", "\\newenvironment{b}{\\bf}{fin}", "\\def\\c#1{tres}"]


def test_pictures_are_found_beside_the_file_and_along_graphicspath(tmp_path: Path) -> None:
    (tmp_path / "figuras").mkdir()
    (tmp_path / "partes").mkdir()
    (tmp_path / "figuras" / "uno.png").write_bytes(PNG)
    (tmp_path / "partes" / "dos.png").write_bytes(PNG + b"2")
    written(tmp_path / "partes" / "parte.tex", "\\includegraphics{dos}")
    body = "\\begin{figure}\\includegraphics[width=3cm]{uno}\\caption{Pie}\\end{figure}\n\\input{partes/parte}"
    written(tmp_path / "a.tex", document(body, "\\graphicspath{{figuras/}}"))
    found = read(tmp_path / "a.tex")
    assert sorted(found.media) == ["media/dos.png", "media/uno.png"]
    assert "![Pie](media/uno.png)" in found.sections[0].text


def test_notes_citations_tables_equations_and_language_travel(tmp_path: Path) -> None:
    body = (
        "\\begin{abstract}Resumen corto.\\end{abstract}\\section{Uno}Texto\\footnote{Nota.} de \\cite{perez2020}.\n\n"
        "\\begin{equation}a=b\\end{equation}\n\n\\begin{tabular}{lr}a & b\\\\\\hline 1 & 2\\end{tabular}"
    )
    written(tmp_path / "a.tex", document(body, "\\usepackage[english,catalan]{babel}\\title{Títol}"))
    found = read(tmp_path / "a.tex")
    text = found.text
    for part in ("Resumen corto.", "[^1]: Nota.", "[@perez2020]", "a=b", "| 1   |   2 |"):
        assert part in text
    assert (found.title, found.language) == ("Títol", "ca")


def test_what_pandoc_refuses_is_read_in_parts_and_told(tmp_path: Path) -> None:
    body = (
        "\\chapter{Uno}\nBueno \\textbf{y fuerte}.\n\n\\section{Dos}\nMalo } aquí, pero con palabras.\n\n"
        "Bueno otra vez.\n\n\\section{Tres}\n\\begin{itemize}\\item uno\\item dos\\end{itemize}\n"
    )
    written(tmp_path / "a.tex", document(body, "\\newcommand{\\bien}{bien}\\title{Memoria \\emph{rota}}"))
    found = read(tmp_path / "a.tex")
    assert headings(found) == [("Uno", 1), ("Dos", 2), ("Tres", 2)]
    assert "**y fuerte**" in found.text
    assert "aquí, pero con palabras." in found.text
    assert "- uno\n- dos" in found.text
    assert found.title == "Memoria rota"
    assert any("read in parts" in notice for notice in found.notices)


def test_common_faults_that_show_nothing_are_mended() -> None:
    assert mend("\\vskip\\baselineskip a \\textit{\\caption{Pie {x}}}\\nocite*") == "  a \\caption{Pie {x}}"
    assert not salvage(document("\\section{Uno}\nx"), LIMITS).plain


def test_words_come_out_of_their_commands() -> None:
    text = "Acci\\'on \\textbf{del 5\\,\\% \\& m\\'as}\\label{x} \\cite[p. 3]{y} ``a'' a~b -- c"
    assert detex(text) == "Acción del 5 % & más “a” a b – c"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["saruus_tfg", "merchan_tfg", "leoxdxp_tesis", "bravodonaire_tfg"])
def test_real_memorias_keep_their_words(shared: Path, name: str) -> None:
    """95 % of the words that the source shows arrive, also where pandoc refuses it (the first and third of these)."""
    path = next((shared / "data" / "memorias-es" / name).glob("*.flat.tex"))
    source = re.sub(
        r"\\begin\{(tikzpicture|lstlisting)\}.*?\\end\{\1\}", "", path.read_text(encoding="utf-8"), flags=re.S
    )
    shown = Counter(_words(latex_fallback.detex(source.split("\\begin{document}")[1])))
    kept = Counter(_words(read(path).text))
    assert (shown & kept).total() >= 0.95 * shown.total()


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]{3,}", text.lower())


@pytest.mark.slow
def test_a_memoria_in_a_folder_brings_its_pictures(shared: Path) -> None:
    found = read(shared / "data" / "latex-multifile" / "monteslinares_tfg" / "memoria.tex")
    assert len(found.media) >= 20
    assert len(found.sections) > 100
    assert found.language == "es"
