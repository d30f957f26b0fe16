"""What a page may ask of the dossier, by name: commitments, lists, terms, annexes, partners, grants that begin anew.

Knows the names; app.operations takes them in.
"""

from __future__ import annotations

from collections.abc import Callable

from . import annexes, citations, commitments, expenses, grants, intake, lists, partners, templates, terms
from .call import Answer, Call

OPERATIONS: dict[str, Callable[[Call], Answer]] = {
    "next-period": grants.next_period,
    "create-from-template": templates.create_from_template,
    "create-answer": templates.create_answer,
    "read-again": intake.again,
    "save-import": intake.save,
    "list-again": lists.again,
    "save-list": lists.save,
    "lists": lists.listed,
    "commitments": commitments.listed,
    "decide-commitments": commitments.decide,
    "revise-commitment": commitments.revise,
    "change-commitment": commitments.change,
    "withdraw-commitment": commitments.withdraw,
    "add-commitment": commitments.add,
    "state-commitment": commitments.state,
    "commitment-history": commitments.history,
    "commitment-table": commitments.table,
    "expenses": expenses.listed,
    "terms": terms.listed,
    "set-term": terms.put,
    "remove-term": terms.remove,
    "annexes": annexes.listed,
    "link-proof": annexes.link,
    "open-proof": annexes.opened,
    "annexes-pdf": annexes.together,
    "references": citations.listed,
    "partners": partners.listed,
    "add-partner": partners.add,
    "pack": partners.pack,
    "returned-again": partners.again,
    "take-returned": partners.take,
    "settle-clash": partners.settle,
    "partner-changes": partners.tracked,
    "decide-change": partners.decide,
}
