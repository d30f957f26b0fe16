"""The Writers: models behind one protocol (base), and the models that can be fetched."""
