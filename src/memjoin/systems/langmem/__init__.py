"""LangMem: the package ``langmem``, run as it is in an environment of its own."""
