"""A reference system that keeps nothing."""
