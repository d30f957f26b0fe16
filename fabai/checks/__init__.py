"""Checks: what a report must still mend before it is handed in. Each check returns Findings; none changes anything."""
