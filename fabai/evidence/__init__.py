"""What an auditor and a funder ask for beside the report: where every figure comes from, and how AI was used."""

from fabai.evidence.trace import Line, trace

__all__ = ["Line", "trace"]
