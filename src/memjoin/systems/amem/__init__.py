"""A-Mem: the package ``a-mem``, run as it is in an environment of its own."""
