"""fabai: drafts long grant reports section by section with a local model, out to Word."""

import os

__version__ = "0.1.0"

# OpenMP reads this once, when the first library that has it is loaded: threads that wait sleep. Threads that spin take
# the cores from the others on a busy machine, which slows models to a crawl (docs/decisions.md)
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
