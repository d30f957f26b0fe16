"""Releases: a trained adapter made ready to hand out, in every form that people load, each looked at before it is kept.

manifest   what a Release says of itself    card      its model card
merging    the adapter in the base's weights    gguf, vocabulary, quantise   llama.cpp's files
forms      one form written and compared     compare   two ways to run one model
make       the whole road
"""
