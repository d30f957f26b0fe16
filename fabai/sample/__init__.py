"""The sample that ships: a past report and the brief of a fictional organisation."""
