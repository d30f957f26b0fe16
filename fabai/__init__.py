"""fabai: drafts long grant reports section by section with a local model, out to Word."""

__version__ = "0.1.0"
