"""A Commitment: one thing that a granted proposal, a resolution or an amendment binds the project to, and how it went.

Knows its fields and states. Does not know documents, nor how commitments are found in them.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Literal, get_args

from fabai.dossier.place import Place
from fabai.report import fold

Kind = Literal[
    "objective", "activity", "deliverable", "milestone", "indicator", "person", "budget", "publicity", "deadline",
    "period",
]  # fmt: skip
State = Literal["proposed", "confirmed", "rejected"]
Status = Literal["", "achieved", "partly", "not"]
Bound = Literal["proposal", "resolution", "amendment"]
KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[Status, ...] = get_args(Status)
BOUND: tuple[Bound, ...] = get_args(Bound)


@dataclass(frozen=True, slots=True)
class Commitment:
    """number: how a person names it, from 1. ref: the document's own ("D1.2"). parent: what it belongs to ("M1").
    text: in the document's words. target: what was promised, as written ("120 participants", "5 days"). amount: of a
    budget heading. start, due: dates where the document has them; "" or its own words ("M6") in `when`. bound: by which
    kind of document.

    How it went: status, achieved (what was reached, as written), evidence (places and names of files), explanation
    (why it deviates). decided_by: who confirmed or rejected it. was: the key that it had before a person changed its
    words.
    """

    kind: Kind
    text: str
    place: Place
    number: int = 0
    ref: str = ""
    parent: str = ""
    target: str = ""
    amount: Decimal | None = None
    start: datetime.date | None = None
    due: datetime.date | None = None
    when: str = ""
    role: str = ""
    quote: str = ""
    bound: Bound = "proposal"
    state: State = "proposed"
    decided_by: str = ""
    status: Status = ""
    achieved: str = ""
    evidence: tuple[str, ...] = ()
    explanation: str = ""
    was: str = ""

    @property
    def key(self) -> str:
        """What stays the same when the document is read again or amended: kind, parent and ref, else kind and words."""
        return key_of(self.kind, self.parent, self.ref, self.text)

    @property
    def label(self) -> str:
        """ "M1 D2" or "D1.2", "" where the document numbers nothing."""
        if self.parent and self.ref and not _holds(self.ref, self.parent):
            return f"{self.parent} {self.ref}"
        return self.ref

    @property
    def deviates(self) -> bool:
        """Whether it was not reached, or not in full, or what was reached differs from what was promised."""
        return self.status in ("partly", "not")


def key_of(kind: Kind, parent: str, ref: str, text: str) -> str:
    """See `Commitment.key`."""
    if ref and kind not in ("person", "budget"):
        return f"{kind}/{'' if _holds(ref, parent) else parent}/{ref}"
    return f"{kind}/{sha256(fold(text).encode()).hexdigest()[:12]}"


def _holds(ref: str, parent: str) -> bool:
    """Whether a ref names its parent already: D1.2 is of WP1 or M1."""
    digits = re.sub(r"\D", "", parent)
    return bool(digits) and re.match(rf"[A-Z]+{digits}\.", ref) is not None
