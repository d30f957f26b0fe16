"""Facts proposed from documents for a person to confirm: running text, tables, spreadsheets."""

from fabai.proposals.candidate import Candidate
from fabai.proposals.clash import Clash, clashes
from fabai.proposals.document import propose

__all__ = ["Candidate", "Clash", "clashes", "propose"]
