"""Judging apart from a run: an existing run's answers by another panel, and a judge's own qualification."""
