"""Serving a Release to a whole organisation: what is served, on which card, by which server, and kept alive."""
