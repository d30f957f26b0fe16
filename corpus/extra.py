"""How a person gets the packages that the corpus needs and the core does without."""

from __future__ import annotations

INSTALL = "pip install 'fabai[corpus]'"
