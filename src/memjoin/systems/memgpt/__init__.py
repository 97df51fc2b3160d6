"""MemGPT: the package ``pymemgpt``, run as it is in an environment of its own."""
