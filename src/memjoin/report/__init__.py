"""Writes what a run found: tables and exports, read from a run that is not changed."""
