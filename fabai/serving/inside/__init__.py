"""A folder for the path of vLLM's own Python: it has the one module that vLLM loads by name."""
