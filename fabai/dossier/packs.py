"""Contribution packs: a Word file for each partner with their sections, guidance, limits, commitments and present text.

Knows what stands in a box and what each partner is sent of a shared section. Does not know how marks and boxes are put
into a file (fabai.formats.slots), nor what comes back.
"""

from __future__ import annotations

import secrets
from dataclasses import replace

from fabai.dossier.commitments import standing
from fabai.dossier.kept import as_json
from fabai.dossier.matrix import for_section, matrix_rows
from fabai.dossier.pack_words import WORDS, limit_line
from fabai.dossier.partner import Asked, Pack
from fabai.dossier.partners import find_partner, pieces, sharing, text_hash
from fabai.errors import BadSetting
from fabai.form import in_language
from fabai.formats.export import export_docx
from fabai.formats.slots import mark_slots
from fabai.report import Report, Section
from fabai.settings import ExportSettings
from fabai.store.project import Project
from fabai.store.record import now


def make_pack(project: Project, partner_id: str) -> bytes:
    """A Word file with the partner's sections: guidance, limits and commitments in a box, the text that stands now."""
    partner = find_partner(project, partner_id)
    if not partner.sections:
        raise BadSetting(
            f"{partner_id} is asked for nothing: fabai partners PROJECT add {partner_id} NAME --sections IDS"
        )
    report = project.report()
    chosen = [one for one in report if one.id in partner.sections]
    # of a section that several write, each is sent their own part only: whole texts would come back joined twice
    shared = {one.id for one in chosen if sharing(project, partner, one.id)}
    own = {one.id: pieces(project, one.id).get(partner.id, "") for one in chosen if one.id in shared}
    chosen = [replace(one, text=own.get(one.id, one.text)) for one in chosen]
    pack = Pack(secrets.token_hex(6), partner.id, now(), tuple(_asked(project, one) for one in chosen))
    words = WORDS[project.language]
    title = f"{project.title or words['report']} · {partner.name}"
    level = min(one.level for one in chosen) - 1
    flat = tuple(replace(one, level=max(1, one.level - max(0, level))) for one in chosen)
    data = export_docx(
        Report(title, project.language, flat),
        sources={},
        original=None,
        media=project.media(),
        settings=ExportSettings(cover=False, toc=False),
    )
    boxes = {one.id: _box(project, one, one.id in shared) for one in chosen}
    data = mark_slots(data, [one.id for one in flat], boxes, pack.id)
    project.items().save("pack", [(pack.id, as_json(pack))], event="partner")
    return data


def _asked(project: Project, section: Section) -> Asked:
    versions = project.versions(section.id)
    same = [one.id for one in versions if one.text.strip() == section.text.strip()]
    return Asked(section.id, same[-1] if same else 0, text_hash(section.text))


def _box(project: Project, section: Section, shared: bool) -> list[str]:
    language = project.language
    words = WORDS[language]
    spec = project.form.spec(section.spec)
    lines = [words["box"]]
    if spec is not None:
        guidance = in_language(spec.guidance, language)
        if guidance:
            lines.append(guidance)
        lines += [limit_line(limit, language) for limit in spec.limits]
    asked = for_section(
        standing(project), section.heading, "" if spec is None else in_language(spec.guidance, language)
    )
    if asked:
        lines.append(words["commitments"])
        for label, text, promised, *_ in matrix_rows(asked, language):
            lines.append(f"• {label}: {text}{f' ({promised})' if promised else ''}")
    if shared:
        lines.append(words["shared"])
    lines.append(words["how"])
    return lines
