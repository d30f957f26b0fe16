"""The documents of a grant, read for what they bind to or for how that went; each reading is a proposal.

Knows which reader a kind of document has. Does not know how each reads, nor who confirms what was proposed.
"""

from __future__ import annotations

from typing import Literal, get_args

from fabai.dossier.commitment import Commitment
from fabai.dossier.commitments import add_proposals, propose_outcomes, standing
from fabai.dossier.outcome import outcomes, unreported
from fabai.dossier.proposal import propose
from fabai.dossier.resolution import amended, decided
from fabai.formats.document import Document
from fabai.store.project import Project

Kind = Literal["proposal", "resolution", "amendment", "outcome"]
"""outcome: a report that says how commitments went."""
KINDS: tuple[Kind, ...] = get_args(Kind)


def propose_from(
    project: Project, kind: Kind, document: Document, filename: str, digest: str
) -> tuple[tuple[Commitment, ...], tuple[Commitment, ...]]:
    """The new proposals, and for an outcome the commitments that it does not name. digest: the file's sha256."""
    known = standing(project)
    if kind == "outcome":
        told = outcomes(document, filename, digest, known)
        return propose_outcomes(project, told), unreported(known, told)
    if kind == "proposal":
        found = propose(document, filename, digest)
    elif kind == "resolution":
        found = decided(document, filename, digest, "resolution")
    else:
        found = amended(document, filename, digest, known)
    return add_proposals(project, found), ()
