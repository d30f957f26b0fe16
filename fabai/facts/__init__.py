"""Facts as data: what a value says, formulas over facts, facts proposed from documents and what they clash with."""

from fabai.facts.reading import Reading, read_fact, read_value, same

__all__ = ["Reading", "read_fact", "read_value", "same"]
