"""A funder's template taken in hand: a Word file as it is, an older or foreign one through LibreOffice.

Knows kinds of files. Does not know what is in a template (fabai.formats.template fills it).
"""

from __future__ import annotations

from pathlib import Path

from fabai.errors import UnreadableFile
from fabai.formats import libreoffice, safety
from fabai.settings import ReadingLimits

_CONVERTED = ("doc", "odt", "rtf")


def template_file(path: Path, notices: list[str], limits: ReadingLimits = ReadingLimits()) -> bytes:  # noqa: B008 - frozen
    """The template as a Word package; `notices` gets a sentence where it was converted or is not what its name says.

    UnreadableFile where it is damaged, too large, protected by a password or no template; MissingPart where LibreOffice
    is needed and not there.
    """
    loaded = safety.load(path, limits)
    notices += loaded.notices
    if loaded.kind == "docx":
        return loaded.data
    if loaded.kind not in _CONVERTED:
        raise UnreadableFile(f"the template {path.name} is no document to fill in: give a .docx, .dotx, .doc or .odt")
    notices.append(f"the template {path.name} was converted by LibreOffice: compare its look with the original")
    return libreoffice.convert(loaded.data, loaded.kind, "docx", limits)
