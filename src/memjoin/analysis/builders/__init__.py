"""Builders of tables, by theme. ``memjoin.analysis.tables`` puts them in order."""
