"""A funder's own document read into a proposed form, and forms looked over before anyone relies on them.

Every part of a proposal carries the words that it was read from: a person confirms it. Nothing here checks a report.
"""
