"""Verification of cases by a language model, as the paper's second stage does it (Figure 2).

A model is shown the full history of a case, and every single session alone, and asked for the relation. The
history must let it tell the relation; no single session may. What the verifier of `memjoin.cases` shows from
the clue graph is checked in this way on a reader of language.
"""
