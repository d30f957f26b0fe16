"""The model keeper's room: slicing a vocabulary, planning memory, the training engine."""
