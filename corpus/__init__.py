"""Past reports -> corpus -> training examples: what `fabai corpus` runs."""
