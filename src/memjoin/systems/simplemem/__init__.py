"""SimpleMem: the package ``simplemem``, run as it is in an environment of its own."""
