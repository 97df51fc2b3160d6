"""Measures, statistics and tables, computed from verdict tables alone."""
