"""Tokens, phrases, dates, the clue graph and its reading of text. Imports nothing else of MemJoin."""
