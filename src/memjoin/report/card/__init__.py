"""The data card of a set of cases: what is in it, in figures that a command works out."""
