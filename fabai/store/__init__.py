"""The Project: one SQLite file that holds a report, everything it was made from, and every version of its text."""
