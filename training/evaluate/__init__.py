"""Evaluation: is the tuned model better at our reports, did it forget the rest, does it copy our past texts?

subject    a model that is asked how likely texts are     held       held-out sections, apart from training
measure    loss, perplexity, bits per byte, paired        bootstrap  intervals over projects and sections
battery    forgetting, item by item                       general    distance to the base on ordinary text
known      what a base said before                        trie       rows in which shared beginnings stand once
drafting   a section written as the product writes it     rewriting  which sections are, and by whom
quality    what is measured on a written section          copies     runs of words shared with training
verdict    what fails a release, and what to change       words      what is said, in three languages
plots, report, blind   what people see                    job        the whole road
"""
