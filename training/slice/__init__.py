"""Vocabulary slicing: a model cut to the tokens that some languages use, provably the same for them, and back again.

families   which tokenizers, taken apart          tokenizer    the sliced tokenizer's files
closure    how BPE builds a token                 checkpoint   a model folder's headers
texts      text, languages, word lists            rows         weights streamed from disk to disk
counts     units of text and how often            verify       the proof
selection  the order of dropping                  measure, report   the cost, told
choice     from text to a set of tokens           job, unslice the whole road, there and back
"""
