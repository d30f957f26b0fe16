r"""LaTeX sources as one text: the files that \input, \include and \subfile name, and the macros of the document's own
packages.

Knows which commands read other files. Follows a name only inside the folder of the main file
(`fabai.formats.folder`): pandoc's sandbox opens no file at all. Does not know what LaTeX means otherwise."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from fabai.formats.encoding import decode
from fabai.formats.folder import Folder

_DEEPEST = 40
_MOST_FILES = 2_000
_VERBATIM = r"verbatim\*?|Verbatim|lstlisting|minted|comment|filecontents\*?"
_TOKEN = re.compile(
    rf"\\begin\{{(?P<env>{_VERBATIM})\}}.*?\\end\{{(?P=env)\}}"
    r"|\\(?:verb|lstinline)\*?(?P<mark>[^A-Za-z\s{*\[])[^\n]*?(?P=mark)"
    r"|\\[\\%{}]"
    r"|(?P<comment>%[^\n]*)"
    r"|\\(?P<command>input|include|subfile|subfileinclude|import|subimport|InputIfFileExists)(?![A-Za-z])\s*"
    r"(?:\{(?P<first>[^{}]*)\}(?:\s*\{(?P<second>[^{}]*)\})?|(?P<bare>[^\s{}%\\]+))"
    r"|(?P<end>\\endinput(?![A-Za-z]))",
    re.DOTALL,
)
_TWO_ARGUMENTS = ("import", "subimport")
_BODY = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)
_PACKAGES = re.compile(
    r"\\(?P<what>usepackage|RequirePackage|documentclass|LoadClass)\s*(?:\[[^\]]*\])?\s*\{(?P<names>[^{}]*)\}"
)
_DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand|DeclareRobustCommand|DeclareMathOperator|newenvironment|renewenvironment|providecommand)\*?"
    r"\s*(?:\{\s*\\?[A-Za-z@]+\*?\s*\}|\\[A-Za-z@]+)"
    r"|\\def\s*\\[A-Za-z@]+(?:#\d)*(?=\s*\{)"
)


@dataclass(slots=True)
class Source:
    """The text of a document in one piece; folders that parts of it lay in; a sentence for each file that was not
    read."""

    text: str = ""
    folders: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def flatten(text: str, folder: Folder, main: Path) -> Source:
    """The text with every file that it reads in its place, comments blanked, and its own packages' macros in front."""
    flattener = _Flattener(folder)
    flat = flattener.text(text, "", (main.name,))
    source = flattener.source
    source.text = _own_macros(flat, folder) + flat
    return source


class _Flattener:
    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.source = Source()
        self.files = 0

    def text(self, text: str, place: str, stack: tuple[str, ...]) -> str:
        """`place` is the folder of the text, relative to the root; `stack` the files that are open."""
        out: list[str] = []
        end = 0
        for match in _TOKEN.finditer(text):
            out.append(text[end : match.start()])
            end = match.end()
            if match["end"] is not None:
                return "".join(out)
            if match["comment"] is not None:
                # the sign stays: it joins two lines
                out.append("%")
            elif match["command"] is None:
                out.append(match[0])
            else:
                out.append(self._included(match, place, stack))
        out.append(text[end:])
        return "".join(out)

    def _included(self, match: re.Match[str], place: str, stack: tuple[str, ...]) -> str:
        command, name = match["command"], (match["first"] or match["bare"] or "").strip().strip('"')
        rest = ""
        if command in _TWO_ARGUMENTS:
            directory, name = name, (match["second"] or "").strip()
            name = f"{directory.rstrip('/')}/{name}"
        elif match["second"] is not None and command != "InputIfFileExists":
            rest = match[0][match[0].rindex("{") :]
        if "#" in name or not name:
            return match[0]  # the body of a macro, not a call
        found = self._find(name, place, stack)
        if found is None:
            return rest
        relative, text = found
        if "\\documentclass" in text and (body := _BODY.search(text)):
            text = body[1]
        inner = str(PurePosixPath(relative).parent)
        if inner != "." and inner not in self.source.folders:
            self.source.folders.append(inner)
        here = inner if command in (*_TWO_ARGUMENTS, "subfile", "subfileinclude") else place
        space = "\n" if command != "input" else ""
        return f"{space}{self.text(text, here, (*stack, relative))}{space}{rest}"

    def _find(self, name: str, place: str, stack: tuple[str, ...]) -> tuple[str, str] | None:
        shown = name if PurePosixPath(name).suffix else f"{name}.tex"
        if len(stack) > _DEEPEST or self.files > _MOST_FILES:
            self._say(f"{shown} was not read: files call each other too often")
            return None
        outside = (
            name.startswith(("/", "~", "|")) or ".." in PurePosixPath(name).parts or "://" in name or ":" in name[:2]
        )
        for candidate in (f"{name}.tex", name):
            for base in dict.fromkeys((place, "")):
                path = self.folder.path(str(PurePosixPath(base) / candidate) if base else candidate)
                if path is None:
                    continue
                relative = path.relative_to(self.folder.root).as_posix()
                if relative in stack:
                    self._say(f"{shown} was not read again: it reads itself")
                    return None
                data = self.folder.find(relative)
                if data is None:
                    self._say(f"{shown} was not read: the files of the document are too large together")
                    return None
                self.files += 1
                return relative, decode(data)
        if outside:
            self._say(f"{shown} was not read: it lies outside the folder of the document; copy it into that folder")
        else:
            self._say(f"{shown} was not read: it is not in the folder of the document")
        return None

    def _say(self, sentence: str) -> None:
        if sentence not in self.source.notices:
            self.source.notices.append(sentence)


def _own_macros(text: str, folder: Folder) -> str:
    found: list[str] = []
    for match in _PACKAGES.finditer(text):
        suffix = ".cls" if match["what"] in ("documentclass", "LoadClass") else ".sty"
        for name in match["names"].split(","):
            data = folder.find(f"{name.strip()}{suffix}")
            if data is not None:
                found += [one for one in definitions(decode(data)) if "@" not in one]
    return "".join(f"{one}\n" for one in found)


def definitions(text: str) -> list[str]:
    r"""The macro and environment definitions in a text, each whole: \newcommand{\x}[1]{...}."""
    found: list[str] = []
    position = 0
    while match := _DEFINITION.search(text, position):
        end = match.end()
        groups = 2 if "environment" in match[0] else 1
        while groups:
            while end < len(text) and text[end] in " \t\n":
                end += 1
            closing = _closing(text, end)
            if closing is None:
                break
            groups -= text[end] == "{"
            end = closing
        position = max(end, match.end())
        if not groups:
            found.append(text[match.start() : end])
    return found


def _closing(text: str, start: int) -> int | None:
    """The position after the group or option that opens at `start`, None where none does."""
    if start >= len(text) or text[start] not in "{[":
        return None
    opening = text[start]
    closing = "}" if opening == "{" else "]"
    depth = 0
    position = start
    while position < len(text):
        character = text[position]
        if character == "\\":
            position += 1
        elif character == opening:
            depth += 1
        elif character == closing:
            depth -= 1
            if depth == 0:
                return position + 1
        position += 1
    return None
