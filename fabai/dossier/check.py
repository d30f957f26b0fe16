"""Everything that a dossier's rules find in a project, in one call: expenses, hours, commitments, proofs, publications.

Knows which rules there are. Does not know the text of the report (fabai.checks) or its document (fabai.submission).
"""

from __future__ import annotations

from collections.abc import Collection

from fabai.checks.violation import Findings
from fabai.dossier.annexes import missing, proofs
from fabai.dossier.commitments import check_commitments, standing
from fabai.dossier.expenses import check_lists
from fabai.dossier.granted import terms_of
from fabai.dossier.publications import check_publications, grant_references, publications
from fabai.store.project import Project


def check_dossier(project: Project, off: Collection[str] = ()) -> Findings:
    """Every rule, by part of the dossier; a part that nothing was imported for finds nothing.

    Proofs are asked for once there is one: an organisation may hand its invoices in elsewhere.
    """
    terms = terms_of(project)
    found = check_lists(project, terms, off) + check_commitments(standing(project))
    if proofs(project):
        found += missing(project)
    found += check_publications(publications(project), terms, grant_references(project))
    return Findings(tuple(one for one in found.violations if one.rule not in off), found.notices)
