"""Evaluation: is the tuned model better at our reports, did it forget the rest, does it copy our past texts?

subject    a model that is asked how likely texts are     held       held-out sections, apart from training
measure    loss, perplexity, bits per byte, paired        bootstrap  intervals over projects and sections
battery    forgetting, item by item                       general    distance to the base on ordinary text
drafting   sections written as the product writes them    quality    what is measured on a written section
known      what a base said before                      trie       rows in which shared beginnings stand once
copies     runs of words shared with training             verdict    what fails a release, and what to change
plots, report, page   what people see                     job        the whole road
"""
