"""An Expense: one row of the list of expenses that every account of a grant holds.

Knows the row's fields and what follows from them. Does not know spreadsheets, nor the rules that an expense must keep.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from fabai.dossier.place import Place

_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Expense:
    """One invoice or cost. Amounts are euros unless `currency` says otherwise; None means the row does not tell.

    heading: budget heading as written. base: without VAT. vat: its amount. total: base and VAT. percent: share charged
    to the grant, 0-100. charged: amount charged to the grant as the row tells it. place: file, sheet and row. proof,
    payment_proof: names of files, as the row tells them. quotes: offers that were asked for.
    """

    place: Place
    creditor: str = ""
    nif: str = ""
    number: str = ""
    concept: str = ""
    heading: str = ""
    issued: datetime.date | None = None
    paid: datetime.date | None = None
    base: Decimal | None = None
    vat: Decimal | None = None
    vat_rate: Decimal | None = None
    total: Decimal | None = None
    percent: Decimal | None = None
    charged: Decimal | None = None
    currency: str = "EUR"
    method: str = ""
    partner: str = ""
    proof: str = ""
    payment_proof: str = ""
    quotes: int | None = None

    @property
    def cost(self) -> Decimal | None:
        """The whole invoice: total, else base and VAT, else what is charged; None where the row has no amount."""
        if self.total is not None:
            return self.total
        if self.base is not None:
            return self.base + (self.vat or Decimal(0))
        return self.charged

    @property
    def amount(self) -> Decimal | None:
        """What is charged to the grant, to the cent: as told, else the share `percent` of the whole, else the whole."""
        if self.charged is not None:
            return self.charged
        if self.cost is None or self.percent is None:
            return self.cost
        return (self.cost * self.percent / 100).quantize(_CENT, ROUND_HALF_UP)
