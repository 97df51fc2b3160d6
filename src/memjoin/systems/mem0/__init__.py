"""Mem0: the package ``mem0ai``, run as it is in an environment of its own."""
