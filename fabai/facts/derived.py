"""Derived facts: their values follow the facts that they are computed from, however deep.

Knows the order in which formulas are computed and that none may need itself. Does not know how formulas are read
(fabai.facts.formula) or where facts are kept.
"""

from __future__ import annotations

from dataclasses import replace

from fabai.errors import BadSetting, UnknownName
from fabai.facts.formula import Quantity, compute, names_in
from fabai.facts.reading import read_fact
from fabai.ledger import Fact, Ledger
from fabai.report import Language


def settle(ledger: Ledger, language: Language) -> list[Fact]:
    """The derived facts whose values are not what their formulas give, with the values that they give.

    BadSetting where a formula needs itself or cannot be computed, UnknownName where it names no fact.
    """
    facts = {fact.name: fact for fact in ledger}
    quantities: dict[str, Quantity] = {}
    changed: list[Fact] = []
    for fact in ledger:
        if fact.derived:
            _value(fact.name, facts, language, quantities, changed)
    return changed


def dependants(ledger: Ledger, name: str) -> list[Fact]:
    """The derived facts whose formulas name the fact."""
    return [fact for fact in ledger if fact.derived and name in names_in(fact.derived)]


def _value(
    name: str, facts: dict[str, Fact], language: Language, known: dict[str, Quantity], changed: list[Fact]
) -> Quantity:
    """The fact's quantity, computed before what needs it; a stack of our own, as formulas may stand in long chains."""
    path = [name]
    while path:
        current = path[-1]
        fact = facts[current]
        needed = names_in(fact.derived)
        if not fact.derived:
            found = Quantity.of(read_fact(fact, language))
            if found is None:
                user = facts[path[-2]]
                raise BadSetting(
                    f"'{user.name}' is computed from '{current}', whose value '{fact.value}' is no number: "
                    f"change one of them ({user.derived})"
                )
            known[current] = found
            path.pop()
            continue
        for one in needed:
            if one not in facts:
                raise UnknownName.nearest(f"fact in the formula of '{current}':", one, facts)
        missing = next((one for one in needed if one not in known), None)
        if missing is not None:
            if missing in path:
                circle = [*path[path.index(missing) :], missing]
                raise BadSetting(f"'{missing}' would be computed from itself ({' <- '.join(circle)}): change a formula")
            path.append(missing)
            continue
        if not needed:
            raise BadSetting(f"the formula of '{current}' names no fact: write {{name of the fact}}, or give its value")
        result = compute(current, fact.derived, known.__getitem__)
        written = result.written(language)
        computed = replace(fact, value=written)
        if fact.value != written:
            changed.append(computed)
        facts[current] = computed
        known[current] = result
        path.pop()
    return known[name]
