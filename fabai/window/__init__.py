"""The window: what the model is shown while it writes one section, chosen, cut and ordered under a token cap."""
