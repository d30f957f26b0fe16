"""The Word template of a report born here; benches/make_template.py makes it."""
